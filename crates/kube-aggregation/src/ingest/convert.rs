//! From the JSON of a kind to the model's plain data.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::wire;
use crate::model::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    ApiService, Automanaged, Condition, Crd, CrdNames, CrdVersion, Endpoint, EndpointPort,
    EndpointSlice, Field, FieldManager, Freshness, GroupVersion, GroupVersionKind, LegacyGroup,
    Merge, Minor, Namespace, Ownership, OwnershipMetadata, ServerVersion, Service, ServicePort,
    ServiceReference, ServiceType,
};

const SLICE_OF: &str = "kubernetes.io/service-name";

/// The port of an APIService that names none.
const DEFAULT_PORT: i32 = 443;

impl From<wire::ApiService> for ApiService {
    fn from(wire: wire::ApiService) -> Self {
        let merge = wire
            .metadata
            .merge(wire.spec.stated(), last_applied(&wire.metadata, wire::ApiServiceSpec::stated));
        let conditions = wire.status.unwrap_or_default().conditions;
        let available = conditions.into_iter().find(|c| c.kind == "Available");
        Self {
            name: wire.metadata.name.clone(),
            group_version: GroupVersion::new(wire.spec.group, wire.spec.version),
            service: wire.spec.service.flatten().map(|s| ServiceReference {
                namespace: s.namespace,
                name: s.name,
                port: s.port.flatten().unwrap_or(DEFAULT_PORT),
            }),
            group_priority: wire.spec.group_priority_minimum.flatten().unwrap_or_default(),
            version_priority: wire.spec.version_priority.flatten().unwrap_or_default(),
            ca_bundle: wire.spec.ca_bundle.flatten().filter(|text| !text.is_empty()),
            insecure_skip_tls_verify: wire
                .spec
                .insecure_skip_tls_verify
                .flatten()
                .unwrap_or_default(),
            automanaged: Automanaged::of(&wire.metadata.labels()),
            available: available.map(|c| Condition {
                status: c.status,
                reason: c.reason,
                message: c.message,
                since: c.last_transition_time,
            }),
            created: wire.metadata.creation_timestamp.clone(),
            provenance: provenance(wire.metadata, merge),
            inferred: false,
        }
    }
}

impl From<wire::Crd> for Crd {
    fn from(wire: wire::Crd) -> Self {
        let holds = |kind: &str| {
            wire.status.conditions.iter().any(|c| c.kind == kind && c.status == "True")
        };
        let (established, names_accepted) = (holds("Established"), holds("NamesAccepted"));
        let terminating = holds("Terminating");
        let refused = |c: &&wire::Condition| c.kind == "NamesAccepted" && c.status == "False";
        let refusal = wire.status.conditions.iter().find(refused).map(|c| c.message.clone());
        let stated = wire.spec.names.stated();
        let accepted: CrdNames = wire.status.accepted_names.into();
        let mut requested: CrdNames = wire.spec.names.into();
        if requested.singular.is_empty() {
            requested.singular = requested.kind.to_lowercase();
        }
        if requested.list_kind.is_empty() {
            requested.list_kind = format!("{}List", requested.kind);
        }
        let names = if accepted.plural.is_empty() { requested.clone() } else { accepted.clone() };
        let last = last_applied(&wire.metadata, |spec: &wire::NamesOnly| spec.names.stated());
        let merge = wire.metadata.merge(stated, last);
        Self {
            name: wire.metadata.name,
            group: wire.spec.group,
            namespaced: wire.spec.scope == "Namespaced",
            plural: names.plural,
            singular: names.singular,
            kind: names.kind,
            short_names: names.short_names,
            categories: names.categories,
            versions: wire.spec.versions.into_iter().map(Into::into).collect(),
            established,
            names_accepted,
            refusal,
            terminating,
            requested,
            accepted,
            stored_versions: wire.status.stored_versions,
            merge,
        }
    }
}

impl From<wire::Names> for CrdNames {
    fn from(wire: wire::Names) -> Self {
        Self {
            plural: wire.plural,
            singular: wire.singular.flatten().unwrap_or_default(),
            kind: wire.kind,
            list_kind: wire.list_kind.flatten().unwrap_or_default(),
            short_names: wire.short_names.flatten().unwrap_or_default(),
            categories: wire.categories.flatten().unwrap_or_default(),
        }
    }
}

impl wire::ApiServiceSpec {
    fn stated(&self) -> Vec<Field> {
        given([
            (Field::Service, self.service.is_some()),
            (Field::Port, self.service.iter().flatten().any(|s| s.port.is_some())),
            (Field::CaBundle, self.ca_bundle.is_some()),
            (Field::InsecureSkipTlsVerify, self.insecure_skip_tls_verify.is_some()),
            (Field::GroupPriority, self.group_priority_minimum.is_some()),
            (Field::VersionPriority, self.version_priority.is_some()),
        ])
    }
}

