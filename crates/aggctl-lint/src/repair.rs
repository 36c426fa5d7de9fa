//! Turns fixes into edits of the text, and verifies them before anything is written.
//!
//! An edit only touches the bytes of a value or the lines of a field, so that comments and
//! formatting stay. The result is parsed again and compared with the intent. If they differ, the
//! file is not changed.

use super::fix::{Fix, Intent};
use located_document::{Document, Node, Span, Value};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// An edit of a file: replaces a range of bytes with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
    /// What it does, for the summary.
    pub title: String,
}

/// Returns the edits that implement the fixes of one file.
///
/// # Errors
/// If the edited file would not mean what the fixes intend.
pub fn edits(bytes: &[u8], fixes: &[&Fix]) -> Result<Vec<Edit>, UnsafeFix> {
    let mut planned: Vec<(Edit, &Intent)> =
        fixes.iter().filter_map(|fix| Some((edit_of(bytes, fix)?, &fix.intent))).collect();
    planned.sort_by_key(|(edit, _)| edit.range.start);
    // If two overlap, only the first is applied. The next run finds the other one again.
    let mut end = 0;
    planned.retain(|(edit, _)| {
        let free = edit.range.start >= end;
        end = if free { edit.range.end.max(end) } else { end };
        free
    });
    let (edits, intents): (Vec<Edit>, Vec<&Intent>) = planned.into_iter().unzip();
    let got = says(&located_document::parse(&apply(bytes, &edits)));
    match meant(bytes, &intents) == Some(got) {
        true => Ok(edits),
        false => Err(UnsafeFix),
    }
}

/// Fixes that would change the meaning of a file in an unintended way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnsafeFix;

impl fmt::Display for UnsafeFix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the result would have another meaning")
    }
}

impl std::error::Error for UnsafeFix {}

/// Returns the edit that implements a single fix.
pub fn edit_of(bytes: &[u8], fix: &Fix) -> Option<Edit> {
    let (range, text) = edit(bytes, &fix.intent)?;
    Some(Edit { range, text, title: fix.title.clone() })
}

/// Applies edits to a file.
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.range.start]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// The values of a file's documents; `None` for a document that is malformed.
type Said = Vec<Option<serde_json::Value>>;

fn says(documents: &[Result<Document<'_>, located_document::DocumentError>]) -> Said {
    documents.iter().map(|d| d.as_ref().ok().map(Document::to_json_value)).collect()
}

/// Returns the values that a file should have after the fixes; `None` if a fix does not match it.
fn meant(bytes: &[u8], intents: &[&Intent]) -> Option<Said> {
    let mut documents = located_document::parse(bytes);
    let mut open: HashMap<Span, &Intent> =
        intents.iter().map(|intent| (intent.place(), *intent)).collect();
    for document in documents.iter_mut().filter_map(|document| document.as_mut().ok()) {
        change(&mut document.root, &mut open);
    }
    open.is_empty().then(|| says(&documents))
}

/// Applies each change at the first matching place. If an anchor uses the value in more places, the
/// edited text changes all of them, so the results differ and the edit is rejected.
fn change(node: &mut Node<'_>, open: &mut HashMap<Span, &Intent>) {
    if open.is_empty() {
        return;
    }
    if let Some(Intent::Set(_, value)) = open.get(&node.span)
        && node.as_str().is_some()
    {
        node.value = Value::String(Cow::Owned(value.clone()));
        open.remove(&node.span);
        return;
    }
    match &mut node.value {
        Value::Mapping(entries) => {
            entries.retain(|entry| {
                let goes = matches!(open.get(&entry.key_span), Some(Intent::Remove(..)));
                if goes {
                    open.remove(&entry.key_span);
                }
                !goes
            });
            entries.iter_mut().for_each(|entry| change(&mut entry.value, open));
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| change(item, open)),
        _ => {}
    }
}

fn edit(bytes: &[u8], intent: &Intent) -> Option<(Range<usize>, String)> {
    match intent {
        Intent::Set(span, value) => {
            let text = match bytes.get(span.start as usize)? {
                b'"' => serde_json::to_string(value).ok()?,
                b'\'' => format!("'{}'", value.replace('\'', "''")),
                b'|' | b'>' => return None,
                _ => value.clone(),
            };
            Some((span.range(), text))
        }
        Intent::Remove(key, value) => {
            let field = key.start as usize..(value.end.max(key.end)) as usize;
            Some((whole_lines(bytes, &field).or_else(|| flow(bytes, &field))?, String::new()))
        }
    }
}

/// Returns the lines of a field, if they contain nothing else but a comment.
fn whole_lines(bytes: &[u8], field: &Range<usize>) -> Option<Range<usize>> {
    let start = memchr::memrchr(b'\n', &bytes[..field.start]).map_or(0, |at| at + 1);
    let end =
        memchr::memchr(b'\n', &bytes[field.end..]).map_or(bytes.len(), |at| field.end + at + 1);
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    let after = bytes[field.end..end].iter().find(|b| !blank(b));
    let alone = bytes[start..field.start].iter().all(blank) && matches!(after, None | Some(b'#'));
    alone.then_some(start..end)
}

/// Returns the range of a field between braces, including one adjacent comma.
fn flow(bytes: &[u8], field: &Range<usize>) -> Option<Range<usize>> {
    let next = field.end + bytes[field.end..].iter().position(|b| !b.is_ascii_whitespace())?;
    let before = bytes[..field.start].iter().rposition(|b| !b.is_ascii_whitespace())?;
    match (bytes[before], bytes[next]) {
        (b'{' | b',', b',') => {
            let rest = &bytes[next + 1..];
            let gap = rest.iter().position(|b| !b.is_ascii_whitespace())?;
            Some(field.start..next + 1 + gap)
        }
        (b',', b'}') => Some(before..field.end),
        (b'{', b'}') => Some(field.clone()),
        _ => None,
    }
}
