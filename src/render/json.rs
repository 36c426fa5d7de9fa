//! The envelope of every JSON document, and how JSON is written.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use super::sanitize::{Escape, escaped};
use aggctl_diagnose::knowledge::GroupOwner;
use kube_aggregation::model::Origin;

/// The version of the JSON contract.
pub const API_VERSION: &str = "aggctl/v1";

/// The source of an answer.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct SourceJson<'a> {
    kind: &'a str,
    name: &'a str,
}

impl<'a> From<&'a Origin> for SourceJson<'a> {
    fn from(origin: &'a Origin) -> Self {
        Self { kind: origin.kind.as_str(), name: &origin.name }
    }
}

/// The owner of a group: a distribution and its component.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct OwnerJson {
    distribution: &'static str,
    /// Null if several components share the group.
    component: Option<&'static str>,
}

impl From<&'static GroupOwner> for OwnerJson {
    fn from(owner: &'static GroupOwner) -> Self {
        Self { distribution: owner.distribution, component: non_empty(owner.component) }
    }
}

/// Returns the text unless it is empty.
pub(super) fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The source of an answer, and its assumptions.
#[derive(Debug, Clone, Copy)]
pub struct ResponseMeta<'a> {
    source: Option<SourceJson<'a>>,
    assumptions: Option<&'a [String]>,
}

impl<'a> ResponseMeta<'a> {
    /// Returns the metadata of an answer from a source.
    pub fn new(origin: &'a Origin, assumptions: &'a [String]) -> Self {
        Self { source: Some(origin.into()), assumptions: Some(assumptions) }
    }

    /// Returns the assumptions.
    pub(super) fn assumptions(&self) -> &[String] {
        self.assumptions.unwrap_or_default()
    }

    /// Returns the metadata of an answer that needs no source.
    pub fn none() -> Self {
        Self { source: None, assumptions: None }
    }

    /// Returns the metadata of an answer that could have used a source.
    pub fn without_source(assumptions: &'a [String]) -> Self {
        Self { source: None, assumptions: Some(assumptions) }
    }

    /// Returns a document of that kind.
    pub fn answer<T: Serialize>(self, kind: &'static str, body: T) -> JsonEnvelope<'a, T> {
        JsonEnvelope {
            api_version: API_VERSION,
            kind,
            source: self.source,
            body,
            assumptions: self.assumptions.map(Cow::Borrowed),
        }
    }

    /// Returns a document in the API server's own form, with the source and the assumptions added.
    pub fn served<T: Serialize>(
        self,
        api_version: Option<Cow<'a, str>>,
        kind: impl Into<Cow<'a, str>>,
        body: T,
    ) -> ServedDocument<'a, T> {
        let Self { source, assumptions } = self;
        ServedDocument { kind: kind.into(), api_version, body, source, assumptions }
    }

    /// Returns a document that lists items.
    pub fn list<T: Serialize>(
        self,
        kind: &'static str,
        items: Vec<T>,
    ) -> JsonEnvelope<'a, Items<T>> {
        self.answer(kind, Items { items })
    }
}

/// A JSON document.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JsonEnvelope<'a, T> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'a>>,
    #[serde(flatten)]
    body: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<Cow<'a, [String]>>,
}

impl<T> JsonEnvelope<'_, T> {
    /// Replaces the assumptions.
    #[must_use]
    pub fn resting_on(self, assumptions: Vec<String>) -> Self {
        Self { assumptions: Some(assumptions.into()), ..self }
    }
}

/// A document in the API server's own form.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServedDocument<'a, T> {
    kind: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_version: Option<Cow<'a, str>>,
    #[serde(flatten)]
    body: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<&'a [String]>,
}

/// The body of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Items<T> {
    items: Vec<T>,
}

/// Returns indented JSON with a newline at its end.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    write(value, PrettyFormatter::new())
}

/// Returns one line of compact JSON.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    write(value, CompactFormatter)
}

fn write(value: &impl Serialize, formatter: impl Formatter) -> serde_json::Result<String> {
    let mut buffer = Buffer(Vec::with_capacity(1024));
    value.serialize(&mut Serializer::with_formatter(&mut buffer, SafeStrings(formatter)))?;
    buffer.0.push(b'\n');
    String::from_utf8(buffer.0).map_err(serde::ser::Error::custom)
}

/// The bytes of a document. A serializer writes a few bytes at a time, most often one, so these
/// writes are inlined.
struct Buffer(Vec<u8>);

impl Write for Buffer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match bytes {
            [byte] => self.0.push(*byte),
            _ => self.0.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A JSON formatter that escapes unsafe characters in strings. JSON itself escapes only some
/// control characters.
struct SafeStrings<F>(F);

impl<F: Formatter> Formatter for SafeStrings<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Most strings are printable ASCII.
        if fragment.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return writer.write_all(fragment.as_bytes());
        }
        writer.write_all(escaped(fragment, Escape::Json).as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(w, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(w, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
