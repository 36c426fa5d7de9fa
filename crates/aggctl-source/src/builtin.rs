//! The plain Kubernetes servers that are part of the binary, as a source.

use std::borrow::Cow;

use super::{Note, NoteLevel};
use kube_aggregation::baseline;
use kube_aggregation::model::{Input, Minor, Origin, ServerVersion, Snapshot, SourceKind};
use kube_aggregation::registry::Assumption;

/// The plain server of a version; of one that is not embedded, that is an assumption, and said.
pub(super) fn load(wanted: Option<Minor>) -> (Cow<'static, Snapshot>, Vec<Note>) {
    let wanted = wanted.unwrap_or(baseline::LATEST);
    let mut snapshot = Cow::Borrowed(baseline::server(wanted));
    let mut notes = vec![];
    let got = baseline::standing_for(wanted);
    if got != wanted {
        let text = Assumption::NotBuiltIn(wanted, got).to_string();
        notes.push(Note { weight: NoteLevel::Note, text });
        let version = ServerVersion { minor: Some(wanted), git_version: format!("v{wanted}") };
        let snapshot = snapshot.to_mut();
        snapshot.version = Input::Loaded(version);
        snapshot.origin = Origin { kind: SourceKind::Builtin, name: wanted.to_string() };
    }
    (snapshot, notes)
}
