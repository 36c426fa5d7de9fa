//! Detects anomalies of APIServices and CRDs, with one function per anomaly.
//!
//! To add one, write a function here and list it in a table, add a line to `code.rs`, and write its
//! entry in `aggctl-diagnose/src/knowledge/entries`, which contains all of its text.

use std::collections::{BTreeMap, BTreeSet};

use super::anomaly::{Anomaly, AnomalySubject, Claimant, ConflictSubject, Detail, MAX_NAMES};
use super::{Backend, Code, Registry};
use crate::model::{AGGREGATOR_GROUP, ApiService, Crd, EXTENSIONS_GROUP, Minor, ServiceType};

/// One APIService with its registry and backend.
#[derive(Clone, Copy)]
struct One<'r> {
    registry: &'r Registry<'r>,
    service: &'r ApiService,
    backing: Backend,
}

type OfService = for<'r> fn(&One<'r>) -> Option<Anomaly<'r>>;
type OfCrd = for<'r> fn(&'r Registry<'r>, &'r Crd) -> Option<Anomaly<'r>>;

/// The checks for each APIService, in report order.
const OF_SERVICES: &[OfService] = &[
    ghost,
    served_by_peer,
    shadows_crd,
    shadows_built_in,
    stuck_built_in,
    joins_built_in_group,
    aggregator_own_group,
    stale,
    unclear,
    inferred,
    being_deleted,
    external_name,
    split_group,
    claimed_twice,
    two_owners,
];

/// The checks for each CRD.
const OF_CRDS: &[OfCrd] = &[built_in_group, names_not_accepted];

impl Registry<'_> {
    /// Returns the anomalies of an APIService.
    pub fn anomalies<'r>(&'r self, service: &'r ApiService, backing: Backend) -> Vec<Anomaly<'r>> {
        let one = One { registry: self, service, backing };
        OF_SERVICES.iter().filter_map(|detect| detect(&one)).collect()
    }

    /// Returns the anomalies of a CRD.
    pub(crate) fn anomalies_of_crd<'r>(&'r self, crd: &'r Crd) -> Vec<Anomaly<'r>> {
        OF_CRDS.iter().filter_map(|detect| detect(self, crd)).collect()
    }

    /// Returns all anomalies with a conflict, first by APIService, then by CRD.
    pub fn contests(&self) -> Vec<Anomaly<'_>> {
        let services = self.api_services().flat_map(|(service, b)| {
            let crds: Vec<&Crd> = self.custom_resources(&service.group_version).collect();
            self.anomalies(service, b).into_iter().chain(duplicated_path(self.minor, service, crds))
        });
        let crds = self.crds.iter().flat_map(|crd| self.anomalies_of_crd(crd));
        services.chain(crds).filter(|anomaly| anomaly.contest.is_some()).collect()
    }

    /// Returns the CRDs that would serve a group version if they were established.
    pub fn waiting_crds<'r>(&'r self, service: &ApiService) -> Vec<&'r Crd> {
        let gv = &service.group_version;
        let waits = |crd: &&Crd| !crd.established && crd.served_version(&gv.version).is_some();
        self.crds_of(&gv.group).filter(waits).collect()
    }
}

fn ghost<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, backing } = *one;
    let unserved = backing == Backend::Unserved && registry.peer_serves(service).is_none();
    unserved.then(|| {
        let waiting = registry.waiting_crds(service);
        Anomaly::of(Code::Ghost, service).with("reason", Detail::Unserved(waiting))
    })
}

fn served_by_peer<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, backing } = *one;
    let words = registry.peer_serves(service).filter(|_| backing == Backend::Unserved)?;
    Some(Anomaly::of(Code::ServedByPeer, service).with("peer", Detail::Text(words)))
}

fn shadows_crd<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, backing } = *one;
    let gv = &service.group_version;
    let crds: Vec<&Crd> = registry.custom_resources(gv).collect();
    (backing == Backend::Service && !crds.is_empty()).then(|| {
        let takes = [Claimant::ApiService(service)];
        let parties = takes.into_iter().chain(crds.iter().map(|crd| Claimant::Crd(crd))).collect();
        Anomaly::of(Code::ShadowsCrd, service)
            .with("crds", Detail::Crds(crds))
            .contested(ConflictSubject::GroupVersion(gv), parties)
    })
}

