//! Discovery documents in the server's own JSON.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::render::json::{ResponseMeta, ServedDocument, non_empty};
use kube_aggregation::discovery::{DiscoveryDocument, DocumentPage};
use kube_aggregation::model::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    GroupVersionKind, LegacyGroup, Verb,
};

/// The API version of the aggregated document.
const AGGREGATED_VERSION: &str = "apidiscovery.k8s.io/v2";

/// The body of a document, without its kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(in crate::render) enum BodyJson<'a> {
    Groups(GroupsJson<'a>),
    Group(DiscoveryGroupJson<'a>),
    Aggregated(AggregatedJson<'a>),
    AggregatedGroup(AggregatedGroupJson<'a>),
    Resources(ResourcesJson<'a>),
    Versions(VersionsJson<'a>),
    Sent(Map<String, Value>),
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct GroupsJson<'a> {
    groups: Vec<DiscoveryGroupJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct AggregatedJson<'a> {
    metadata: MetadataJson<'a>,
    items: Vec<AggregatedGroupJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ResourcesJson<'a> {
    group_version: String,
    resources: Vec<ResourceJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct VersionsJson<'a> {
    versions: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DiscoveryGroupJson<'a> {
    name: &'a str,
    versions: Vec<DiscoveryVersionJson<'a>>,
    preferred_version: DiscoveryVersionJson<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DiscoveryVersionJson<'a> {
    group_version: String,
    version: &'a str,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct MetadataJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct AggregatedGroupJson<'a> {
    metadata: MetadataJson<'a>,
    versions: Vec<AggregatedVersionJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AggregatedVersionJson<'a> {
    version: &'a str,
    freshness: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<AggregatedResourceJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AggregatedResourceJson<'a> {
    resource: &'a str,
    response_kind: KindJson<'a>,
    scope: &'static str,
    singular_resource: &'a str,
    verbs: &'a [Verb],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    short_names: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    categories: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subresources: Vec<SubresourceJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SubresourceJson<'a> {
    subresource: &'a str,
    response_kind: KindJson<'a>,
    verbs: &'a [Verb],
}

#[derive(Debug, Serialize, JsonSchema)]
struct KindJson<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ResourceJson<'a> {
    name: &'a str,
    singular_name: &'a str,
    namespaced: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    version: &'a str,
    kind: &'a str,
    verbs: &'a [Verb],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    short_names: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    categories: &'a [String],
}

/// Returns the document in the server's own form, with the source and the assumptions added.
pub(super) fn document<'a>(
    page: &'a DocumentPage<'_>,
    meta: ResponseMeta<'a>,
) -> ServedDocument<'a, BodyJson<'a>> {
    // A document that the server sent is passed on whole, with fields that the model does not have.
    let sent: Option<Map<String, Value>> =
        page.text.and_then(|text| serde_json::from_str(text).ok());
    if let Some(mut sent) = sent {
        let mut take = |name| match sent.shift_remove(name) {
            Some(Value::String(text)) => Some(Cow::Owned(text)),
            _ => None,
        };
        let (kind, version) = (take("kind").unwrap_or_default(), take("apiVersion"));
        return meta.served(version, kind, BodyJson::Sent(sent));
    }
    let (version, kind, body) = match &page.document {
        DiscoveryDocument::Groups(groups) => {
            let groups = groups.iter().map(DiscoveryGroupJson::from).collect();
            (Some("v1"), "APIGroupList", BodyJson::Groups(GroupsJson { groups }))
        }
        DiscoveryDocument::Group(group) => (Some("v1"), "APIGroup", BodyJson::Group(group.into())),
        DiscoveryDocument::Aggregated(groups) => {
            let items = groups.iter().map(AggregatedGroupJson::from).collect();
            let body = AggregatedJson { metadata: MetadataJson::default(), items };
            (Some(AGGREGATED_VERSION), "APIGroupDiscoveryList", BodyJson::Aggregated(body))
        }
        DiscoveryDocument::Resources(gv, list) => {
            let resources = list.iter().map(ResourceJson::from).collect();
            let body = ResourcesJson { group_version: gv.to_string(), resources };
            (Some("v1"), "APIResourceList", BodyJson::Resources(body))
        }
        DiscoveryDocument::Versions(versions) => {
            (None, "APIVersions", BodyJson::Versions(VersionsJson { versions }))
        }
    };
    meta.served(version.map(Cow::Borrowed), kind, body)
}

/// Returns one document per group if the document lists groups, otherwise the document itself.
pub(super) fn lines<'a>(
    page: &'a DocumentPage<'_>,
    meta: ResponseMeta<'a>,
) -> Vec<ServedDocument<'a, BodyJson<'a>>> {
    match &page.document {
        DiscoveryDocument::Groups(groups) => (groups.iter())
            .map(|group| meta.served(Some("v1".into()), "APIGroup", BodyJson::Group(group.into())))
            .collect(),
        DiscoveryDocument::Aggregated(groups) => (groups.iter())
            .map(|group| BodyJson::AggregatedGroup(group.into()))
            .map(|body| meta.served(Some(AGGREGATED_VERSION.into()), "APIGroupDiscovery", body))
            .collect(),
        _ => vec![document(page, meta)],
    }
}

impl<'a> From<&'a LegacyGroup> for DiscoveryGroupJson<'a> {
    fn from(group: &'a LegacyGroup) -> Self {
        let version = |version: &'a String| DiscoveryVersionJson {
            group_version: format!("{}/{version}", group.name),
            version,
        };
        Self {
            name: &group.name,
            versions: group.versions.iter().map(version).collect(),
            preferred_version: version(&group.preferred),
        }
    }
}

impl<'a> From<&'a AggregatedGroup> for AggregatedGroupJson<'a> {
    fn from(group: &'a AggregatedGroup) -> Self {
        let version = |v: &'a AggregatedVersion| AggregatedVersionJson {
            version: &v.version,
            freshness: v.freshness.as_str(),
            resources: v.resources.iter().map(AggregatedResourceJson::from).collect(),
        };
        Self {
            metadata: MetadataJson { name: non_empty(&group.name) },
            versions: group.versions.iter().map(version).collect(),
        }
    }
}

impl<'a> From<&'a AggregatedResource> for AggregatedResourceJson<'a> {
    fn from(r: &'a AggregatedResource) -> Self {
        let subresource = |s: &'a AggregatedSubresource| SubresourceJson {
            subresource: &s.subresource,
            response_kind: (&s.response_kind).into(),
            verbs: &s.verbs,
        };
        Self {
            resource: &r.resource,
            response_kind: (&r.response_kind).into(),
            scope: if r.namespaced { "Namespaced" } else { "Cluster" },
            singular_resource: &r.singular,
            verbs: &r.verbs,
            short_names: &r.short_names,
            categories: &r.categories,
            subresources: r.subresources.iter().map(subresource).collect(),
        }
    }
}

impl<'a> From<&'a GroupVersionKind> for KindJson<'a> {
    fn from(kind: &'a GroupVersionKind) -> Self {
        Self { group: &kind.group, version: &kind.version, kind: &kind.kind }
    }
}

impl<'a> From<&'a ApiResource> for ResourceJson<'a> {
    fn from(r: &'a ApiResource) -> Self {
        Self {
            name: &r.name,
            singular_name: &r.singular,
            namespaced: r.namespaced,
            group: &r.group,
            version: &r.version,
            kind: &r.kind,
            verbs: &r.verbs,
            short_names: &r.short_names,
            categories: &r.categories,
        }
    }
}
