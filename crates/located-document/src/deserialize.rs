//! Located documents as a serde data format.
//!
//! A [`Node`] is decoded into the same structs as JSON text, so that there is one decoder for each
//! kind of object, whatever its file is written in. An error says where in the file it arose.

use super::node::{Entry, Node, Span, Value};
use super::position::{Position, Positions};
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::collections::HashSet;
use std::fmt;

/// How many values of the wrong type [`Node::decode_leniently`] leaves out before it gives up. Each
/// of them costs one more attempt.
const MAX_LEFT_OUT: usize = 50;

/// Up to this many entries of a mapping, comparing all of them is faster than building a set.
const FEW_ENTRIES: usize = 16;

impl Node<'_> {
    /// Decodes the node.
    ///
    /// # Errors
    /// If its content does not fit the type.
    pub fn decode<'n, T: Deserialize<'n>>(&'n self) -> Result<T, DecodeError> {
        T::deserialize(NodeDeserializer::new(self))
    }

    /// Decodes the node as if values of the wrong type were absent. Returns `None` if something
    /// required is missing, or if too many values are of the wrong type.
    pub fn decode_leniently<'n, T: Deserialize<'n>>(&'n self) -> Option<T> {
        let mut left_out = vec![];
        loop {
            let error = match T::deserialize(NodeDeserializer {
                left_out: &left_out,
                ..NodeDeserializer::new(self)
            }) {
                Ok(value) => return Some(value),
                Err(error) => error,
            };
            let span = error.span.filter(|span| *span != self.span && !left_out.contains(span))?;
            if left_out.len() == MAX_LEFT_OUT {
                return None;
            }
            left_out.push(span);
        }
    }

    /// Converts the node to plain JSON without locations. The last of duplicate keys wins.
    pub fn to_json_value(&self) -> serde_json::Value {
        // Every node has a JSON form, so decoding cannot fail.
        self.decode().unwrap_or_default()
    }
}

/// Why a document could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong, without a location.
    pub message: String,
    /// The value that does not fit.
    pub span: Option<Span>,
    /// Where that value starts, if the file's bytes are known (see [`NodeDeserializer::in_file`]).
    pub position: Option<Position>,
}

impl fmt::Display for DecodeError {
    /// Writes the location behind the message, as `serde_json` does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.position {
            Some(Position { line, column }) => write!(f, " at line {line} column {column}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None, position: None }
    }
}

/// Decodes one node. The last of duplicate keys wins.
#[derive(Debug, Clone, Copy)]
pub struct NodeDeserializer<'n, 'c> {
    node: &'n Node<'n>,
    /// The file, for the line and column of an error.
    file: Option<&'c [u8]>,
    /// Values to pass over.
    left_out: &'c [Span],
}

impl<'n, 'c> NodeDeserializer<'n, 'c> {
    /// Decodes a node whose file is not at hand.
    pub fn new(node: &'n Node<'n>) -> Self {
        Self { node, file: None, left_out: &[] }
    }

    /// Lets errors tell lines and columns. Finding them takes time that is linear in the offset.
    #[must_use]
    pub fn in_file(self, bytes: &'c [u8]) -> Self {
        Self { file: Some(bytes), ..self }
    }

    fn of(self, node: &'n Node<'n>) -> Self {
        Self { node, ..self }
    }

    fn is_left_out(&self, node: &Node<'_>) -> bool {
        self.left_out.contains(&node.span)
    }

