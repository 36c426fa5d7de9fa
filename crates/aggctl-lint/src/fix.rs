//! Automatic fixes: the intended change of a finding, independent of how the text is edited.

use located_document::{Entry, Node, Span};

/// A fix, described by its intent. The edit depends on the surrounding text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for the summary.
    pub title: String,
    /// The intended change.
    pub intent: Intent,
}

/// An intended change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Sets the scalar at this place to this string.
    Set(Span, String),
    /// Removes the entry with this key and this value.
    Remove(Span, Span),
}

impl Intent {
    /// Returns the place that identifies it: the changed value, or the removed key.
    pub(super) fn place(&self) -> Span {
        match self {
            Self::Set(place, _) | Self::Remove(place, _) => *place,
        }
    }
}

impl Fix {
    /// Replaces a string. Returns `None` if it is from a merge key, because other mappings use the
    /// same text.
    pub fn set(object: &Node<'_>, path: &[&str], value: &str, title: &str) -> Option<Self> {
        let entry = own_entry(object, path)?;
        entry.value.as_str()?;
        let intent = Intent::Set(entry.value.span, value.to_owned());
        Some(Self { title: title.to_owned(), intent })
    }

    /// Removes an entry.
    pub fn remove(object: &Node<'_>, path: &[&str], title: &str) -> Option<Self> {
        let entry = own_entry(object, path)?;
        let intent = Intent::Remove(entry.key_span, entry.value.span);
        Some(Self { title: title.to_owned(), intent })
    }
}

/// Returns the entry at a path, if it is written there and only there.
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
    // The value of an alias is written elsewhere.
    let here =
        entry.key_span.end <= entry.value.span.start && entry.value.span.end <= node.span.end;
    (named.next().is_none() && !entry.merged && here).then_some(entry)
}
