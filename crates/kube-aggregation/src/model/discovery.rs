//! The contents of discovery documents, legacy and aggregated, without their envelopes.

use std::borrow::Cow;

use super::words;

/// A verb, as written. Common verbs are borrowed.
pub type Verb = Cow<'static, str>;

/// Returns a verb. Common verbs need no allocation, because lists repeat them thousands of times.
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
    /// Whether the resource is namespaced.
    pub namespaced: bool,
    /// The group of its kind; empty if it is the list's group.
    pub group: String,
    /// The version of its kind; empty if it is the list's version.
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
    /// The resources, as far as the server knew them.
    pub resources: Vec<AggregatedResource>,
    /// Whether the server could fetch them recently.
    pub freshness: Freshness,
}

words! {
    /// Whether a group version's resources in the aggregated document are up to date.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Freshness {
        /// The server fetched the list.
        Current = "Current",
        /// The server could not fetch the list; the resources are the last known ones, or none.
        Stale = "Stale",
        /// Unknown, because the source lacks the list. Never occurs in a server's own document.
        Unknown = "Unknown",
    }
}

/// One resource in the aggregated document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct AggregatedResource {
    /// The plural name.
    pub resource: String,
    /// The kind that a request for it returns.
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
    /// The kind that a request for it returns.
    pub response_kind: GroupVersionKind,
    /// The verbs, as written.
    pub verbs: Vec<Verb>,
}

/// A kind with its group and version. Both are empty if the list did not set them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct GroupVersionKind {
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// The two forms of discovery that the server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiscoveryForm {
    /// Groups and versions only.
    Legacy,
    /// Groups, versions and resources in one document. Beta in 1.27.
    Aggregated,
}
