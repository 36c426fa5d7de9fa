//! The discovery documents, legacy and aggregated, without their envelopes.

use std::borrow::Cow;

use super::words;

/// A verb, as written.
pub type Verb = Cow<'static, str>;

/// A verb of that name. Lists repeat the usual ones thousands of times: these take no memory.
pub fn verb(name: &str) -> Verb {
    const USUAL: [&str; 8] =
        ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
    let usual = USUAL.into_iter().find(|usual| *usual == name);
    usual.map_or_else(|| Cow::Owned(name.to_owned()), Cow::Borrowed)
}

/// One entry of an APIResourceList. Subresources are entries named `parent/sub`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct ApiResource {
    /// `deployments` or `deployments/scale`.
    pub name: String,
    /// The singular name, often empty.
    pub singular: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The group of its kind, where that differs from the list's; else empty.
    pub group: String,
    /// The version of its kind, where that differs from the list's; else empty.
    pub version: String,
    /// The kind of its objects.
    pub kind: String,
    pub verbs: Vec<Verb>,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
}

/// One group of the legacy `/apis` document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyGroup {
    /// The group's name.
    pub name: String,
    /// Its versions, preferred first.
    pub versions: Vec<String>,
    /// `preferredVersion`.
    pub preferred: String,
}

/// One group of the aggregated document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregatedGroup {
    /// The group's name.
    pub name: String,
    /// Its versions, preferred first.
    pub versions: Vec<AggregatedVersion>,
}

/// One version of a group in the aggregated document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregatedVersion {
    /// Its name.
    pub version: String,
    /// What is served there, as far as the server knew.
    pub resources: Vec<AggregatedResource>,
    /// Whether the server could ask just now.
    pub freshness: Freshness,
}

words! {
    /// Whether a group version's resources in the aggregated document are up to date.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Freshness {
        /// The server asked and got an answer.
        Current = "Current",
        /// The server could not ask; the resources are the last known ones, or none.
        Stale = "Stale",
    }
}

/// One resource in the aggregated document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct AggregatedResource {
    /// The plural name.
    pub resource: String,
    /// What a request for it answers with.
    pub response_kind: GroupVersionKind,
    pub namespaced: bool,
    pub singular: String,
    pub verbs: Vec<Verb>,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
    pub subresources: Vec<AggregatedSubresource>,
}

/// One subresource in the aggregated document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AggregatedSubresource {
    /// Its name, such as `status`.
    pub subresource: String,
    /// What a request for it answers with.
    pub response_kind: GroupVersionKind,
    /// The verbs, as written.
    pub verbs: Vec<Verb>,
}

/// A kind with its group and version; both are empty where a list did not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct GroupVersionKind {
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// The two forms in which the server lists its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiscoveryForm {
    /// Groups and versions only.
    Legacy,
    /// Groups, versions and resources in one document; beta in 1.27.
    Aggregated,
}
