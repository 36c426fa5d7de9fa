//! Finds the permissions of the service accounts of the input, as far as the input shows them.
//!
//! Snapshots have no workloads, and manifests are checked before they are applied: a namespace may
//! not be set, and roles may be missing. So the linter finds bindings itself.
//! `aggctl_diagnose::access` decides whether a rule allows a request.

use super::accounts::{Binding, Role, Workload, same_namespace};
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
    /// Bindings of service accounts, by account name.
    by_account: HashMap<&'a str, Vec<&'a Found<Binding>>>,
    /// Bindings of users or groups.
    by_others: Vec<&'a Found<Binding>>,
    /// The namespaces with an account that may change APIServices, and the files with which its
    /// binding is applied. The empty namespace means any.
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
        let mut by_account: HashMap<_, Vec<&Found<Binding>>> = HashMap::new();
        for binding in bindings {
            for subject in binding.object.subjects.iter().filter(|s| s.kind == "ServiceAccount") {
                by_account.entry(subject.name.as_str()).or_default().push(binding);
            }
        }
        let others =
            |b: &&Found<Binding>| b.object.subjects.iter().any(|s| s.kind != "ServiceAccount");
        let by_others = bindings.iter().filter(others).collect();
        let registrars = OnceLock::new();
        Self { roles, all_roles, bindings, together, by_account, by_others, registrars }
    }

    /// Returns whether the account of a workload may do something. `None` if the input does not show
    /// it: no binding is about the account, or a bound role is missing.
    pub(super) fn allows(
        &self,
        workload: &Found<Workload>,
        request: &Attributes<'_>,
    ) -> Option<bool> {
        let Workload { namespace, service_account: account, .. } = &workload.object;
        let named = self.by_account.get(account.as_str()).into_iter().flatten();
        let applied = named
            .chain(&self.by_others)
            .filter(|b| self.together.reaches(b.file, workload.file))
            .map(|b| &b.object);
        let mut own = applied.filter(|b| b.is_about(namespace, account)).peekable();
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

    /// Returns whether an account of a namespace may change APIServices, and so write its own
    /// caBundle. A role that names `apiservices` counts wherever it is. A role that allows
    /// everything counts only if it is applied together with the file.
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
        // APIServices are cluster-scoped, so a RoleBinding does not cover them.
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

    /// Returns whether the role of a binding has a matching rule. For a predefined role that is not
    /// in the input, `resource` decides. `None` if the role is unknown.
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

/// Returns whether a predefined role allows access to a resource; `None` for any other role.
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
