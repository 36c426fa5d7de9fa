//! The merged document, and whose each entry is.

use std::borrow::Cow;
use std::ops::Bound;

use aws_lc_rs::digest;
use serde_json::value::RawValue;

use super::document::{Base, Section};
use super::kinds::KINDS;
use super::merge::{Contribution, Failure};
use super::node::Node;
use super::shape::Shape;
use super::walk::normalise;
use super::write;

/// Whose an entry of the merged document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The local servers.
    Local,
    /// The part with that number, in the order of merging.
    Part(usize),
}

/// What was merged, and what became of each part.
#[derive(Debug)]
pub struct Merged<'a> {
    pub(super) paths: Section<'a, Entry<'a>>,
    pub(super) definitions: Section<'a, Entry<'a>>,
    pub(super) parameters: Section<'a, Entry<'a>>,
    rest: Section<'a, &'a str>,
    /// In the order of merging.
    pub parts: Vec<Contribution>,
}

/// An entry of the merged document.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) owner: Owner,
    value: Value<'a>,
}

#[derive(Debug)]
enum Value<'a> {
    /// As it came.
    Text(&'a str),
    Node(Node<'a>),
}

impl<'a> Entry<'a> {
    pub(super) fn new(owner: Owner, node: Node<'a>) -> Self {
        Self { owner, value: Value::Node(node) }
    }

    /// The value, as the server has read it; none where it cannot be read.
    pub(super) fn node(&self, shape: Shape) -> Option<Cow<'_, Node<'a>>> {
        match &self.value {
            Value::Node(node) => Some(Cow::Borrowed(node)),
            Value::Text(text) => {
                let mut node = serde_json::from_str(text).ok()?;
                normalise(&mut node, shape);
                Some(Cow::Owned(node))
            }
        }
    }

    /// Whether nothing but its name is known.
    fn is_imagined(&self) -> bool {
        matches!(self.value, Value::Text("null"))
    }

    pub(super) fn replace(&mut self, node: Node<'a>) {
        self.value = Value::Node(node);
    }

    /// Whether it is the value of a text.
    fn is(&self, text: &str, shape: Shape) -> bool {
        if matches!(self.value, Value::Text(own) if own == text) {
            return true;
        }
        let other = Entry { owner: self.owner, value: Value::Text(text) };
        let written = |entry: &Entry<'_>| {
            let mut out = vec![];
            write::value(entry.node(shape)?.as_ref(), shape, &mut out);
            Some(out)
        };
        written(self) == written(&other)
    }

    fn write(&self, shape: Shape, out: &mut Vec<u8>) {
        match &self.value {
            Value::Text(text) => out.extend_from_slice(text.as_bytes()),
            Value::Node(node) => write::value(node, shape, out),
        }
    }
}

impl<'a> Merged<'a> {
    pub(super) fn new(base: &Base<'a>) -> Self {
        let entry = |(name, raw): (&Cow<'a, str>, &&'a RawValue)| {
            (name.clone(), Entry { owner: Owner::Local, value: Value::Text(raw.get()) })
        };
        Self {
            paths: base.paths.iter().flatten().map(entry).collect(),
            definitions: base.definitions.iter().map(entry).collect(),
            parameters: base.parameters.iter().map(entry).collect(),
            rest: base.rest.iter().map(|(name, raw)| (name.clone(), raw.get())).collect(),
            parts: vec![],
        }
    }

    /// Why the server has no such document, if so.
    pub fn failure(&self) -> Option<(&Contribution, &Failure)> {
        self.parts.iter().find_map(|part| Some((part, part.failure.as_ref()?)))
    }

    /// Whether there are paths of which nothing but the name is known.
    pub(super) fn has_imagined(&self) -> bool {
        self.paths.values().any(Entry::is_imagined)
    }

    /// Whose a definition is.
    pub(super) fn owner_of(&self, definition: &str) -> Option<Owner> {
        self.definitions.get(definition).map(|entry| entry.owner)
    }

    /// How many paths begin with this.
    pub(super) fn paths_below(&self, prefix: &str) -> usize {
        let from = self.paths.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let below = from.take_while(|(path, _)| path.starts_with(prefix));
        below.filter(|(_, entry)| !entry.is_imagined()).count()
    }

    /// The groups of the kinds that a definition stands for.
    pub(super) fn groups_of(&self, definition: &str) -> Vec<String> {
        let node = self.definitions.get(definition).and_then(|entry| entry.node(Shape::Schema));
        let kinds = node.as_ref().and_then(|node| node.get(KINDS)).map(Node::list);
        let group = |kind: &Node<'_>| kind.get("group").and_then(Node::text).map(str::to_owned);
        kinds.into_iter().flatten().filter_map(group).collect()
    }

    /// Whether a document is another one than this.
    pub(super) fn differs(&self, text: &str) -> bool {
        let Ok(other) = Base::read(text) else { return true };
        let same = |ours: &Section<'_, Entry<'_>>, theirs: &Section<'_, &RawValue>, shape| {
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

    /// The document, as the server writes it.
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
                    section(&self.paths, Shape::Path, &mut out);
                }
                "definitions" if !self.definitions.is_empty() => {
                    name(field, &mut out);
                    section(&self.definitions, Shape::Schema, &mut out);
                }
                "parameters" if !self.parameters.is_empty() => {
                    name(field, &mut out);
                    section(&self.parameters, Shape::Parameter, &mut out);
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

fn section(section: &Section<'_, Entry<'_>>, shape: Shape, out: &mut Vec<u8>) {
    out.push(b'{');
    for (index, (name, entry)) in section.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write::string(name, out);
        out.push(b':');
        entry.write(shape, out);
    }
    out.push(b'}');
}

/// The ETag of a document: the SHA-512 of its text, in capitals.
pub fn etag(document: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA512, document);
    hash.as_ref().iter().map(|byte| format!("{byte:02X}")).collect()
}
