//! Who runs behind a Service, and what it may do, as far as the input says.
//!
//! Snapshots have no workloads, and manifests are judged before they are applied, so this is the
//! linter's own.

use super::objects::{items, strings, text};
use crate::document::Node;
use crate::model::AGGREGATOR_GROUP;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::OnceLock;

/// Something that runs pods: a Deployment, DaemonSet or StatefulSet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its kind.
    pub kind: String,
    /// Its namespace, empty where it is left open.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The labels of its pods.
    pub labels: BTreeMap<String, String>,
    /// The service account of its pods.
    pub service_account: String,
}

impl Workload {
    pub(super) fn read(node: &Node<'_>) -> Self {
        // The second is the older name of the same field.
        let account = ["serviceAccountName", "serviceAccount"]
            .map(|key| text(node, &["spec", "template", "spec", key]));
        let account = account.into_iter().find(|name| !name.is_empty()).unwrap_or("default");
        Self {
            kind: text(node, &["kind"]).to_owned(),
            namespace: text(node, &["metadata", "namespace"]).to_owned(),
            name: text(node, &["metadata", "name"]).to_owned(),
            labels: strings(node, &["spec", "template", "metadata", "labels"]),
            service_account: account.to_owned(),
        }
    }
}

/// A Role or ClusterRole.
#[derive(Debug, Clone)]
pub(super) struct Role {
    cluster_wide: bool,
    name: String,
    labels: BTreeMap<String, String>,
    rules: Vec<PolicyRule>,
    /// The labels of the ClusterRoles whose rules it takes over.
    aggregates: Vec<BTreeMap<String, String>>,
}

#[derive(Debug, Clone)]
struct PolicyRule {
    verbs: Vec<String>,
    groups: Vec<String>,
    resources: Vec<String>,
    names: Vec<String>,
}

impl Role {
    pub(super) fn read(node: &Node<'_>) -> Self {
        let selectors = items(node, &["aggregationRule", "clusterRoleSelectors"]);
        let rule = |rule: &Node<'_>| {
            let list = |key: &str| {
                let items = items(rule, &[key]).iter();
                items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
            };
            PolicyRule {
                verbs: list("verbs"),
                groups: list("apiGroups"),
                resources: list("resources"),
                names: list("resourceNames"),
            }
        };
        Self {
            cluster_wide: text(node, &["kind"]) == "ClusterRole",
            name: text(node, &["metadata", "name"]).to_owned(),
            labels: strings(node, &["metadata", "labels"]),
            rules: items(node, &["rules"]).iter().map(rule).collect(),
            aggregates: selectors.iter().map(|s| strings(s, &["matchLabels"])).collect(),
        }
    }
}

/// A RoleBinding or ClusterRoleBinding.
#[derive(Debug, Clone)]
pub(super) struct Binding {
    /// Where it holds; everywhere for a ClusterRoleBinding.
    namespace: Option<String>,
    role: (bool, String),
    subjects: Vec<Subject>,
}

#[derive(Debug, Clone)]
struct Subject {
    kind: String,
    namespace: String,
    name: String,
}

impl Binding {
    pub(super) fn read(node: &Node<'_>) -> Self {
        let everywhere = text(node, &["kind"]) == "ClusterRoleBinding";
        let subject = |subject: &Node<'_>| Subject {
            kind: text(subject, &["kind"]).to_owned(),
            namespace: text(subject, &["namespace"]).to_owned(),
            name: text(subject, &["name"]).to_owned(),
        };
        Self {
            namespace: (!everywhere).then(|| text(node, &["metadata", "namespace"]).to_owned()),
            role: (
                text(node, &["roleRef", "kind"]) == "ClusterRole",
                text(node, &["roleRef", "name"]).to_owned(),
            ),
            subjects: items(node, &["subjects"]).iter().map(subject).collect(),
        }
    }

    /// Whether it is about a service account, by its name or by a group that it belongs to.
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

/// Something that an account must be allowed to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permission {
    /// `create`, `get`, …
    pub verb: &'static str,
    /// The group of the resource.
    pub group: &'static str,
    /// The resource.
    pub resource: &'static str,
    /// Which object, where it is about one.
    pub name: Option<&'static str>,
    /// In which namespace; none where it must be everywhere.
    pub namespace: Option<&'static str>,
}

/// The roles and bindings of the input.
#[derive(Debug)]
pub(super) struct Rbac<'a> {
    roles: HashMap<(bool, &'a str), Vec<&'a Role>>,
    all_roles: &'a [Role],
    bindings: &'a [Binding],
    /// Those that name a service account, by its name.
    by_account: HashMap<&'a str, Vec<&'a Binding>>,
    /// Those that name users or groups.
    by_others: Vec<&'a Binding>,
    /// The namespaces with an account that may change APIServices; the empty one is any.
    registrars: OnceLock<HashSet<&'a str>>,
}

