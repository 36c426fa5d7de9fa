//! Decodes one document of any kind, in one pass over its text.
//!
//! What a document is follows from its `kind` and `apiVersion`. Every program writes them before
//! the fields that depend on them, or leaves them out in the items of a typed list, so the rest is
//! decoded straight into the struct of its kind. Fields that come before the kind wait in a
//! [`Map`].
//!
//! A value of the wrong type ends a pass. Then the document is decoded a second time, with every
//! object read into a [`Map`] first, so that one malformed object does not take others with it.

mod items;
mod object;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::codec::{Codec, Content};
use super::openapi::{OpenApiVersion, Paths};
use crate::kube::text::visit_other_scalars;
use items::ItemsSeed;
pub(super) use object::is_partial;

/// Lists may contain lists, as pasted `kubectl get` output does, but not more levels than this.
const MAX_LISTS: usize = 4;

/// What to keep of documents besides what the model needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Keep {
    /// Every object, as JSON.
    pub(super) objects: bool,
    /// Discovery documents, as JSON.
    pub(super) texts: bool,
}

/// One document, or one item of a list.
#[derive(Debug)]
pub(super) struct Decoded {
    /// Its kind, empty if there is none.
    pub(super) kind: String,
    pub(super) api_version: String,
    pub(super) body: Body,
    /// The whole of it, if it is to be kept.
    pub(super) kept: Option<Kept>,
}

/// An object or a document as JSON.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) namespace: String,
    pub(super) name: String,
    /// `metadata.resourceVersion`, 0 if there is none.
    pub(super) revision: u64,
    pub(super) json: Box<str>,
}

/// What a document says.
#[derive(Debug)]
pub(super) enum Body {
    /// A kind that has a codec.
    Content(Content),
    /// A list of objects.
    List(List),
    /// An array without anything around it.
    Array(Items),
    /// An object without a kind.
    Untyped(Box<Untyped>),
    /// A kind that has a codec, with a value that does not fit.
    Malformed(String),
    /// Anything else.
    Other,
}

/// The items of a list, or why there are none.
pub(super) type Items = Result<Vec<Decoded>, String>;

/// A list of objects.
#[derive(Debug)]
pub(super) struct List {
    pub(super) items: Items,
    /// Kind and API version of the items, if the list tells.
    pub(super) of: Option<(String, String)>,
    /// Whether other pages follow.
    pub(super) is_partial: bool,
}

/// An object without a kind. What it is depends on its fields and on the name of its file.
#[derive(Debug, Default)]
pub(super) struct Untyped {
    /// All fields but those below.
    pub(super) fields: Map<String, Value>,
    pub(super) items: Option<Items>,
    pub(super) paths: Option<Paths>,
    /// Set if it is an OpenAPI document.
    pub(super) openapi: Option<OpenApiVersion>,
}

/// Why and where the first pass over a document ended.
#[derive(Debug)]
pub(super) struct Setback {
    why: String,
    location: String,
}

impl Setback {
    pub(super) fn new(why: String, (line, column): (usize, usize)) -> Self {
        Self { why, location: format!(" at line {line} column {column}") }
    }

    /// Takes an error apart that names its location itself.
    pub(super) fn of(error: &impl fmt::Display) -> Self {
        let text = error.to_string();
        let (why, location) = text.split_at(text.find(" at line ").unwrap_or(text.len()));
        Self { why: why.to_owned(), location: location.to_owned() }
    }

    /// Adds the location to a message about the same error.
    pub(super) fn locate(setback: Option<Self>, message: String) -> String {
        match setback {
            Some(setback) if message.ends_with(&setback.why) => message + &setback.location,
            _ => message,
        }
    }
}

