//! What runs behind a Service, and what it may do, as far as the input tells.
//!
//! Snapshots have no workloads, and manifests are judged before they are applied: a namespace may be
//! left open, and roles may be missing. So the linter finds bindings itself. Whether a rule allows a
//! request is decided by `aggctl_diagnose::access`.

use super::accounts::{Binding, Role, same_namespace};
use super::found::Found;
use super::together::{Circle, Together};
use aggctl_diagnose::access::{Attributes, Rule};
use kube_aggregation::model::AGGREGATOR_GROUP;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// The roles and bindings of the input.
#[derive(Debug)]
pub(super) struct Rbac<'a> {
    roles: HashMap<(bool, &'a str), Vec<&'a Role>>,
    all_roles: &'a [Role],
    bindings: &'a [Found<Binding>],
    together: &'a Together,
    /// Those that name a service account, by its name.
    by_account: HashMap<&'a str, Vec<&'a Binding>>,
    /// Those that name users or groups.
    by_others: Vec<&'a Binding>,
    /// The namespaces with an account that may change APIServices, the empty one is any, and what
    /// its binding is applied with.
    registrars: OnceLock<HashMap<&'a str, HashSet<Circle>>>,
}

impl<'a> Rbac<'a> {
    pub(super) fn new(
        all_roles: &'a [Role],
        bindings: &'a [Found<Binding>],
        together: &'a Together,
    ) -> Self {
        let mut roles: HashMap<_, Vec<&Role>> = HashMap::new();
        for role in all_roles {
            roles.entry((role.cluster_wide, role.name.as_str())).or_default().push(role);
        }
        let mut by_account: HashMap<_, Vec<&Binding>> = HashMap::new();
        for Found { object: binding, .. } in bindings {
            for subject in binding.subjects.iter().filter(|s| s.kind == "ServiceAccount") {
                by_account.entry(subject.name.as_str()).or_default().push(binding);
            }
        }
        let others = |b: &&Binding| b.subjects.iter().any(|s| s.kind != "ServiceAccount");
        let by_others = bindings.iter().map(|b| &b.object).filter(others).collect();
        let registrars = OnceLock::new();
        Self { roles, all_roles, bindings, together, by_account, by_others, registrars }
    }

    /// Whether an account may do something; none where the input does not tell: nothing in it is
    /// about the account, or a role that it has is not there.
    pub(super) fn allows(
        &self,
        namespace: &str,
        account: &str,
        request: &Attributes<'_>,
    ) -> Option<bool> {
        let named = self.by_account.get(account).into_iter().flatten();
        let bindings = named.chain(&self.by_others);
        let mut own = bindings.filter(|b| b.is_about(namespace, account)).peekable();
        own.peek()?;
        let mut known = true;
        for binding in own {
            let holds = match (&binding.namespace, request.namespace()) {
                (None, _) => true,
                (Some(_), "") => false,
                (Some(here), wanted) => same_namespace(here, wanted),
            };
            match self.role_allows(binding, |rule| rule.allows(request), request.resource()) {
                Some(true) if holds => return Some(true),
                None => known = false,
                _ => {}
            }
        }
        known.then_some(false)
    }

    /// Whether some account of a namespace may change APIServices: then it can write its own
    /// caBundle. A role that names them was written for that, wherever it is; one that allows
    /// everything counts only where it is applied together with the file.
    pub(super) fn registers_itself(&self, namespace: &str, file: usize) -> bool {
        let registrars = self.registrars.get_or_init(|| self.registrars());
        let near = |found: &HashSet<Circle>| {
            let mut circles = std::iter::once(Circle::All).chain(self.together.circles(file));
            circles.any(|circle| found.contains(&circle))
        };
        match namespace {
            "" => registrars.values().any(near),
            _ => [namespace, ""].iter().filter_map(|key| registrars.get(key)).any(near),
        }
    }

    fn registrars(&self) -> HashMap<&'a str, HashSet<Circle>> {
        const KIND: &str = "apiservices";
        let writes = |rule: Rule<'_>| rule.changes(AGGREGATOR_GROUP, KIND);
        let names = |rule: Rule<'_>| writes(rule) && rule.0.resources.iter().any(|r| r == KIND);
        let mut found: HashMap<&str, HashSet<Circle>> = HashMap::new();
        // APIServices are in no namespace, so that a RoleBinding does not reach them.
        for Found { object, file } in self.bindings.iter().filter(|b| b.object.namespace.is_none())
        {
            if self.role_allows(object, writes, KIND) != Some(true) {
                continue;
            }
            let circles: Vec<Circle> = match self.roles.contains_key(&object.role_key())
                && self.role_allows(object, names, KIND) == Some(true)
            {
                true => vec![Circle::All],
                false => self.together.circles(*file).collect(),
            };
            for subject in object.subjects.iter().filter(|s| s.kind == "ServiceAccount") {
                found.entry(subject.namespace.as_str()).or_default().extend(&circles);
            }
        }
        found
    }

    /// Whether the role of a binding has such a rule; where it is one that every cluster has, by
    /// the resource that is asked for.
    fn role_allows(
        &self,
        binding: &Binding,
        allows: impl Fn(Rule<'_>) -> bool,
        resource: &str,
    ) -> Option<bool> {
        let Some(roles) = self.roles.get(&binding.role_key()) else {
            let (cluster_wide, name) = binding.role_key();
            return built_in(cluster_wide, name, resource);
        };
        let grants = |role: &Role| role.rules.iter().any(|rule| allows(Rule(rule)));
        let taken_over = |labels: &BTreeMap<String, String>| {
            let selected = |role: &&Role| {
                role.cluster_wide && labels.iter().all(|(k, v)| role.labels.get(k) == Some(v))
            };
            self.all_roles.iter().filter(selected).any(grants)
        };
        let has = |role: &&Role| grants(role) || role.aggregates.iter().any(taken_over);
        Some(roles.iter().any(has))
    }
}

/// What the roles that every cluster has allow.
fn built_in(cluster_wide: bool, name: &str, resource: &str) -> Option<bool> {
    match (cluster_wide, name) {
        (true, "cluster-admin") => Some(true),
        (true, "system:auth-delegator") => {
            Some(matches!(resource, "tokenreviews" | "subjectaccessreviews"))
        }
        (false, "extension-apiserver-authentication-reader")
        | (true, "admin" | "edit" | "view") => Some(resource == "configmaps"),
        _ => None,
    }
}
