//! The JSON of the kinds that a dump may hold, as the API server writes it.
//!
//! Lenient on purpose: a field that aggctl does not look at may be anything, and what is `null`
//! counts as absent.

mod discovery;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::model::{Field, Merge};

pub(crate) use discovery::{
    AggregatedGroup, AggregatedList, AggregatedResource, AggregatedSubresource, AggregatedVersion,
    Group, Kind, Resource, ResourceList, Version,
};

/// `null` and absence are the same, and both are the default.
pub fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A field that may be absent, null or have a value. `kubectl apply` keeps an absent field and
/// removes one that is null.
pub(crate) type Stated<T> = Option<Option<T>>;

/// Deserializes a [`Stated`] field that is present.
fn stated<'de, D, T>(deserializer: D) -> Result<Stated<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// What tells one document from another, with the parts left unread.
#[derive(Debug, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Envelope<'a> {
    #[serde(borrow, deserialize_with = "lenient")]
    pub kind: Cow<'a, str>,
    #[serde(borrow, deserialize_with = "lenient")]
    pub api_version: Cow<'a, str>,
    #[serde(borrow)]
    pub items: Option<&'a RawValue>,
    #[serde(borrow)]
    pub groups: Option<&'a RawValue>,
    #[serde(borrow)]
    pub paths: Option<&'a RawValue>,
    #[serde(borrow)]
    pub git_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub swagger: Option<&'a RawValue>,
    #[serde(borrow)]
    pub openapi: Option<&'a RawValue>,
    #[serde(borrow)]
    pub metadata: Option<&'a RawValue>,
}

impl Envelope<'_> {
    /// Whether it is a page of a list that others follow.
    pub(crate) fn is_cut(&self) -> bool {
        let metadata = self.metadata.and_then(|raw| serde_json::from_str(raw.get()).ok());
        metadata.is_some_and(|metadata: ListMetadata| metadata.is_cut())
    }
}

/// What the server says of a list.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ListMetadata {
    /// Where the next page begins.
    #[serde(rename = "continue", deserialize_with = "lenient")]
    pub next: String,
    #[serde(deserialize_with = "lenient")]
    pub remaining_item_count: u64,
}

