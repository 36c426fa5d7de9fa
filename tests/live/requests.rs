//! What each command sends: only GET, only what it needs, over one connection.

use std::collections::BTreeSet;

use crate::equality::without_source;
use crate::server::{Breakage, Setup};
use crate::world::{TOKEN, World, recording};

const VERSION: &str = "/version";
const ROOT: &str = "/";
const API_SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SERVICES: &str = "/api/v1/services";
const APIS: &str = "/apis";
const API: &str = "/api";

fn check(world: &World, arguments: &[&str], want: &[&str]) {
    let run = world.live(arguments);
    assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
    let seen = world.server.seen();
    assert!(seen.iter().all(|s| s.method == "GET"), "{seen:?}");
    let authorized =
        |headers: &hyper::HeaderMap| headers["authorization"] == format!("Bearer {TOKEN}");
    assert!(seen.iter().all(|s| authorized(&s.headers)), "{seen:?}");
    let mut paths: Vec<&str> = seen.iter().map(|s| s.path.as_str()).collect();
    paths.sort_unstable();
    let mut want = want.to_vec();
    want.sort_unstable();
    assert_eq!(paths, want, "{arguments:?}");
}

/// The table in `docs/live.md`.
#[test]
fn each_command_asks_for_what_it_needs() {
    let world = World::new(&recording("v1.36-mixed"));
    let registration = [VERSION, ROOT, API_SERVICES, CRDS];
    let with = |more: &[&'static str]| [&registration[..], more].concat();
    check(&world, &["apiservices"], &[VERSION, API_SERVICES, CRDS, APIS]);
    check(&world, &["chain"], &registration);
    check(&world, &["order"], &registration);
    check(&world, &["discovery"], &with(&[APIS]));
    check(&world, &["discovery", "/api"], &with(&[API]));
    check(&world, &["discovery", "/apis/apps"], &registration);
    check(&world, &["discovery", "/apis/apps/v1"], &with(&["/apis/apps/v1"]));
    check(&world, &["route", "/apis/apps/v1/deployments"], &with(&[SERVICES, APIS, API]));
    check(&world, &["route", "/openapi/v3"], &with(&[SERVICES, APIS, API, "/openapi/v3"]));
}

#[test]
fn a_server_without_aggregated_discovery_is_asked_for_lists() {
    let world = World::new(&recording("v1.25-vanilla"));
    let all = [VERSION, ROOT, API_SERVICES, CRDS, SERVICES, APIS, API];
    check(&world, &["route", "/healthz"], &all);
    check(
        &world,
        &["route", "/apis/apps/v1/pods", "/apis/no/v1"],
        &[&all[..], &["/apis/apps/v1"]].concat(),
    );
}

#[test]
fn one_connection_carries_all_requests() {
    let world = World::new(&recording("v1.36-mixed"));
    for _ in 0..10 {
        assert_eq!(world.live(&["route", "/healthz"]).code, 0);
        assert_eq!(world.server.connections(), 1);
        assert!(world.server.seen().iter().all(|s| s.http2));
    }
}

#[test]
fn a_server_with_http_1_only_is_asked_at_once_too() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { protocols: vec!["http/1.1"], ..Setup::replaying(&dump) });
    assert_eq!(world.live(&["discovery", "--merged"]).code, 0);
    assert!(world.server.seen().iter().all(|s| !s.http2));
}

#[test]
fn merging_reads_every_group_version_once() {
    let world = World::new(&recording("v1.36-mixed"));
    assert_eq!(world.live(&["discovery", "--merged"]).code, 0);
    let seen = world.server.seen();
    let paths: BTreeSet<&str> = seen.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths.len(), seen.len());
    assert!(paths.contains("/apis/apps/v1") && paths.contains("/api/v1"));
}

#[test]
fn lists_come_in_pages() {
    let recording = recording("v1.36-mixed");
    let world = World::with(&Setup { page: 7, ..Setup::replaying(&recording.join("dump")) });
    let question = ["apiservices", "-o", "wide"];
    let (live, offline) = (world.live(&question), world.offline(&question));
    assert_eq!(live, offline);
    let seen = world.server.seen();
    let queries: Vec<&str> =
        seen.iter().filter(|s| s.path == API_SERVICES).map(|s| s.query.as_str()).collect();
    assert!(queries.len() > 5 && queries.iter().all(|q| q.starts_with("limit=500")), "{queries:?}");
    assert_eq!(queries[1], "limit=500&continue=%2B%2F%3D%267");

    // A list that is forgotten half way is taken as a whole.
    world.server.break_at(API_SERVICES, Breakage::Expired);
    assert_eq!(world.live(&question), offline);
    // A page that does not come is a list that does not come: half of it would be a lie.
    world.server.break_at(API_SERVICES, Breakage::Status(500));
    let run = world.live(&question);
    assert!(run.err.contains("could not read APIServices: the server answers 500"), "{}", run.err);
}

#[test]
fn lint_judges_manifests_as_if_applied_to_the_cluster() {
    let world = World::new(&recording("v1.36-mixed"));
    let manifest = world.file(
        "new.yaml",
        "apiVersion: apiregistration.k8s.io/v1\n\
         kind: APIService\n\
         metadata: {name: v1.new.test}\n\
         spec:\n  group: new.test\n  version: v1\n  groupPriorityMinimum: 100\n  versionPriority: 10\n  \
         insecureSkipTLSVerify: true\n  service: {namespace: ext, name: nowhere}\n",
    );
    let manifest = manifest.to_str().unwrap();
    let live = world.live(&["lint", "--format", "json", "--cluster", manifest]);
    let offline = world.offline(&["lint", "--format", "json", manifest]);
    assert!(live.out.contains("\"service-not-found\""), "{}{}", live.out, live.err);
    let named = |text: &str| without_source(text, &world);
    assert_eq!((live.code, named(&live.out)), (offline.code, named(&offline.out)));
    assert!(world.server.seen().iter().all(|request| request.method == "GET"));
}
