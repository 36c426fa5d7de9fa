//! Converts nodes to plain JSON values.

use super::node::{Node, Value};
use serde_json::{Map, Number, Value as Json};

impl Node<'_> {
    /// Returns the node as plain JSON, without locations.
    pub fn to_json_value(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(b) => Json::Bool(*b),
            Value::Number(text) => number(text).map_or(Json::Null, Json::Number),
            Value::String(text) => Json::String(text.clone().into_owned()),
            Value::Sequence(items) => Json::Array(items.iter().map(Node::to_json_value).collect()),
            Value::Mapping(entries) => {
                let mut map = Map::with_capacity(entries.len());
                for entry in entries {
                    map.insert(entry.key.clone().into_owned(), entry.value.to_json_value());
                }
                Json::Object(map)
            }
        }
    }
}

/// Parses a number of any size. It becomes a float if no integer type can represent it.
fn number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>() {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    Number::from_f64(text.parse().ok()?)
}