    /// Adds the location to an error that has none yet: the innermost value knows best.
    fn locate(self, mut error: DecodeError) -> DecodeError {
        if error.span.is_none() {
            let span = self.node.span;
            error.span = Some(span);
            error.position = self.file.map(|file| Positions::new(file).of(span.start as usize));
        }
        error
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de, '_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let result = match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(bool) => visitor.visit_bool(*bool),
            Value::Number(text) => number(text, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Sequence(items) => visitor.visit_seq(Items { of: self, items: items.iter() }),
            Value::Mapping(entries) => {
                let entries = last_of_each_key(entries);
                visitor.visit_map(Entries { of: self, entries: entries.into_iter(), value: None })
            }
        };
        result.map_err(|error| self.locate(error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    /// An enum without data is written as a string; others do not occur in Kubernetes.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let result = match self.node.as_str() {
            Some(text) => visitor.visit_enum(text.into_deserializer()),
            None => {
                let found = de::Unexpected::Other(self.node.value.type_name());
                Err(de::Error::invalid_type(found, &"a string"))
            }
        };
        result.map_err(|error| self.locate(error))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// Visits a number; one that no integer type holds becomes a float.
fn number<'de, V: Visitor<'de>>(text: &str, visitor: V) -> Result<V::Value, DecodeError> {
    if let Ok(integer) = text.parse() {
        return visitor.visit_i64(integer);
    }
    if let Ok(integer) = text.parse() {
        return visitor.visit_u64(integer);
    }
    match text.parse() {
        Ok(float) => visitor.visit_f64(float),
        Err(_) => visitor.visit_unit(),
    }
}

struct Items<'n, 'c> {
    of: NodeDeserializer<'n, 'c>,
    items: std::slice::Iter<'n, Node<'n>>,
}

impl<'de> de::SeqAccess<'de> for Items<'de, '_> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let of = self.of;
        match self.items.find(|item| !of.is_left_out(item)) {
            Some(item) => seed.deserialize(of.of(item)).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'n, 'c> {
    of: NodeDeserializer<'n, 'c>,
    entries: std::vec::IntoIter<&'n Entry<'n>>,
    value: Option<&'n Node<'n>>,
}

impl<'de> de::MapAccess<'de> for Entries<'de, '_> {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, DecodeError> {
        let of = self.of;
        let Some(entry) = self.entries.find(|entry| !of.is_left_out(&entry.value)) else {
            return Ok(None);
        };
        self.value = Some(&entry.value);
        seed.deserialize(BorrowedStrDeserializer::new(&entry.key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.of.of(value)),
            None => Err(de::Error::custom("a value without its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The entries that count, in order: of several with one key the last.
fn last_of_each_key<'n>(entries: &'n [Entry<'n>]) -> Vec<&'n Entry<'n>> {
    if entries.len() <= FEW_ENTRIES {
        let is_last = |(index, entry): &(usize, &Entry<'_>)| {
            !entries[index + 1..].iter().any(|later| later.key == entry.key)
        };
        return entries.iter().enumerate().filter(is_last).map(|(_, entry)| entry).collect();
    }
    let mut seen = HashSet::with_capacity(entries.len());
    let mut last: Vec<_> = entries.iter().rev().filter(|entry| seen.insert(&*entry.key)).collect();
    last.reverse();
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(default)]
    struct Port {
        name: Option<String>,
        port: Option<i32>,
        labels: BTreeMap<String, String>,
        addresses: Vec<String>,
    }

    fn document(text: &str) -> crate::Document<'_> {
        crate::parse(text.as_bytes()).remove(0).unwrap()
    }

    #[test]
    fn yaml_and_json_decode_alike() {
        let yaml = "name: web\nport: 443\nlabels: {a: b}\nother: [1, {x: 2}]\n";
        let json = r#"{"name":"web","port":443,"labels":{"a":"b"},"other":[1,{"x":2}]}"#;
        let want: Port = serde_json::from_str(json).unwrap();
        assert_eq!(document(yaml).root.decode::<Port>(), Ok(want));
        assert_eq!(document(json).root.decode::<serde_json::Value>().unwrap().to_string(), json);
    }

    #[test]
    fn errors_tell_where_they_arose() {
        let text = "name: web\nlabels:\n  a: b\n  c: [1]\n";
        let document = document(text);
        let located = NodeDeserializer::new(&document.root).in_file(text.as_bytes());
        let error = Port::deserialize(located).unwrap_err();
        let want = "invalid type: sequence, expected a string at line 4 column 6";
        assert_eq!(error.to_string(), want);
        let range = error.span.unwrap().range();
        assert_eq!(&text[range], "[1]");
    }

    #[test]
    fn values_of_the_wrong_type_can_be_left_out() {
        let text = "name: [x]\nport: 70000000000\nlabels: {a: b, c: 1}\naddresses: [a, 5, b]\n";
        let found: Port = document(text).root.decode_leniently().unwrap();
        let want = Port {
            labels: [("a".to_owned(), "b".to_owned())].into(),
            addresses: vec!["a".to_owned(), "b".to_owned()],
            ..Port::default()
        };
        assert_eq!(found, want);
        assert_eq!(document("[]").root.decode_leniently::<String>(), None);
        let many = format!("addresses: [{}]", "1, ".repeat(MAX_LEFT_OUT + 1));
        assert_eq!(document(&many).root.decode_leniently::<Port>(), None);
    }

    #[test]
    fn the_last_of_duplicate_keys_wins() {
        for more in [0, FEW_ENTRIES] {
            let mut text = "port: 1\nname: a\nport: 2\n".to_owned();
            (0..more).for_each(|key| text.push_str(&format!("k{key}: x\n")));
            let port: Port = document(&text).root.decode().unwrap();
            assert_eq!((port.port, port.name.as_deref()), (Some(2), Some("a")));
        }
    }
}
