//! A source that was read.

use kube_aggregation::ingest::{Note, NoteLevel};
use kube_aggregation::model::Snapshot;

/// The facts of a source, and what the user should know about them.
#[derive(Debug, Clone)]
pub struct LoadedSource {
    /// The facts, with the what-if changes.
    pub snapshot: Snapshot,
    /// The facts before the what-if changes, if there are any.
    pub before: Option<Snapshot>,
    /// What the user should know about how the source was read.
    pub notes: Vec<Note>,
    /// What the what-if changes cause.
    pub effects: Vec<String>,
    /// The context to name in order to read the same cluster again, if it is not the default.
    pub context: Option<String>,
}

impl LoadedSource {
    pub(crate) fn new(snapshot: Snapshot, notes: Vec<Note>) -> Self {
        Self { snapshot, before: None, notes, effects: vec![], context: None }
    }

    /// Returns the facts without the what-if changes.
    pub fn current(&self) -> &Snapshot {
        self.before.as_ref().unwrap_or(&self.snapshot)
    }

    /// Returns the facts without the what-if changes.
    pub fn into_current(self) -> Snapshot {
        self.before.unwrap_or(self.snapshot)
    }

    /// Returns the facts with the what-if changes, if there are any.
    pub fn changed(&self) -> Option<&Snapshot> {
        self.before.as_ref().map(|_| &self.snapshot)
    }

    /// Prefixes each note with the name of the source, for commands that read several.
    pub fn name_notes(&mut self, name: &str) {
        for note in &mut self.notes {
            note.text = format!("{name}: {}", note.text);
        }
    }

    /// Returns the notes and effects that are more than details, one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let notes = self.notes.iter().filter(|note| note.weight != NoteLevel::Detail);
        notes.map(|note| &note.text).chain(&self.effects).cloned().collect()
    }
}
