//! Tests each kind of finding on a baseline with one addition.

use super::*;
use crate::model::{
    ApiService, Crd, CrdVersion, Endpoint, EndpointPort, EndpointSlice, Input, Origin,
    ServerVersion, Service, ServicePort, ServiceReference, ServiceType, SourceKind,
};

fn plain(minor: u32) -> Snapshot {
    baseline::server(Minor::new(minor)).clone()
}

fn findings(cluster: &Snapshot, to: u32) -> Vec<(UpgradeImpact, String)> {
    let from = cluster.minor().unwrap();
    let found = upgrade(cluster, from, Minor::new(to)).findings;
    let show = |finding: UpgradeFinding| {
        let since = finding.since.map(|m| format!("{m} ")).unwrap_or_default();
        (finding.weight, format!("{since}{}", finding.what))
    };
    found.into_iter().map(show).collect()
}

fn has(found: &[(UpgradeImpact, String)], weight: UpgradeImpact, text: &str) {
    assert!(found.contains(&(weight, text.to_owned())), "{text}\n{found:#?}");
}

fn crd(plural: &str, group: &str) -> Crd {
    Crd {
        name: format!("{plural}.{group}"),
        group: group.to_owned(),
        plural: plural.to_owned(),
        versions: vec![CrdVersion {
            name: "v1".to_owned(),
            served: true,
            status_subresource: false,
            scale_subresource: false,
        }],
        established: true,
        names_accepted: true,
        ..Crd::default()
    }
}

/// Returns an available APIService with a Service.
fn remote(group: &str, version: &str) -> ApiService {
    let reference =
        ServiceReference { namespace: "ext".to_owned(), name: "ext".to_owned(), port: 443 };
    ApiService {
        service: Some(reference),
        insecure_skip_tls_verify: true,
        ..ApiService::local(GroupVersion::new(group, version), 1000, 15)
    }
}

