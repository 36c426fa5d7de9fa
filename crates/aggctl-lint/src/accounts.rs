//! Workloads, roles and bindings of the input.

use super::found::text;
use kube_aggregation::model::{self, Pod, PolicyRule, RbacSubject, RoleBinding};
use located_document::Node;
use std::collections::{BTreeMap, BTreeSet};

/// A workload: a Pod, or an object with a Pod template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its kind.
    pub kind: String,
    /// Its namespace; empty if the manifest does not set it.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The labels of its pods.
    pub labels: BTreeMap<String, String>,
    /// The service account of its pods.
    pub service_account: String,
    /// The names of the ports of its containers.
    pub ports: BTreeSet<String>,
}

impl Workload {
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        let pod = match text(node, &["kind"]) {
            "Pod" => node,
            _ => node.at(&["spec", "template"])?,
        };
        let template: Pod = pod.decode_leniently()?;
        let containers = ["containers", "initContainers"].into_iter();
        let containers = containers.filter_map(|key| pod.at(&["spec", key])).flat_map(Node::items);
        let ports = containers.filter_map(|container| container.get("ports"));
        let names = ports.flat_map(Node::items).filter_map(|port| port.get("name")?.as_str());
        Some(Self {
            ports: names.map(str::to_owned).collect(),
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
    pub(super) cluster_wide: bool,
    pub(super) name: String,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) rules: Vec<PolicyRule>,
    /// The label selectors of the ClusterRoles that it aggregates.
    pub(super) aggregates: Vec<BTreeMap<String, String>>,
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
    /// The namespace in which it applies; `None` for a ClusterRoleBinding, which applies
    /// everywhere.
    pub(super) namespace: Option<String>,
    pub(super) role: (bool, String),
    pub(super) subjects: Vec<RbacSubject>,
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

    pub(super) fn role_key(&self) -> (bool, &str) {
        (self.role.0, self.role.1.as_str())
    }

    /// Also binds the accepted service accounts in another namespace, as kustomize does.
    pub(super) fn follow_to(&mut self, namespace: &str, follows: impl Fn(&RbacSubject) -> bool) {
        let own = self.subjects.iter().filter(|s| s.kind == "ServiceAccount" && follows(s));
        let there = own.map(|s| RbacSubject { namespace: namespace.to_owned(), ..s.clone() });
        let there: Vec<RbacSubject> = there.filter(|s| !self.subjects.contains(s)).collect();
        self.subjects.extend(there);
    }

    /// Returns whether it binds a service account, by name or by a group that the account belongs
    /// to.
    pub(super) fn is_about(&self, namespace: &str, account: &str) -> bool {
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

/// Returns whether two namespaces can be the same. An empty one is not set yet and can be any.
pub(super) fn same_namespace(a: &str, b: &str) -> bool {
    a.is_empty() || b.is_empty() || a == b
}
