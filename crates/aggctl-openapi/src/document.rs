//! A v2 document as far as merging looks at it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::marker::PhantomData;

use foldhash::fast::FixedState;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::keys::{DEFINITION, Name, PARAMETER, twice};
use super::shape::Shape;
use super::value::Value;

/// Paths, definitions or parameters by name.
pub(super) type Section<'a, V> = BTreeMap<Cow<'a, str>, V>;

/// A v2 document of which the entries are left as text: what the local servers have is only
/// looked into where something else has the same name.
pub type Base<'a> = OpenApiDocument<'a, &'a RawValue>;

/// A v2 document that an extension server publishes.
pub type Published<'a> = OpenApiDocument<'a, Value<'a>>;

/// A v2 document, by the sections that are merged.
#[derive(Debug, Clone)]
pub struct OpenApiDocument<'a, V> {
    /// Without them nothing is merged.
    pub(super) paths: Option<Section<'a, V>>,
    pub(super) definitions: Section<'a, V>,
    pub(super) parameters: Section<'a, V>,
    /// Everything else, which is kept only of the first document.
    pub(super) rest: Section<'a, &'a RawValue>,
}

impl<V> Default for OpenApiDocument<'_, V> {
    fn default() -> Self {
        let (definitions, parameters) = (Section::new(), Section::new());
        Self { paths: None, definitions, parameters, rest: Section::new() }
    }
}

impl<'a> Base<'a> {
    /// Reads a document.
    ///
    /// # Errors
    /// Where it is no JSON, or has a name twice; with the place.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        read(text, |_| PhantomData)
    }
}

impl<'a> Published<'a> {
    /// Reads a document.
    ///
    /// # Errors
    /// Where it is no JSON, has a name twice, or is nested too deeply; with the place.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        read(text, |shape| shape)
    }

    /// All entries, with what they are.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = (&mut Value<'a>, Shape)> {
        let paths = self.paths.iter_mut().flat_map(BTreeMap::values_mut);
        let paths = paths.map(|value| (value, Shape::Path));
        let definitions = self.definitions.values_mut().map(|value| (value, Shape::Schema));
        let parameters = self.parameters.values_mut().map(|value| (value, Shape::Parameter));
        paths.chain(definitions).chain(parameters)
    }
}

/// What references lead to, be it through others. `more` adds those of an entry.
pub(super) fn reached<'d, 'r, V>(
    document: &'d OpenApiDocument<'_, V>,
    mut to_do: Vec<&'r str>,
    more: impl Fn(&'d V, &mut Vec<&'r str>),
) -> HashSet<&'r str, FixedState> {
    let mut seen = HashSet::default();
    while let Some(reference) = to_do.pop() {
        if !seen.insert(reference) {
            continue;
        }
        let definition = reference.strip_prefix(DEFINITION);
        let definition = definition.and_then(|name| document.definitions.get(name));
        let parameter = reference.strip_prefix(PARAMETER);
        let parameter = parameter.and_then(|name| document.parameters.get(name));
        if let Some(entry) = definition.or(parameter) {
            more(entry, &mut to_do);
        }
    }
    seen
}

/// What two sections have under the same name. Both are walked once: looking up each name costs
/// more, for they all begin alike.
pub(super) fn in_both<'s, 'a, A, B>(
    have: &'s Section<'a, A>,
    new: &'s Section<'a, B>,
) -> impl Iterator<Item = (&'s Cow<'a, str>, &'s A, &'s B)> {
    let mut have = have.iter().peekable();
    new.iter().filter_map(move |(name, new)| {
        while have.next_if(|(other, _)| *other < name).is_some() {}
        let (_, old) = have.next_if(|(other, _)| *other == name)?;
        Some((name, old, new))
    })
}

/// Reads a document, and its entries by what `seed` gives for their type.
fn read<'a, S>(
    text: &'a str,
    seed: impl Fn(Shape) -> S,
) -> Result<OpenApiDocument<'a, S::Value>, serde_json::Error>
where
    S: DeserializeSeed<'a> + Clone,
{
    let mut reader = serde_json::Deserializer::from_str(text);
    let document = reader.deserialize_map(Top(seed, PhantomData))?;
    reader.end()?;
    Ok(document)
}

struct Top<F, S>(F, PhantomData<S>);

impl<'de, S: DeserializeSeed<'de> + Clone, F: Fn(Shape) -> S> Visitor<'de> for Top<F, S> {
    type Value = OpenApiDocument<'de, S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an OpenAPI document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut top: A) -> Result<Self::Value, A::Error> {
        let mut found = OpenApiDocument::default();
        let mut seen = BTreeSet::new();
        while let Some(Name(name)) = top.next_key()? {
            if !seen.insert(name.clone()) {
                return Err(twice(&name));
            }
            let mut section = |shape| top.next_value_seed(Members((self.0)(shape)));
            match &*name {
                "paths" => found.paths = section(Shape::Path)?,
                "definitions" => found.definitions = section(Shape::Schema)?.unwrap_or_default(),
                "parameters" => found.parameters = section(Shape::Parameter)?.unwrap_or_default(),
                _ => {
                    found.rest.insert(name, top.next_value()?);
                }
            }
        }
        // What does not begin with a slash is an extension, or nothing to the server.
        if let Some(paths) = &mut found.paths {
            paths.retain(|path, _| path.starts_with('/'));
        }
        Ok(found)
    }
}

/// The members of an object, as text; of anything else, none.
pub(super) fn members(text: &str) -> Option<Section<'_, &RawValue>> {
    let mut reader = serde_json::Deserializer::from_str(text);
    Members(PhantomData).deserialize(&mut reader).ok()?
}

/// Reads an object, if it is not null, and each of its values by a seed.
struct Members<S>(S);

impl<'de, S: DeserializeSeed<'de> + Clone> DeserializeSeed<'de> for Members<S> {
    type Value = Option<Section<'de, S::Value>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, S: DeserializeSeed<'de> + Clone> Visitor<'de> for Members<S> {
    type Value = Option<Section<'de, S::Value>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut all: Vec<(Cow<'de, str>, S::Value)> = vec![];
        let mut in_order = true;
        while let Some(Name(name)) = members.next_key()? {
            match all.last().map(|(last, _)| last.cmp(&name)) {
                Some(Ordering::Equal) => return Err(twice(&name)),
                Some(Ordering::Greater) => in_order = false,
                _ => {}
            }
            all.push((name, members.next_value_seed(self.0.clone())?));
        }
        if !in_order {
            all.sort_by(|(a, _), (b, _)| a.cmp(b));
            if let Some(pair) = all.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(twice(&pair[0].0));
            }
        }
        Ok(Some(all.into_iter().collect()))
    }
}
