//! A v2 document as far as merging looks at it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::node::{Name, Node, sorted};
use super::shape::Shape;

/// Paths, definitions or parameters by name.
pub(super) type Section<'a, V> = BTreeMap<Cow<'a, str>, V>;

/// A v2 document of which the entries are left as text: what the local servers have is only
/// looked into where something else has the same name.
pub type Base<'a> = Document<'a, &'a RawValue>;

/// A v2 document that an extension server publishes.
pub type Published<'a> = Document<'a, Node<'a>>;

/// A v2 document, by the sections that are merged.
#[derive(Debug, Clone)]
pub struct Document<'a, V> {
    /// Without them nothing is merged.
    pub(super) paths: Option<Section<'a, V>>,
    pub(super) definitions: Section<'a, V>,
    pub(super) parameters: Section<'a, V>,
    /// Everything else, which is kept only of the first document.
    pub(super) rest: Section<'a, &'a RawValue>,
}

impl<'a, V: Deserialize<'a>> Document<'a, V> {
    /// Reads a document.
    ///
    /// # Errors
    /// Where it is no JSON, has a name twice, or is nested too deeply; with the place.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

impl<'a> Published<'a> {
    /// All entries, with what they are.
    pub(super) fn entries_mut(&mut self) -> impl Iterator<Item = (&mut Node<'a>, Shape)> {
        let paths = self.paths.iter_mut().flat_map(BTreeMap::values_mut);
        let paths = paths.map(|node| (node, Shape::Path));
        let definitions = self.definitions.values_mut().map(|node| (node, Shape::Schema));
        let parameters = self.parameters.values_mut().map(|node| (node, Shape::Parameter));
        paths.chain(definitions).chain(parameters)
    }
}

struct Entries<'a, V>(Section<'a, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<'de, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Members<V> {
            type Value = Section<'de, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
                Ok(sorted(members)?.into_iter().collect())
            }
        }
        deserializer.deserialize_map(Members(PhantomData)).map(Entries)
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Document<'de, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Top<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Top<V> {
            type Value = Document<'de, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an OpenAPI document")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut top: A) -> Result<Self::Value, A::Error> {
                let mut found = Document {
                    paths: None,
                    definitions: Section::new(),
                    parameters: Section::new(),
                    rest: Section::new(),
                };
                let mut seen = std::collections::BTreeSet::new();
                while let Some(Name(name)) = top.next_key()? {
                    if !seen.insert(name.clone()) {
                        return Err(A::Error::custom(format_args!("{name:?} is there twice")));
                    }
                    let mut section = || -> Result<Option<Section<'de, V>>, A::Error> {
                        Ok(top.next_value::<Option<Entries<'de, V>>>()?.map(|all| all.0))
                    };
                    match &*name {
                        "paths" => found.paths = section()?,
                        "definitions" => found.definitions = section()?.unwrap_or_default(),
                        "parameters" => found.parameters = section()?.unwrap_or_default(),
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
        deserializer.deserialize_map(Top(PhantomData))
    }
}