/// Detects a Service and CRDs that publish the same path at `/openapi/v2`. Every generic API server
/// publishes the path of its group version, which is a prefix of the paths that CRDs there publish.
pub fn duplicated_path<'r>(
    minor: Minor,
    service: &'r ApiService,
    crds: Vec<&'r Crd>,
) -> Option<Anomaly<'r>> {
    let reference = service.service.as_ref().filter(|_| !crds.is_empty())?;
    let gv = &service.group_version;
    let parties = crds.iter().map(|crd| Claimant::Crd(crd)).chain([Claimant::ApiService(service)]);
    let parties = parties.collect();
    Some(
        Anomaly::of(Code::DuplicatedPath, service)
            .with("prefix", Detail::Prefix(gv))
            .with("service", Detail::Service(reference))
            .with("crds", Detail::Crds(crds))
            .with("outcome", Detail::UnmergedIf(minor))
            .contested(ConflictSubject::GroupVersion(gv), parties),
    )
}

fn shadows_built_in<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    registry.shadows_built_in(service).then(|| {
        let parties = vec![Claimant::ApiService(service), Claimant::BuiltInResources];
        Anomaly::of(Code::ShadowsBuiltIn, service)
            .with("return", Detail::Return(service.automanaged))
            .contested(ConflictSubject::GroupVersion(&service.group_version), parties)
    })
}

/// Detects an unavailable APIService that blocks kube-apiserver's startup. The check
/// `autoregister-completion` waits until all installed group versions are Available, and its
/// controller does not touch APIServices without its label.
fn stuck_built_in<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    let reference = service.service.as_ref()?;
    let down = service.available.as_ref().is_some_and(|_| !service.is_available());
    let gv = &service.group_version;
    let waited_for = || registry.installed().any(|built_in| built_in.group_version == *gv);
    (down && service.automanaged.is_none() && registry.shadows_built_in(service) && waited_for())
        .then(|| {
            let parties = vec![Claimant::ApiService(service), Claimant::BuiltInResources];
            Anomaly::of(Code::StuckBuiltInApiservice, service)
                .with("service", Detail::Service(reference))
                .contested(ConflictSubject::GroupVersion(gv), parties)
        })
}

fn joins_built_in_group<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, backing } = *one;
    let group = &service.group_version.group;
    (matches!(backing, Backend::Service | Backend::Unserved | Backend::Crd)
        && !registry.shadows_built_in(service)
        && served_by_peer(one).is_none()
        && (registry.is_built_in_group(group) || group == EXTENSIONS_GROUP))
        .then(|| Anomaly::of(Code::JoinsBuiltInGroup, service))
}

fn aggregator_own_group<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let service = one.service;
    let gv = &service.group_version;
    (gv.group == AGGREGATOR_GROUP).then(|| {
        let parties = vec![Claimant::Aggregator, Claimant::ApiService(service)];
        Anomaly::of(Code::AggregatorOwnGroup, service)
            .contested(ConflictSubject::GroupVersion(gv), parties)
    })
}

fn stale<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    (service.is_available() && registry.is_stale(&service.group_version)).then(|| {
        let known = !service.inferred && !service.is_not_checked();
        Anomaly::of(Code::Stale, service).with("known", Detail::KnownAvailable(known))
    })
}

fn unclear<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { service, backing, .. } = *one;
    (backing == Backend::Unknown).then(|| Anomaly::of(Code::Unclear, service))
}

fn inferred<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let service = one.service;
    service.inferred.then(|| Anomaly::of(Code::Inferred, service))
}

fn being_deleted<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let service = one.service;
    let time = service.provenance.merge.deleted.as_deref()?;
    Some(Anomaly::of(Code::BeingDeleted, service).with("time", Detail::Text(time)))
}

