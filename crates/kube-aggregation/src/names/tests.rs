//! Tests that the model picks the same resource for a name as `kubectl get NAME`.

use super::*;
use crate::baseline;
use crate::model::{ApiResource, ApiService, Condition, Input, ServiceReference, Snapshot};

/// Returns a baseline plus a group that an extension server serves, with one resource.
fn with(group: &str, priority: i32, resource: &str, short: &str) -> Snapshot {
    let mut snapshot = baseline::server(baseline::LATEST).clone();
    let gv = GroupVersion::new(group, "v1");
    let Input::Loaded(services) = &mut snapshot.api_services else { panic!("no APIServices") };
    services.push(ApiService {
        name: gv.api_service_name(),
        group_version: gv.clone(),
        service: Some(ServiceReference {
            namespace: "ext".to_owned(),
            name: "server".to_owned(),
            port: 443,
        }),
        group_priority: priority,
        automanaged: None,
        available: Some(Condition { status: "True".to_owned(), ..Condition::default() }),
        ..services[0].clone()
    });
    services.sort_by(|a, b| a.name.cmp(&b.name));
    let resource = ApiResource {
        name: resource.to_owned(),
        kind: "Thing".to_owned(),
        singular: "thing".to_owned(),
        namespaced: true,
        group: String::new(),
        version: String::new(),
        verbs: vec!["list".into()],
        short_names: vec![short.to_owned()],
        categories: vec![],
    };
    snapshot.resource_lists.insert(gv, vec![resource]);
    snapshot
}

/// Expects `kubectl get NAME` to pick this resource, for this reason.
fn check(snapshot: &Snapshot, name: &str, picked: &str, why: &str) {
    let registry = Registry::new(snapshot);
    let found = pick(&registry, name).unwrap();
    let first = found.candidates.first().map(Candidate::full_name);
    assert_eq!(first.as_deref(), Some(picked), "{name}");
    assert!(found.why.words().contains(why), "{name}: {}", found.why.words());
}

#[test]
fn what_kubectl_picks_among_groups() {
    let high = with("things.example", 30000, "deployments", "po");
    check(&high, "deployments", "deployments.v1.things.example", "priority is higher: 30000");
    check(&high, "po", "pods.v1.", "the core group");
    check(&high, "thing", "deployments.v1.things.example", "no other group");
    let low = with("things.example", 100, "deployments", "jobs");
    check(&low, "deployments", "deployments.v1.apps", "priority is higher");
    check(&low, "jobs", "jobs.v1.batch", "a full name takes precedence");
    assert!(pick(&Registry::new(&low), "nothing").is_none());
}

/// The server's own documents take precedence over the baseline.
#[test]
fn resources_of_the_server_s_own_document_count() {
    let mut snapshot = with("things.example", 100, "things", "");
    let plain = baseline::server(baseline::LATEST);
    let registry = Registry::new(plain);
    let mut own: Vec<_> = discovery::aggregated(&registry)
        .groups
        .iter()
        .filter(|group| group.name == "apps")
        .map(|group| crate::model::AggregatedGroup {
            name: group.name.to_owned(),
            versions: (group.versions.iter())
                .map(|v| crate::model::AggregatedVersion {
                    version: v.version.to_owned(),
                    resources: v.resources.clone(),
                    freshness: v.freshness,
                })
                .collect(),
        })
        .collect();
    own[0].versions[0].resources[0].short_names.push("own".to_owned());
    snapshot.aggregated_groups = Input::Loaded(own);
    snapshot.resource_lists.retain(|gv, _| gv.group != "apps");
    let registry = Registry::new(&snapshot);
    assert!(pick(&registry, "own").is_some());
    assert!(!discovery::aggregated(&registry).from_plain.iter().any(|gv| gv.group == "apps"));
}

#[test]
fn names_as_behind_kubectl_get() {
    let registry = Registry::new(baseline::server(baseline::LATEST));
    let check = |name: &str, namespace: Option<&str>, want: &str| {
        assert_eq!(path_of(&registry, name, namespace).as_deref(), Some(want), "{name}");
    };
    check("deploy", None, "/apis/apps/v1/deployments");
    check("deploy", Some("x"), "/apis/apps/v1/namespaces/x/deployments");
    check("deploy/web", None, "/apis/apps/v1/namespaces/default/deployments/web");
    check("node/a", Some("x"), "/api/v1/nodes/a");
    check("nodes", Some("x"), "/api/v1/nodes");
    check("deployments.apps", None, "/apis/apps/v1/deployments");
    check("hpa.v1.autoscaling", None, "/apis/autoscaling/v1/horizontalpodautoscalers");
    check("apps/v1/deployments", None, "/apis/apps/v1/deployments");
    check("v1/pods", None, "/api/v1/pods");
    check("things.apps", None, "/apis/apps/v1/things");
    assert_eq!(path_of(&registry, "nodes.metrics.k8s.io", None), None);
}
