//! Tests of what-if: what kubectl, the server and its controllers do, one mechanism per test.

mod manifests;
mod names;

use super::*;
use crate::model::{
    Automanaged, Condition, CrdNames, CrdVersion, Field, Freshness, Merge, ObjectName, Origin,
    OwnershipMetadata, ServerVersion, ServiceReference, ServiceType, SourceKind,
};
use crate::{baseline, discovery};

const MINOR: crate::model::Minor = crate::model::Minor::new(36);

/// Returns a baseline with these objects.
fn world(services: Vec<ApiService>, crds: Vec<Crd>) -> Snapshot {
    let plain = baseline::server(MINOR);
    let mut all = plain.api_services.loaded().unwrap().clone();
    all.extend(services);
    all.sort_by(|a, b| a.name.cmp(&b.name));
    let mut crds = crds;
    crds.sort_by(|a, b| a.name.cmp(&b.name));
    let version =
        ServerVersion { minor: Some(MINOR), git_version: "v1.36.0".into(), emulation: None };
    Snapshot {
        version: Input::Loaded(version),
        api_services: Input::Loaded(all),
        crds: Input::Loaded(crds),
        crds_complete: true,
        services: Input::Loaded(vec![]),
        endpoint_slices: Input::Loaded(vec![]),
        ..plain.clone()
    }
}

/// Returns manifests, in the order in which they are applied.
fn manifests(services: Vec<ApiService>, crds: Vec<Crd>, order: Vec<ObjectName>) -> Snapshot {
    let origin = Origin { kind: SourceKind::Dump, name: "manifests".into() };
    Snapshot {
        api_services: Input::Loaded(services),
        crds: Input::Loaded(crds),
        order,
        ..Snapshot::empty(origin)
    }
}

/// Returns an APIService with the Service `shop/web`.
fn remote(name: &str) -> ApiService {
    let (version, group) = name.split_once('.').unwrap();
    let gv = GroupVersion::new(group, version);
    let reference = ServiceReference { namespace: "shop".into(), name: "web".into(), port: 8443 };
    let stated = vec![Field::Service, Field::Port, Field::GroupPriority, Field::VersionPriority];
    ApiService {
        service: Some(reference),
        group_priority: 2000,
        version_priority: 20,
        automanaged: None,
        available: None,
        provenance: OwnershipMetadata {
            merge: Merge { stated, ..Merge::default() },
            ..OwnershipMetadata::default()
        }
        .into(),
        ..register::of_crd(&gv)
    }
}

/// Returns the Service `shop/web`.
fn web() -> Service {
    Service {
        namespace: "shop".into(),
        name: "web".into(),
        kind: ServiceType::ClusterIp,
        cluster_ip: Some("10.0.0.7".into()),
        external_name: None,
        ports: vec![],
        selector: BTreeMap::new(),
    }
}

/// Returns an APIService that the server found to be available.
fn running(name: &str) -> ApiService {
    let passed = Condition {
        status: "True".into(),
        reason: "Passed".into(),
        message: "all checks passed".into(),
        since: None,
    };
    ApiService { available: Some(passed), ..remote(name) }
}

fn labelled(service: ApiService, value: &str) -> ApiService {
    let mut service = service;
    service.provenance.labels.insert(Automanaged::LABEL.into(), value.into());
    ApiService { automanaged: Automanaged::of(&service.provenance.labels), ..service }
}

/// Returns a CRD of the group `shop.test` that requests these names, with the version v1.
fn crd(plural: &str, singular: &str, kind: &str, list_kind: &str, short: &[&str]) -> Crd {
    let requested = CrdNames {
        plural: plural.into(),
        singular: singular.into(),
        kind: kind.into(),
        list_kind: list_kind.into(),
        short_names: short.iter().map(|s| (*s).to_owned()).collect(),
        categories: vec![],
    };
    Crd {
        name: format!("{plural}.shop.test"),
        group: "shop.test".into(),
        namespaced: true,
        plural: plural.into(),
        singular: singular.into(),
        kind: kind.into(),
        short_names: requested.short_names.clone(),
        versions: vec![version("v1", true)],
        merge: Merge {
            stated: vec![Field::Singular, Field::ListKind, Field::ShortNames],
            ..Merge::default()
        },
        requested,
        ..Crd::default()
    }
}

