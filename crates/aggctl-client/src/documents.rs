//! Discovery documents as client-go decodes and keeps them.
//!
//! The codecs of `kube-aggregation` forgive what a server never writes. A file of the cache can be
//! cut off or foreign, and kubectl goes on differently if it cannot decode one, so these types
//! accept exactly what client-go accepts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use kube_aggregation::model::{AggregatedGroup, ApiResource, Freshness, GroupVersionKind};

use crate::kubectl::Kubectl;

/// One group of an APIGroupList.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DiscoveredGroup {
    /// Its name; empty for the core group.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Its versions, in the server's order.
    #[serde(deserialize_with = "nullable")]
    pub versions: Vec<DiscoveredVersion>,
    /// The version that a client uses if no other is named. Empty if all are Stale.
    #[serde(deserialize_with = "nullable")]
    pub preferred_version: DiscoveredVersion,
}

/// One version of a group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DiscoveredVersion {
    /// `group/version`.
    #[serde(deserialize_with = "nullable")]
    pub group_version: String,
    /// The version alone.
    #[serde(deserialize_with = "nullable")]
    pub version: String,
}

/// An APIResourceList.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ResourceList {
    /// `group/version`.
    #[serde(deserialize_with = "nullable")]
    pub group_version: String,
    /// Its resources and subresources.
    #[serde(deserialize_with = "nullable")]
    pub resources: Vec<DiscoveredResource>,
}

/// One resource or subresource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DiscoveredResource {
    /// The plural name, or `plural/subresource`.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// The singular name, often empty.
    #[serde(deserialize_with = "nullable")]
    pub singular_name: String,
    /// Whether it is namespaced.
    #[serde(deserialize_with = "nullable")]
    pub namespaced: bool,
    /// The kind of its objects.
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    /// Its short names.
    #[serde(deserialize_with = "nullable")]
    pub short_names: Vec<String>,
    /// Its categories, such as `all`.
    #[serde(deserialize_with = "nullable")]
    pub categories: Vec<String>,
    /// What a request for it may do. No client looks at it before it sends a request.
    #[serde(deserialize_with = "nullable")]
    pub(crate) verbs: Vec<String>,
}

fn nullable<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// What names a type in a document.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TypeMeta {
    #[serde(deserialize_with = "nullable")]
    kind: String,
    #[serde(deserialize_with = "nullable")]
    api_version: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GroupsObject {
    #[serde(deserialize_with = "nullable")]
    groups: Vec<DiscoveredGroup>,
}

/// Decodes an APIGroupList as client-go does; `None` if it cannot.
pub fn decode_groups(bytes: &[u8]) -> Option<Vec<DiscoveredGroup>> {
    decode::<GroupsObject>(bytes, "APIGroupList").map(|object| object.groups)
}

/// Decodes an APIResourceList as client-go does; `None` if it cannot.
pub fn decode_resources(bytes: &[u8]) -> Option<ResourceList> {
    decode(bytes, "APIResourceList")
}

/// Decodes a document of a kind. The decoder of client-go takes a missing kind for the expected
/// one, and everything that does not start like JSON for YAML. An empty file is therefore an empty
/// list.
fn decode<T: DeserializeOwned + Default>(bytes: &[u8], kind: &str) -> Option<T> {
    if !bytes.trim_ascii_start().starts_with(b"{") {
        let value = match located_document::parse(bytes).into_iter().next() {
            None => Value::Null,
            Some(document) => document.ok()?.to_json_value(),
        };
        return from_value(value, kind);
    }
    // A key that occurs twice is an error for the typed decoder; the last one counts in Go.
    let typed = || {
        let meta: TypeMeta = serde_json::from_slice(bytes).ok()?;
        let decoded = serde_json::from_slice(bytes).ok()?;
        is_of(&meta, kind).then_some(decoded)
    };
    typed().or_else(|| from_value(serde_json::from_slice(bytes).ok()?, kind))
}

