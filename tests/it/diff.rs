//! A diff is complete: applied to the first source's listing it gives the second's.
use std::collections::{BTreeMap, BTreeSet};

use aggctl::diff::{self, Listing};
use aggctl::model::Snapshot;
use aggctl::registry::Registry;
use aggctl::render;
use aggctl::what_if::{Changes, changed};
use proptest::prelude::*;
use serde_json::Value;

use crate::{load, recordings};

/// A listing as plain text, by section and subject.
type Plain = (BTreeMap<(String, String), BTreeMap<String, String>>, BTreeMap<String, Vec<String>>);

fn plain(listing: &Listing) -> Plain {
    let things = listing.things.iter().map(|((section, subject), fields)| {
        let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
        ((section.as_str().to_owned(), subject.clone()), fields)
    });
    let orders = listing.orders.iter().map(|(form, groups)| ((*form).to_owned(), groups.clone()));
    (things.collect(), orders.collect())
}

/// Does what the shown JSON says.
fn apply(mut listing: Plain, shown: &Value) -> Plain {
    let text = |value: &Value| match value {
        Value::Number(number) => Some(number.to_string()),
        other => other.as_str().map(str::to_owned),
    };
    for one in shown["differences"].as_array().unwrap() {
        let key = (text(&one["section"]).unwrap(), text(&one["subject"]).unwrap());
        if one["change"] == "removed" {
            assert!(listing.0.remove(&key).is_some(), "{key:?} was not there");
            continue;
        }
        let fields = listing.0.entry(key).or_default();
        for (name, change) in one["fields"].as_object().unwrap() {
            assert_eq!(fields.get(name).cloned(), text(&change["before"]));
            match text(&change["after"]) {
                Some(after) => drop(fields.insert(name.clone(), after)),
                None => drop(fields.remove(name)),
            }
        }
    }
    for order in shown["orders"].as_array().unwrap() {
        let after = order["after"].as_array().unwrap().iter().filter_map(text).collect();
        listing.1.insert(text(&order["form"]).unwrap(), after);
    }
    listing
}

fn check(before: &Snapshot, after: &Snapshot) {
    let found = diff::diff(before, after);
    let shown =
        serde_json::to_value(render::diff_json(&before.origin, &after.origin, &found)).unwrap();
    let (a, b) = (Registry::new(before), Registry::new(after));
    let paths = diff::known_paths(&a).chain(diff::known_paths(&b)).collect();
    let (a, b) = (Listing::new(&a, &paths), Listing::new(&b, &paths));
    assert_eq!(apply(plain(&a), &shown), plain(&b));
    assert_eq!(found, diff::diff(before, after), "the same question has the same answer");
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
        // A CRD's APIService may go with it before it is asked for by name.
        let removed: Vec<String> = chosen.into_iter().collect();
        if let Ok(then) = changed(&snapshot, &Changes { applied: None, removed: &removed }) {
            check(&snapshot, &then.snapshot);
            check(&then.snapshot, &snapshot);
        }
    }
}