fn add(cluster: &mut Snapshot, service: ApiService) {
    if let Input::Loaded(services) = &mut cluster.api_services {
        services.push(service);
        services.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

#[test]
fn group_versions_go_and_come() {
    let found = findings(&plain(25), 37);
    has(
        &found,
        UpgradeImpact::Breaks,
        "1.26 autoscaling/v2beta2 is no longer served: horizontalpodautoscalers; autoscaling/v2 serves it since 1.23",
    );
    has(&found, UpgradeImpact::Breaks, "networking.k8s.io/v1 no longer has networkpolicies/status");
    has(
        &found,
        UpgradeImpact::Changes,
        "flowcontrol.apiserver.k8s.io: the preferred version changes from v1beta2 to v1",
    );
    has(&found, UpgradeImpact::Comes, "1.34 storage.k8s.io/v1 adds volumeattributesclasses");
    has(&found, UpgradeImpact::Comes, "1.37 storage.k8s.io/v1 adds csinodes/status");
    // The preceding version has the resource at that time.
    has(
        &findings(&plain(25), 28),
        UpgradeImpact::Breaks,
        "1.26 flowcontrol.apiserver.k8s.io/v1beta1 is no longer served: flowschemas, prioritylevelconfigurations; flowcontrol.apiserver.k8s.io/v1beta3 serves it since 1.26",
    );
    assert_eq!(findings(&plain(34), 35), []);
}

#[test]
fn what_is_the_clusters_own_collides() {
    let mut cluster = plain(33);
    cluster.crds = Input::Loaded(vec![crd("gadgets", "resource.k8s.io"), crd("a", "example.com")]);
    add(&mut cluster, remote("storagemigration.k8s.io", "v1"));
    add(&mut cluster, remote("storagemigration.k8s.io", "v1alpha1"));
    add(&mut cluster, remote("example.org", "v1"));
    let found = findings(&cluster, 37);
    let worse = found.iter().filter(|(weight, _)| *weight < UpgradeImpact::Changes);
    let worse: Vec<&str> = worse.map(|(_, text)| text.as_str()).collect();
    let slices = "1.34 the availability check reads EndpointSlices instead of Endpoints and finds no ready ones for";
    assert_eq!(
        worse.iter().filter(|text| !text.starts_with(slices)).collect::<Vec<_>>(),
        [
            &"1.34 CRD gadgets.resource.k8s.io: its group resource.k8s.io becomes built in, so the CRD is never served",
            &"1.37 APIService v1.storagemigration.k8s.io sends storagemigration.k8s.io/v1 to its Service and would shadow the group version that becomes built in",
            &"1.37 APIService v1alpha1.storagemigration.k8s.io: its group storagemigration.k8s.io becomes built in",
        ]
    );
    // Nothing collides before it becomes built in.
    assert!(!findings(&cluster, 36).iter().any(|(_, text)| text.contains("storagemigration")));
}

#[test]
fn certificates_are_verified() {
    let mut cluster = plain(35);
    let verified = |group, bundle: Option<&str>| ApiService {
        ca_bundle: bundle.map(str::to_owned),
        insecure_skip_tls_verify: false,
        ..remote(group, "v1")
    };
    add(&mut cluster, verified("a.org", None));
    add(&mut cluster, verified("b.org", Some("LS0t")));
    let bundle = include_str!("../../testdata/ca-bundle.txt").trim();
    add(&mut cluster, verified("c.org", Some(bundle)));
    add(&mut cluster, remote("d.org", "v1"));
    let found = findings(&cluster, 36);
    has(
        &found,
        UpgradeImpact::Breaks,
        "1.36 the availability check starts to verify certificates, but these have no caBundle: v1.a.org, v1.b.org",
    );
    has(
        &found,
        UpgradeImpact::Risks,
        "1.36 the availability check starts to verify certificates: v1.c.org",
    );
    assert!(!findings(&plain(35), 36).iter().any(|(_, text)| text.contains("certificates")));
}

#[test]
fn slices_are_read_where_endpoints_were() {
    let mut cluster = plain(33);
    let port = ServicePort { name: String::new(), port: 443, target_port: None };
    cluster.services = Input::Loaded(vec![Service {
        namespace: "ext".to_owned(),
        name: "ext".to_owned(),
        kind: ServiceType::ClusterIp,
        cluster_ip: Some("10.0.0.9".to_owned()),
        external_name: None,
        ports: vec![port],
        selector: BTreeMap::new(),
    }]);
    let ready = EndpointSlice {
        namespace: "ext".to_owned(),
        name: "ext".to_owned(),
        service: Some("ext".to_owned()),
        ports: vec![EndpointPort { name: String::new(), port: Some(8443) }],
        endpoints: vec![Endpoint {
            addresses: vec!["10.1.0.9".to_owned()],
            ready: true,
            terminating: false,
            target: None,
        }],
    };
    cluster.endpoints = Input::Loaded(vec![ready.clone()]);
    add(&mut cluster, remote("a.org", "v1"));
    let reads = "1.34 the availability check reads EndpointSlices instead of Endpoints";
    let none = format!("{reads} and finds no ready ones for v1.a.org");
    has(&findings(&cluster, 34), UpgradeImpact::Breaks, &none);
    assert!(!findings(&plain(32), 33).iter().any(|(_, text)| text.contains("EndpointSlices")));
    let gap = Snapshot { endpoint_slices: Input::Absent, ..cluster.clone() };
    let untold = format!("{reads}; the source lacks those of v1.a.org");
    has(&findings(&gap, 34), UpgradeImpact::Risks, &untold);
    cluster.endpoint_slices = Input::Loaded(vec![ready]);
    assert!(!findings(&cluster, 34).iter().any(|(_, text)| text.contains("EndpointSlices")));
}

/// Group versions that were enabled manually are in no baseline, so their future is not guessed.
#[test]
fn what_is_switched_on_is_not_guessed() {
    let mut cluster = plain(33);
    let beta = GroupVersion::new("resource.k8s.io", "v1beta1");
    let apps = cluster.api_services.loaded().unwrap().iter().find(|s| s.name == "v1.apps").unwrap();
    let own =
        ApiService { name: beta.api_service_name(), group_version: beta.clone(), ..apps.clone() };
    add(&mut cluster, own);
    cluster.resource_lists.insert(beta, vec![]);
    let untold = "resource.k8s.io/v1beta1: enabled here, but off by default; cannot tell whether the upgrade keeps it";
    has(&findings(&cluster, 37), UpgradeImpact::Risks, untold);
}

/// Those that the new version no longer has are gone, whatever the flags.
#[test]
fn what_is_switched_on_ends_with_its_version() {
    let mut cluster = plain(36);
    let on = ["networking.k8s.io/v1beta1", "resource.k8s.io/v1beta2"];
    let on = on.map(|gv| GroupVersion::parse(gv).unwrap());
    let apps = cluster.api_services.loaded().unwrap().iter().find(|s| s.name == "v1.apps").unwrap();
    let apps = apps.clone();
    for gv in &on {
        let name = gv.api_service_name();
        add(&mut cluster, ApiService { name, group_version: gv.clone(), ..apps.clone() });
        cluster.resource_lists.insert(gv.clone(), vec![]);
    }
    let servers = [36, 37].map(|minor| baseline::server(Minor::new(minor)));
    let after = what_if::upgraded(&cluster, servers[0], servers[1]).snapshot;
    let kept = on.map(|gv| {
        let name = gv.api_service_name();
        let registered = after.api_services.items().iter().any(|one| one.name == name);
        assert_eq!(registered, after.resource_lists.contains_key(&gv), "{gv}");
        registered
    });
    assert_eq!(kept, [false, true]);
}

#[test]
fn stored_versions_that_are_not_served_are_told() {
    let mut cluster = plain(36);
    let stored = vec!["v1alpha1".to_owned(), "v1".to_owned()];
    cluster.crds =
        Input::Loaded(vec![Crd { stored_versions: stored, ..crd("gadgets", "example.com") }]);
    has(
        &findings(&cluster, 37),
        UpgradeImpact::Risks,
        "CRD gadgets.example.com: objects may be stored as v1alpha1, which it does not serve",
    );
}

/// A cluster older than the baselines, with nothing but discovery data.
#[test]
fn what_older_servers_had_is_told_from_the_history() {
    let origin = Origin { kind: SourceKind::Dump, name: "d".to_owned() };
    let mut cluster = Snapshot::empty(origin);
    let version = ServerVersion {
        minor: Some(Minor::new(23)),
        git_version: "v1.23.5".to_owned(),
        emulation: None,
    };
    cluster.version = Input::Loaded(version);
    let jobs = &plain(25).resource_lists[&GroupVersion::new("batch", "v1")];
    let jobs = jobs.iter().filter(|resource| resource.name.starts_with("cronjobs"));
    let list = jobs.cloned().collect();
    cluster.resource_lists.insert(GroupVersion::new("batch", "v1beta1"), list);
    cluster.crds = Input::Loaded(vec![]);
    cluster.crds_complete = true;
    let found = findings(&cluster, 37);
    let gone = "1.25 batch/v1beta1 is no longer served: cronjobs; batch/v1 serves it since 1.21";
    has(&found, UpgradeImpact::Breaks, gone);
    assert!(!found.iter().any(|(weight, _)| *weight == UpgradeImpact::Risks), "{found:#?}");
}