/// Decodes a document. `pass` makes one pass over it with the reader that it is given, and
/// `setback` returns `None` for an error that a second pass would run into too.
///
/// # Errors
/// If the document is not well-formed.
pub(super) fn decode<E>(
    keep: Keep,
    setback: impl Fn(&E) -> Option<Setback>,
    mut pass: impl FnMut(Reader<'static>) -> Result<Decoded, E>,
) -> Result<(Decoded, Option<Setback>), E> {
    let reader = Reader { keep, isolate: false, of: None, lists: MAX_LISTS };
    super::count_pass();
    let error = match pass(reader) {
        Ok(decoded) => return Ok((decoded, None)),
        Err(error) => error,
    };
    let Some(setback) = setback(&error) else { return Err(error) };
    super::count_pass();
    Ok((pass(Reader { isolate: true, ..reader })?, Some(setback)))
}

/// Reads one document, or one item of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'r> {
    keep: Keep,
    /// Whether to read every object into a map first, so that malformed ones do no harm.
    isolate: bool,
    /// Kind and API version of the items of a typed list, which need not repeat them.
    of: Option<(&'r str, &'r str)>,
    /// How many levels of lists may follow.
    lists: usize,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Decoded;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Decoded, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Decoded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Decoded, A::Error> {
        object::read(self, map)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Decoded, A::Error> {
        if self.is_top() {
            let items = ItemsSeed(self).visit_seq(seq)?.unwrap_or_else(|| Ok(vec![]));
            return Ok(Decoded::untyped(Body::Array(items)));
        }
        IgnoredAny.visit_seq(seq).map(|_| Decoded::untyped(Body::Other))
    }

    fn visit_str<E>(self, _: &str) -> Result<Decoded, E> {
        Ok(Decoded::untyped(Body::Other))
    }

    visit_other_scalars!(Decoded::untyped(Body::Other));
}

impl Reader<'_> {
    fn is_top(&self) -> bool {
        self.lists == MAX_LISTS
    }

    /// Whether an object has to be read into a map, so that it can be kept or isolated.
    fn needs_map(&self, codec: Option<Codec>) -> bool {
        self.isolate
            || match codec {
                Some(codec) if codec.is_discovery() => self.keep.texts,
                Some(codec) => self.keep.objects && codec.is_object(),
                None => self.keep.objects,
            }
    }
}

impl Decoded {
    fn untyped(body: Body) -> Self {
        Self { kind: String::new(), api_version: String::new(), body, kept: None }
    }

    /// Decodes an object that was read into a map.
    fn of_map(kind: &str, api_version: &str, fields: Map<String, Value>, keep: Keep) -> Self {
        let codec = Codec::of(kind, api_version);
        let reader = Reader { keep, isolate: false, of: None, lists: 0 };
        let kept = reader.needs_map(codec).then(|| Kept::new(&fields, kind, api_version));
        let object = Value::Object(fields);
        let body = match codec.map(|codec| (codec, codec.decode(&object))) {
            Some((_, Ok(content))) => Body::Content(content),
            Some((codec, Err(why))) => codec.malformed(&object, &why.to_string()),
            None => Body::Other,
        };
        Self { kind: kind.to_owned(), api_version: api_version.to_owned(), body, kept }
    }

    /// Returns an object without a kind as JSON, and `false` for anything else, which no codec
    /// takes for an object.
    fn into_value(self) -> Value {
        match self.body {
            Body::Untyped(untyped) => Value::Object(untyped.fields),
            _ => Value::Bool(false),
        }
    }

    /// Decodes an object without a kind as one of this kind.
    pub(super) fn into_kind(self, kind: &str, api_version: &str, keep: Keep) -> Self {
        match self.body {
            Body::Untyped(untyped) => Self::of_map(kind, api_version, untyped.fields, keep),
            _ => self,
        }
    }
}

impl Kept {
    fn new(fields: &Map<String, Value>, kind: &str, api_version: &str) -> Self {
        let metadata = |key| fields.get("metadata")?.get(key)?.as_str();
        let text = |key| metadata(key).unwrap_or_default().to_owned();
        Self {
            namespace: text("namespace"),
            name: text("name"),
            revision: metadata("resourceVersion").and_then(|text| text.parse().ok()).unwrap_or(0),
            json: whole(fields, kind, api_version).into(),
        }
    }
}

/// Writes an object with its kind, which the items of a list often leave out, and without the white
/// space that may be half of a file.
fn whole(fields: &Map<String, Value>, kind: &str, api_version: &str) -> String {
    let json = serde_json::to_string(fields).unwrap_or_default();
    if fields.contains_key("kind") {
        return json;
    }
    let (kind, api_version) = (Value::from(kind), Value::from(api_version));
    let rest = json.strip_prefix('{').filter(|rest| *rest != "}");
    let rest = rest.map_or_else(|| "}".to_owned(), |rest| format!(",{rest}"));
    format!("{{\"apiVersion\":{api_version},\"kind\":{kind}{rest}")
}
