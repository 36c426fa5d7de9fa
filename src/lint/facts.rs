//! What is known about the rest of the world: the objects that rules compare
//! an APIService with, whether they come from the same input or from a cluster.

use super::finding::Place;
use crate::document::Node;
use std::collections::HashMap;

/// A Service.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Service {
    /// Its namespace; a manifest may leave it to whoever applies it.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// `spec.type`, `ClusterIP` where none is given.
    pub kind: String,
    /// Whether `spec.clusterIP` is `None`.
    pub headless: bool,
    /// Its ports, as name and number.
    pub ports: Vec<(String, i64)>,
    /// The labels of the pods behind it.
    pub selector: Vec<(String, String)>,
}

/// An EndpointSlice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointSlice {
    /// Its namespace.
    pub namespace: Option<String>,
    /// The Service that it belongs to.
    pub service: String,
    /// The names of its ports.
    pub ports: Vec<String>,
    /// Whether any of its endpoints is ready.
    pub ready: bool,
}

/// A CustomResourceDefinition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Crd {
    /// `<plural>.<group>`.
    pub name: String,
    /// Its group.
    pub group: String,
    /// Its versions, and whether each is served.
    pub versions: Vec<(String, bool)>,
}

impl Crd {
    /// Whether it serves this version.
    pub fn serves(&self, version: &str) -> bool {
        self.versions.iter().any(|(name, served)| *served && name == version)
    }
}

/// Who keeps an APIService of a cluster in shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keeper {
    /// The API server itself, for a built-in group version.
    Builtin,
    /// The API server, for a CRD.
    Crd,
    /// Somebody who applied it.
    #[default]
    Somebody,
}

/// An APIService that a cluster has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Registered {
    /// Its name.
    pub name: String,
    /// Its group.
    pub group: String,
    /// Its version.
    pub version: String,
    /// `spec.groupPriorityMinimum`.
    pub group_priority: i64,
    /// `spec.versionPriority`.
    pub version_priority: i64,
    /// Who keeps it.
    pub keeper: Keeper,
}

/// Something that runs pods: a Deployment and its like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Workload {
    /// `Deployment`, `DaemonSet` or `StatefulSet`.
    pub kind: String,
    /// Its namespace.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// The labels of its pods.
    pub labels: Vec<(String, String)>,
    /// The service account of its pods.
    pub service_account: String,
}

/// A RoleBinding or ClusterRoleBinding.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grant {
    /// The namespace of a RoleBinding; none for a ClusterRoleBinding.
    pub namespace: Option<String>,
    /// Whether it binds in all namespaces.
    pub everywhere: bool,
    /// The role that it grants, as kind and name.
    pub role: (String, String),
    /// To whom: kind, namespace, name.
    pub subjects: Vec<(String, Option<String>, String)>,
}

/// A fact and where in the input it stands; cluster facts stand nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The fact.
    pub fact: T,
    /// Its place in the input.
    pub place: Option<Place>,
}

/// Everything that is known.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Services.
    pub services: Vec<Sourced<Service>>,
    /// EndpointSlices.
    pub slices: Vec<Sourced<EndpointSlice>>,
    /// CRDs.
    pub crds: Vec<Sourced<Crd>>,
    /// Deployments and their like.
    pub workloads: Vec<Sourced<Workload>>,
    /// Role bindings.
    pub grants: Vec<Sourced<Grant>>,
    /// APIServices of the cluster.
    pub registered: Vec<Registered>,
    /// Which of these are complete, since they come from a whole cluster.
    pub complete: Complete,
}

/// Which kinds of facts are known completely, so that absence means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complete {
    /// All Services of the cluster.
    pub services: bool,
    /// All EndpointSlices of the cluster.
    pub slices: bool,
    /// All CRDs of the cluster.
    pub crds: bool,
    /// All APIServices of the cluster.
    pub registered: bool,
}

impl Facts {
    /// Takes in an object of the input, if it is of a kind that matters.
    pub fn learn(&mut self, node: &Node<'_>, place: Place) {
        let text = |path: &[&str]| node.at(path).and_then(Node::as_str).unwrap_or_default();
        let place = Some(place);
        match (text(&["apiVersion"]), text(&["kind"])) {
            ("v1", "Service") => {
                self.services.push(Sourced { fact: service(node), place });
            }
            ("discovery.k8s.io/v1" | "discovery.k8s.io/v1beta1", "EndpointSlice") => {
                self.slices.push(Sourced { fact: slice(node), place });
            }
            (
                "apiextensions.k8s.io/v1" | "apiextensions.k8s.io/v1beta1",
                "CustomResourceDefinition",
            ) => self.crds.push(Sourced { fact: crd(node), place }),
            (_, "Deployment" | "DaemonSet" | "StatefulSet") => {
                self.workloads.push(Sourced { fact: workload(node), place });
            }
            (_, "RoleBinding" | "ClusterRoleBinding") => {
                self.grants.push(Sourced { fact: grant(node), place });
            }
            _ => {}
        }
    }

    /// Puts the facts of another part of the input behind these.
    pub fn append(&mut self, mut other: Self) {
        self.services.append(&mut other.services);
        self.slices.append(&mut other.slices);
        self.crds.append(&mut other.crds);
        self.workloads.append(&mut other.workloads);
        self.grants.append(&mut other.grants);
        self.registered.append(&mut other.registered);
    }

