//! The permissions of the workload behind a Service, as far as the input shows them.
//!
//! The linter finds bindings itself, because snapshots have no workloads, and because manifests may
//! lack namespaces and roles. `aggctl_diagnose::access` decides whether a rule allows a request.

use super::objects::{Found, text};
use super::together::{Circle, Together};
use aggctl_diagnose::access::{Attributes, Rule};
use kube_aggregation::model::{self, AGGREGATOR_GROUP, Pod, PolicyRule, RbacSubject, RoleBinding};
use located_document::Node;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// A workload: a Deployment, DaemonSet or StatefulSet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty if not set.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The labels of its pods.
    pub labels: BTreeMap<String, String>,
    /// The service account of its pods.
    pub service_account: String,
}

impl Workload {
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Object {
            spec: Spec,
        }
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Spec {
            template: Option<Pod>,
        }
        let template = node.decode_leniently::<Object>()?.spec.template?;
        Some(Self {
            kind: text(node, &["kind"]).to_owned(),
            namespace: text(node, &["metadata", "namespace"]).to_owned(),
            name: text(node, &["metadata", "name"]).to_owned(),
            labels: template.labels,
            service_account: template.service_account,
        })
    }
}

/// A Role or ClusterRole.
#[derive(Debug, Clone)]
pub(super) struct Role {
    cluster_wide: bool,
    name: String,
    labels: BTreeMap<String, String>,
    rules: Vec<PolicyRule>,
    /// The label selectors of the ClusterRoles that it aggregates.
    aggregates: Vec<BTreeMap<String, String>>,
}

impl Role {
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        let role: model::Role = node.decode_leniently()?;
        Some(Self {
            cluster_wide: text(node, &["kind"]) == "ClusterRole",
            name: role.name,
            labels: role.labels,
            rules: role.rules,
            aggregates: role.aggregates.unwrap_or_default(),
        })
    }
}

/// A RoleBinding or ClusterRoleBinding.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    /// The namespace that it applies to; `None` for a ClusterRoleBinding.
    namespace: Option<String>,
    role: (bool, String),
    subjects: Vec<RbacSubject>,
}

impl Binding {
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        let binding: RoleBinding = node.decode_leniently()?;
        let everywhere = text(node, &["kind"]) == "ClusterRoleBinding";
        Some(Self {
            namespace: (!everywhere).then_some(binding.namespace),
            role: (binding.role_kind == "ClusterRole", binding.role),
            subjects: binding.subjects,
        })
    }

    fn role_key(&self) -> (bool, &str) {
        (self.role.0, self.role.1.as_str())
    }

    /// Adds copies of matching service accounts in another namespace.
    pub(super) fn follow_to(&mut self, namespace: &str, follows: impl Fn(&RbacSubject) -> bool) {
        let own = self.subjects.iter().filter(|s| s.kind == "ServiceAccount" && follows(s));
        let there = own.map(|s| RbacSubject { namespace: namespace.to_owned(), ..s.clone() });
        let there: Vec<RbacSubject> = there.filter(|s| !self.subjects.contains(s)).collect();
        self.subjects.extend(there);
    }

    /// Returns whether it applies to a service account, by name or by group.
    fn is_about(&self, namespace: &str, account: &str) -> bool {
        self.subjects.iter().any(|subject| match subject.kind.as_str() {
            "ServiceAccount" => {
                subject.name == account && same_namespace(&subject.namespace, namespace)
            }
            "Group" => match subject.name.strip_prefix("system:serviceaccounts") {
                Some("") => true,
                Some(of) => of.strip_prefix(':').is_some_and(|of| same_namespace(of, namespace)),
                None => subject.name == "system:authenticated",
            },
            _ => {
                let full = format!("system:serviceaccount:{namespace}:{account}");
                subject.kind == "User" && subject.name == full
            }
        })
    }
}

/// The roles and bindings of the input.
#[derive(Debug)]
pub(super) struct Rbac<'a> {
    roles: HashMap<(bool, &'a str), Vec<&'a Role>>,
    all_roles: &'a [Role],
    bindings: &'a [Found<Binding>],
    together: &'a Together,
    /// Bindings to service accounts, by the account's name.
    by_account: HashMap<&'a str, Vec<&'a Binding>>,
    /// Bindings to users or groups.
    by_others: Vec<&'a Binding>,
    /// The namespaces with an account that may change APIServices, and what its binding is applied
    /// with. The empty namespace means any.
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

    /// Returns whether an account may do something; `None` if the input does not show it, because
    /// no binding applies to the account or a role is missing.
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

    /// Returns whether an account in a namespace may change APIServices, so that it can write its
    /// own caBundle. A role that names APIServices counts wherever it is; one that allows
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
        // APIServices are cluster-scoped, so a RoleBinding does not apply to them.
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

    /// Returns whether the role of a binding has such a rule. For roles that every cluster has,
    /// this is decided by the requested resource.
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

/// Returns what roles that every cluster has allow; `None` for other roles.
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

/// Returns whether two namespaces may be the same. An empty one may be any.
pub(super) fn same_namespace(a: &str, b: &str) -> bool {
    a.is_empty() || b.is_empty() || a == b
}
