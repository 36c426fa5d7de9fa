//! From the JSON of a kind to the model's plain data.

use super::wire;
use crate::model::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    ApiService, Automanaged, Condition, Crd, CrdVersion, EndpointSlice, Freshness, GroupVersion,
    GroupVersionKind, LegacyGroup, Minor, Namespace, ServerVersion, Service, ServicePort,
    ServiceReference, ServiceType,
};

const AUTOMANAGED: &str = "kube-aggregator.kubernetes.io/automanaged";
const SLICE_OF: &str = "kubernetes.io/service-name";

/// The port of an APIService that names none.
const DEFAULT_PORT: i32 = 443;

impl From<wire::ApiService> for ApiService {
    fn from(wire: wire::ApiService) -> Self {
        let automanaged = match wire.metadata.labels.get(AUTOMANAGED).map(String::as_str) {
            Some("onstart") => Some(Automanaged::OnStart),
            Some("true") => Some(Automanaged::Continuously),
            _ => None,
        };
        let available = wire.status.conditions.into_iter().find(|c| c.kind == "Available");
        Self {
            name: wire.metadata.name,
            group_version: GroupVersion::new(wire.spec.group, wire.spec.version),
            service: wire.spec.service.map(|s| ServiceReference {
                namespace: s.namespace,
                name: s.name,
                port: s.port.unwrap_or(DEFAULT_PORT),
            }),
            group_priority: wire.spec.group_priority_minimum,
            version_priority: wire.spec.version_priority,
            ca_bundle: wire.spec.ca_bundle.filter(|text| !text.is_empty()),
            insecure_skip_tls_verify: wire.spec.insecure_skip_tls_verify,
            automanaged,
            available: available.map(|c| Condition {
                status: c.status,
                reason: c.reason,
                message: c.message,
                since: c.last_transition_time,
            }),
            created: wire.metadata.creation_timestamp,
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
        let accepted = !wire.status.accepted_names.plural.is_empty();
        let names = if accepted { wire.status.accepted_names } else { wire.spec.names };
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
        }
    }
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
        let port = |p: wire::Port| ServicePort { name: p.name, port: p.port };
        Self {
            namespace: wire.metadata.namespace,
            name: wire.metadata.name,
            kind,
            cluster_ip: wire.spec.cluster_ip,
            external_name: wire.spec.external_name,
            ports: wire.spec.ports.into_iter().map(port).collect(),
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
        let all = wire.endpoints.len();
        let ready = wire.endpoints.iter().filter(|e| e.conditions.ready.unwrap_or(true)).count();
        Self {
            namespace: wire.metadata.namespace,
            name: wire.metadata.name,
            service: wire.metadata.labels.remove(SLICE_OF),
            port_names: wire.ports.into_iter().map(|p| p.name).collect(),
            ready,
            unready: all - ready,
        }
    }
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
        Self {
            minor: said.or_else(|| Minor::parse(&wire.git_version)),
            git_version: wire.git_version,
        }
    }
}