fn from_value<T: DeserializeOwned + Default>(value: Value, kind: &str) -> Option<T> {
    if value.is_null() {
        return Some(T::default());
    }
    let meta: TypeMeta = serde_json::from_value(value.clone()).ok()?;
    // serde would take an array for the fields in order.
    let is_document = value.is_object() && is_of(&meta, kind);
    serde_json::from_value(value).ok().filter(|_| is_document)
}

fn is_of(meta: &TypeMeta, kind: &str) -> bool {
    (meta.kind.is_empty() || meta.kind == kind) && matches!(meta.api_version.as_str(), "" | "v1")
}

impl DiscoveredVersion {
    /// Creates a version of a group.
    pub fn new(group: &str, version: &str) -> Self {
        let group_version =
            if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        Self { group_version, version: version.to_owned() }
    }
}

impl From<&ApiResource> for DiscoveredResource {
    fn from(resource: &ApiResource) -> Self {
        Self {
            name: resource.name.clone(),
            singular_name: resource.singular.clone(),
            namespaced: resource.namespaced,
            kind: resource.kind.clone(),
            short_names: resource.short_names.clone(),
            categories: resource.categories.clone(),
            verbs: vec![],
        }
    }
}

/// Splits a group of the aggregated document into a group and the lists of its versions, as
/// client-go does. A Stale version vanishes: it is neither in the group nor among the lists.
pub(crate) fn split(
    group: &AggregatedGroup,
    kubectl: Kubectl,
) -> (DiscoveredGroup, Vec<ResourceList>) {
    let fresh = |freshness| freshness == Freshness::Current || !kubectl.skips_stale();
    let current = || group.versions.iter().filter(|version| fresh(version.freshness));
    let versions: Vec<_> =
        current().map(|one| DiscoveredVersion::new(&group.name, &one.version)).collect();
    let lists = current().zip(&versions).map(|(version, named)| {
        let mut resources = vec![];
        for resource in &version.resources {
            let known = resource.response_kind != GroupVersionKind::default();
            let parent = DiscoveredResource {
                name: resource.resource.clone(),
                singular_name: resource.singular.clone(),
                namespaced: resource.namespaced,
                kind: resource.response_kind.kind.clone(),
                short_names: resource.short_names.clone(),
                categories: resource.categories.clone(),
                verbs: vec![],
            };
            // Nothing looks subresources up, but their singular name is the one of their parent.
            let subresources = resource.subresources.iter().map(|sub| DiscoveredResource {
                name: format!("{}/{}", resource.resource, sub.subresource),
                singular_name: resource.singular.clone(),
                namespaced: resource.namespaced,
                kind: sub.response_kind.kind.clone(),
                ..DiscoveredResource::default()
            });
            if known || !kubectl.skips_unknown_kinds() {
                resources.push(parent);
            }
            resources.extend(subresources.filter(|sub| !sub.kind.is_empty()));
        }
        ResourceList { group_version: named.group_version.clone(), resources }
    });
    let lists = lists.collect();
    let preferred_version = versions.first().cloned().unwrap_or_default();
    (DiscoveredGroup { name: group.name.clone(), versions, preferred_version }, lists)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_client_go_decodes() {
        let groups = |text: &str| decode_groups(text.as_bytes()).map(|groups| groups.len());
        for empty in ["", "  \n", "{}", "null", "kind: APIGroupList", r#"{"groups":null}"#] {
            assert_eq!(groups(empty), Some(0), "{empty:?}");
        }
        let one = r#"{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"a","x":1}]}"#;
        assert_eq!(groups(one), Some(1));
        assert_eq!(groups("groups: [{name: a}]"), Some(1));
        assert_eq!(groups(r#"{"groups":[],"groups":[{"name":"a"}]}"#), Some(1));
        for foreign in [
            &one[..40],
            "<html>",
            "[]",
            "hello",
            r#"{"kind":"APIResourceList","apiVersion":"v1"}"#,
            r#"{"kind":"APIGroupList","apiVersion":"apps/v1"}"#,
            r#"{"groups":{}}"#,
            r#"{"groups":[{"name":7}]}"#,
            &format!("{one}x"),
        ] {
            assert_eq!(groups(foreign), None, "{foreign:?}");
        }
    }
}
