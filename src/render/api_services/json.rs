//! APIServices as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::registry::{Backing, Review};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ApiServiceJson<'a> {
    name: &'a str,
    group: &'a str,
    version: &'a str,
    backing: &'static str,
    service: Option<String>,
    port: Option<i32>,
    available: Option<&'a str>,
    reason: Option<&'a str>,
    message: Option<&'a str>,
    since: Option<&'a str>,
    managed_by: &'static str,
    group_priority_minimum: Option<i32>,
    version_priority: Option<i32>,
    oddities: Vec<&'static str>,
    /// Not in the source: it follows from what is.
    inferred: bool,
}

impl<'a> From<&'a Review<'a>> for ApiServiceJson<'a> {
    fn from(review: &'a Review<'a>) -> Self {
        let service = review.service;
        let condition = service.available.as_ref();
        Self {
            name: &service.name,
            group: &service.group_version.group,
            version: &service.group_version.version,
            backing: backing(review.backing),
            service: service.service.as_ref().map(|s| s.id()),
            port: service.service.as_ref().map(|s| s.port),
            available: condition.map(|c| c.status.as_str()),
            reason: condition.map(|c| c.reason.as_str()),
            message: condition.map(|c| c.message.as_str()),
            since: condition.and_then(|c| c.since.as_deref()),
            managed_by: review.manager.as_str(),
            group_priority_minimum: (!service.inferred).then_some(service.group_priority),
            version_priority: (!service.inferred).then_some(service.version_priority),
            oddities: review.oddities.iter().map(|o| o.code.as_str()).collect(),
            inferred: service.inferred,
        }
    }
}

/// One word for what stands behind an APIService.
fn backing(backing: Backing) -> &'static str {
    match backing {
        Backing::Service => "service",
        Backing::BuiltIn => "built-in",
        Backing::Extensions => "apiextensions",
        Backing::Crd => "crd",
        Backing::Nobody => "nobody",
        Backing::Unknown => "unknown",
    }
}
