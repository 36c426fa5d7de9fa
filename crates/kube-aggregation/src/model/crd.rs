//! CustomResourceDefinitions, their names and versions.

use super::Merge;

/// A CustomResourceDefinition, reduced to the fields that determine which requests it serves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crd {
    /// `metadata.name`, which must be `<plural>.<group>`.
    pub name: String,
    /// `spec.group`
    pub group: String,
    /// Whether its resources are namespaced.
    pub namespaced: bool,
    /// The resource name in discovery (`status.acceptedNames.plural`, else `spec.names.plural`).
    pub plural: String,
    /// The singular name in discovery.
    pub singular: String,
    /// The kind in discovery.
    pub kind: String,
    /// The accepted short names.
    pub short_names: Vec<String>,
    /// The accepted categories.
    pub categories: Vec<String>,
    /// All versions, served or not, in spec order.
    pub versions: Vec<CrdVersion>,
    /// Whether the condition Established is `True`, so that discovery lists it.
    pub established: bool,
    /// Whether the condition NamesAccepted is `True`.
    pub names_accepted: bool,
    /// `spec.names`: the names it requests.
    pub requested: CrdNames,
    /// `status.acceptedNames`: the names it owns in its group, even if it is not established.
    pub accepted: CrdNames,
    /// `status.storedVersions`: versions that must not be removed from the spec.
    pub stored_versions: Vec<String>,
    /// What `kubectl apply` needs to merge a manifest into it.
    pub merge: Merge,
    /// The message of the condition NamesAccepted if it is `False`.
    pub refusal: Option<String>,
    /// Whether the condition Terminating is `True`, so that no object can be created.
    pub terminating: bool,
}

impl Crd {
    /// Returns the version with this name if the CRD serves it.
    pub fn served_version(&self, version: &str) -> Option<&CrdVersion> {
        self.versions.iter().find(|v| v.served && v.name == version)
    }
}

/// The names of a CRD. Except for categories, they are unique within its group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct CrdNames {
    pub plural: String,
    /// Defaults to the kind in lower case.
    pub singular: String,
    pub kind: String,
    /// Defaults to the kind plus `List`.
    pub list_kind: String,
    pub short_names: Vec<String>,
    /// Categories. Several CRDs may share one.
    pub categories: Vec<String>,
}

/// One version of a CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrdVersion {
    /// Its name, such as `v1beta1`.
    pub name: String,
    /// Whether the API server serves it.
    pub served: bool,
    /// Whether it has the subresource `status`.
    pub status_subresource: bool,
    /// Whether it has the subresource `scale`.
    pub scale_subresource: bool,
}
