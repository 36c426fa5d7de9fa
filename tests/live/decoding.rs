//! Each document of a live read is decoded once, although a second round of requests depends on the
//! first.

use kube_aggregation::ingest::decoded_documents;

use crate::server::Setup;
use crate::world::{World, recording};

/// With -v, each answered request is a line. Lists come in pages of three objects.
#[test]
fn every_document_is_decoded_once() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { page: 3, ..Setup::replaying(&dump) });
    let before = decoded_documents();
    let run = world.live(&["doctor", "-v"]);
    let decoded = decoded_documents() - before;
    let answered =
        run.err.lines().filter(|line| line.contains(": GET ") && line.contains(" bytes, "));
    assert_eq!(decoded, answered.count(), "{}", run.err);
    let paths: Vec<String> = world.server.seen().into_iter().map(|seen| seen.path).collect();
    let times = |path: &str| paths.iter().filter(|one| *one == path).count();
    assert!(times("/apis/apiregistration.k8s.io/v1/apiservices") > 3, "pages: {paths:?}");
    assert_eq!(times("/apis/wardle.example.com/v1alpha1"), 1, "the second round: {paths:?}");
}
