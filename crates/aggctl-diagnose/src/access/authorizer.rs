//! Decides requests by the roles and bindings of a snapshot. Mirrors the server's RBAC authorizer.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::attributes::{Attributes, ResourceAttributes};
use super::decision::{AccessDecision, Grant};
use super::index::BindingIndex;
use super::rule::allows;
use super::user::{MASTERS, User};
use kube_aggregation::model::{
    Gap, PolicyRule, Rbac, RbacSubject, Role, RoleBinding, SnapshotPart,
};

/// The server's RBAC authorizer, compiled from a snapshot.
///
/// It asks all ClusterRoleBindings first, then the RoleBindings of the request's namespace. The
/// server takes each kind in the order of a Go map, which differs with every request. Here they are
/// sorted by name: the first that allows is the decision, and [`Authorizer::grants`] returns every
/// one that the server could have named.
#[derive(Debug)]
pub struct Authorizer<'s> {
    rbac: &'s Rbac,
    roles: HashMap<(&'s str, &'s str), &'s Role, FixedState>,
    index: BindingIndex<'s>,
}

/// Why the role of a binding has no rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostRole {
    /// The role does not exist; in the server's words.
    Missing(String),
    /// The source does not have all roles.
    NotSeen(Gap),
}

impl<'s> Authorizer<'s> {
    /// Indexes the roles and bindings.
    pub fn new(rbac: &'s Rbac) -> Self {
        let role = |role: &'s Role| ((role.namespace.as_str(), role.name.as_str()), role);
        let roles = rbac.all_roles().map(role).collect();
        Self { rbac, roles, index: BindingIndex::new(rbac.all_bindings()) }
    }

    /// Decides a user's request.
    pub fn decide(&self, user: &User, request: &Attributes<'_>) -> AccessDecision<'s> {
        if user.is_masters() {
            return AccessDecision::Masters;
        }
        if let Some(grant) = self.grants(user, request).next() {
            return AccessDecision::Allowed(grant);
        }
        let mut gaps: Vec<Gap> = self.rbac.gaps().filter(|gap| is_asked(gap, request)).collect();
        let mut errors: Vec<String> = vec![];
        for lost in self.bindings_of(user, request).filter_map(|b| self.rules(b.0).err()) {
            match lost {
                LostRole::Missing(error) if !errors.contains(&error) => errors.push(error),
                LostRole::NotSeen(gap) if !gaps.contains(&gap) => gaps.push(gap),
                _ => {}
            }
        }
        if gaps.is_empty() { AccessDecision::Denied(errors) } else { AccessDecision::Unknown(gaps) }
    }

    /// Whether the Node authorizer may allow what RBAC does not. It knows which Pods run on a node,
    /// which no source has. But it allows only what is in the role of nodes, and a node's own
    /// ResourceSlices.
    pub(super) fn may_be_of_node(&self, user: &User, request: &Attributes<'_>) -> bool {
        let own = |about: &ResourceAttributes<'_>| {
            (about.group, about.resource) == ("resource.k8s.io", "resourceslices")
        };
        let role = self.roles.get(&("", "system:node"));
        let is_slice = matches!(request, Attributes::Resource(about) if own(about));
        let in_role = || role.is_none_or(|r| r.rules.iter().any(|rule| allows(rule, request)));
        user.is_node() && (is_slice || in_role())
    }

    /// Lists everything that allows a user's request, in the order in which bindings are asked.
    pub fn grants(&self, user: &User, request: &Attributes<'_>) -> impl Iterator<Item = Grant<'s>> {
        self.bindings_of(user, request).filter_map(|(binding, subject)| {
            let rule = self.rules(binding).ok()?.iter().find(|rule| allows(rule, request))?;
            Some(Grant { binding, subject, rule })
        })
    }

    /// Lists everything that allows a request for any user, one grant per subject. Leaves out the
    /// group system:masters, which may do everything.
    pub fn who(&self, request: &Attributes<'_>) -> impl Iterator<Item = Grant<'s>> {
        let counts =
            |b: &&RoleBinding| b.namespace.is_empty() || b.namespace == request.namespace();
        self.index.all().filter(counts).flat_map(move |binding| {
            let rules = self.rules(binding).unwrap_or_default();
            let rule = rules.iter().find(|rule| allows(rule, request));
            let grant = move |subject| rule.map(|rule| Grant { binding, subject, rule });
            binding.subjects.iter().filter(is_not_masters).filter_map(grant)
        })
    }

    pub(super) fn index(&self) -> &BindingIndex<'s> {
        &self.index
    }

    fn bindings_of(
        &self,
        user: &User,
        request: &Attributes<'_>,
    ) -> impl Iterator<Item = (&'s RoleBinding, &'s RbacSubject)> {
        let namespace = request.namespace();
        let own = (!namespace.is_empty()).then(|| self.index.matching(user, namespace));
        self.index.matching(user, "").chain(own.into_iter().flatten())
    }

    /// Returns the rules of the role that a binding names.
    ///
    /// # Errors
    /// If the role does not exist, or is not in the source.
    pub fn rules(&self, binding: &'s RoleBinding) -> Result<&'s [PolicyRule], LostRole> {
        let RoleBinding { namespace, role_kind, role, .. } = binding;
        let (space, word, part, input, listed) = match role_kind.as_str() {
            "Role" => {
                let listed = self.rbac.listed.roles;
                (namespace.as_str(), "role", SnapshotPart::Roles, &self.rbac.roles, listed)
            }
            "ClusterRole" => {
                let listed = self.rbac.listed.cluster_roles;
                ("", "clusterrole", SnapshotPart::ClusterRoles, &self.rbac.cluster_roles, listed)
            }
            kind => {
                let error = format!("unsupported role reference kind: {kind:?}");
                return Err(LostRole::Missing(error));
            }
        };
        // A ClusterRoleBinding cannot name a Role, which is in a namespace.
        let cluster_role = role_kind == "ClusterRole";
        if let Some(found) = self.roles.get(&(space, role.as_str()))
            && found.namespace.is_empty() == cluster_role
        {
            return Ok(&found.rules);
        }
        let gap =
            if namespace.is_empty() && !cluster_role { None } else { Gap::of(part, input, listed) };
        Err(match gap {
            Some(gap) => LostRole::NotSeen(gap),
            None => {
                LostRole::Missing(format!("{word}.rbac.authorization.k8s.io {role:?} not found"))
            }
        })
    }
}

/// Whether a subject is not the group that may do everything anyway.
pub(super) fn is_not_masters(subject: &&RbacSubject) -> bool {
    subject.kind != "Group" || subject.name != MASTERS
}

/// Whether a decision depends on a missing part. Missing roles matter only if a binding names them.
fn is_asked(gap: &Gap, request: &Attributes<'_>) -> bool {
    match gap.part {
        SnapshotPart::ClusterRoleBindings => true,
        SnapshotPart::RoleBindings => !request.namespace().is_empty(),
        _ => false,
    }
}