fn version(name: &str, served: bool) -> CrdVersion {
    CrdVersion { name: name.into(), served, status_subresource: false, scale_subresource: false }
}

/// Returns a CRD that has all names that it requests.
fn established(crd: Crd) -> Crd {
    let stored_versions = vec![crd.versions[0].name.clone()];
    let accepted = crd.requested.clone();
    Crd { accepted, established: true, names_accepted: true, stored_versions, ..crd }
}

/// Returns a CRD that lacks some of its names, with those that were accepted.
fn refused(crd: Crd, accepted: CrdNames) -> Crd {
    Crd { accepted, stored_versions: vec!["v1".into()], ..crd }
}

fn carts() -> Crd {
    crd("carts", "cart", "Cart", "CartList", &["ca"])
}

fn kept(gv: &str) -> ApiService {
    register::of_crd(&GroupVersion::parse(gv).unwrap())
}

fn apply(before: &Snapshot, manifests: &Snapshot) -> Changed {
    changed(before, &Changes { applied: Some(manifests), replace: false, removed: &[] }).unwrap()
}

fn apply_service(before: &Snapshot, manifest: ApiService) -> Changed {
    apply(before, &manifests(vec![manifest], vec![], vec![]))
}

fn apply_crd(before: &Snapshot, manifest: Crd) -> Changed {
    apply(before, &manifests(vec![], vec![manifest], vec![]))
}

fn remove(before: &Snapshot, name: &str) -> Changed {
    changed(before, &Changes { applied: None, replace: false, removed: &[name.to_owned()] })
        .unwrap()
}

fn service<'s>(changed: &'s Changed, name: &str) -> Option<&'s ApiService> {
    changed.snapshot.api_services.loaded().unwrap().iter().find(|s| s.name == name)
}

fn reason<'s>(changed: &'s Changed, name: &str) -> &'s str {
    &service(changed, name).unwrap().available.as_ref().unwrap().reason
}

fn crd_of<'s>(changed: &'s Changed, name: &str) -> &'s Crd {
    changed.snapshot.crds.loaded().unwrap().iter().find(|c| c.name == name).unwrap()
}

fn says(changed: &Changed, part: &str) {
    assert!(changed.effects.iter().any(|e| e.contains(part)), "{part}: {:#?}", changed.effects);
}

#[test]
fn a_version_that_no_crd_serves_loses_its_api_service() {
    let mut both = established(carts());
    both.versions.push(version("v2", true));
    let before = world(vec![kept("shop.test/v1"), kept("shop.test/v2")], vec![both]);
    for versions in [vec![version("v1", true)], vec![version("v1", true), version("v2", false)]] {
        let new = Crd { versions, ..carts() };
        let after = apply_crd(&before, new);
        assert!(service(&after, "v1.shop.test").is_some());
        assert!(service(&after, "v2.shop.test").is_none());
    }
    // Objects are stored as v1, so the server does not remove that version.
    let new = Crd { versions: vec![version("v2", true)], ..carts() };
    let after = apply_crd(&before, new);
    assert!(service(&after, "v1.shop.test").is_some());
    says(&after, "objects are stored as v1");
}

#[test]
fn what_is_applied_over_a_crds_api_service_is_written_back() {
    let before = world(vec![kept("shop.test/v1")], vec![established(carts())]);
    let after = apply_service(&before, remote("v1.shop.test"));
    let got = service(&after, "v1.shop.test").unwrap();
    assert_eq!((got.service.as_ref(), got.group_priority), (None, 1000));
    says(&after, "APIService v1.shop.test is the API server's own");
    // A built-in one is only written when the server starts; the label stays.
    let after = apply_service(&before, remote("v1.apps"));
    let got = service(&after, "v1.apps").unwrap();
    assert!(got.service.is_some() && got.automanaged == Some(Automanaged::OnStart));
    says(&after, "at its next start");
}

