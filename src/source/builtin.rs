//! The plain Kubernetes servers that are part of the binary, as a source.

use super::{Loaded, Note, Weight};
use crate::baseline;
use crate::model::Minor;

pub(super) fn load(wanted: Option<Minor>) -> Loaded {
    let wanted = wanted.unwrap_or(baseline::LATEST);
    let got = baseline::nearest(wanted);
    let mut notes = vec![];
    if got != wanted {
        let has = baseline::MINORS.map(|m| m.to_string()).join(", ");
        notes.push(Note {
            weight: Weight::Note,
            text: format!("no built-in Kubernetes {wanted}; using {got}, the nearest of {has}"),
        });
    }
    Loaded { snapshot: baseline::server(got).clone(), notes }
}
