//! Adds roles and bindings to a snapshot.

use super::add::{key, within};
use super::{FactsByKey, SnapshotBuilder, objects};
use crate::kube::{BindingObject, ObjectMeta, RoleObject};
use crate::model::{Rbac, RbacListed, Role, RoleBinding};

/// Roles and bindings by kind, namespace and name.
#[derive(Debug, Default)]
pub(crate) struct RbacFacts {
    cluster_roles: Objects<Role>,
    cluster_role_bindings: Objects<RoleBinding>,
    roles: Objects<Role>,
    role_bindings: Objects<RoleBinding>,
}

type Objects<T> = FactsByKey<(String, String), T>;

/// Adds a Role or a ClusterRole.
pub(super) fn role(
    builder: &mut SnapshotBuilder,
    file: &str,
    kind: &str,
    mut object: RoleObject,
) -> Result<(), String> {
    clear_namespace(kind, &mut object.metadata);
    let (key, revision) = key(kind, &object.metadata)?;
    let rbac = &mut builder.rbac;
    let roles = if kind == "Role" { &mut rbac.roles } else { &mut rbac.cluster_roles };
    let conflict = roles.add(key, object.into(), revision, file);
    builder.note_conflict(conflict, |key| name(kind, key));
    Ok(())
}

/// Adds a RoleBinding or a ClusterRoleBinding.
pub(super) fn binding(
    builder: &mut SnapshotBuilder,
    file: &str,
    kind: &str,
    mut object: BindingObject,
) -> Result<(), String> {
    clear_namespace(kind, &mut object.metadata);
    let (key, revision) = key(kind, &object.metadata)?;
    let rbac = &mut builder.rbac;
    let bindings = match kind {
        "RoleBinding" => &mut rbac.role_bindings,
        _ => &mut rbac.cluster_role_bindings,
    };
    let conflict = bindings.add(key, object.into(), revision, file);
    builder.note_conflict(conflict, |key| name(kind, key));
    Ok(())
}

/// A cluster-wide object has no namespace, whatever it says.
fn clear_namespace(kind: &str, metadata: &mut ObjectMeta) {
    if kind.starts_with("Cluster") {
        metadata.namespace.clear();
    }
}

fn name(kind: &str, key: &(String, String)) -> String {
    if key.0.is_empty() { format!("{kind} {}", key.1) } else { within(kind, key) }
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
