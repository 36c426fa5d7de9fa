//! The plain Kubernetes servers that are part of the binary, as a source.

use super::{Loaded, Note, Weight};
use crate::baseline;
use crate::model::{Input, Minor, Origin, ServerVersion, SourceKind};
use crate::registry::Assumption;

/// The plain server of a version; of one that is not embedded, the facts of the one that
/// stands for it: every answer names that as an assumption.
pub(super) fn load(wanted: Option<Minor>) -> Loaded {
    let wanted = wanted.unwrap_or(baseline::LATEST);
    let mut snapshot = baseline::server(wanted).clone();
    let mut notes = vec![];
    if let Some(got) = snapshot.minor().filter(|got| *got != wanted) {
        let text = Assumption::NotBuiltIn(wanted, got).to_string();
        notes.push(Note { weight: Weight::Note, text });
        let version = ServerVersion { minor: Some(wanted), git_version: format!("v{wanted}") };
        snapshot.version = Input::Loaded(version);
        snapshot.origin = Origin { kind: SourceKind::Builtin, name: wanted.to_string() };
    }
    Loaded { snapshot, notes }
}
