//! The envelope of every JSON document, and how JSON is written.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Serializer, Value};

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
    Ok(indented(&line(value)?))
}

/// Returns a value as a document that can be searched and converted.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn document(value: &impl Serialize) -> serde_json::Result<Value> {
    serde_json::from_str(&line(value)?)
}

/// Returns one line of compact JSON. All JSON is written here: another serializer would double the
/// code for each type.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    let mut buffer = Buffer(Vec::with_capacity(1024));
    value.serialize(&mut Serializer::with_formatter(&mut buffer, SafeStrings))?;
    buffer.0.push(b'\n');
    String::from_utf8(buffer.0).map_err(serde::ser::Error::custom)
}

/// Indents compact JSON by two blanks per level.
fn indented(compact: &str) -> String {
    fn new_line(out: &mut String, depth: usize) {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
    let mut out = String::with_capacity(compact.len() * 2);
    let (mut rest, mut depth) = (compact, 0usize);
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '"' => string_length(rest),
            '{' | '[' if rest[1..].starts_with(['}', ']']) => 2,
            _ => next.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if matches!(token, "}" | "]") {
            depth = depth.saturating_sub(1);
            new_line(&mut out, depth);
        }
        out.push_str(token);
        match token {
            ":" => out.push(' '),
            "," => new_line(&mut out, depth),
            "{" | "[" => {
                depth += 1;
                new_line(&mut out, depth);
            }
            _ => {}
        }
        rest = after;
    }
    out
}

/// Returns the length of the string that JSON starts with, quotes included.
fn string_length(json: &str) -> usize {
    let bytes = json.as_bytes();
    let mut at = 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
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

/// Writes compact JSON, and escapes unsafe characters in strings. JSON itself escapes only some
/// control characters.
struct SafeStrings;

impl Formatter for SafeStrings {
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
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::render::yaml::any_json;

    #[test]
    fn pretty_json_is_indented_and_safe() {
        let value = json!({"a": [], "b": {}, "c": [1, {"d\"{": "[é,\u{9b}\\"}, [null]], "e": -1.5});
        insta::assert_snapshot!(pretty(&value).unwrap(), @r#"
        {
          "a": [],
          "b": {},
          "c": [
            1,
            {
              "d\"{": "[é,\u009b\\"
            },
            [
              null
            ]
          ],
          "e": -1.5
        }
        "#);
    }

    proptest! {
        #[test]
        fn json_is_indented_as_serde_json_does(value in any_json()) {
            let expected = serde_json::to_string_pretty(&value).unwrap() + "\n";
            let unsafe_too = |text: &str| escaped(text, Escape::Json).into_owned();
            prop_assert_eq!(pretty(&value).unwrap(), unsafe_too(&expected));
        }

        #[test]
        fn documents_are_what_was_written(value in any_json()) {
            prop_assert_eq!(document(&value).unwrap(), value);
        }
    }
}
