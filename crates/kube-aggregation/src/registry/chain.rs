//! Summarizes the server chain: what each of the three servers serves.

use std::collections::BTreeMap;

use super::{Backend, Registry};
use crate::model::{ApiService, Crd, ServiceReference};

/// What each server in the chain serves.
#[derive(Debug)]
pub struct Chain<'r> {
    /// The number of paths the aggregator serves itself: health, metrics, OpenAPI and others.
    pub own_paths: usize,
    /// The versions of the aggregator's own group.
    pub aggregator_versions: Vec<&'r str>,
    /// The number of local APIServices, which are delegated to the other servers.
    pub local: usize,
    /// Services that receive requests, with their APIServices.
    pub services: BTreeMap<Option<&'r ServiceReference>, Vec<&'r ApiService>>,
    /// Unserved local APIServices.
    pub ghosts: Vec<&'r ApiService>,
    /// Local APIServices that this server does not serve, and another API server serves.
    pub of_peers: Vec<&'r ApiService>,
    /// Built-in groups with their versions, sorted by name.
    pub built_in: BTreeMap<&'r str, Vec<&'r str>>,
    /// The versions of apiextensions-apiserver's own group.
    pub extensions_versions: Vec<&'r str>,
    /// Whether the source has all CRDs. Otherwise `custom` may lack some.
    pub crds_complete: bool,
    /// Established CRDs by group.
    pub custom: BTreeMap<&'r str, Vec<&'r Crd>>,
    /// CRDs that are not established and therefore serve nothing.
    pub idle: Vec<&'r Crd>,
    /// The number of custom group versions without a known CRD.
    pub custom_unknown: usize,
}

impl Registry<'_> {
    /// Returns what each server in the chain serves.
    pub fn chain(&self) -> Chain<'_> {
        let api = |path: &&String| {
            !path.starts_with("/apis") && !path.starts_with("/api/") && *path != "/api"
        };
        let mut chain = Chain {
            own_paths: self.root_paths.iter().filter(api).count(),
            aggregator_versions: self.aggregator_versions(),
            local: 0,
            services: BTreeMap::new(),
            ghosts: vec![],
            of_peers: vec![],
            built_in: BTreeMap::new(),
            extensions_versions: vec![],
            crds_complete: self.snapshot.crds.is_loaded() && self.snapshot.crds_complete,
            custom: BTreeMap::new(),
            idle: vec![],
            custom_unknown: 0,
        };
        for (service, backing) in self.api_services() {
            let gv = &service.group_version;
            chain.local += usize::from(backing != Backend::Service);
            match backing {
                Backend::Service => {
                    chain.services.entry(service.service.as_ref()).or_default().push(service)
                }
                Backend::BuiltIn => chain.built_in.entry(&gv.group).or_default().push(&gv.version),
                Backend::Extensions => chain.extensions_versions.push(&gv.version),
                Backend::Unserved if self.peer_serves(service).is_some() => {
                    chain.of_peers.push(service)
                }
                Backend::Unserved => chain.ghosts.push(service),
                Backend::Crd | Backend::Unknown => {
                    let known = self.custom_resources(gv).next().is_some();
                    chain.custom_unknown += usize::from(!known);
                }
            }
        }
        for crd in self.crds.iter() {
            if crd.established {
                chain.custom.entry(&crd.group).or_default().push(crd);
            } else {
                chain.idle.push(crd);
            }
        }
        chain
    }
}