#[test]
fn whoever_comes_first_registers_the_group_version() {
    let name = "v1.shop.test";
    let (first, second) = (ObjectName::Crd(carts().name), ObjectName::ApiService(name.to_owned()));
    let check = |order: Vec<ObjectName>, wins: bool| {
        let given = manifests(vec![remote(name)], vec![carts()], order);
        let after = apply(&world(vec![], vec![]), &given);
        assert_eq!(service(&after, name).unwrap().service.is_some(), wins);
    };
    check(vec![first.clone(), second.clone()], false);
    check(vec![second, first], true);
}

#[test]
fn the_label_of_the_controller_hands_an_api_service_over() {
    let before =
        world(vec![running("v1.bakery.test"), running("v1.shop.test")], vec![established(carts())]);
    let label = |name: &str, value: &str| apply_service(&before, labelled(remote(name), value));
    // Not served by a CRD: deleted. Served by one: reset. Built in: only the label changes.
    assert_eq!(service(&label("v1.bakery.test", "true"), "v1.bakery.test"), None);
    let after = label("v1.shop.test", "true");
    assert_eq!(service(&after, "v1.shop.test").unwrap().service, None);
    // The server has seen that Service, so there is no race.
    assert!(after.snapshot.raced.is_empty());
    let after = label("v1.bakery.test", "onstart");
    assert!(service(&after, "v1.bakery.test").unwrap().service.is_some());
    let apps = baseline::server(MINOR).api_services.loaded().unwrap();
    let apps = apps.iter().find(|s| s.name == "v1.apps").unwrap().clone();
    let after = apply_service(&before, labelled(apps, "true"));
    let registry = Registry::new(&after.snapshot);
    let (got, backing) = registry.api_service("v1.apps").unwrap();
    assert_eq!(got.automanaged, Some(Automanaged::CrdController));
    assert_eq!(backing, crate::registry::Backend::BuiltIn);
}

/// Aggregated discovery keeps listing an APIService that lost its Service. That does not make its
/// group version built in, whatever its label says, and CRDs of the group still answer.
#[test]
fn a_relabeled_apiservice_that_lost_its_service_is_not_built_in() {
    let mut before = world(vec![running("v9.shop.test")], vec![established(carts())]);
    let form = crate::model::DiscoveryForm::Aggregated;
    let document = discovery::document(&Registry::new(&before), "/apis", form, true);
    let Some((discovery::DiscoveryDocument::Aggregated(groups), _)) = document else {
        panic!("no document")
    };
    before.aggregated_groups = Input::Loaded(groups);
    let mut local = labelled(remote("v9.shop.test"), "onstart");
    local.service = None;
    let after = apply_service(&before, local);
    let registry = Registry::new(&after.snapshot);
    let (service, backend) = registry.api_service("v9.shop.test").unwrap();
    assert_eq!((service.service.is_some(), backend), (false, crate::registry::Backend::Unserved));
    assert!(!registry.is_built_in_group("shop.test"));
}

/// The controller resets a new Service at once. Whether the discovery manager sees the Service
/// before, and then keeps listing it, is a race.
#[test]
fn a_service_that_is_reset_at_once_may_stay_in_aggregated_discovery() {
    let before = world(vec![], vec![established(carts())]);
    let after = apply_service(&before, labelled(remote("v1.shop.test"), "true"));
    assert_eq!(service(&after, "v1.shop.test").unwrap().service, None);
    assert_eq!(after.snapshot.raced, ["v1.shop.test"]);
    let registry = Registry::new(&after.snapshot);
    let page = |form| discovery::page(&registry, "/apis", form, true).unwrap().assumed;
    let raced = crate::registry::Assumption::Raced("v1.shop.test".into());
    assert!(page(crate::model::DiscoveryForm::Aggregated).contains(&raced));
    assert!(!page(crate::model::DiscoveryForm::Legacy).contains(&raced));
}