impl wire::Names {
    fn stated(&self) -> Vec<Field> {
        given([
            (Field::Singular, self.singular.is_some()),
            (Field::ListKind, self.list_kind.is_some()),
            (Field::ShortNames, self.short_names.is_some()),
            (Field::Categories, self.categories.is_some()),
        ])
    }
}

fn given<const N: usize>(fields: [(Field, bool); N]) -> Vec<Field> {
    fields.into_iter().filter(|(_, is)| *is).map(|(field, _)| field).collect()
}

/// What an object was last applied with: fields, and the keys of labels.
fn last_applied<S: DeserializeOwned>(
    metadata: &wire::Metadata,
    stated: impl Fn(&S) -> Vec<Field>,
) -> Option<(Vec<Field>, Vec<String>)> {
    let annotations = metadata.annotations.as_deref()?.get();
    if !annotations.contains(LAST_APPLIED) {
        return None;
    }
    let annotations: BTreeMap<Cow<'_, str>, Cow<'_, str>> =
        serde_json::from_str(annotations).ok()?;
    let applied: wire::LastApplied<S> =
        serde_json::from_str(annotations.get(LAST_APPLIED)?).ok()?;
    let mut fields = stated(&applied.spec);
    if applied.metadata.finalizers.is_some() {
        fields.push(Field::Finalizers);
    }
    Some((fields, applied.metadata.labels.into_keys().collect()))
}

impl From<wire::CrdVersion> for CrdVersion {
    fn from(wire: wire::CrdVersion) -> Self {
        Self {
            name: wire.name,
            served: wire.served,
            status_subresource: wire.subresources.status.is_some(),
            scale_subresource: wire.subresources.scale.is_some(),
        }
    }
}

impl From<wire::Service> for Service {
    fn from(wire: wire::Service) -> Self {
        let kind = match wire.spec.kind.as_str() {
            "" | "ClusterIP" => ServiceType::ClusterIp,
            "NodePort" => ServiceType::NodePort,
            "LoadBalancer" => ServiceType::LoadBalancer,
            "ExternalName" => ServiceType::ExternalName,
            _ => ServiceType::Other(wire.spec.kind),
        };
        let port = |p: wire::Port| ServicePort {
            name: p.name,
            port: p.port.unwrap_or_default(),
            target_port: p.target_port.map(|target| match target {
                wire::NumberOrName::Number(number) => number.to_string(),
                wire::NumberOrName::Name(name) => name,
            }),
        };
        Self {
            namespace: wire.metadata.namespace,
            name: wire.metadata.name,
            kind,
            cluster_ip: wire.spec.cluster_ip,
            external_name: wire.spec.external_name,
            ports: wire.spec.ports.into_iter().map(port).collect(),
            selector: wire.spec.selector,
        }
    }
}

impl From<wire::Namespace> for Namespace {
    fn from(wire: wire::Namespace) -> Self {
        let condition = |c: wire::Condition| {
            let (status, reason, message) = (c.status, c.reason, c.message);
            (c.kind, Condition { status, reason, message, since: c.last_transition_time })
        };
        let terminating =
            wire.metadata.deletion_timestamp.is_some() || wire.status.phase == "Terminating";
        Self {
            name: wire.metadata.name,
            phase: wire.status.phase,
            terminating,
            conditions: wire.status.conditions.into_iter().map(condition).collect(),
        }
    }
}

impl From<wire::EndpointSlice> for EndpointSlice {
    fn from(mut wire: wire::EndpointSlice) -> Self {
        let endpoint = |e: wire::Endpoint| Endpoint {
            addresses: e.addresses,
            ready: e.conditions.ready.unwrap_or(true),
            terminating: e.conditions.terminating.unwrap_or(false),
            target: e.target.map(target),
        };
        Self {
            namespace: wire.metadata.namespace,
            name: wire.metadata.name,
            service: wire.metadata.labels.remove(SLICE_OF).flatten(),
            ports: wire.ports.into_iter().map(Into::into).collect(),
            endpoints: wire.endpoints.into_iter().map(endpoint).collect(),
        }
    }
}

impl From<wire::Port> for EndpointPort {
    fn from(wire: wire::Port) -> Self {
        Self { name: wire.name, port: wire.port }
    }
}

fn target(wire: wire::Target) -> String {
    format!("{} {}", wire.kind, wire.name)
}

