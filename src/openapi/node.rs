//! JSON as a tree that borrows from the text it was read from.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A JSON value. The members of an object are sorted, and no name is there twice: the API server
/// refuses such a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Node<'a> {
    Null,
    Bool(bool),
    /// Every number without a fraction, however it was written.
    Integer(i64),
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

/// A name and its value.
pub(super) type Member<'a> = (Cow<'a, str>, Node<'a>);

/// Up to here a float knows every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'a> Node<'a> {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn members(&self) -> &[Member<'a>] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let members = self.members();
        let at = members.binary_search_by(|(key, _)| (**key).cmp(name)).ok()?;
        members.get(at).map(|(_, value)| value)
    }

    /// Sets a member of an object.
    pub(super) fn set(&mut self, name: &'a str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.binary_search_by(|(key, _)| (**key).cmp(name)) {
            Ok(at) => members[at].1 = value,
            Err(at) => members.insert(at, (Cow::Borrowed(name), value)),
        }
    }

    /// Whether it is nothing: an empty string, list or object.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Object(members) => members.is_empty(),
            Self::Bool(_) | Self::Integer(_) | Self::Float(_) => false,
        }
    }
}

/// A string that is borrowed where it has no escapes.
#[derive(serde::Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl<'de> Deserialize<'de> for Node<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
    type Value = Node<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node<'de>, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node<'de>, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node<'de>, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node<'de>, E> {
        Ok(i64::try_from(value).map_or(Node::Float(value as f64), Node::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node<'de>, E> {
        let whole = value.fract() == 0.0 && value.abs() < EXACT;
        Ok(if whole { Node::Integer(value as i64) } else { Node::Float(value) })
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node<'de>, E> {
        Ok(Node::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node<'de>, A::Error> {
        let mut list = vec![];
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Node<'de>, A::Error> {
        sorted(members).map(Node::Object)
    }
}

/// The members of an object by name.
///
/// # Errors
/// Where a name is there twice.
pub(super) fn sorted<'de, A, V>(mut members: A) -> Result<Vec<(Cow<'de, str>, V)>, A::Error>
where
    A: MapAccess<'de>,
    V: Deserialize<'de>,
{
    let mut all: Vec<(Cow<'de, str>, V)> = vec![];
    let mut in_order = true;
    while let Some((Name(name), value)) = members.next_entry()? {
        match all.last().map(|(last, _)| last.cmp(&name)) {
            Some(std::cmp::Ordering::Equal) => return Err(twice(&name)),
            Some(std::cmp::Ordering::Greater) => in_order = false,
            _ => {}
        }
        all.push((name, value));
    }
    if !in_order {
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(pair) = all.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(twice(&pair[0].0));
        }
    }
    Ok(all)
}

fn twice<E: Error>(name: &str) -> E {
    E::custom(format_args!("{name:?} is there twice"))
}