#[test]
fn a_field_that_a_manifest_leaves_out_stays_unless_it_was_applied() {
    let local = |name: &str| ApiService {
        service: None,
        group_priority: 3000,
        provenance: OwnershipMetadata {
            merge: Merge { stated: vec![Field::GroupPriority], ..Merge::default() },
            ..OwnershipMetadata::default()
        }
        .into(),
        ..remote(name)
    };
    let check = |last: Option<Vec<Field>>, stays: bool| {
        let mut old = running("v1.bakery.test");
        old.provenance.merge.last_applied = last.map(|fields| (fields, vec![]));
        let before = world(vec![old], vec![]);
        let after = apply_service(&before, local("v1.bakery.test"));
        let got = service(&after, "v1.bakery.test").unwrap();
        assert_eq!((got.service.is_some(), got.group_priority), (stays, 3000));
        if stays {
            says(&after, "APIService v1.bakery.test keeps spec.service");
        }
        let want = if stays { "Passed" } else { "Local" };
        assert_eq!(reason(&after, "v1.bakery.test"), want);
    };
    check(None, true);
    check(Some(vec![Field::GroupPriority]), true);
    check(Some(vec![Field::Service, Field::Port]), false);
}

#[test]
fn what_the_server_refuses_changes_nothing() {
    let before = world(
        vec![ApiService { ca_bundle: Some("eA==".into()), ..running("v1.bakery.test") }],
        vec![],
    );
    let mut new = remote("v1.bakery.test");
    new.insecure_skip_tls_verify = true;
    new.group_priority = 9;
    new.provenance.merge.stated.push(Field::InsecureSkipTlsVerify);
    let after = apply_service(&before, new);
    assert_eq!(service(&after, "v1.bakery.test").unwrap().group_priority, 2000);
    says(&after, "APIService v1.bakery.test does not change");
}

#[test]
fn finalizers_hold_what_is_deleted() {
    let mut held = running("v1.bakery.test");
    held.provenance.merge.finalizers = vec!["bakery.test/oven".into()];
    let mut crd = established(carts());
    crd.merge.finalizers = vec!["shop.test/till".into()];
    let before = world(vec![held, kept("shop.test/v1")], vec![crd]);
    let after = remove(&before, "v1.bakery.test");
    assert!(service(&after, "v1.bakery.test").is_some());
    says(&after, "until its finalizers are removed: bakery.test/oven");
    let after = remove(&before, "crd/carts.shop.test");
    assert!(crd_of(&after, "carts.shop.test").established);
    assert!(service(&after, "v1.shop.test").is_some());
}

#[test]
fn deleted_built_ins_stay_deleted_and_stay_listed() {
    let before = world(vec![], vec![]);
    let aggregated = |snapshot: &Snapshot| -> Vec<(String, Vec<String>)> {
        let registry = Registry::new(snapshot);
        let groups = discovery::aggregated_order(&registry);
        let versions = |g: &crate::priority::OrderedGroup<'_>| {
            (g.name.to_owned(), g.versions.iter().map(|v| v.version.to_owned()).collect())
        };
        groups.iter().map(versions).collect()
    };
    for name in ["v1.events.k8s.io", "v1."] {
        let after = remove(&before, name);
        assert_eq!(service(&after, name), None);
        let registry = Registry::new(&after.snapshot);
        assert!(registry.api_service(name).is_none() && registry.api_services_complete);
        assert_eq!(aggregated(&after.snapshot), aggregated(&before));
    }
    // Nor does the aggregated document use the priorities of a built-in group's APIService.
    let mut low = remote("v1.batch");
    (low.service, low.group_priority) = (None, 1);
    low.provenance.merge.stated = vec![Field::GroupPriority];
    let after = apply_service(&before, low);
    assert_eq!(service(&after, "v1.batch").unwrap().group_priority, 1);
    assert_eq!(aggregated(&after.snapshot), aggregated(&before));
}

