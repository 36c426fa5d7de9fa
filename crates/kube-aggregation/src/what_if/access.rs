//! What-if for RBAC: merges roles and bindings of manifests into those of a snapshot.

use std::collections::BTreeMap;

use super::Key;
use crate::model::{Input, Rbac, Role, RoleBinding};

/// Returns roles and bindings with those of manifests applied, and notes for the user.
pub(super) fn applied(before: &Rbac, manifests: &Rbac) -> (Rbac, Vec<String>) {
    let mut effects = vec![];
    let mut after = before.clone();
    let mut given = manifests.clone();
    let mut place = |kind: &str, name: &str, namespace: &mut String| {
        if namespace.is_empty() {
            effects.push(format!("{kind} {name} has no namespace; assuming default"));
            "default".clone_into(namespace);
        }
    };
    if let Input::Loaded(roles) = &mut given.roles {
        roles.iter_mut().for_each(|one| place("Role", &one.name, &mut one.namespace));
    }
    if let Input::Loaded(bindings) = &mut given.role_bindings {
        bindings.iter_mut().for_each(|one| place("RoleBinding", &one.name, &mut one.namespace));
    }
    let role = |new: &Role, old: Option<&Role>| {
        // The controller fills the rules of an aggregated role, regardless of the manifest.
        let kept = old.filter(|old| old.aggregates.is_some() && new.aggregates.is_some());
        Ok(kept.unwrap_or(new).clone())
    };
    let binding = |new: &RoleBinding, old: Option<&RoleBinding>| match old {
        Some(old) if (&old.role_kind, &old.role) != (&new.role_kind, &new.role) => {
            Err("its roleRef cannot change".to_owned())
        }
        _ => Ok(new.clone()),
    };
    let key = |role: &Role| (role.namespace.clone(), role.name.clone());
    let mut refused = vec![];
    merge(&mut after.cluster_roles, &given.cluster_roles, key, role, &mut refused);
    merge(&mut after.roles, &given.roles, key, role, &mut refused);
    let key = |binding: &RoleBinding| (binding.namespace.clone(), binding.name.clone());
    let cluster_wide = &given.cluster_role_bindings;
    merge(&mut after.cluster_role_bindings, cluster_wide, key, binding, &mut refused);
    merge(&mut after.role_bindings, &given.role_bindings, key, binding, &mut refused);
    effects.extend(refused);
    let collects = |input: &Input<Vec<Role>>| {
        input.loaded().into_iter().flatten().any(|role| role.aggregates.is_some())
    };
    if manifests.cluster_roles.is_loaded() && collects(&before.cluster_roles) {
        effects.push(
            "aggregated ClusterRoles keep their rules: what their controller would add is not modeled"
                .to_owned(),
        );
    }
    (after, effects)
}

/// Adds or replaces objects by name. A kind that was not collected stays unknown unless something
/// is applied; then it has what is applied, but is incomplete.
fn merge<T: Clone>(
    into: &mut Input<Vec<T>>,
    new: &Input<Vec<T>>,
    key: impl Fn(&T) -> Key,
    put: impl Fn(&T, Option<&T>) -> Result<T, String>,
    refused: &mut Vec<String>,
) {
    let Input::Loaded(new) = new else { return };
    let old = into.loaded().map(Vec::as_slice).unwrap_or_default();
    let mut all: BTreeMap<Key, T> = old.iter().map(|one| (key(one), one.clone())).collect();
    for one in new {
        let name = key(one);
        match put(one, all.get(&name)) {
            Ok(merged) => {
                all.insert(name, merged);
            }
            Err(why) => {
                let (namespace, name) = name;
                let name = [namespace, name].join("/");
                let name = name.trim_start_matches('/');
                refused.push(format!("the binding {name} does not change: {why}"));
            }
        }
    }
    *into = Input::Loaded(all.into_values().collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{PolicyRule, RbacListed, RbacSubject};

    fn role(name: &str, verb: &str, aggregated: bool) -> Role {
        let verbs = vec![verb.to_owned()];
        let rules = vec![PolicyRule { verbs, ..PolicyRule::default() }];
        let aggregates = aggregated.then(Vec::new);
        Role { name: name.to_owned(), rules, aggregates, ..Role::default() }
    }

    fn binding(namespace: &str, name: &str, role: &str, user: &str) -> RoleBinding {
        let (kind, name) = ("User".to_owned(), name.to_owned());
        RoleBinding {
            namespace: namespace.to_owned(),
            name,
            role_kind: "ClusterRole".to_owned(),
            role: role.to_owned(),
            subjects: vec![RbacSubject { kind, namespace: String::new(), name: user.to_owned() }],
        }
    }

    #[test]
    fn objects_take_the_place_of_those_with_their_names() {
        let listed = RbacListed { cluster_roles: true, ..RbacListed::default() };
        let before = Rbac {
            cluster_roles: Input::Loaded(vec![role("a", "get", false), role("b", "get", true)]),
            role_bindings: Input::Loaded(vec![binding("x", "b", "a", "jane")]),
            listed,
            ..Rbac::default()
        };
        let manifests = Rbac {
            cluster_roles: Input::Loaded(vec![role("a", "list", false), role("b", "list", true)]),
            role_bindings: Input::Loaded(vec![
                binding("", "c", "a", "joe"),
                binding("x", "b", "other", "joe"),
            ]),
            ..Rbac::default()
        };
        let (after, effects) = applied(&before, &manifests);
        let verbs: Vec<&str> =
            after.cluster_roles.loaded().unwrap().iter().map(|r| &*r.rules[0].verbs[0]).collect();
        assert_eq!(verbs, ["list", "get"]);
        let bindings = after.role_bindings.loaded().unwrap();
        let bound: Vec<_> = bindings.iter().map(|b| (&*b.namespace, &*b.name, &*b.role)).collect();
        assert_eq!(bound, [("default", "c", "a"), ("x", "b", "a")]);
        assert_eq!(
            effects,
            [
                "RoleBinding c has no namespace; assuming default",
                "the binding x/b does not change: its roleRef cannot change",
                "aggregated ClusterRoles keep their rules: what their controller would add is not modeled",
            ]
        );
        assert!(!after.roles.is_loaded() && after.listed == listed);
    }
}
