//! Roles and bindings: the JSON of their kinds, and what becomes of it.

use serde::Deserialize;

use super::recognise::{revision, typed, within};
use super::wire::{Metadata, lenient};
use super::{FactsByKey, SnapshotBuilder, objects};
use crate::model::{PolicyRule, Rbac, RbacListed, RbacSubject, Role, RoleBinding};

pub(super) const GROUP: &str = "rbac.authorization.k8s.io";

/// By kind, namespace and name.
#[derive(Debug, Default)]
pub(crate) struct RbacFacts {
    cluster_roles: Objects<Role>,
    cluster_role_bindings: Objects<RoleBinding>,
    roles: Objects<Role>,
    role_bindings: Objects<RoleBinding>,
}

type Objects<T> = FactsByKey<(String, String), T>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireRole {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    rules: Vec<WireRule>,
    aggregation_rule: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireRule {
    #[serde(deserialize_with = "lenient")]
    verbs: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    api_groups: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    resources: Vec<String>,
    #[serde(deserialize_with = "lenient")]
    resource_names: Vec<String>,
    #[serde(rename = "nonResourceURLs", deserialize_with = "lenient")]
    urls: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireBinding {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default, deserialize_with = "lenient")]
    role_ref: WireSubject,
    #[serde(default, deserialize_with = "lenient")]
    subjects: Vec<WireSubject>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireSubject {
    #[serde(deserialize_with = "lenient")]
    kind: String,
    #[serde(deserialize_with = "lenient")]
    namespace: String,
    #[serde(deserialize_with = "lenient")]
    name: String,
}

/// The kind, where it is one of these.
pub(super) fn known(kind: &str) -> Option<&'static str> {
    ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]
        .into_iter()
        .find(|one| *one == kind)
}

/// Adds an object of one of these kinds.
pub(super) fn add(
    builder: &mut SnapshotBuilder,
    file: &str,
    json: &str,
    kind: &'static str,
) -> Result<(), String> {
    let rbac = &mut builder.rbac;
    let conflict = match kind {
        "ClusterRole" | "Role" => {
            let wire: WireRole = typed(kind, json)?;
            let roles = if kind == "Role" { &mut rbac.roles } else { &mut rbac.cluster_roles };
            let key @ (namespace, name) = &key(kind, &wire.metadata);
            let role = Role {
                namespace: namespace.clone(),
                name: name.clone(),
                rules: wire.rules.into_iter().map(Into::into).collect(),
                is_aggregated: wire.aggregation_rule.is_some(),
            };
            roles.add(key.clone(), role, revision(kind, &wire.metadata)?, file)
        }
        _ => {
            let wire: WireBinding = typed(kind, json)?;
            let bindings = match kind {
                "RoleBinding" => &mut rbac.role_bindings,
                _ => &mut rbac.cluster_role_bindings,
            };
            let key @ (namespace, name) = &key(kind, &wire.metadata);
            let binding = RoleBinding {
                namespace: namespace.clone(),
                name: name.clone(),
                role_kind: wire.role_ref.kind,
                role: wire.role_ref.name,
                subjects: wire.subjects.into_iter().map(Into::into).collect(),
            };
            bindings.add(key.clone(), binding, revision(kind, &wire.metadata)?, file)
        }
    };
    builder.note_conflict(conflict, |key| match key {
        (namespace, name) if namespace.is_empty() => format!("{kind} {name}"),
        key => within(kind, key),
    });
    Ok(())
}

/// Namespace and name. Whatever is written there, a cluster-wide object has no namespace.
fn key(kind: &str, metadata: &Metadata) -> (String, String) {
    let cluster_wide = kind.starts_with("Cluster");
    let namespace = if cluster_wide { String::new() } else { metadata.namespace.clone() };
    (namespace, metadata.name.clone())
}

impl RbacFacts {
    pub(super) fn is_empty(&self) -> bool {
        self.cluster_roles.is_empty()
            && self.cluster_role_bindings.is_empty()
            && self.roles.is_empty()
            && self.role_bindings.is_empty()
    }

    pub(super) fn into_rbac(self, is_listed: impl Fn(&str) -> bool) -> Rbac {
        let listed = RbacListed {
            cluster_roles: is_listed("ClusterRole"),
            cluster_role_bindings: is_listed("ClusterRoleBinding"),
            roles: is_listed("Role"),
            role_bindings: is_listed("RoleBinding"),
        };
        Rbac {
            cluster_roles: objects(self.cluster_roles, listed.cluster_roles),
            cluster_role_bindings: objects(
                self.cluster_role_bindings,
                listed.cluster_role_bindings,
            ),
            roles: objects(self.roles, listed.roles),
            role_bindings: objects(self.role_bindings, listed.role_bindings),
            listed,
        }
    }
}

impl From<WireRule> for PolicyRule {
    fn from(wire: WireRule) -> Self {
        Self {
            verbs: wire.verbs,
            groups: wire.api_groups,
            resources: wire.resources,
            names: wire.resource_names,
            urls: wire.urls,
        }
    }
}

impl From<WireSubject> for RbacSubject {
    fn from(wire: WireSubject) -> Self {
        Self { kind: wire.kind, namespace: wire.namespace, name: wire.name }
    }
}
