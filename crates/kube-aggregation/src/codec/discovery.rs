//! Codec of discovery documents, `/version`, and the Status of an error response. aggctl prints
//! discovery documents with a separate encoder, because that form has a published schema.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::metadata::ObjectMeta;
use super::object;
use crate::model::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    Freshness, GroupVersionKind, LegacyGroup, Minor, ServerVersion, Verb, verb,
};

/// Verbs. Lists repeat the common ones thousands of times, so these are shared.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Verbs(Vec<Verb>);

impl<'de> Deserialize<'de> for Verbs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Word<'a>(#[serde(borrow)] Cow<'a, str>);
        let words: Vec<Word<'_>> = Vec::deserialize(deserializer)?;
        Ok(Self(words.into_iter().map(|word| verb(&word.0)).collect()))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceListObject {
    pub(crate) group_version: String,
    #[serde(default, deserialize_with = "crate::lenient::lenient")]
    pub(crate) resources: Vec<ResourceObject>,
}

object! {
    /// One entry of an APIResourceList.
    struct ResourceObject {
        name: String,
        singular_name: String,
        namespaced: bool,
        group: String,
        version: String,
        kind: String,
        verbs: Verbs,
        short_names: Vec<String>,
        categories: Vec<String>,
    }
}

object! {
    /// An APIGroup.
    struct GroupObject {
        name: String,
        versions: Vec<VersionName>,
        preferred_version: VersionName,
    }
}

object! {
    struct VersionName {
        version: String,
    }
}

object! {
    /// An APIGroupDiscoveryList: the aggregated form of `/apis` and `/api`.
    struct AggregatedListObject {
        items: Vec<AggregatedGroupObject>,
    }
}

object! {
    struct AggregatedGroupObject {
        metadata: ObjectMeta,
        versions: Vec<AggregatedVersionObject>,
    }
}

object! {
    struct AggregatedVersionObject {
        version: String,
        resources: Vec<AggregatedResourceObject>,
        freshness: String,
    }
}

object! {
    struct AggregatedResourceObject {
        resource: String,
        response_kind: ResponseKind,
        scope: String,
        singular_resource: String,
        verbs: Verbs,
        short_names: Vec<String>,
        categories: Vec<String>,
        subresources: Vec<SubresourceObject>,
    }
}

object! {
    struct SubresourceObject {
        subresource: String,
        response_kind: ResponseKind,
        verbs: Verbs,
    }
}

object! {
    struct ResponseKind {
        group: String,
        version: String,
        kind: String,
    }
}

object! {
    /// `/version`. Some distributions write a minor such as `36+`.
    struct VersionObject {
        major: String,
        minor: String,
        git_version: String,
        emulation_major: String,
        emulation_minor: String,
    }
}

object! {
    /// The Status object of an error response.
    struct StatusObject {
        code: Option<u16>,
        message: String,
        details: StatusDetails,
    }
}

object! {
    struct StatusDetails {
        name: String,
        /// The plural name, despite the name of the field.
        kind: String,
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
            verbs: object.verbs.0,
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
            verbs: s.verbs.0,
        };
        Self {
            resource: object.resource,
            response_kind: object.response_kind.into(),
            namespaced: object.scope == "Namespaced",
            singular: object.singular_resource,
            verbs: object.verbs.0,
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

impl From<VersionObject> for ServerVersion {
    fn from(object: VersionObject) -> Self {
        let said = Minor::parse(&format!("{}.{}", object.major, object.minor));
        // A server built without version information reports v0.0.0-master, which is not a version.
        let tagged = || Minor::parse(&object.git_version);
        let minor = said.or_else(tagged).filter(|minor| minor.major > 0);
        // Servers state the version that they emulate since 1.33.
        let emulation =
            Minor::parse(&format!("{}.{}", object.emulation_major, object.emulation_minor));
        Self {
            minor,
            emulation: emulation.filter(|emulated| Some(*emulated) != minor),
            git_version: object.git_version,
        }
    }
}
