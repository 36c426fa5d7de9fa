//! Implements serde's data format for located documents.
//!
//! A [`Node`] decodes into the same structs as JSON text, so each kind of object needs only one
//! decoder, regardless of the syntax of its file.

use super::node::{Entry, Node, Span, Value};
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::collections::HashSet;
use std::fmt;

/// The maximum number of values of the wrong type that [`Node::decode_leniently`] skips. Each of
/// them costs another attempt.
const MAX_LEFT_OUT: usize = 50;

/// The maximum number of entries for which comparing all of them is faster than building a set.
const FEW_ENTRIES: usize = 16;

impl Node<'_> {
    /// Decodes the node as if values of the wrong type were absent. Returns `None` if something
    /// required is missing, or if too many values are of the wrong type.
    pub fn decode_leniently<'n, T: Deserialize<'n>>(&'n self) -> Option<T> {
        let mut left_out = vec![];
        loop {
            let error = match T::deserialize(NodeDeserializer { node: self, left_out: &left_out }) {
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
        let decoded = Deserialize::deserialize(NodeDeserializer { node: self, left_out: &[] });
        decoded.unwrap_or_default()
    }
}

/// The error of a value that cannot be decoded.
#[derive(Debug)]
struct DecodeError {
    message: String,
    span: Option<Span>,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// Decodes one node. The last of duplicate keys wins.
#[derive(Clone, Copy)]
struct NodeDeserializer<'n, 'c> {
    node: &'n Node<'n>,
    /// The values to skip.
    left_out: &'c [Span],
}

impl<'n> NodeDeserializer<'n, '_> {
    fn of(self, node: &'n Node<'n>) -> Self {
        Self { node, ..self }
    }

    fn is_left_out(&self, node: &Node<'_>) -> bool {
        self.left_out.contains(&node.span)
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
        // Blame the innermost value that cannot be decoded.
        result.map_err(|error| DecodeError { span: error.span.or(Some(self.node.span)), ..error })
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

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier
    }
}

/// Visits a number. It becomes a float if no integer type can represent it.
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
        let item = self.items.find(|item| !of.is_left_out(item));
        item.map(|item| seed.deserialize(of.of(item))).transpose()
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

/// Returns the last entry of each key, in order.
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
        assert_eq!(document(yaml).root.decode_leniently(), Some(want));
        assert_eq!(document(yaml).to_json_value().to_string(), json);
    }

    #[test]
    fn values_of_the_wrong_type_are_left_out() {
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
            let port: Port = document(&text).root.decode_leniently().unwrap();
            assert_eq!((port.port, port.name.as_deref()), (Some(2), Some("a")));
        }
    }
}
