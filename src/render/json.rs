//! What all JSON of aggctl has in common.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::sanitise::{Escape, escaped};
use aggctl_diagnose::knowledge::GroupOwner;
use kube_aggregation::model::Origin;

/// The version of the JSON contract.
pub const API_VERSION: &str = "aggctl/v1";

/// Where an answer's facts come from.
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

/// A distribution that something belongs to.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct OwnerJson {
    distribution: &'static str,
    /// Its part; null where several share the group.
    component: Option<&'static str>,
}

impl From<&'static GroupOwner> for OwnerJson {
    fn from(owner: &'static GroupOwner) -> Self {
        Self { distribution: owner.distribution, component: non_empty(owner.component) }
    }
}

/// A text, if there is one.
pub(super) fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// What an answer rests on: where its facts come from, and what was missing there.
#[derive(Debug, Clone, Copy)]
pub struct ResponseMeta<'a> {
    source: Option<SourceJson<'a>>,
    assumptions: Option<&'a [String]>,
}

impl<'a> ResponseMeta<'a> {
    /// An answer from a source.
    pub fn new(origin: &'a Origin, assumptions: &'a [String]) -> Self {
        Self { source: Some(origin.into()), assumptions: Some(assumptions) }
    }

    /// What it rests on that the source does not have.
    pub(super) fn assumptions(&self) -> &[String] {
        self.assumptions.unwrap_or_default()
    }

    /// An answer that needs no source.
    pub fn none() -> Self {
        Self { source: None, assumptions: None }
    }

    /// An answer that could have used a source, and had none.
    pub fn without_source(assumptions: &'a [String]) -> Self {
        Self { source: None, assumptions: Some(assumptions) }
    }

    /// An answer of that kind: what it says, between what it rests on.
    pub fn answer<T: Serialize>(self, kind: &'static str, body: T) -> Envelope<'a, T> {
        Envelope {
            api_version: API_VERSION,
            kind,
            source: self.source,
            body,
            assumptions: self.assumptions.map(Cow::Borrowed),
        }
    }

    /// A document of the server's own form, with what it rests on beside it.
    pub fn served<T: Serialize>(
        self,
        api_version: Option<Cow<'a, str>>,
        kind: impl Into<Cow<'a, str>>,
        body: T,
    ) -> Served<'a, T> {
        let Self { source, assumptions } = self;
        Served { kind: kind.into(), api_version, body, source, assumptions }
    }

    /// Several answers in one document.
    pub fn list<T: Serialize>(self, kind: &'static str, items: Vec<T>) -> Envelope<'a, Items<T>> {
        self.answer(kind, Items { items })
    }
}

/// One answer, as the JSON contract has it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<'a, T> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'a>>,
    #[serde(flatten)]
    body: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<Cow<'a, [String]>>,
}

impl<T> Envelope<'_, T> {
    /// The same answer, resting on this.
    #[must_use]
    pub fn resting_on(self, assumptions: Vec<String>) -> Self {
        Self { assumptions: Some(assumptions.into()), ..self }
    }
}

/// A document of the server's own form.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Served<'a, T> {
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

/// Indented JSON with a newline at its end.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string_pretty(value)? + "\n", Escape::Json))
}

/// Adds one line of compact JSON to a buffer that is used again and again.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn write_line(value: &impl Serialize, into: &mut Vec<u8>) -> serde_json::Result<()> {
    let start = into.len();
    serde_json::to_writer(&mut *into, value)?;
    if !into.get(start..).is_some_and(is_plain) {
        into.truncate(start);
        into.extend(line(value)?.into_bytes());
        return Ok(());
    }
    into.push(b'\n');
    Ok(())
}

/// Whether there is nothing to escape: every byte is a character that prints. All bytes are looked
/// at, so that the compiler can look at many at once.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |plain, byte| plain & (b' '..=b'~').contains(byte))
}

/// One line of compact JSON.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string(value)? + "\n", Escape::Json))
}
