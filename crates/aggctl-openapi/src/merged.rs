//! The merged document, with the owner of each entry.

use std::borrow::Cow;
use std::ops::Bound;

use aws_lc_rs::digest;
use serde_json::value::RawValue;

use super::contribution::{Contribution, MergeFailure, Owner};
use super::document::{Base, Section};
use super::kinds;
use super::shape::Shape;
use super::transcript::How;
use super::value::{Value, written};
use super::write;

/// The merged document, and the result for each part.
#[derive(Debug)]
pub struct Merged<'a> {
    pub(super) paths: Section<'a, IndexedDefinition<'a>>,
    pub(super) definitions: Section<'a, IndexedDefinition<'a>>,
    pub(super) parameters: Section<'a, IndexedDefinition<'a>>,
    rest: Section<'a, &'a str>,
    /// The parts, in merge order.
    pub parts: Vec<Contribution>,
}

/// An entry of the merged document.
#[derive(Debug)]
pub(super) struct IndexedDefinition<'a> {
    pub(super) owner: Owner,
    pub(super) value: Value<'a>,
}

impl IndexedDefinition<'_> {
    /// Returns whether only the name of the entry is known, not its content.
    fn is_imagined(&self) -> bool {
        self.value.text == "null"
    }

    /// Returns whether the server would write this text as the same entry.
    fn is(&self, text: &str, shape: Shape) -> bool {
        let ours = self.value.written();
        ours == text || written(text, shape, How::default()).is_some_and(|other| ours == other)
    }
}

impl<'a> Merged<'a> {
    pub(super) fn new(base: &Base<'a>) -> Self {
        let entry = |(name, raw): (&Cow<'a, str>, &&'a RawValue)| {
            (
                name.clone(),
                IndexedDefinition { owner: Owner::Local, value: Value::served(raw.get()) },
            )
        };
        Self {
            paths: base.paths.iter().flatten().map(entry).collect(),
            definitions: base.definitions.iter().map(entry).collect(),
            parameters: base.parameters.iter().map(entry).collect(),
            rest: base.rest.iter().map(|(name, raw)| (name.clone(), raw.get())).collect(),
            parts: vec![],
        }
    }

    /// Returns why the server has no merged document, if it fails.
    pub fn failure(&self) -> Option<(&Contribution, &MergeFailure)> {
        self.parts.iter().find_map(|part| Some((part, part.failure.as_ref()?)))
    }

    /// Returns whether the name of any path is known without its content.
    pub(super) fn has_imagined(&self) -> bool {
        self.paths.values().any(IndexedDefinition::is_imagined)
    }

    /// Returns the owner of a definition.
    pub(super) fn owner_of(&self, definition: &str) -> Option<Owner> {
        self.definitions.get(definition).map(|entry| entry.owner)
    }

    /// Returns the number of paths that begin with a prefix, without those that have no known
    /// content.
    pub(super) fn paths_below(&self, prefix: &str) -> usize {
        let from = self.paths.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let below = from.take_while(|(path, _)| path.starts_with(prefix));
        below.filter(|(_, entry)| !entry.is_imagined()).count()
    }

    /// Returns the groups of a definition's kinds.
    pub(super) fn groups_of(&self, definition: &str) -> Vec<String> {
        let entry = self.definitions.get(definition);
        entry.map(|entry| kinds::groups(&entry.value.text)).unwrap_or_default()
    }

    /// Returns whether a document differs from this one.
    pub(super) fn differs(&self, text: &str) -> bool {
        let Ok(other) = Base::read(text) else { return true };
        let same =
            |ours: &Section<'_, IndexedDefinition<'_>>, theirs: &Section<'_, &RawValue>, shape| {
                ours.len() == theirs.len()
                    && ours.iter().zip(theirs).all(|((name, entry), (other, raw))| {
                        name == other && entry.is(raw.get(), shape)
                    })
            };
        let none = Section::new();
        !(same(&self.paths, other.paths.as_ref().unwrap_or(&none), Shape::Path)
            && same(&self.definitions, &other.definitions, Shape::Schema)
            && same(&self.parameters, &other.parameters, Shape::Parameter))
    }

    /// Serializes the document as the server does.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![b'{'];
        let name = |name: &str, out: &mut Vec<u8>| {
            if out.len() > 1 {
                out.push(b',');
            }
            write::string(name, out);
            out.push(b':');
        };
        let known = FIELDS.iter().copied();
        let others = self.rest.keys().map(|name| &**name).filter(|name| !FIELDS.contains(name));
        for field in known.chain(others) {
            match field {
                "paths" => {
                    name(field, &mut out);
                    section(&self.paths, &mut out);
                }
                "definitions" if !self.definitions.is_empty() => {
                    name(field, &mut out);
                    section(&self.definitions, &mut out);
                }
                "parameters" if !self.parameters.is_empty() => {
                    name(field, &mut out);
                    section(&self.parameters, &mut out);
                }
                _ => {
                    if let Some(text) = self.rest.get(field) {
                        name(field, &mut out);
                        out.extend_from_slice(text.as_bytes());
                    }
                }
            }
        }
        out.push(b'}');
        out
    }
}

/// The fields of a document, in the order in which the server writes them.
const FIELDS: [&str; 16] = [
    "id",
    "consumes",
    "produces",
    "schemes",
    "swagger",
    "info",
    "host",
    "basePath",
    "paths",
    "definitions",
    "parameters",
    "responses",
    "securityDefinitions",
    "security",
    "tags",
    "externalDocs",
];

fn section(section: &Section<'_, IndexedDefinition<'_>>, out: &mut Vec<u8>) {
    write::object(section.iter().map(|(name, entry)| (&**name, entry.value.written())), out);
}

/// Returns the ETag of a document: the SHA-512 of its text, in capitals.
pub fn etag(document: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA512, document);
    hash.as_ref().iter().map(|byte| format!("{byte:02X}")).collect()
}
