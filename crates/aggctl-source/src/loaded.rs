//! A source after reading: its snapshot, notes and what-if effects.

use crate::live::{KubectlDefaults, SlowestRequest};
use kube_aggregation::ingest::{Note, NoteLevel};
use kube_aggregation::model::Snapshot;

/// The data of a source, with notes for the user.
#[derive(Debug, Clone)]
pub struct LoadedSource {
    /// The snapshot, including the what-if changes.
    pub snapshot: Snapshot,
    /// The snapshot before the what-if changes, if there are any.
    pub before: Option<Snapshot>,
    /// Notes about how the source was read.
    pub notes: Vec<Note>,
    /// The effects of the what-if changes.
    pub effects: Vec<String>,
    /// What kubectl takes from the kubeconfig for this cluster; `None` for other sources.
    pub kubectl: Option<KubectlDefaults>,
    /// The context that selects the same cluster again, if it is not the default.
    pub context: Option<String>,
    /// The slowest request, if the source is a cluster.
    pub slowest: Option<SlowestRequest>,
}

impl LoadedSource {
    pub(crate) fn new(snapshot: Snapshot, notes: Vec<Note>) -> Self {
        Self {
            snapshot,
            before: None,
            notes,
            effects: vec![],
            kubectl: None,
            context: None,
            slowest: None,
        }
    }

    /// Returns the snapshot without the what-if changes.
    pub fn current(&self) -> &Snapshot {
        self.before.as_ref().unwrap_or(&self.snapshot)
    }

    /// Returns the snapshot without the what-if changes.
    pub fn into_current(self) -> Snapshot {
        self.before.unwrap_or(self.snapshot)
    }

    /// Returns the snapshot with the what-if changes, if there are any.
    pub fn changed(&self) -> Option<&Snapshot> {
        self.before.as_ref().map(|_| &self.snapshot)
    }

    /// Prefixes each note with the name of the source, for commands that read several.
    pub fn name_notes(&mut self, name: &str) {
        for note in &mut self.notes {
            note.text = format!("{name}: {}", note.text);
        }
    }

    /// Returns the notes that are more than details, one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        remarks(&self.notes)
    }
}

/// Returns the notes that are more than details, one sentence each.
pub(crate) fn remarks(notes: &[Note]) -> Vec<String> {
    let notes = notes.iter().filter(|note| note.weight != NoteLevel::Detail);
    notes.map(|note| note.text.clone()).collect()
}