impl<'a> Rbac<'a> {
    pub(super) fn new(all_roles: &'a [Role], bindings: &'a [Binding]) -> Self {
        let mut roles: HashMap<_, Vec<&Role>> = HashMap::new();
        for role in all_roles {
            roles.entry((role.cluster_wide, role.name.as_str())).or_default().push(role);
        }
        let mut by_account: HashMap<_, Vec<&Binding>> = HashMap::new();
        for binding in bindings {
            for subject in binding.subjects.iter().filter(|s| s.kind == "ServiceAccount") {
                by_account.entry(subject.name.as_str()).or_default().push(binding);
            }
        }
        let others = |b: &&Binding| b.subjects.iter().any(|s| s.kind != "ServiceAccount");
        let by_others = bindings.iter().filter(others).collect();
        let registrars = OnceLock::new();
        Self { roles, all_roles, bindings, by_account, by_others, registrars }
    }

    /// Whether an account may do something; none where the input does not tell: nothing in it is
    /// about the account, or a role that it has is not there.
    pub(super) fn allows(
        &self,
        namespace: &str,
        account: &str,
        permission: &Permission,
    ) -> Option<bool> {
        let named = self.by_account.get(account).into_iter().flatten();
        let bindings = named.chain(&self.by_others);
        let mut own = bindings.filter(|b| b.is_about(namespace, account)).peekable();
        own.peek()?;
        let mut known = true;
        for binding in own {
            let holds = match (&binding.namespace, permission.namespace) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(here), Some(wanted)) => same_namespace(here, wanted),
            };
            match self.role_allows(binding, permission) {
                Some(true) if holds => return Some(true),
                None => known = false,
                _ => {}
            }
        }
        known.then_some(false)
    }

    /// Whether some account of a namespace may change APIServices: then it can write its own
    /// caBundle.
    pub(super) fn registers_itself(&self, namespace: &str) -> bool {
        let registrars = self.registrars.get_or_init(|| {
            let writes = ["update", "patch"].map(|verb| Permission {
                verb,
                group: AGGREGATOR_GROUP,
                resource: "apiservices",
                name: None,
                namespace: None,
            });
            let may = |b: &&Binding| writes.iter().any(|w| self.role_allows(b, w) == Some(true));
            let subjects = self.bindings.iter().filter(may).flat_map(|b| &b.subjects);
            let accounts = subjects.filter(|s| s.kind == "ServiceAccount");
            accounts.map(|s| s.namespace.as_str()).collect()
        });
        registrars.contains(namespace)
            || registrars.contains("")
            || (namespace.is_empty() && !registrars.is_empty())
    }

    fn role_allows(&self, binding: &Binding, permission: &Permission) -> Option<bool> {
        let (cluster_wide, name) = &binding.role;
        if let Some(roles) = self.roles.get(&(*cluster_wide, name.as_str())) {
            return Some(roles.iter().any(|role| self.grants(role, permission)));
        }
        built_in(*cluster_wide, name, permission)
    }

    fn grants(&self, role: &Role, permission: &Permission) -> bool {
        let grants = |role: &Role| role.rules.iter().any(|rule| rule.covers(permission));
        let taken_over = |labels: &BTreeMap<String, String>| {
            let selected = |role: &&Role| {
                role.cluster_wide && labels.iter().all(|(k, v)| role.labels.get(k) == Some(v))
            };
            self.all_roles.iter().filter(selected).any(grants)
        };
        grants(role) || role.aggregates.iter().any(taken_over)
    }
}

impl PolicyRule {
    fn covers(&self, permission: &Permission) -> bool {
        let has = |list: &[String], word: &str| list.iter().any(|i| i == "*" || i == word);
        has(&self.verbs, permission.verb)
            && has(&self.groups, permission.group)
            && has(&self.resources, permission.resource)
            && (self.names.is_empty()
                || permission.name.is_none_or(|name| self.names.iter().any(|n| n == name)))
    }
}

/// What the roles that every cluster has allow.
fn built_in(cluster_wide: bool, name: &str, permission: &Permission) -> Option<bool> {
    match (cluster_wide, name) {
        (true, "cluster-admin") => Some(true),
        (true, "system:auth-delegator") => {
            Some(matches!(permission.resource, "tokenreviews" | "subjectaccessreviews"))
        }
        (false, "extension-apiserver-authentication-reader") => {
            Some(permission.resource == "configmaps")
        }
        (true, "admin" | "edit" | "view") => Some(permission.resource == "configmaps"),
        _ => None,
    }
}

/// Whether two namespaces can be the same; one that is left open can be any.
pub(super) fn same_namespace(a: &str, b: &str) -> bool {
    a.is_empty() || b.is_empty() || a == b
}
