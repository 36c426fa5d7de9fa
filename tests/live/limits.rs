//! Tests the size limits: for one response, one list, and all responses of a cluster.

use aggctl_source::live::{ClusterOptions, Connection, Found, Limits, Sizes};
use aggctl_source::{self, LoadedSource, Needs, Source};
use kube_aggregation::model::{Cause, Input};

use crate::server::{Breakage, Setup};
use crate::world::{World, recording};

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn connection(world: &World, sizes: Sizes) -> Connection {
    let options = ClusterOptions {
        kubeconfig: Some(world.kubeconfig()),
        limits: Limits { sizes, ..Limits::default() },
        ..ClusterOptions::default()
    };
    let Found::Clusters(mut clusters, _) = options.find().unwrap() else { panic!() };
    clusters.remove(0).unwrap()
}

fn load(world: &World, sizes: Sizes) -> LoadedSource {
    let source = Source::Live(Box::new(connection(world, sizes)));
    aggctl_source::load_for(&source, &Needs::routing(), &mut |_| {}).unwrap()
}

/// Returns the warnings about what could not be read.
fn told(loaded: &LoadedSource) -> String {
    let failed = |text: &&str| text.starts_with("could not read");
    loaded.notes.iter().map(|note| note.text.as_str()).filter(failed).collect::<Vec<_>>().join("\n")
}

#[test]
fn one_answer_has_a_size() {
    let world = World::new(&recording("v1.36-mixed"));
    let sizes = Sizes::default();
    assert_eq!(told(&load(&world, sizes)), "");
    let loaded = load(&world, Sizes { answer: 20 << 10, ..sizes });
    insta::assert_snapshot!(told(&loaded), @"
    could not read APIServices: the response is larger than 20 KiB
    could not read the aggregated document /apis: the response is larger than 20 KiB
    could not read the aggregated document /apis without peers: the response is larger than 20 KiB
    could not read the resources of broken.example.net/v3, broken.example.net/v4, broken.example.net/v5, forbidden.broken.example.net/v1, gone.metrics.example.io/v1, 5 more: the server answers 503: service unavailable
    could not read the resources of apps/v7, nobody.metrics.example.io/v1: not found (404): 404 page not found
    ");
    let Input::Unread(unread) = &loaded.snapshot.api_services else { panic!() };
    assert_eq!(unread.cause, Cause::TooLarge);
    assert!(loaded.snapshot.version.is_loaded(), "smaller answers are used");
}

#[test]
fn one_list_has_a_size_however_many_pages_it_has() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { page: 3, ..Setup::replaying(&dump) });
    let sizes = Sizes { list: 20 << 10, answer: 20 << 10, ..Sizes::default() };
    insta::assert_snapshot!(told(&load(&world, sizes)), @"
    could not read APIServices: the list is larger than 20 KiB
    could not read the aggregated document /apis: the response is larger than 20 KiB
    could not read the aggregated document /apis without peers: the response is larger than 20 KiB
    could not read the resources of broken.example.net/v3, broken.example.net/v4, broken.example.net/v5, forbidden.broken.example.net/v1, gone.metrics.example.io/v1, 5 more: the server answers 503: service unavailable
    could not read the resources of apps/v7, nobody.metrics.example.io/v1: not found (404): 404 page not found
    ");
}

/// The order of responses is random. Once they are too large, no more requests are sent.
#[test]
fn all_answers_together_have_a_size() {
    let world = World::new(&recording("v1.36-mixed"));
    let sizes = Sizes { all: 60 << 10, ..Sizes::default() };
    let why = "the cluster's answers together are larger than 60 KiB";
    let source = Source::Live(Box::new(connection(&world, sizes)));
    match aggctl_source::load_for(&source, &Needs::layer(), &mut |_| {}) {
        Ok(loaded) => {
            assert!(loaded.notes.iter().any(|n| n.text.ends_with(why)), "{:?}", loaded.notes);
        }
        Err(error) => assert!(error.to_string().ends_with(why), "{error}"),
    }
    let paths: Vec<String> = world.server.seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths.len(), 12, "{paths:?}");
}

/// Discovery takes eight times its size in memory, so all of it together has a limit of its own.
#[test]
fn discovery_documents_together_have_a_size() {
    let world = World::new(&recording("v1.36-mixed"));
    let sizes = Sizes { discovery: 30 << 10, ..Sizes::default() };
    let why = "the cluster's discovery documents together are larger than 30 KiB";
    let source = Source::Live(Box::new(connection(&world, sizes)));
    let loaded = aggctl_source::load_for(&source, &Needs::layer(), &mut |_| {}).unwrap();
    assert!(loaded.notes.iter().any(|n| n.text.ends_with(why)), "{:?}", loaded.notes);
    assert!(loaded.snapshot.crds.is_loaded());
}

/// 65 MiB, sent as about 60 KiB.
#[test]
fn the_unpacked_size_counts() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at(CRDS, Breakage::Bomb(65));
    let run = world.live(&["apiservices", "--request-timeout", "60s", "--timeout", "60s"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!(run.err, @"warning: could not read CRDs: the response is larger than 64 MiB");
}

/// There may be hundreds of lists, and every extension server controls its own.
#[test]
fn one_resource_list_may_not_be_large() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/apis/apps/v1", Breakage::Bomb(9));
    let run = world.live(&["discovery", "/apis/apps/v1", "--timeout", "60s"]);
    insta::assert_snapshot!(run.err, @"
    warning: could not read the resources of apps/v1: the response is larger than 8 MiB
    warning: the APIResourceList of apps/v1 could not be read (the response is larger than 8 MiB); using built-in Kubernetes 1.36
    ");
}
