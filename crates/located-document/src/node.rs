//! The tree that a document is parsed into.

use std::borrow::Cow;

/// A byte range in a file.
///
/// [`parse`](super::parse) rejects files larger than 4 GiB, so 32 bits are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// Creates the range from `start` up to `end`. It never ends before it starts.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Self { start, end: end.max(start) }
    }

    /// Returns the range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and its location.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// The value.
    pub value: Value<'a>,
    /// The location. For an alias this is the location of the anchored text, which is what an
    /// author has to edit.
    pub span: Span,
}

/// The value of a node, in terms of JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`, in any spelling, and the empty scalar.
    Null,
    /// A boolean, in any spelling that Kubernetes accepts.
    Bool(bool),
    /// A number, written as the JSON that a client sends to the server.
    Number(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
    /// A list.
    Sequence(Vec<Node<'a>>),
    /// An object. All entries are kept in order, including duplicates.
    Mapping(Vec<Entry<'a>>),
}

/// A key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The key as a JSON string.
    pub key: Cow<'a, str>,
    /// The location of the key.
    pub key_span: Span,
    /// The value of the key.
    pub value: Node<'a>,
    /// Whether a merge key (`<<`) added it.
    pub merged: bool,
}

impl Value<'_> {
    /// Returns the name of the JSON type, as in Go's decoder.
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

    /// Frees the unused capacity of a completed collection.
    pub(super) fn shrink(&mut self) {
        match self {
            Self::Sequence(items) => items.shrink_to_fit(),
            Self::Mapping(entries) => entries.shrink_to_fit(),
            _ => {}
        }
    }
}

impl<'a> Node<'a> {
    /// Returns the entry of a key. The last one counts if there are duplicates.
    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries().iter().rev().find(|e| e.key == key)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        self.entry(key).map(|e| &e.value)
    }

    /// Returns the value at a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Node<'a>> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// Returns the boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Returns the integer, if Go would decode the number into one: `1.0` and `1e3` are not
    /// integers.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// Returns the entries of a mapping; empty for anything else.
    pub fn entries(&self) -> &[Entry<'a>] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a sequence; empty for anything else.
    pub fn items(&self) -> &[Node<'a>] {
        match &self.value {
            Value::Sequence(items) => items,
            _ => &[],
        }
    }

    /// Returns the memory that a copy takes, in bytes.
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

    /// Returns an owned copy with mapped locations.
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