fn external_name<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    let reference = service.service.as_ref()?;
    let found = registry.snapshot.service(&reference.namespace, &reference.name)?;
    let matters = registry.snapshot.dials_endpoints() != Some(false);
    (matters && found.kind == ServiceType::ExternalName).then(|| {
        Anomaly::of(Code::ExternalName, service).with("service", Detail::Service(reference))
    })
}

/// Detects a group with several Services, often two installations that compete for it.
fn split_group<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    let own = service.service.as_ref()?;
    let all = registry.split_groups.get(&service.group_version.group)?;
    let others = all.iter().filter_map(|index| registry.api_services.get(*index)?.service.as_ref());
    let others = others.filter(|other| !own.is_same_service(other));
    let some: Vec<_> = others.take(MAX_NAMES).collect();
    let more = all.len().saturating_sub(1 + some.len());
    Some(Anomaly::of(Code::SplitGroup, service).with("services", Detail::Services(some, more)))
}

/// Detects manifests that register one name for different Services.
fn claimed_twice<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let One { registry, service, .. } = *one;
    let rivals = registry.snapshot.rivals.iter();
    let rivals: Vec<&ApiService> = rivals.filter(|rival| rival.name == service.name).collect();
    let first = rivals.first()?.service.as_ref()?;
    let parties = std::iter::once(service).chain(rivals).map(Claimant::ApiService).collect();
    Some(
        Anomaly::of(Code::ClaimedTwice, service)
            .with("service", Detail::Service(first))
            .contested(ConflictSubject::GroupVersion(&service.group_version), parties),
    )
}

/// Detects a field that several managers write, from managed fields. kubectl hides those without
/// `--show-managed-fields`.
fn two_owners<'r>(one: &One<'r>) -> Option<Anomaly<'r>> {
    let service = one.service;
    let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for manager in &service.provenance.managers {
        for field in manager.fields.iter().filter(|field| field.starts_with("spec.")) {
            writers.entry(field).or_default().insert(&manager.manager);
        }
    }
    writers.retain(|_, who| who.len() > 1);
    if writers.is_empty() {
        return None;
    }
    let who: BTreeSet<&str> = writers.values().flatten().copied().collect();
    let controller = service.automanaged.map(Claimant::Controller);
    let parties = who.into_iter().map(Claimant::Writer).chain(controller).collect();
    Some(
        Anomaly::of(Code::TwoOwners, service)
            .with("fields", Detail::Fields(writers.into_keys().collect()))
            .contested(ConflictSubject::ApiService(service), parties),
    )
}

/// Detects a CRD in a built-in group. kube-apiserver handles every path of its own groups.
fn built_in_group<'r>(registry: &'r Registry<'r>, crd: &'r Crd) -> Option<Anomaly<'r>> {
    registry.is_built_in_group(&crd.group).then(|| {
        let parties = vec![Claimant::KubeApiserver, Claimant::Crd(crd)];
        Anomaly::about(Code::BuiltInGroup, AnomalySubject::Crd(crd))
            .contested(ConflictSubject::Group(&crd.group), parties)
    })
}

fn names_not_accepted<'r>(registry: &'r Registry<'r>, crd: &'r Crd) -> Option<Anomaly<'r>> {
    let refusal = crd.refusal.as_deref()?;
    // The server quotes the name that is already used.
    let name = refusal.split('"').nth(1).unwrap_or_default();
    let holders = registry
        .crds_of(&crd.group)
        .filter(|other| other.name != crd.name && other.refusal.is_none() && has_name(other, name));
    let parties = holders.chain([crd]).map(Claimant::Crd).collect();
    let over = if name.is_empty() {
        ConflictSubject::Group(&crd.group)
    } else {
        ConflictSubject::Name(name)
    };
    Some(
        Anomaly::about(Code::NamesNotAccepted, AnomalySubject::Crd(crd))
            .with("refusal", Detail::Text(refusal))
            .with("state", Detail::KeepsNames(crd.established))
            .contested(over, parties),
    )
}

fn has_name(crd: &Crd, name: &str) -> bool {
    let list = name.strip_suffix("List").is_some_and(|kind| kind == crd.kind);
    let short = crd.short_names.iter().any(|short| short == name);
    crd.plural == name || crd.singular == name || crd.kind == name || list || short
}
