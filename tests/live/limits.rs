//! How much is taken of one cluster, and what is said where there is more.

use aggctl_source::live::{ClusterOptions, Connection, Found, Limits, Sizes};
use aggctl_source::{self, LoadedSource, Needs, Source};
use kube_aggregation::model::{Cause, Input, Unread};

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

fn told(loaded: &LoadedSource, text: &str) -> bool {
    loaded.notes.iter().any(|note| note.text == text)
}

#[test]
fn one_answer_has_a_size() {
    let world = World::new(&recording("v1.36-mixed"));
    let sizes = Sizes::default();
    assert_eq!(load(&world, sizes).notes.iter().filter(|n| n.text.contains("larger")).count(), 0);
    let loaded = load(&world, Sizes { answer: 20 << 10, ..sizes });
    let why = "the answer is larger than 20 KiB";
    assert!(told(&loaded, &format!("could not read APIServices: {why}")), "{:?}", loaded.notes);
    let unread = Unread { cause: Cause::TooLarge, why: why.to_owned() };
    assert_eq!(loaded.snapshot.api_services, Input::Unread(unread));
    assert!(loaded.snapshot.version.is_loaded(), "what is small is taken");
}

#[test]
fn one_list_has_a_size_however_many_pages_it_has() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { page: 3, ..Setup::replaying(&dump) });
    let sizes = Sizes { list: 20 << 10, answer: 20 << 10, ..Sizes::default() };
    let why = "could not read APIServices: the list is larger than 20 KiB";
    let loaded = load(&world, sizes);
    assert!(told(&loaded, why), "{:?}", loaded.notes);
}

/// Which of them come first is nobody's to say; once it is too much, nothing more is asked for.
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

/// 65 MiB that come as some 60 KiB.
#[test]
fn what_gzip_hides_counts() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at(CRDS, Breakage::Bomb(65));
    let run = world.live(&["apiservices", "--request-timeout", "60s", "--timeout", "60s"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let why = "warning: could not read CRDs: the answer is larger than 64 MiB\n";
    assert!(run.err.contains(why), "{}", run.err);
}

/// There may be hundreds of them, and anybody who has an APIService can write one.
#[test]
fn one_resource_list_may_not_be_large() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/apis/apps/v1", Breakage::Bomb(9));
    let run = world.live(&["discovery", "/apis/apps/v1", "--timeout", "60s"]);
    assert!(run.err.contains("the answer is larger than 8 MiB"), "{}", run.err);
}