    /// Adds a cluster underneath: what the input also has is as the input has
    /// it, as if it were applied.
    pub fn apply_to(mut self, cluster: &Self) -> Self {
        let services = std::mem::take(&mut self.services);
        self.services = overlay(
            services,
            &cluster.services,
            |s| &s.name,
            |a, b| same_namespace(a.namespace.as_deref(), b.namespace.as_deref()),
        );
        let crds = std::mem::take(&mut self.crds);
        self.crds = overlay(crds, &cluster.crds, |c| &c.name, |_, _| true);
        self.slices.extend(cluster.slices.iter().cloned());
        self.workloads.extend(cluster.workloads.iter().cloned());
        self.grants.extend(cluster.grants.iter().cloned());
        self.registered.extend(cluster.registered.iter().cloned());
        self.complete = cluster.complete;
        self
    }
}

/// The input's facts, and those of the cluster that the input does not have.
fn overlay<T: Clone>(
    mut own: Vec<Sourced<T>>,
    below: &[Sourced<T>],
    name: impl Fn(&T) -> &str,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<Sourced<T>> {
    let mut index: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, mine) in own.iter().enumerate() {
        index.entry(name(&mine.fact).to_owned()).or_default().push(number);
    }
    for other in below {
        let candidates = index.get(name(&other.fact)).map_or(&[][..], Vec::as_slice);
        if !candidates.iter().any(|i| same(&own[*i].fact, &other.fact)) {
            own.push(other.clone());
        }
    }
    own
}

/// Whether two namespaces can be the same; one that is not given can be any.
pub fn same_namespace(a: Option<&str>, b: Option<&str>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

fn string(node: &Node<'_>, path: &[&str]) -> String {
    node.at(path).and_then(Node::as_str).unwrap_or_default().to_owned()
}

fn namespace(node: &Node<'_>) -> Option<String> {
    node.at(&["metadata", "namespace"])?.as_str().map(str::to_owned)
}

fn pairs(node: Option<&Node<'_>>) -> Vec<(String, String)> {
    let entries = node.map_or(&[][..], Node::entries);
    entries
        .iter()
        .filter_map(|e| Some((e.key.clone().into_owned(), e.value.as_str()?.to_owned())))
        .collect()
}

fn service(node: &Node<'_>) -> Service {
    let kind = string(node, &["spec", "type"]);
    let ports = node.at(&["spec", "ports"]).map_or(&[][..], Node::items);
    Service {
        namespace: namespace(node),
        name: string(node, &["metadata", "name"]),
        kind: if kind.is_empty() { "ClusterIP".to_owned() } else { kind },
        headless: string(node, &["spec", "clusterIP"]) == "None",
        ports: ports
            .iter()
            .filter_map(|p| Some((string(p, &["name"]), p.get("port")?.as_i64()?)))
            .collect(),
        selector: pairs(node.at(&["spec", "selector"])),
    }
}

fn slice(node: &Node<'_>) -> EndpointSlice {
    let ports = node.get("ports").map_or(&[][..], Node::items);
    let endpoints = node.get("endpoints").map_or(&[][..], Node::items);
    EndpointSlice {
        namespace: namespace(node),
        service: string(node, &["metadata", "labels", "kubernetes.io/service-name"]),
        ports: ports.iter().map(|p| string(p, &["name"])).collect(),
        // A readiness that is not given counts as ready, as the server has it.
        ready: endpoints.iter().any(|e| {
            let ready = e.at(&["conditions", "ready"]).and_then(Node::as_bool);
            ready != Some(false) && e.get("addresses").is_some_and(|a| !a.items().is_empty())
        }),
    }
}

fn crd(node: &Node<'_>) -> Crd {
    let versions = node.at(&["spec", "versions"]).map_or(&[][..], Node::items);
    let served = |v: &Node<'_>| v.get("served").and_then(Node::as_bool).unwrap_or(false);
    Crd {
        name: string(node, &["metadata", "name"]),
        group: string(node, &["spec", "group"]),
        versions: versions.iter().map(|v| (string(v, &["name"]), served(v))).collect(),
    }
}

fn workload(node: &Node<'_>) -> Workload {
    let pod = ["spec", "template", "spec", "serviceAccountName"];
    let account = string(node, &pod);
    Workload {
        kind: string(node, &["kind"]),
        namespace: namespace(node),
        name: string(node, &["metadata", "name"]),
        labels: pairs(node.at(&["spec", "template", "metadata", "labels"])),
        service_account: if account.is_empty() { "default".to_owned() } else { account },
    }
}

fn grant(node: &Node<'_>) -> Grant {
    let subjects = node.get("subjects").map_or(&[][..], Node::items);
    Grant {
        namespace: namespace(node),
        everywhere: string(node, &["kind"]) == "ClusterRoleBinding",
        role: (string(node, &["roleRef", "kind"]), string(node, &["roleRef", "name"])),
        subjects: subjects
            .iter()
            .map(|s| {
                let namespace = s.get("namespace").and_then(Node::as_str).map(str::to_owned);
                (string(s, &["kind"]), namespace, string(s, &["name"]))
            })
            .collect(),
    }
}
