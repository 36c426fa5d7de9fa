//! Splits a stream into its documents, line by line.
//!
//! A line that starts with `---` always ends a document, both in YAML and in kubectl's reader.
//! Splitting there first confines an error to its own document, and lets each document use the
//! parser that suits it.

use super::COMMENT_MARK;
use super::position::BOM;

/// A part of the text that contains one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The start: the `---` line, if there is one.
    pub(super) start: usize,
    /// The end.
    pub(super) end: usize,
    /// The number of its first line.
    pub(super) line: usize,
    /// The start of the content, after the marker and white space.
    pub(super) content: usize,
    /// Whether the content starts like a JSON collection.
    pub(super) may_be_json: bool,
}

impl Piece {
    /// Returns whether the content starts with `{` and then `"` or `}`, which is not usual in YAML.
    pub(super) fn starts_like_json_object(&self, text: &str) -> bool {
        let content = &text[self.content..self.end];
        content.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
    }
}

/// Splits a text into pieces. Omits pieces without content at the start and the end of the text.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut line = 1;
    let mut pieces = Vec::new();
    let mut from = start;
    let mut headed = false;
    loop {
        let end = next_marker(bytes, from).unwrap_or(bytes.len());
        let piece = &text[start..end];
        let explicit = is_marker(piece.as_bytes());
        // Directives belong to the document after the next marker. So do comments above the first
        // marker that mention aggctl.
        let heads = has_directive(piece) || (is_blank(piece) && speaks_to_us(piece));
        if !explicit && !headed && end < bytes.len() && heads {
            headed = true;
            from = end + 3;
            continue;
        }
        headed = false;
        let last = end == bytes.len();
        let empty = is_blank(if explicit { &piece[3..] } else { piece });
        if !empty || (explicit && !last) {
            pieces.push(describe(text, start, end, line, explicit));
        }
        if last {
            return pieces;
        }
        line += memchr::memchr_iter(b'\n', &bytes[start..end]).count();
        start = end;
        from = end + 3;
    }
}

fn describe(text: &str, start: usize, end: usize, line: usize, explicit: bool) -> Piece {
    let marker = if explicit { start + 3 } else { start };
    let content = end - text[marker..end].trim_start_matches([' ', '\t', '\r', '\n']).len();
    let may_be_json = matches!(text.as_bytes().get(content), Some(b'{' | b'['));
    Piece { start, end, line, content, may_be_json: may_be_json && content < end }
}

/// Returns the next document marker at or after `from`.
fn next_marker(bytes: &[u8], from: usize) -> Option<usize> {
    if from == 0 && is_marker(bytes) {
        return Some(0);
    }
    let mut at = from;
    loop {
        let found = at + memchr::memmem::find(bytes.get(at..)?, b"\n---")? + 1;
        if is_marker(&bytes[found..]) {
            return Some(found);
        }
        at = found + 3;
    }
}

fn is_marker(line: &[u8]) -> bool {
    line.starts_with(b"---") && matches!(line.get(3), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
}

/// Returns whether there is only white space and comments.
fn is_blank(text: &str) -> bool {
    text.lines().map(str::trim_start).all(|line| line.is_empty() || line.starts_with('#'))
}

fn speaks_to_us(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), COMMENT_MARK).is_some()
}

fn has_directive(text: &str) -> bool {
    text.starts_with('%') || text.contains("\n%")
}
