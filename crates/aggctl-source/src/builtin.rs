//! Loads the built-in data of a Kubernetes version as a source.

use kube_aggregation::baseline;
use kube_aggregation::ingest::{Note, NoteLevel};
use kube_aggregation::model::{Input, Minor, Origin, ServerVersion, Snapshot, SourceKind};
use kube_aggregation::registry::Assumption;

/// Returns the built-in data of a version, by default of the newest. If the version is not built
/// in, uses the nearest one and adds a note.
pub(crate) fn load(wanted: Option<Minor>) -> (Snapshot, Vec<Note>) {
    let wanted = wanted.unwrap_or(baseline::LATEST);
    let mut snapshot = baseline::server(wanted).clone();
    let mut notes = vec![];
    let got = baseline::standing_for(wanted);
    if got != wanted {
        let text = Assumption::NotBuiltIn(wanted, got).to_string();
        notes.push(Note { weight: NoteLevel::Note, text });
        let version = ServerVersion {
            minor: Some(wanted),
            git_version: format!("v{wanted}"),
            emulation: None,
        };
        snapshot.version = Input::Loaded(version);
        snapshot.origin = Origin { kind: SourceKind::Builtin, name: wanted.to_string() };
    }
    (snapshot, notes)
}
