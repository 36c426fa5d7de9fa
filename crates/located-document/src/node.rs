//! The tree that a document parses into.

use std::borrow::Cow;

/// Where something stands in a file: a range of bytes.
///
/// Files beyond 4 GiB are refused by [`parse`](super::parse), so 32 bits do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to `end`, which never ends before it starts.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Self { start, end: end.max(start) }
    }

    /// As a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// What it says.
    pub value: Value<'a>,
    /// Where it says so. Behind an alias this is the place of the anchored
    /// text: that is what an author has to edit.
    pub span: Span,
}

/// What a node says, in JSON's terms.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`, in any spelling, and the empty scalar.
    Null,
    /// A boolean, in any spelling that Kubernetes takes.
    Bool(bool),
    /// A number, written as the JSON that a client sends to the server.
    Number(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// A list.
    Sequence(Vec<Node<'a>>),
    /// An object. Every entry is kept, in order, duplicates included.
    Mapping(Vec<Entry<'a>>),
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The key, as the string that JSON would have.
    pub key: Cow<'a, str>,
    /// Where the key stands.
    pub key_span: Span,
    /// What stands behind it.
    pub value: Node<'a>,
    /// Whether it came through a merge key (`<<`).
    pub merged: bool,
}

impl Value<'_> {
    /// The name of the JSON type, as Go's decoder calls it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Sequence(_) => "array",
            Self::Mapping(_) => "object",
        }
    }

    /// Gives back what a collection that is complete does not need.
    pub(super) fn shrink(&mut self) {
        match self {
            Self::Sequence(items) => items.shrink_to_fit(),
            Self::Mapping(entries) => entries.shrink_to_fit(),
            _ => {}
        }
    }
}

impl<'a> Node<'a> {
    /// The entry of a mapping: of several with that key the last, which is the
    /// one that counts.
    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries().iter().rev().find(|e| e.key == key)
    }

    /// The value behind a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.entry(key).map(|e| &e.value)
    }

    /// The value behind a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node<'a>> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The integer, if it is a number that Go would decode into one: `1.0` and
    /// `1e3` are not.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// The entries of a mapping; none for anything else.
    pub fn entries(&self) -> &[Entry<'a>] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self) -> &[Node<'a>] {
        match &self.value {
            Value::Sequence(items) => items,
            _ => &[],
        }
    }

    /// How much memory a copy of it takes.
    pub(super) fn bytes(&self) -> usize {
        let owned = |text: &Cow<'_, str>| match text {
            Cow::Borrowed(_) => 0,
            Cow::Owned(text) => text.len(),
        };
        match &self.value {
            Value::Null | Value::Bool(_) => size_of::<Self>(),
            Value::Number(text) | Value::String(text) => size_of::<Self>() + owned(text),
            Value::Sequence(items) => {
                size_of::<Self>() + items.iter().map(Node::bytes).sum::<usize>()
            }
            Value::Mapping(entries) => {
                let entry =
                    |e: &Entry<'_>| size_of::<Entry<'_>>() + owned(&e.key) + e.value.bytes();
                size_of::<Self>() + entries.iter().map(entry).sum::<usize>()
            }
        }
    }

    /// The same with texts of its own, its places moved.
    pub(super) fn moved(self, to: &impl Fn(Span) -> Span) -> Node<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let value = match self.value {
            Value::Null => Value::Null,
            Value::Bool(bool) => Value::Bool(bool),
            Value::Number(text) => Value::Number(own(text)),
            Value::String(text) => Value::String(own(text)),
            Value::Sequence(items) => {
                Value::Sequence(items.into_iter().map(|item| item.moved(to)).collect())
            }
            Value::Mapping(entries) => {
                let entry = |e: Entry<'_>| Entry {
                    key: own(e.key),
                    key_span: to(e.key_span),
                    value: e.value.moved(to),
                    merged: e.merged,
                };
                Value::Mapping(entries.into_iter().map(entry).collect())
            }
        };
        Node { value, span: to(self.span) }
    }
}
