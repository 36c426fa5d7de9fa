//! Tests that `diff` is complete: applied to the listing of the first source, it gives that of the
//! second.

use std::collections::{BTreeMap, BTreeSet};

use aggctl::render;
use kube_aggregation::diff::{self, Diff, Listing};
use kube_aggregation::model::{Origin, Snapshot, SourceKind};
use kube_aggregation::registry::Registry;
use kube_aggregation::what_if::{Changes, changed};
use proptest::prelude::*;
use serde_json::Value;

use crate::{load, recordings};

/// A listing in the form of the JSON contract, which is the diff from an empty listing.
type Plain = (BTreeMap<(String, String), BTreeMap<String, Value>>, BTreeMap<String, Vec<String>>);

fn plain(listing: &Listing) -> Plain {
    let nothing = Listing { things: BTreeMap::new(), ..listing.clone() };
    let shown = shown(&diff::compare(&nothing, listing));
    let orders = listing.orders.iter().map(|(form, groups)| ((*form).to_owned(), groups.clone()));
    apply((BTreeMap::new(), orders.collect()), &shown)
}

fn shown(found: &Diff) -> Value {
    let origin = Origin { kind: SourceKind::Dump, name: String::new() };
    let answer = render::DiffAnswer { from: &origin, to: &origin, diff: found };
    serde_json::to_value(render::Answer::json(&answer)).unwrap()
}

/// Applies a diff in JSON to a listing.
fn apply(mut listing: Plain, shown: &Value) -> Plain {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for one in shown["differences"].as_array().unwrap() {
        let key = (text(&one["section"]), text(&one["subject"]));
        if one["change"] == "removed" {
            assert!(listing.0.remove(&key).is_some(), "{key:?} was not there");
            continue;
        }
        let fields = listing.0.entry(key).or_default();
        for (name, change) in one["fields"].as_object().unwrap() {
            assert_eq!(fields.get(name).unwrap_or(&Value::Null), &change["before"]);
            match &change["after"] {
                Value::Null => drop(fields.remove(name)),
                after => drop(fields.insert(name.clone(), after.clone())),
            }
        }
    }
    for order in shown["orders"].as_array().unwrap() {
        let after = order["after"].as_array().unwrap().iter().map(text).collect();
        listing.1.insert(text(&order["form"]), after);
    }
    listing
}

fn check(before: &Snapshot, after: &Snapshot) {
    let found = diff::diff(before, after);
    let (a, b) = (Registry::new(before), Registry::new(after));
    let paths = diff::known_paths(&a).chain(diff::known_paths(&b)).collect();
    let (a, b) = (Listing::new(&a, &paths), Listing::new(&b, &paths));
    assert_eq!(apply(plain(&a), &shown(&found)), plain(&b));
    assert_eq!(found, diff::diff(before, after), "the same question has the same answer");
    let base = diff::DiffBase::new(before);
    assert_eq!(found, base.diff(after), "a base that is listed once gives the same answer");
}

#[test]
fn of_any_two_recordings_it_is_complete() {
    let all: Vec<Snapshot> = recordings().iter().map(|r| load(r)).collect();
    for before in &all {
        for after in &all {
            check(before, after);
        }
    }
}

#[test]
fn of_a_source_with_itself_it_is_empty() {
    for recording in recordings() {
        let snapshot = load(&recording);
        let found = diff::diff(&snapshot, &snapshot);
        assert!(found.is_empty(), "{}: {:?}", recording.display(), found.differences);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]
    #[test]
    fn of_a_source_and_itself_without_something_it_is_complete(
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let snapshot = load(recordings().iter().find(|r| r.ends_with("v1.36-mixed")).unwrap());
        let mut names: Vec<String> = snapshot.api_services.loaded().unwrap().iter().map(|s| s.name.clone()).collect();
        names.extend(snapshot.crds.loaded().unwrap().iter().map(|c| c.name.clone()));
        let chosen: BTreeSet<String> = picks.iter().map(|pick| pick.get(&names).clone()).collect();
        // Removing a CRD removes its APIService, which may then be missing by name.
        let removed: Vec<String> = chosen.into_iter().collect();
        if let Ok(then) = changed(&snapshot, &Changes { applied: None, replace: false, removed: &removed }) {
            check(&snapshot, &then.snapshot);
            check(&then.snapshot, &snapshot);
        }
    }
}
