//! What-if against recorded transitions of real servers: the state before, with the change, must have
//! the APIServices, the documents and the routes of the state after.

use std::path::Path;

use kube_aggregation::model::{ApiService, Snapshot};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use kube_aggregation::what_if::{Changes, changed};

use crate::harness::{assert_none, json};
use crate::recorded::{load, requests};
use crate::shared::folder;

/// Manifests cannot say everything: conditions of checks that were not made are skipped.
pub(crate) fn what_if_predicts_the_state_after() {
    let place = tempfile::tempdir().unwrap();
    for archive in ["transitions/cases.tar.xz", "transitions/cases-2.tar.xz"] {
        let unpacked = std::process::Command::new("tar")
            .args(["-xJf", "-", "-C"])
            .arg(place.path())
            .stdin(std::fs::File::open(folder(archive)).unwrap())
            .status()
            .unwrap();
        assert!(unpacked.success());
    }
    let mut cases: Vec<_> =
        std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let mut wrong = vec![];
    for case in &cases {
        let (before, want) = (load(&case.join("before")), load(&case.join("after")));
        let manifests = case.join("change.yaml");
        let manifests = manifests.exists().then(|| {
            aggctl_source::load_manifests(std::slice::from_ref(&manifests)).unwrap().snapshot
        });
        let removed = std::fs::read_to_string(case.join("without.txt")).unwrap_or_default();
        let removed: Vec<String> = removed.split_whitespace().map(str::to_owned).collect();
        let changes =
            Changes { applied: manifests.as_ref(), replace: is_replaced(case), removed: &removed };
        let after = changed(&before, &changes).unwrap().snapshot;
        let mut found = differences(&after, &want);
        found.extend(wrong_routes(case, &after));
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", case.display())));
    }
    assert!(cases.len() > 50, "{} transitions", cases.len());
    assert_none(&wrong);
}

/// Returns the requests with another outcome, except those that only the cluster can decide.
fn wrong_routes(case: &Path, after: &Snapshot) -> Vec<String> {
    let registry = Registry::new(after);
    let router = Router::new(&registry);
    let mut wrong = vec![];
    for want in requests(case) {
        let target = want.target();
        let route = router.route(&target);
        let unchecked = route.api_service().is_some_and(|s| s.is_not_checked());
        let outcome = route.way().outcome.as_str();
        if outcome != want.outcome && outcome != "unknown" && !unchecked {
            wrong.push(format!("{} {}: {outcome} but {}", want.method, want.path, want.outcome));
        }
    }
    wrong
}

/// Returns whether the manifests replaced objects, which `-f` does not do.
fn is_replaced(case: &Path) -> bool {
    json(&std::fs::read_to_string(case.join("meta.json")).unwrap())["mode"] == "replace"
}

fn differences(got: &Snapshot, want: &Snapshot) -> Vec<String> {
    let spec =
        |s: &ApiService| (s.service.clone(), s.group_priority, s.version_priority, s.automanaged);
    let mut found = vec![];
    let (ours, theirs) = (got.api_services.loaded().unwrap(), want.api_services.loaded().unwrap());
    let names =
        |all: &[ApiService]| -> Vec<String> { all.iter().map(|s| s.name.clone()).collect() };
    if names(ours) != names(theirs) {
        return vec!["other APIServices".to_owned()];
    }
    for (a, b) in ours.iter().zip(theirs) {
        if spec(a) != spec(b) {
            found.push(format!("{}: {:?} but {:?}", a.name, spec(a), spec(b)));
        }
        let reason = |s: &ApiService| s.available.as_ref().map(|c| c.reason.clone());
        if !a.is_not_checked() && reason(a) != reason(b) {
            found.push(format!("{}: {:?} but {:?}", a.name, reason(a), reason(b)));
        }
    }
    if got.legacy_groups != want.legacy_groups {
        found.push("another legacy document".to_owned());
    }
    found
}
