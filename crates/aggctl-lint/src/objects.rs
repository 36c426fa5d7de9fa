//! The other objects of the input, decoded into the model, each with the index of its file.
//!
//! They are decoded leniently: a value of the wrong type, such as an unrendered template, counts as
//! absent. The namespace is empty if the manifest does not set it.

use super::accounts::{Binding, Role, Workload};
use super::api_service::ManifestObject;
use super::found::{Found, identity, text};
use super::kustomization::Kustomization;
use kube_aggregation::model::{Crd, EndpointSlice, Service};
use located_document::{Node, Span};

/// The objects of the input that rules compare APIServices with.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) services: Vec<ServiceManifest>,
    pub(super) endpoint_slices: Vec<Found<EndpointSlice>>,
    pub(super) crds: Vec<Found<Crd>>,
    pub(super) workloads: Vec<Found<Workload>>,
    pub(super) roles: Vec<Role>,
    pub(super) bindings: Vec<Found<Binding>>,
    pub(super) kustomizations: Vec<Kustomization>,
    /// A hash of kind, namespace and name of each object, with its file.
    pub(super) identities: Vec<Found<u64>>,
}

/// A Service of the input, with the places that rules point at.
#[derive(Debug)]
pub(super) struct ServiceManifest {
    pub(super) object: Service,
    pub(super) file: usize,
    pub(super) document: usize,
    pub(super) selector: Span,
    /// The named target port of each port.
    pub(super) target_ports: Vec<(i32, Span)>,
}

impl Objects {
    /// Adds an object, if it is of a kind that matters.
    pub(super) fn add(&mut self, object: ManifestObject<'_>, file_name: &str) {
        let ManifestObject { file, document, node } = object;
        self.identities.extend(identity(node).map(|object| Found { object, file }));
        let (api_version, kind) = (text(node, &["apiVersion"]), text(node, &["kind"]));
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        match (group, kind) {
            ("", "Service") => {
                self.services.extend(service(node, file, document));
            }
            ("discovery.k8s.io", "EndpointSlice") => {
                let slice = node.decode_leniently();
                self.endpoint_slices.extend(slice.map(|object| Found { object, file }));
            }
            ("apiextensions.k8s.io", "CustomResourceDefinition") => {
                self.crds.extend(crd(node).map(|object| Found { object, file }));
            }
            ("", "Pod" | "ReplicationController")
            | ("batch", "Job")
            | ("argoproj.io", "Rollout")
            | ("apps.openshift.io", "DeploymentConfig")
            | (_, "Deployment" | "DaemonSet" | "ReplicaSet" | "StatefulSet") => {
                self.workloads.extend(Workload::read(node).map(|object| Found { object, file }));
            }
            (_, "Role" | "ClusterRole") => self.roles.extend(Role::read(node)),
            (_, "RoleBinding" | "ClusterRoleBinding") => {
                self.bindings.extend(Binding::read(node).map(|object| Found { object, file }));
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

fn service(node: &Node<'_>, file: usize, document: usize) -> Option<ServiceManifest> {
    let mut object: Service = node.decode_leniently()?;
    // A port without a number is not known yet; it is not port 0.
    object.ports.retain(|port| port.port != 0);
    let selector = node.get("spec").and_then(|spec| spec.entry("selector"));
    let ports = node.at(&["spec", "ports"]).map_or(&[][..], Node::items).iter();
    let named = ports.filter_map(|port| {
        let target = port.get("targetPort").filter(|target| target.as_str().is_some())?;
        Some((i32::try_from(port.get("port")?.as_i64()?).ok()?, target.span))
    });
    Some(ServiceManifest {
        object,
        file,
        document,
        selector: selector.map_or(node.span, |entry| entry.key_span),
        target_ports: named.collect(),
    })
}

/// Decodes a CRD as it will be once its names are accepted.
fn crd(node: &Node<'_>) -> Option<Crd> {
    let crd: Crd = node.decode_leniently()?;
    Some(Crd { established: true, names_accepted: true, ..crd })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::{Pod, Role, RoleBinding};
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    /// Decodes a document from its nodes and from plain JSON.
    fn same<T: DeserializeOwned + PartialEq + Debug>(yaml: &str) -> T {
        let document = located_document::parse(yaml.as_bytes()).remove(0).unwrap();
        let plain: T = serde_json::from_value(document.to_json_value()).unwrap();
        assert_eq!(document.root.decode_leniently(), Some(plain), "{yaml}");
        document.root.decode_leniently().unwrap()
    }

    #[test]
    fn located_documents_decode_as_json_does() {
        let meta =
            "metadata: {namespace: ns, name: x, labels: {kubernetes.io/service-name: s, a: null}}";
        let service: Service =
            same(&format!("{meta}\nspec: {{ports: [{{port: 1, targetPort: 2}}]}}"));
        assert_eq!((&*service.namespace, service.ports.len()), ("ns", 1));
        let slice: EndpointSlice = same(&format!("{meta}\nendpoints: [{{addresses: [a]}}, {{}}]"));
        assert_eq!((slice.service.as_deref(), slice.ready()), (Some("s"), 2));
        let names = "names: {plural: boats, kind: Boat, shortNames: null}";
        let crd: Crd = same(&format!("{meta}\nspec: {{{names}, versions: [{{name: v1}}]}}"));
        assert_eq!((&*crd.singular, crd.merge.stated.len()), ("boat", 1));
        let role: Role = same(&format!("{meta}\nrules: [{{verbs: [get]}}]\naggregationRule: {{}}"));
        assert_eq!((role.rules.len(), role.aggregates), (1, Some(vec![])));
        let binding: RoleBinding = same(&format!("{meta}\nroleRef: {{kind: Role, name: r}}"));
        assert_eq!(binding.role, "r");
        let pod: Pod = same(&format!("{meta}\nspec: {{serviceAccount: old}}"));
        assert_eq!((&*pod.service_account, pod.labels.len()), ("old", 1));
    }

    #[test]
    fn unrendered_values_count_as_absent() {
        let yaml = "apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec:\n  \
            ports: [{port: 443, targetPort: {a: b}}, {port: {c: d}, name: e}]\n  \
            selector: {f: [], g: h}\n";
        let document = located_document::parse(yaml.as_bytes()).remove(0).unwrap();
        let mut objects = Objects::default();
        let object = ManifestObject { file: 0, document: 0, node: &document.root };
        objects.add(object, "x.yaml");
        let Service { ports, selector, .. } = &objects.services[0].object;
        assert_eq!((ports.len(), ports[0].port, selector.len()), (1, 443, 1));
    }
}
