//! What only the page asks for, as the JSON contract has it.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::SourceJson;

/// What the page is about.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteJson<'a> {
    /// The version of the API server, as it says it.
    pub server_version: Option<&'a str>,
    /// The command that answers for a request.
    pub route_command: String,
    /// What the facts are compared with.
    pub other: Option<SourceJson<'a>>,
    /// What is taken as gone.
    pub without: &'a [String],
    /// What the controllers would then do.
    pub effects: &'a [String],
    /// What a user should know about how the facts came to be.
    pub notes: &'a [String],
}

/// Where an APIService stands.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceJson<'a> {
    /// The APIService.
    pub name: &'a str,
    /// Its group.
    pub group: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Its places, an endpoint each.
    pub orders: Vec<PlaceOrderJson>,
}

/// The place of an APIService in the order of one endpoint.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceOrderJson {
    /// `legacy` or `aggregated`.
    pub form: &'static str,
    /// The place of its group; the first is 1.
    pub place: usize,
    /// How many groups there are.
    pub of: usize,
    /// Why the groups before and after it stand there, and its versions as they do.
    pub why: Vec<String>,
}

/// An object that an answer of the cluster rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ManifestJson {
    /// Its kind.
    pub object: &'static str,
    /// Its name, behind its namespace if it has one.
    pub name: String,
    /// What the source has of it, and we keep.
    pub yaml: String,
}

/// Why there is no answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorJson<'a> {
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'a str>,
}
