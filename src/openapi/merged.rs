//! The merged document, and whose each entry is.

use std::borrow::Cow;

use aws_lc_rs::digest;

use super::document::{Base, Section};
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

    pub(super) fn replace(&mut self, node: Node<'a>) {
        self.value = Value::Node(node);
    }

    fn write(&self, shape: Shape, out: &mut Vec<u8>) {
        match &self.value {
            Value::Text(text) => out.extend(text.bytes()),
            Value::Node(node) => write::value(node, shape, out),
        }
    }
}

impl<'a> Merged<'a> {
    pub(super) fn new(base: &Base<'a>) -> Self {
        let entry = |(name, raw): (&Cow<'a, str>, &&'a serde_json::value::RawValue)| {
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
                        out.extend(text.bytes());
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
