//! The other objects of the input (Services, CRDs, workloads, RBAC), each with its file.
//!
//! The namespace is empty if a manifest does not set it.

use super::kustomize::Kustomization;
use super::rbac::{Binding, Role, Workload};
use kube_aggregation::model::{
    Crd, CrdVersion, Endpoint, EndpointPort, EndpointSlice, Service, ServicePort, ServiceType,
};
use located_document::Node;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// An object of the input, and the index of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found<T> {
    /// The object.
    pub object: T,
    /// The index of its file.
    pub file: usize,
}

/// The objects of the input that rules compare APIServices with.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) services: Vec<Found<Service>>,
    pub(super) endpoint_slices: Vec<Found<EndpointSlice>>,
    pub(super) crds: Vec<Found<Crd>>,
    pub(super) workloads: Vec<Workload>,
    pub(super) roles: Vec<Role>,
    pub(super) bindings: Vec<Found<Binding>>,
    pub(super) kustomizations: Vec<Kustomization>,
    /// A hash of kind, namespace and name of each object, with its file.
    pub(super) identities: Vec<Found<u64>>,
}

impl Objects {
    /// Adds an object, if its kind is relevant.
    pub(super) fn add(&mut self, node: &Node<'_>, file: usize, file_name: &str) {
        self.identities.extend(identity(node).map(|object| Found { object, file }));
        let (api_version, kind) = (text(node, &["apiVersion"]), text(node, &["kind"]));
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        match (group, kind) {
            ("", "Service") => self.services.push(Found { object: service(node), file }),
            ("discovery.k8s.io", "EndpointSlice") => {
                self.endpoint_slices.push(Found { object: slice(node), file });
            }
            ("apiextensions.k8s.io", "CustomResourceDefinition") => {
                self.crds.push(Found { object: crd(node), file });
            }
            (_, "Deployment" | "DaemonSet" | "StatefulSet") => {
                self.workloads.push(Workload::read(node));
            }
            (_, "Role" | "ClusterRole") => self.roles.push(Role::read(node)),
            (_, "RoleBinding" | "ClusterRoleBinding") => {
                self.bindings.push(Found { object: Binding::read(node), file });
            }
            _ => self.kustomizations.extend(Kustomization::read(node, file, file_name)),
        }
    }

    /// Appends the objects of another part of the input.
    pub(super) fn append(&mut self, mut other: Self) {
        self.services.append(&mut other.services);
        self.endpoint_slices.append(&mut other.endpoint_slices);
        self.crds.append(&mut other.crds);
        self.workloads.append(&mut other.workloads);
        self.roles.append(&mut other.roles);
        self.bindings.append(&mut other.bindings);
        self.kustomizations.append(&mut other.kustomizations);
        self.identities.append(&mut other.identities);
    }
}

/// Returns a hash that identifies an object. Ignores Namespaces, because files that are not applied
/// together often share one.
pub(super) fn identity(node: &Node<'_>) -> Option<u64> {
    let (kind, name) = (text(node, &["kind"]), text(node, &["metadata", "name"]));
    if name.is_empty() || kind == "Namespace" {
        return None;
    }
    Some(identity_of(kind, text(node, &["metadata", "namespace"]), name))
}

pub(super) fn identity_of(kind: &str, namespace: &str, name: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    (kind, namespace, name).hash(&mut hasher);
    hasher.finish()
}

pub(super) fn text<'n>(node: &'n Node<'_>, path: &[&str]) -> &'n str {
    node.at(path).and_then(Node::as_str).unwrap_or_default()
}

pub(super) fn items<'n, 'a>(node: &'n Node<'a>, path: &[&str]) -> &'n [Node<'a>] {
    node.at(path).map_or(&[][..], Node::items)
}

/// Returns a map of strings, without values of other types.
pub(super) fn strings(node: &Node<'_>, path: &[&str]) -> BTreeMap<String, String> {
    let entries = node.at(path).map_or(&[][..], Node::entries);
    entries
        .iter()
        .filter_map(|e| Some((e.key.clone().into_owned(), e.value.as_str()?.to_owned())))
        .collect()
}

fn optional(node: &Node<'_>, path: &[&str]) -> Option<String> {
    node.at(path).and_then(Node::as_str).map(str::to_owned)
}

fn number(node: &Node<'_>, key: &str) -> Option<i32> {
    i32::try_from(node.get(key)?.as_i64()?).ok()
}

fn service(node: &Node<'_>) -> Service {
    let port = |port: &Node<'_>| {
        Some(ServicePort {
            name: text(port, &["name"]).to_owned(),
            port: number(port, "port")?,
            target_port: None,
        })
    };
    Service {
        namespace: text(node, &["metadata", "namespace"]).to_owned(),
        name: text(node, &["metadata", "name"]).to_owned(),
        kind: match text(node, &["spec", "type"]) {
            "" | "ClusterIP" => ServiceType::ClusterIp,
            "NodePort" => ServiceType::NodePort,
            "LoadBalancer" => ServiceType::LoadBalancer,
            "ExternalName" => ServiceType::ExternalName,
            other => ServiceType::Other(other.to_owned()),
        },
        cluster_ip: optional(node, &["spec", "clusterIP"]),
        external_name: optional(node, &["spec", "externalName"]),
        ports: items(node, &["spec", "ports"]).iter().filter_map(port).collect(),
        selector: strings(node, &["spec", "selector"]),
    }
}

fn slice(node: &Node<'_>) -> EndpointSlice {
    let flag = |node: &Node<'_>, key: &str| node.at(&["conditions", key]).and_then(Node::as_bool);
    let endpoint = |node: &Node<'_>| Endpoint {
        addresses: (items(node, &["addresses"]).iter())
            .filter_map(|a| a.as_str().map(str::to_owned))
            .collect(),
        // A missing readiness counts as ready, as in the server.
        ready: flag(node, "ready").unwrap_or(true),
        terminating: flag(node, "terminating").unwrap_or(false),
        target: None,
    };
    let port = |port: &Node<'_>| EndpointPort {
        name: text(port, &["name"]).to_owned(),
        port: number(port, "port"),
    };
    EndpointSlice {
        namespace: text(node, &["metadata", "namespace"]).to_owned(),
        name: text(node, &["metadata", "name"]).to_owned(),
        service: optional(node, &["metadata", "labels", "kubernetes.io/service-name"]),
        ports: items(node, &["ports"]).iter().map(port).collect(),
        endpoints: items(node, &["endpoints"]).iter().map(endpoint).collect(),
    }
}

/// Returns a CRD as it will be once its names are accepted.
fn crd(node: &Node<'_>) -> Crd {
    let name = |key: &str| text(node, &["spec", "names", key]).to_owned();
    let version = |version: &Node<'_>| CrdVersion {
        name: text(version, &["name"]).to_owned(),
        served: version.get("served").and_then(Node::as_bool).unwrap_or(false),
        status_subresource: version.at(&["subresources", "status"]).is_some(),
        scale_subresource: version.at(&["subresources", "scale"]).is_some(),
    };
    Crd {
        name: text(node, &["metadata", "name"]).to_owned(),
        group: text(node, &["spec", "group"]).to_owned(),
        namespaced: text(node, &["spec", "scope"]) == "Namespaced",
        plural: name("plural"),
        singular: name("singular"),
        kind: name("kind"),
        versions: items(node, &["spec", "versions"]).iter().map(version).collect(),
        established: true,
        names_accepted: true,
        ..Crd::default()
    }
}
