//! Adds JSON text to a snapshot: one document, or several one after the other.

use serde::de::{DeserializeSeed, IgnoredAny};
use serde_json::{Deserializer, Error};

use super::decode::{Setback, decode};
use super::{SnapshotBuilder, add};

/// Adds every document of a text.
///
/// # Errors
/// The first error of all. After an object that does not fit its kind, the rest is still added;
/// after something that is not JSON, nothing more is.
pub(super) fn add_all(builder: &mut SnapshotBuilder, file: &str, text: &str) -> Result<(), String> {
    let mut first_error = Ok(());
    let mut start = 0;
    loop {
        let rest = text.get(start..).unwrap_or_default();
        let document = rest.trim_ascii_start();
        if document.is_empty() {
            return first_error;
        }
        start += rest.len() - document.len();
        // Counting lines takes time, and only one error is reported.
        let is_first = first_error.is_ok();
        let setback = |error: &Error| {
            let at = if is_first { position(error, text, start) } else { (1, 1) };
            error.is_data().then(|| Setback::new(reason(error), at))
        };
        let mut length = 0;
        let decoded = decode(builder.keep(), setback, |reader| {
            let mut json = Deserializer::from_str(document);
            let decoded = reader.deserialize(&mut json)?;
            length = json.into_iter::<IgnoredAny>().byte_offset();
            Ok(decoded)
        });
        let added = match decoded {
            Ok((decoded, setback)) => {
                let whole = || document.get(..length).unwrap_or_default().to_owned();
                let added = add::document(builder, file, decoded, whole);
                added.map_err(|error| Setback::locate(setback, error))
            }
            Err(error) => {
                // A pass that decodes nothing words what is wrong with the JSON itself.
                let mut only_json = Deserializer::from_str(document).into_iter::<IgnoredAny>();
                let error = only_json.next().and_then(Result::err).unwrap_or(error);
                let (line, column) = position(&error, text, start);
                let why = reason(&error).to_lowercase();
                return first_error.and(Err(format!("{line}:{column}: {why}")));
            }
        };
        first_error = first_error.and(added);
        start += length.max(1);
    }
}

/// Returns what is wrong, without the location.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Returns line and column of an error in the document that starts at a byte of the text.
fn position(error: &Error, text: &str, start: usize) -> (usize, usize) {
    let before = text.get(..start).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count();
    let indent = before.rsplit('\n').next().unwrap_or_default().chars().count();
    match (error.line(), error.column()) {
        (1, column) => (lines + 1, indent + column),
        // At the end behind a line break there is no column: the end is that of the line.
        (line, 0) => {
            let last = text.get(start..).and_then(|text| text.lines().nth(line - 2));
            let indent = if line == 2 { indent } else { 0 };
            (lines + line - 1, (indent + last.unwrap_or_default().chars().count()).max(1))
        }
        (line, column) => (lines + line, column),
    }
}
