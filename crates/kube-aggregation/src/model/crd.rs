use super::Merge;

/// A CustomResourceDefinition, reduced to what decides which requests it answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crd {
    /// `metadata.name`, by rule `<plural>.<group>`.
    pub name: String,
    /// `spec.group`
    pub group: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The resource name in discovery (`status.acceptedNames.plural`, else `spec.names.plural`).
    pub plural: String,
    /// The singular name in discovery.
    pub singular: String,
    /// The kind in discovery.
    pub kind: String,
    /// Short names, as accepted.
    pub short_names: Vec<String>,
    /// Categories, as accepted.
    pub categories: Vec<String>,
    /// All versions, served or not, in the order of the spec.
    pub versions: Vec<CrdVersion>,
    /// Condition Established is `True`: it is in discovery.
    pub established: bool,
    /// Condition NamesAccepted is `True`.
    pub names_accepted: bool,
    /// `spec.names`: what it asks for.
    pub requested: CrdNames,
    /// `status.acceptedNames`: what it holds in its group, even where it is not established.
    pub accepted: CrdNames,
    /// `status.storedVersions`: versions that cannot be dropped.
    pub stored_versions: Vec<String>,
    /// What `kubectl apply` needs to merge a manifest into it.
    pub merge: Merge,
    /// What the condition NamesAccepted says, where it is `False`.
    pub refusal: Option<String>,
    /// Condition Terminating is `True`: nothing can be created any more.
    pub terminating: bool,
}

impl Crd {
    /// The version of that name, if the CRD has it and serves it.
    pub fn served_version(&self, version: &str) -> Option<&CrdVersion> {
        self.versions.iter().find(|v| v.served && v.name == version)
    }
}

/// The names by which a CRD is known, which no other of its group may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct CrdNames {
    pub plural: String,
    /// Defaults to the kind in lower case.
    pub singular: String,
    pub kind: String,
    /// Defaults to the kind with `List` behind it.
    pub list_kind: String,
    pub short_names: Vec<String>,
    /// Categories; any number of CRDs may have one.
    pub categories: Vec<String>,
}

/// One version of a CRD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrdVersion {
    /// Its name, such as `v1beta1`.
    pub name: String,
    /// Whether the API server answers for it.
    pub served: bool,
    /// Whether it has the subresource `status`.
    pub status_subresource: bool,
    /// Whether it has the subresource `scale`.
    pub scale_subresource: bool,
}
