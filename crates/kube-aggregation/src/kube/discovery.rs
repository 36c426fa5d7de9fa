//! Discovery documents, as the API server writes them. They are only decoded here: the encoder is
//! where the program prints them, since what it prints has a published schema.

use serde::{Deserialize, Deserializer};

use super::lenient;
use super::metadata::ObjectMeta;
use super::text::Text;
use crate::model::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    Freshness, GroupVersionKind, LegacyGroup, Verb, verb,
};

/// Lists repeat the usual verbs thousands of times, so these are shared.
fn verbs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Verb>, D::Error> {
    let words: Vec<Text<'_>> = lenient(deserializer)?;
    Ok(words.into_iter().map(|word| verb(&word.0)).collect())
}

/// Declares a struct that is only decoded: every field may be absent or null.
macro_rules! document {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $type:ty = $with:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        $vis struct $name {
            $(#[serde(deserialize_with = $with)] pub $field: $type,)*
        }
    };
}

/// An APIResourceList.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceListObject {
    pub(crate) group_version: String,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) resources: Vec<ResourceObject>,
}

document! {
    /// One entry of an APIResourceList.
    pub(crate) struct ResourceObject {
        name: String = "lenient",
        singular_name: String = "lenient",
        namespaced: bool = "lenient",
        group: String = "lenient",
        version: String = "lenient",
        kind: String = "lenient",
        verbs: Vec<Verb> = "verbs",
        short_names: Vec<String> = "lenient",
        categories: Vec<String> = "lenient",
    }
}

document! {
    /// An APIGroupList: the legacy form of `/apis`.
    pub(crate) struct GroupListObject {
        groups: Vec<GroupObject> = "lenient",
    }
}

document! {
    /// An APIGroup.
    pub(crate) struct GroupObject {
        name: String = "lenient",
        versions: Vec<VersionName> = "lenient",
        preferred_version: VersionName = "lenient",
    }
}

document! {
    pub(crate) struct VersionName {
        version: String = "lenient",
    }
}

document! {
    /// An APIGroupDiscoveryList: the aggregated form of `/apis` and `/api`.
    pub(crate) struct AggregatedListObject {
        items: Vec<AggregatedGroupObject> = "lenient",
    }
}

document! {
    /// An APIGroupDiscovery.
    pub(crate) struct AggregatedGroupObject {
        metadata: ObjectMeta = "lenient",
        versions: Vec<AggregatedVersionObject> = "lenient",
    }
}

document! {
    pub(crate) struct AggregatedVersionObject {
        version: String = "lenient",
        resources: Vec<AggregatedResourceObject> = "lenient",
        freshness: String = "lenient",
    }
}

document! {
    pub(crate) struct AggregatedResourceObject {
        resource: String = "lenient",
        response_kind: ResponseKind = "lenient",
        scope: String = "lenient",
        singular_resource: String = "lenient",
        verbs: Vec<Verb> = "verbs",
        short_names: Vec<String> = "lenient",
        categories: Vec<String> = "lenient",
        subresources: Vec<SubresourceObject> = "lenient",
    }
}

document! {
    pub(crate) struct SubresourceObject {
        subresource: String = "lenient",
        response_kind: ResponseKind = "lenient",
        verbs: Vec<Verb> = "verbs",
    }
}

document! {
    pub(crate) struct ResponseKind {
        group: String = "lenient",
        version: String = "lenient",
        kind: String = "lenient",
    }
}

impl From<ResourceObject> for ApiResource {
    fn from(object: ResourceObject) -> Self {
        Self {
            name: object.name,
            singular: object.singular_name,
            namespaced: object.namespaced,
            group: object.group,
            version: object.version,
            kind: object.kind,
            verbs: object.verbs,
            short_names: object.short_names,
            categories: object.categories,
        }
    }
}

impl From<GroupObject> for LegacyGroup {
    fn from(object: GroupObject) -> Self {
        Self {
            name: object.name,
            versions: object.versions.into_iter().map(|v| v.version).collect(),
            preferred: object.preferred_version.version,
        }
    }
}

impl From<AggregatedGroupObject> for AggregatedGroup {
    fn from(object: AggregatedGroupObject) -> Self {
        let version = |v: AggregatedVersionObject| AggregatedVersion {
            version: v.version,
            resources: v.resources.into_iter().map(AggregatedResource::from).collect(),
            freshness: if v.freshness == "Stale" { Freshness::Stale } else { Freshness::Current },
        };
        Self {
            name: object.metadata.name,
            versions: object.versions.into_iter().map(version).collect(),
        }
    }
}

impl From<AggregatedResourceObject> for AggregatedResource {
    fn from(object: AggregatedResourceObject) -> Self {
        let subresource = |s: SubresourceObject| AggregatedSubresource {
            subresource: s.subresource,
            response_kind: s.response_kind.into(),
            verbs: s.verbs,
        };
        Self {
            resource: object.resource,
            response_kind: object.response_kind.into(),
            namespaced: object.scope == "Namespaced",
            singular: object.singular_resource,
            verbs: object.verbs,
            short_names: object.short_names,
            categories: object.categories,
            subresources: object.subresources.into_iter().map(subresource).collect(),
        }
    }
}

impl From<ResponseKind> for GroupVersionKind {
    fn from(object: ResponseKind) -> Self {
        Self { group: object.group, version: object.version, kind: object.kind }
    }
}
