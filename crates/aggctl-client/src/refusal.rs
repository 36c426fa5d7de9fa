//! Why kubectl sends no request.

use kube_aggregation::model::GroupVersion;

/// Why kubectl sends no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No type was named.
    NoType,
    /// Some arguments have a slash and some have not.
    MixedForms,
    /// Not one type and one name.
    MalformedPair(String),
    /// A category cannot be used with a name.
    SeveralTypes,
    /// A named object needs a namespace.
    AllNamespaces,
    /// The server does not have a resource of this name in this group.
    UnknownResource {
        /// The name.
        resource: String,
        /// The group; empty if none was named.
        group: String,
    },
    /// No kind of this name in this group version.
    UnknownKind {
        /// The group version.
        group_version: GroupVersion,
        /// The kind.
        kind: String,
    },
    /// Several resources have the name, and no rule prefers one.
    Ambiguous(String),
}