impl ListMetadata {
    /// Whether more follow, on other pages.
    pub(crate) fn is_cut(&self) -> bool {
        !self.next.is_empty() || self.remaining_item_count > 0
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Metadata {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    /// Null for one that a manifest removes.
    #[serde(deserialize_with = "lenient")]
    pub labels: BTreeMap<String, Option<String>>,
    #[serde(deserialize_with = "lenient")]
    pub resource_version: String,
    pub creation_timestamp: Option<String>,
    pub deletion_timestamp: Option<String>,
    #[serde(deserialize_with = "stated")]
    pub finalizers: Stated<Vec<String>>,
    /// Read only where they matter: those of a CRD can be large.
    pub annotations: Option<Box<RawValue>>,
    pub managed_fields: Option<Box<RawValue>>,
}

impl Metadata {
    /// Returns the labels that have a value.
    pub(crate) fn labels(&self) -> BTreeMap<String, String> {
        let set = self.labels.iter();
        set.filter_map(|(key, value)| Some((key.clone(), value.clone()?))).collect()
    }

    /// Returns what `kubectl apply` needs to merge this object or into it.
    pub(crate) fn merge(
        &self,
        mut stated: Vec<Field>,
        last_applied: Option<(Vec<Field>, Vec<String>)>,
    ) -> Merge {
        if self.finalizers.is_some() {
            stated.push(Field::Finalizers);
        }
        let nulls = self.labels.iter().filter(|(_, value)| value.is_none());
        Merge {
            stated,
            removed_labels: nulls.map(|(key, _)| key.clone()).collect(),
            last_applied,
            finalizers: self.finalizers.clone().flatten().unwrap_or_default(),
            deleting: self.deletion_timestamp.is_some(),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ManagedFields {
    #[serde(deserialize_with = "lenient")]
    pub manager: String,
    pub time: Option<String>,
    /// Fields by `f:` and their name.
    #[serde(rename = "fieldsV1", deserialize_with = "lenient")]
    pub fields: BTreeMap<String, BTreeMap<String, serde::de::IgnoredAny>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Condition {
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: String,
    #[serde(deserialize_with = "lenient")]
    pub status: String,
    #[serde(deserialize_with = "lenient")]
    pub reason: String,
    #[serde(deserialize_with = "lenient")]
    pub message: String,
    pub last_transition_time: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct ApiService {
    #[serde(default)]
    pub metadata: Metadata,
    pub spec: ApiServiceSpec,
    pub status: Option<Status>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ApiServiceSpec {
    #[serde(deserialize_with = "stated")]
    pub service: Stated<ServiceReference>,
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    #[serde(deserialize_with = "lenient")]
    pub version: String,
    #[serde(rename = "insecureSkipTLSVerify", deserialize_with = "stated")]
    pub insecure_skip_tls_verify: Stated<bool>,
    #[serde(deserialize_with = "stated")]
    pub ca_bundle: Stated<String>,
    #[serde(deserialize_with = "stated")]
    pub group_priority_minimum: Stated<i32>,
    #[serde(deserialize_with = "stated")]
    pub version_priority: Stated<i32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ServiceReference {
    #[serde(deserialize_with = "lenient")]
    pub namespace: String,
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "stated")]
    pub port: Stated<i32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Status {
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
    #[serde(deserialize_with = "lenient")]
    pub accepted_names: Names,
    #[serde(deserialize_with = "lenient")]
    pub stored_versions: Vec<String>,
}

#[derive(Deserialize)]
pub(crate) struct Crd {
    #[serde(default)]
    pub metadata: Metadata,
    pub spec: CrdSpec,
    #[serde(default, deserialize_with = "lenient")]
    pub status: Status,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CrdSpec {
    #[serde(deserialize_with = "lenient")]
    pub group: String,
    #[serde(deserialize_with = "lenient")]
    pub scope: String,
    #[serde(deserialize_with = "lenient")]
    pub names: Names,
    #[serde(deserialize_with = "lenient")]
    pub versions: Vec<CrdVersion>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Names {
    #[serde(deserialize_with = "lenient")]
    pub plural: String,
    #[serde(deserialize_with = "stated")]
    pub singular: Stated<String>,
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    #[serde(deserialize_with = "stated")]
    pub list_kind: Stated<String>,
    #[serde(deserialize_with = "stated")]
    pub short_names: Stated<Vec<String>>,
    #[serde(deserialize_with = "stated")]
    pub categories: Stated<Vec<String>>,
}

/// What `kubectl apply` leaves on an object of what it was given.
#[derive(Deserialize)]
pub(crate) struct LastApplied<S> {
    #[serde(default, deserialize_with = "lenient")]
    pub metadata: AppliedMetadata,
    pub spec: S,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct AppliedMetadata {
    #[serde(deserialize_with = "lenient")]
    pub labels: BTreeMap<String, Option<String>>,
    #[serde(deserialize_with = "stated")]
    pub finalizers: Stated<Vec<String>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NamesOnly {
    #[serde(deserialize_with = "lenient")]
    pub names: Names,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CrdVersion {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    #[serde(deserialize_with = "lenient")]
    pub served: bool,
    #[serde(deserialize_with = "lenient")]
    pub subresources: CrdSubresources,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CrdSubresources {
    pub status: Option<serde::de::IgnoredAny>,
    pub scale: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
pub(crate) struct Service {
    #[serde(default)]
    pub metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    pub spec: ServiceSpec,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServiceSpec {
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub kind: String,
    #[serde(rename = "clusterIP")]
    pub cluster_ip: Option<String>,
    pub external_name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub ports: Vec<Port>,
    #[serde(deserialize_with = "lenient")]
    pub selector: BTreeMap<String, String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Port {
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    pub port: Option<i32>,
    pub target_port: Option<NumberOrName>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum NumberOrName {
    Number(i64),
    Name(String),
}

#[derive(Deserialize)]
pub(crate) struct Namespace {
    #[serde(default)]
    pub metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    pub status: NamespaceStatus,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NamespaceStatus {
    #[serde(deserialize_with = "lenient")]
    pub phase: String,
    #[serde(deserialize_with = "lenient")]
    pub conditions: Vec<Condition>,
}

#[derive(Deserialize)]
pub(crate) struct EndpointSlice {
    #[serde(default)]
    pub metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    pub ports: Vec<Port>,
    #[serde(default, deserialize_with = "lenient")]
    pub endpoints: Vec<Endpoint>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Endpoint {
    #[serde(deserialize_with = "lenient")]
    pub addresses: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    pub conditions: EndpointConditions,
    #[serde(rename = "targetRef")]
    pub target: Option<Target>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Target {
    #[serde(deserialize_with = "lenient")]
    pub kind: String,
    #[serde(deserialize_with = "lenient")]
    pub name: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct EndpointConditions {
    pub ready: Option<bool>,
    pub terminating: Option<bool>,
}

#[derive(Deserialize)]
pub(crate) struct Endpoints {
    #[serde(default)]
    pub metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    pub subsets: Vec<Subset>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Subset {
    #[serde(deserialize_with = "lenient")]
    pub addresses: Vec<Address>,
    #[serde(deserialize_with = "lenient")]
    pub not_ready_addresses: Vec<Address>,
    #[serde(deserialize_with = "lenient")]
    pub ports: Vec<Port>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Address {
    #[serde(deserialize_with = "lenient")]
    pub ip: String,
    #[serde(rename = "targetRef")]
    pub target: Option<Target>,
}
