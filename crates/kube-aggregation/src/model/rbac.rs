//! Roles and bindings, the input of the RBAC authorizer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Gap, Input, SnapshotPart};
use crate::lenient::{is_default, lenient};

/// All RBAC objects of a snapshot.
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
    /// Which of these kinds are complete, because they were read as lists.
    pub listed: RbacListed,
}

/// Whether each kind was read as a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the kinds")]
pub struct RbacListed {
    pub cluster_roles: bool,
    pub cluster_role_bindings: bool,
    pub roles: bool,
    pub role_bindings: bool,
}

impl Rbac {
    /// Returns what is missing or incomplete.
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

    /// Returns ClusterRoles, then Roles.
    pub fn all_roles(&self) -> impl Iterator<Item = &Role> {
        self.cluster_roles.items().iter().chain(self.roles.items())
    }

    /// Returns ClusterRoleBindings, then RoleBindings.
    pub fn all_bindings(&self) -> impl Iterator<Item = &RoleBinding> {
        self.cluster_role_bindings.items().iter().chain(self.role_bindings.items())
    }

    /// Returns whether the source contains any bindings.
    pub fn is_loaded(&self) -> bool {
        self.cluster_role_bindings.is_loaded() || self.role_bindings.is_loaded()
    }
}

/// A Role or ClusterRole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    /// Its namespace; empty for a ClusterRole.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The rules. For an aggregated ClusterRole, those that the controller filled in.
    pub rules: Vec<PolicyRule>,
    /// Its labels, which aggregated ClusterRoles select it by.
    pub labels: BTreeMap<String, String>,
    /// The label selectors of an aggregated ClusterRole; `None` if it is not aggregated. A
    /// controller fills its rules from the selected ClusterRoles.
    pub aggregates: Option<Vec<BTreeMap<String, String>>>,
}

/// One rule of a role. `*` matches anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRule {
    /// `get`, `list`, …
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub verbs: Vec<String>,
    /// API groups. The core group is the empty string.
    #[serde(rename = "apiGroups")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub groups: Vec<String>,
    /// `pods`, `pods/log`, `*/scale`
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub resources: Vec<String>,
    /// Names of objects; empty for all.
    #[serde(rename = "resourceNames")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub names: Vec<String>,
    /// Non-resource paths, which may end with `*`.
    #[serde(rename = "nonResourceURLs")]
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub urls: Vec<String>,
}

/// A RoleBinding or ClusterRoleBinding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleBinding {
    /// Its namespace; empty for a ClusterRoleBinding.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// `roleRef.kind`: `Role`, `ClusterRole`, or an invalid value as written.
    pub role_kind: String,
    /// `roleRef.name`
    pub role: String,
    /// The users, groups and service accounts that get the role.
    pub subjects: Vec<RbacSubject>,
}

impl RoleBinding {
    /// Returns kind and name, such as `RoleBinding ns/name`.
    pub fn id(&self) -> String {
        match self.namespace.as_str() {
            "" => format!("ClusterRoleBinding {}", self.name),
            namespace => format!("RoleBinding {namespace}/{}", self.name),
        }
    }
}

/// A subject of a binding.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct RbacSubject {
    /// `User`, `Group`, `ServiceAccount`, or an invalid value as written.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub kind: String,
    /// The namespace of a service account; empty for the namespace of the binding.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub namespace: String,
    /// Its name.
    #[serde(deserialize_with = "lenient", skip_serializing_if = "is_default")]
    pub name: String,
}

impl RbacSubject {
    /// Returns the namespace of a service account, by default that of its binding.
    pub fn namespace_in<'a>(&'a self, binding: &'a str) -> &'a str {
        if self.namespace.is_empty() { binding } else { &self.namespace }
    }
}