/// The subsets of an Endpoints object; one without any still shows that the object is there.
pub(super) fn subsets(mut wire: wire::Endpoints) -> Vec<EndpointSlice> {
    if wire.subsets.is_empty() {
        wire.subsets.push(wire::Subset::default());
    }
    let endpoint = |address: wire::Address, ready| Endpoint {
        addresses: vec![address.ip],
        ready,
        terminating: false,
        target: address.target.map(target),
    };
    let slice = |subset: wire::Subset| {
        let ready = subset.addresses.into_iter().map(|a| endpoint(a, true));
        let unready = subset.not_ready_addresses.into_iter().map(|a| endpoint(a, false));
        EndpointSlice {
            namespace: wire.metadata.namespace.clone(),
            name: wire.metadata.name.clone(),
            service: Some(wire.metadata.name.clone()),
            ports: subset.ports.into_iter().map(Into::into).collect(),
            endpoints: ready.chain(unready).collect(),
        }
    };
    wire.subsets.into_iter().map(slice).collect()
}

/// The annotation in which `kubectl apply` keeps a copy of the whole object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Traces of an object's writers. What cannot be read says nothing.
fn provenance(metadata: wire::Metadata, merge: Merge) -> Ownership {
    let read = |raw: &RawValue| serde_json::from_str(raw.get()).ok();
    let annotations: Option<BTreeMap<String, String>> =
        metadata.annotations.as_deref().and_then(read);
    let mut annotations = annotations.unwrap_or_default();
    annotations.remove(LAST_APPLIED);
    let managers = metadata.managed_fields.as_deref().map(RawValue::get);
    let managers: Option<Vec<wire::ManagedFields>> =
        managers.and_then(|raw| serde_json::from_str(raw).ok());
    let manager = |m: wire::ManagedFields| {
        let mut fields = vec![];
        for (parent, children) in &m.fields {
            let parent = parent.strip_prefix("f:").unwrap_or(parent);
            let child =
                |name: &String| name.strip_prefix("f:").map(|name| format!("{parent}.{name}"));
            fields.extend(children.keys().filter_map(child));
        }
        FieldManager { manager: m.manager, time: m.time, fields }
    };
    let traces = OwnershipMetadata {
        labels: metadata.labels(),
        annotations,
        managers: managers.unwrap_or_default().into_iter().map(manager).collect(),
        deleted: metadata.deletion_timestamp,
        merge,
    };
    traces.into()
}

impl From<wire::Resource> for ApiResource {
    fn from(wire: wire::Resource) -> Self {
        Self {
            name: wire.name,
            singular: wire.singular_name,
            namespaced: wire.namespaced,
            group: wire.group,
            version: wire.version,
            kind: wire.kind,
            verbs: wire.verbs,
            short_names: wire.short_names,
            categories: wire.categories,
        }
    }
}

impl From<wire::Group> for LegacyGroup {
    fn from(wire: wire::Group) -> Self {
        Self {
            name: wire.name,
            versions: wire.versions.into_iter().map(|v| v.version).collect(),
            preferred: wire.preferred_version.version,
        }
    }
}

impl From<wire::AggregatedGroup> for AggregatedGroup {
    fn from(wire: wire::AggregatedGroup) -> Self {
        let version = |v: wire::AggregatedVersion| AggregatedVersion {
            version: v.version,
            resources: v.resources.into_iter().map(Into::into).collect(),
            freshness: if v.freshness == "Stale" { Freshness::Stale } else { Freshness::Current },
        };
        Self {
            name: wire.metadata.name,
            versions: wire.versions.into_iter().map(version).collect(),
        }
    }
}

impl From<wire::AggregatedResource> for AggregatedResource {
    fn from(wire: wire::AggregatedResource) -> Self {
        let subresource = |s: wire::AggregatedSubresource| AggregatedSubresource {
            subresource: s.subresource,
            response_kind: s.response_kind.into(),
            verbs: s.verbs,
        };
        Self {
            resource: wire.resource,
            response_kind: wire.response_kind.into(),
            namespaced: wire.scope == "Namespaced",
            singular: wire.singular_resource,
            verbs: wire.verbs,
            short_names: wire.short_names,
            categories: wire.categories,
            subresources: wire.subresources.into_iter().map(subresource).collect(),
        }
    }
}

impl From<wire::Kind> for GroupVersionKind {
    fn from(wire: wire::Kind) -> Self {
        Self { group: wire.group, version: wire.version, kind: wire.kind }
    }
}

impl From<wire::Version> for ServerVersion {
    fn from(wire: wire::Version) -> Self {
        let said = Minor::parse(&format!("{}.{}", wire.major, wire.minor));
        // A server that was built without its version says v0.0.0-master: that is not known.
        let tagged = || Minor::parse(&wire.git_version);
        let minor = said.or_else(tagged).filter(|minor| minor.major > 0);
        Self {
            minor,
            emulation: wire.emulation().filter(|emulated| Some(*emulated) != minor),
            git_version: wire.git_version,
        }
    }
}