#[test]
fn a_remote_group_version_does_not_follow_the_crds_behind_it() {
    let mut before = world(vec![running("v1.shop.test")], vec![established(carts())]);
    let list = baseline::server(MINOR).resource_lists.values().next().unwrap().clone();
    before.resource_lists.insert(GroupVersion::new("shop.test", "v1"), list);
    let document = |snapshot: &Snapshot| {
        let registry = Registry::new(snapshot);
        let document = discovery::aggregated(&registry);
        let group = document.groups.iter().find(|g| g.name == "shop.test").unwrap();
        (group.versions[0].freshness, group.versions[0].resources.len())
    };
    let new = crd("carts", "cart", "Cart", "CartList", &["c"]);
    let after = apply_crd(&before, new);
    assert_eq!(document(&after.snapshot), document(&before));
    assert_eq!(document(&before).0, Freshness::Current);
    // Deleting a Service removes the resources.
    before.listed.services = true;
    before.services = Input::Loaded(vec![Service { namespace: "default".into(), ..web() }, web()]);
    let after = remove(&before, "service/shop/web");
    assert_eq!(reason(&after, "v1.shop.test"), "ServiceNotFound");
    assert_eq!(document(&after.snapshot), (Freshness::Stale, 0));
}

#[test]
fn priorities_alone_need_no_new_check() {
    let before = world(vec![running("v1.bakery.test")], vec![]);
    let mut new = remote("v1.bakery.test");
    new.version_priority = 7;
    let after = apply_service(&before, new.clone());
    assert_eq!(service(&after, "v1.bakery.test").unwrap().version_priority, 7);
    assert_eq!(reason(&after, "v1.bakery.test"), "Passed");
    new.service =
        Some(ServiceReference { namespace: "shop".into(), name: "other".into(), port: 1 });
    let after = apply_service(&before, new);
    assert_eq!(reason(&after, "v1.bakery.test"), "ServiceNotFound");
}

#[test]
fn the_index_of_openapi_follows_established_crds() {
    let mut before = world(vec![kept("shop.test/v1")], vec![established(carts())]);
    if let Input::Loaded(keys) = &mut before.openapi_v3 {
        keys.insert("apis/shop.test/v1".to_owned());
    }
    let keys =
        |changed: &Changed, key: &str| changed.snapshot.openapi_v3.loaded().unwrap().contains(key);
    let mut new = carts();
    new.versions.push(version("v2", true));
    assert!(keys(&apply_crd(&before, new), "apis/shop.test/v2"));
    let mut rival = crd("goods", "cart", "Good", "GoodList", &[]);
    rival.versions = vec![version("v3", true)];
    assert!(!keys(&apply_crd(&before, rival), "apis/shop.test/v3"));
    assert!(!keys(&remove(&before, "crd/carts.shop.test"), "apis/shop.test/v1"));
    assert!(keys(&remove(&before, "v1.events.k8s.io"), "apis/events.k8s.io/v1"));
}

/// The check of 1.36 ends before it writes anything. The check of 1.35 ignores the bundle.
#[test]
fn a_bundle_without_a_certificate_leaves_the_condition_as_it_was() {
    let garbage = |service: ApiService| ApiService {
        ca_bundle: Some("Z2FyYmFnZQ==".into()),
        insecure_skip_tls_verify: false,
        ..service
    };
    let check = |before: Vec<ApiService>, want: Option<&str>, words: &str| {
        let mut manifest = garbage(remote("v1.bakery.test"));
        manifest.provenance.merge.stated.push(Field::CaBundle);
        let mut before = world(before, vec![]);
        // For this type, the check only needs the address.
        before.services = Input::Loaded(vec![Service {
            kind: ServiceType::ExternalName,
            external_name: Some("web.example".into()),
            ..web()
        }]);
        let changed = apply_service(&before, manifest);
        let condition = service(&changed, "v1.bakery.test").unwrap().available.as_ref();
        assert_eq!(condition.map(|c| &*c.status), want, "{:?}", changed.effects);
        says(&changed, words);
    };
    check(vec![], None, "would never be available");
    check(vec![running("v1.bakery.test")], Some("True"), "every request would get 500");
}
