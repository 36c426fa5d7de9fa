//! A cluster's snapshot as the facts that rules use.

use super::facts::{Complete, Crd, EndpointSlice, Facts, Keeper, Registered, Service, Sourced};
use crate::baseline;
use crate::model::{Automanaged, Minor, ServiceType, Snapshot, SourceKind};

/// What a plain Kubernetes of a minor version has built in: the ground that
/// manifests are judged on where no cluster is given.
pub fn plain_kubernetes(minor: u32) -> Facts {
    Facts::from(baseline::server(Minor::new(minor)))
}

impl From<&Snapshot> for Facts {
    fn from(snapshot: &Snapshot) -> Self {
        // A plain Kubernetes says what is built in, not what a cluster lacks.
        let whole = snapshot.origin.kind != SourceKind::Builtin;
        let complete = Complete {
            services: whole && snapshot.services.is_loaded(),
            slices: whole && snapshot.endpoint_slices.is_loaded(),
            crds: whole && snapshot.crds.is_loaded() && snapshot.crds_complete,
            registered: whole && snapshot.api_services.is_loaded(),
        };
        Self {
            services: loaded(&snapshot.services, service),
            slices: loaded(&snapshot.endpoint_slices, slice),
            crds: loaded(&snapshot.crds, crd),
            registered: loaded(&snapshot.api_services, registered)
                .into_iter()
                .map(|sourced| sourced.fact)
                .collect(),
            complete,
            ..Self::default()
        }
    }
}

fn loaded<T, F>(input: &crate::model::Input<Vec<T>>, fact: impl Fn(&T) -> F) -> Vec<Sourced<F>> {
    let all = input.loaded().map_or(&[][..], Vec::as_slice);
    all.iter().map(|item| Sourced { fact: fact(item), place: None }).collect()
}

fn service(service: &crate::model::Service) -> Service {
    Service {
        namespace: Some(service.namespace.clone()),
        name: service.name.clone(),
        kind: match &service.kind {
            ServiceType::ClusterIp => "ClusterIP".to_owned(),
            ServiceType::NodePort => "NodePort".to_owned(),
            ServiceType::LoadBalancer => "LoadBalancer".to_owned(),
            ServiceType::ExternalName => "ExternalName".to_owned(),
            ServiceType::Other(other) => other.clone(),
        },
        headless: service.cluster_ip.as_deref() == Some("None"),
        ports: service.ports.iter().map(|p| (p.name.clone(), i64::from(p.port))).collect(),
        selector: Vec::new(),
    }
}

fn slice(slice: &crate::model::EndpointSlice) -> EndpointSlice {
    EndpointSlice {
        namespace: Some(slice.namespace.clone()),
        service: slice.service.clone().unwrap_or_default(),
        ports: slice.port_names(),
        ready: slice.ready() > 0,
    }
}

fn crd(crd: &crate::model::Crd) -> Crd {
    Crd {
        name: crd.name.clone(),
        group: crd.group.clone(),
        versions: crd.versions.iter().map(|v| (v.name.clone(), v.served)).collect(),
    }
}

fn registered(service: &crate::model::ApiService) -> Registered {
    Registered {
        name: service.name.clone(),
        group: service.group_version.group.clone(),
        version: service.group_version.version.clone(),
        group_priority: i64::from(service.group_priority),
        version_priority: i64::from(service.version_priority),
        keeper: match service.automanaged {
            Some(Automanaged::OnStart) => Keeper::Builtin,
            Some(Automanaged::Continuously) => Keeper::Crd,
            None => Keeper::Somebody,
        },
    }
}
