//! Edits that keep everything else as it is.

use super::ApiService;
use located_document::{Entry, Node, Span};

/// An edit, as what it means; how to write it depends on the text around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for the summary.
    pub title: String,
    /// What it means.
    pub intent: Intent,
}

/// What an edit means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// The scalar at this place becomes this string.
    Set(Span, String),
    /// The entry with this key and this value goes.
    Remove(Span, Span),
}

impl Intent {
    /// What it is recognised by: the value that changes, or the key that goes.
    pub(super) fn place(&self) -> Span {
        match self {
            Self::Set(place, _) | Self::Remove(place, _) => *place,
        }
    }
}

impl Fix {
    /// Replaces a string; nothing where it came through a merge key, since the
    /// text then belongs to something else as well.
    pub fn set(service: &ApiService<'_>, path: &[&str], value: &str, title: &str) -> Option<Self> {
        let entry = own_entry(service.object.node, path)?;
        entry.value.as_str()?;
        let intent = Intent::Set(entry.value.span, value.to_owned());
        Some(Self { title: title.to_owned(), intent })
    }

    /// Removes an entry.
    pub fn remove(service: &ApiService<'_>, path: &[&str], title: &str) -> Option<Self> {
        let entry = own_entry(service.object.node, path)?;
        let intent = Intent::Remove(entry.key_span, entry.value.span);
        Some(Self { title: title.to_owned(), intent })
    }
}

/// The entry at a path, if it is written there and only there.
fn own_entry<'a>(root: &'a Node<'a>, path: &[&str]) -> Option<&'a Entry<'a>> {
    let (last, parents) = path.split_last()?;
    let mut node = root;
    for key in parents {
        node = &sole_entry(node, key)?.value;
    }
    sole_entry(node, last)
}

fn sole_entry<'a>(node: &'a Node<'a>, key: &str) -> Option<&'a Entry<'a>> {
    let mut named = node.entries().iter().filter(|e| e.key == key);
    let entry = named.next()?;
    // The value of an alias stands somewhere else.
    let here =
        entry.key_span.end <= entry.value.span.start && entry.value.span.end <= node.span.end;
    (named.next().is_none() && !entry.merged && here).then_some(entry)
}
