//! The documents of a dump, kept so that names in them can be replaced.

use kube_aggregation::ingest::{Note, NoteLevel};
use serde_json::Value;

/// A file of a dump: its path and its documents. A health response, metrics, flags and a version are
/// strings.
pub type ParsedFile = (String, Vec<Value>);

/// The maximum estimate of the memory that the documents take. A cluster with 10,000 APIServices has
/// about 200 MiB.
const MAX_MEMORY: usize = 1 << 30;

/// The documents of a dump, by file.
#[derive(Debug, Default)]
pub(crate) struct DumpFiles {
    pub(super) files: Vec<ParsedFile>,
    memory: usize,
    /// Notes without names.
    pub(super) notes: Vec<Note>,
}

impl DumpFiles {
    pub(super) fn warn(&mut self, text: String) {
        self.notes.push(Note { weight: NoteLevel::Warning, text });
    }

    /// Keeps a text document.
    pub(super) fn keep_text(&mut self, file: &str, text: &str) -> Result<(), String> {
        self.take(text.len())?;
        self.push(file, text.into());
        Ok(())
    }

    /// Keeps a JSON document.
    pub(super) fn keep_json(&mut self, file: &str, text: &str) -> Result<(), String> {
        self.take(memory(text))?;
        // A string would be taken for a text document.
        if text.starts_with(['{', '[']) {
            let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            self.push(file, value);
        }
        Ok(())
    }

    fn take(&mut self, memory: usize) -> Result<(), String> {
        let all = self.memory.saturating_add(memory);
        if all > MAX_MEMORY {
            return Err("too large to replace names in it".to_owned());
        }
        self.memory = all;
        Ok(())
    }

    fn push(&mut self, file: &str, document: Value) {
        match self.files.last_mut() {
            Some((last, documents)) if last == file => documents.push(document),
            _ => self.files.push((file.to_owned(), vec![document])),
        }
    }
}

/// Estimates how much memory a JSON text takes when it is parsed. Small elements grow most.
fn memory(json: &str) -> usize {
    let byte = |byte| match byte {
        b'{' => 500,
        b'[' | b',' => 2 * size_of::<Value>(),
        _ => 1,
    };
    json.bytes().map(byte).sum()
}
