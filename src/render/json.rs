//! What all JSON of aggctl has in common.

use serde::Serialize;

use super::sanitise::{Escape, escaped};
use crate::model::Origin;

/// The version of the JSON contract.
pub const API_VERSION: &str = "aggctl/v1";

/// Where an answer's facts come from.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SourceJson<'a> {
    kind: &'a str,
    name: &'a str,
}

impl<'a> From<&'a Origin> for SourceJson<'a> {
    fn from(origin: &'a Origin) -> Self {
        Self { kind: origin.kind.as_str(), name: &origin.name }
    }
}

/// What an answer rests on: where its facts come from, and what was missing there.
#[derive(Debug, Clone, Copy)]
pub struct Basis<'a> {
    source: Option<SourceJson<'a>>,
    assumptions: Option<&'a [String]>,
}

impl<'a> Basis<'a> {
    /// An answer from a source.
    pub fn new(origin: &'a Origin, assumptions: &'a [String]) -> Self {
        Self { source: Some(origin.into()), assumptions: Some(assumptions) }
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
            assumptions: self.assumptions,
        }
    }

    /// Several answers in one document.
    pub fn list<T: Serialize>(self, kind: &'static str, items: Vec<T>) -> Envelope<'a, Items<T>> {
        self.answer(kind, Items { items })
    }

    /// Puts source and assumptions into a document that is not of aggctl's own form.
    pub fn put_into(self, document: &mut serde_json::Value) {
        if let serde_json::Value::Object(map) = document {
            if let Some(SourceJson { kind, name }) = self.source {
                map.insert("source".into(), serde_json::json!({"kind": kind, "name": name}));
            }
            if let Some(assumptions) = self.assumptions {
                map.insert("assumptions".into(), assumptions.into());
            }
        }
    }
}

/// One answer, as the JSON contract has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope<'a, T> {
    api_version: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceJson<'a>>,
    #[serde(flatten)]
    body: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<&'a [String]>,
}

/// The body of a list.
#[derive(Debug, Serialize)]
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

/// One line of compact JSON.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string(value)? + "\n", Escape::Json))
}
