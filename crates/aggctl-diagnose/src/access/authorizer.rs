//! RBAC over the roles and bindings of a snapshot.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::MASTERS;
use super::attributes::{Attributes, ResourceAttributes};
use super::decision::{Decision, Grant};
use super::index::Index;
use super::rule::allows;
use super::user::User;
use kube_aggregation::model::{
    Gap, PolicyRule, Rbac, RbacSubject, Role, RoleBinding, SnapshotPart,
};

/// The server's RBAC authorizer, compiled from a snapshot.
///
/// It asks all ClusterRoleBindings first, then the RoleBindings of the request's namespace. Inside
/// of each, the server takes them as they come out of its informer's store, a Go map: in another
/// order with every request. Here they are sorted by name; the first that allows is the decision,
/// and [`Authorizer::grants`] has all that the server could have named as well.
#[derive(Debug)]
pub struct Authorizer<'s> {
    rbac: &'s Rbac,
    roles: HashMap<(&'s str, &'s str), &'s Role, FixedState>,
    index: Index<'s>,
}

/// Why there are no rules behind a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// The server has no such role: it says so.
    Missing(String),
    /// The role is not in the source, which does not have all.
    NotSeen(Gap),
}

impl<'s> Authorizer<'s> {
    /// Compiles the roles and bindings.
    pub fn new(rbac: &'s Rbac) -> Self {
        let role = |role: &'s Role| ((role.namespace.as_str(), role.name.as_str()), role);
        let roles = rbac.all_roles().map(role).collect();
        Self { rbac, roles, index: Index::new(rbac.all_bindings()) }
    }

    /// What the server says of a user's request.
    pub fn decide(&self, user: &User, request: &Attributes<'_>) -> Decision<'s> {
        if user.is_masters() {
            return Decision::Masters;
        }
        if let Some(grant) = self.grants(user, request).next() {
            return Decision::Allowed(grant);
        }
        let mut gaps: Vec<Gap> = self.rbac.gaps().filter(|gap| is_asked(gap, request)).collect();
        let mut errors: Vec<String> = vec![];
        for lost in self.bindings_of(user, request).filter_map(|b| self.rules(b.0).err()) {
            match lost {
                Lost::Missing(error) if !errors.contains(&error) => errors.push(error),
                Lost::NotSeen(gap) if !gaps.contains(&gap) => gaps.push(gap),
                _ => {}
            }
        }
        if gaps.is_empty() { Decision::Denied(errors) } else { Decision::Unknown(gaps) }
    }

    /// Whether the Node authorizer may allow what RBAC does not. It knows which Pods are on a
    /// node, which no source does, but allows nothing that is not in the role of nodes, beside
    /// the ResourceSlices of a node itself.
    pub(super) fn may_be_of_node(&self, user: &User, request: &Attributes<'_>) -> bool {
        let own = |about: &ResourceAttributes<'_>| {
            (about.group, about.resource) == ("resource.k8s.io", "resourceslices")
        };
        let role = self.roles.get(&("", "system:node"));
        let is_slice = matches!(request, Attributes::Resource(about) if own(about));
        let in_role = || role.is_none_or(|r| r.rules.iter().any(|rule| allows(rule, request)));
        user.is_node() && (is_slice || in_role())
    }

    /// Everything that allows a user's request, in the order in which bindings are asked.
    pub fn grants(&self, user: &User, request: &Attributes<'_>) -> impl Iterator<Item = Grant<'s>> {
        self.bindings_of(user, request).filter_map(|(binding, subject)| {
            let rule = self.rules(binding).ok()?.iter().find(|rule| allows(rule, request))?;
            Some(Grant { binding, subject, rule })
        })
    }

    /// Everything that allows a request of anybody, a grant for each subject. That members of
    /// system:masters may goes without saying.
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

    pub(super) fn index(&self) -> &Index<'s> {
        &self.index
    }

    fn bindings_of(
        &self,
        user: &User,
        request: &Attributes<'_>,
    ) -> impl Iterator<Item = (&'s RoleBinding, &'s RbacSubject)> {
        let namespace = request.namespace();
        let own = (!namespace.is_empty()).then(|| self.index.about(user, namespace));
        self.index.about(user, "").chain(own.into_iter().flatten())
    }

    /// The rules of the role that a binding names.
    ///
    /// # Errors
    /// Why there are none.
    pub fn rules(&self, binding: &'s RoleBinding) -> Result<&'s [PolicyRule], Lost> {
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
                return Err(Lost::Missing(error));
            }
        };
        // A Role is in a namespace, so that no ClusterRoleBinding leads to one.
        let cluster_role = role_kind == "ClusterRole";
        if let Some(found) = self.roles.get(&(space, role.as_str()))
            && found.namespace.is_empty() == cluster_role
        {
            return Ok(&found.rules);
        }
        let gap =
            if namespace.is_empty() && !cluster_role { None } else { Gap::of(part, input, listed) };
        Err(match gap {
            Some(gap) => Lost::NotSeen(gap),
            None => Lost::Missing(format!("{word}.rbac.authorization.k8s.io {role:?} not found")),
        })
    }
}

/// Whether a subject is another than the group that may do everything anyway.
pub(super) fn is_not_masters(subject: &&RbacSubject) -> bool {
    subject.kind != "Group" || subject.name != MASTERS
}

/// Whether a request depends on what is missing. Missing roles count where a binding names them.
fn is_asked(gap: &Gap, request: &Attributes<'_>) -> bool {
    match gap.part {
        SnapshotPart::ClusterRoleBindings => true,
        SnapshotPart::RoleBindings => !request.namespace().is_empty(),
        _ => false,
    }
}
