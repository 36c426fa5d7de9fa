//! What all JSON of aggctl has in common.

use serde::Serialize;

use crate::model::Origin;

/// The version of the JSON contract.
pub const API_VERSION: &str = "aggctl/v1";

/// Where an answer's facts come from.
#[derive(Debug, Serialize)]
pub struct SourceJson<'a> {
    kind: &'a str,
    name: &'a str,
}

impl<'a> From<&'a Origin> for SourceJson<'a> {
    fn from(origin: &'a Origin) -> Self {
        Self { kind: origin.kind.as_str(), name: &origin.name }
    }
}

/// Indented JSON with a newline at its end.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}
