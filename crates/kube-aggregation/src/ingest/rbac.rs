//! Adds Roles, ClusterRoles and their bindings to a builder.

use super::named::{key, typed, within};
use super::part::Part;
use super::{FactsByKey, SnapshotBuilder, objects};
use crate::codec::{BindingObject, RoleObject};
use crate::model::{Rbac, RbacListed, Role, RoleBinding};

/// Roles and bindings per kind, by namespace and name.
#[derive(Debug, Default)]
pub(crate) struct RbacFacts {
    cluster_roles: Objects<Role>,
    cluster_role_bindings: Objects<RoleBinding>,
    roles: Objects<Role>,
    role_bindings: Objects<RoleBinding>,
}

type Objects<T> = FactsByKey<(String, String), T>;

/// Adds a role or a binding.
pub(super) fn add<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
    kind: &'static str,
) -> Result<(), String> {
    let rbac = &mut builder.rbac;
    // A cluster-wide object has no namespace, even if the document sets one.
    let is_cluster_wide = kind.starts_with("Cluster");
    let conflict = if kind.ends_with("Binding") {
        let mut object: BindingObject = typed(kind, part)?;
        if is_cluster_wide {
            object.metadata.namespace.clear();
        }
        let (key, revision) = key(kind, &object.metadata)?;
        let found =
            if is_cluster_wide { &mut rbac.cluster_role_bindings } else { &mut rbac.role_bindings };
        found.add(key, object.into(), revision, file)
    } else {
        let mut object: RoleObject = typed(kind, part)?;
        if is_cluster_wide {
            object.metadata.namespace.clear();
        }
        let (key, revision) = key(kind, &object.metadata)?;
        let found = if is_cluster_wide { &mut rbac.cluster_roles } else { &mut rbac.roles };
        found.add(key, object.into(), revision, file)
    };
    builder.note_conflict(conflict, |key| match key.0.as_str() {
        "" => format!("{kind} {}", key.1),
        _ => within(kind, key),
    });
    Ok(())
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
