//! Roles and bindings: who may do what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Gap, Input, SnapshotPart};
use crate::lenient::{is_default, lenient};

/// Everything that the RBAC authorizer decides by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rbac {
    /// ClusterRoles, sorted by name.
    pub cluster_roles: Input<Vec<Role>>,
    /// ClusterRoleBindings, sorted by name.
    pub cluster_role_bindings: Input<Vec<RoleBinding>>,
    /// Roles, sorted by namespace and name.
    pub roles: Input<Vec<Role>>,
    /// RoleBindings, sorted by namespace and name.
    pub role_bindings: Input<Vec<RoleBinding>>,
    /// Which of them are all there are: they came as lists, not one by one.
    pub listed: RbacListed,
}

/// Which kinds came as a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the kinds")]
pub struct RbacListed {
    pub cluster_roles: bool,
    pub cluster_role_bindings: bool,
    pub roles: bool,
    pub role_bindings: bool,
}

impl Rbac {
    /// What is not there of it, or not whole.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        let listed = self.listed;
        [
            Gap::of(SnapshotPart::ClusterRoles, &self.cluster_roles, listed.cluster_roles),
            Gap::of(
                SnapshotPart::ClusterRoleBindings,
                &self.cluster_role_bindings,
                listed.cluster_role_bindings,
            ),
            Gap::of(SnapshotPart::Roles, &self.roles, listed.roles),
            Gap::of(SnapshotPart::RoleBindings, &self.role_bindings, listed.role_bindings),
        ]
        .into_iter()
        .flatten()
    }

    /// ClusterRoles, then Roles.
    pub fn all_roles(&self) -> impl Iterator<Item = &Role> {
        self.cluster_roles.items().iter().chain(self.roles.items())
    }

    /// ClusterRoleBindings, then RoleBindings.
    pub fn all_bindings(&self) -> impl Iterator<Item = &RoleBinding> {
        self.cluster_role_bindings.items().iter().chain(self.role_bindings.items())
    }

    /// Whether the source says anything about it.
    pub fn is_loaded(&self) -> bool {
        self.cluster_role_bindings.is_loaded() || self.role_bindings.is_loaded()
    }
}

/// A Role, or a ClusterRole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    /// Its namespace, empty for a ClusterRole.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// What it allows. Those of an aggregated ClusterRole are what the controller wrote.
    pub rules: Vec<PolicyRule>,
    /// Its labels: an aggregated ClusterRole finds it by them.
    pub labels: BTreeMap<String, String>,
    /// Set if a controller fills its rules from other ClusterRoles: the labels that these have, one
    /// entry per selector.
    pub aggregates: Option<Vec<BTreeMap<String, String>>>,
}

/// One rule of a role. `*` stands for anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRule {
    /// `get`, `list`, …
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub verbs: Vec<String>,
    /// API groups, the core group as the empty string.
    #[serde(rename = "apiGroups")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub groups: Vec<String>,
    /// `pods`, `pods/log`, `*/scale`
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub resources: Vec<String>,
    /// Which objects; none stands for all.
    #[serde(rename = "resourceNames")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub names: Vec<String>,
    /// Paths that are not resources, which may end with `*`.
    #[serde(rename = "nonResourceURLs")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub urls: Vec<String>,
}

/// A RoleBinding, or a ClusterRoleBinding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleBinding {
    /// Its namespace, empty for a ClusterRoleBinding.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// `roleRef.kind`: `Role`, `ClusterRole`, or what somebody wrote there.
    pub role_kind: String,
    /// `roleRef.name`
    pub role: String,
    /// Who gets the role.
    pub subjects: Vec<RbacSubject>,
}

impl RoleBinding {
    /// As kubectl would name it: `RoleBinding ns/name`.
    pub fn id(&self) -> String {
        match self.namespace.as_str() {
            "" => format!("ClusterRoleBinding {}", self.name),
            namespace => format!("RoleBinding {namespace}/{}", self.name),
        }
    }
}

/// What a binding gives its role to.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct RbacSubject {
    /// `User`, `Group`, `ServiceAccount`, or any other word.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub kind: String,
    /// Of a service account, empty where it is that of the binding.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub name: String,
}

impl RbacSubject {
    /// The namespace of a service account: where it says none, that of its binding.
    pub fn namespace_in<'a>(&'a self, binding: &'a str) -> &'a str {
        if self.namespace.is_empty() { binding } else { &self.namespace }
    }
}
