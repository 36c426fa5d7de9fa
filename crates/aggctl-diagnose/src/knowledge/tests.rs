//! Tests that every knowledge entry has the sections that it needs.

use std::collections::BTreeSet;

use super::component::hint_names;
use super::*;
use kube_aggregation::registry::Code;

#[test]
fn every_entry_is_complete() {
    let mut seen = BTreeSet::new();
    for entry in entries() {
        let id = entry.id;
        assert!(!entry.title.is_empty() && !entry.title.ends_with('.'), "{id}: a headline");
        assert!(!entry.patterns.is_empty(), "{id}: patterns");
        assert!(!entry.meaning.is_empty(), "{id}: what it means");
        assert!(!entry.causes.is_empty(), "{id}: usual causes");
        assert!(!entry.next.is_empty(), "{id}: what to run");
        for pattern in &entry.patterns {
            assert!(seen.insert(format!("{pattern:?}")), "{id}: a pattern that another entry has");
        }
        for other in &entry.instead_of {
            assert!(find(other).is_some(), "{id}: {other} is not an entry");
        }
        for tag in entry.causes.iter().flat_map(|cause| &cause.evidence) {
            let tag = tag.trim_start_matches(['!', '~', '+', '?']);
            let found = [
                "available",
                "checked",
                "several",
                "missing",
                "removed",
                "not-yet",
                "built-in",
                "known-user",
                "crd-group",
                "extension-group",
                "dial-timeout",
                "link-local",
                "service-address",
                "answers-504",
                "service-gone",
                "flaps",
                "managed",
                "sibling-works",
                "from-pod",
                "from-outside",
                "connected",
                "tunnel-reached",
                "tunnel-down",
                "resource-metrics",
                "custom-metrics",
                "external-metrics",
            ];
            let word = found.contains(&tag) || Code::from_word(tag).is_some();
            let known = find(tag).is_some() || hint_names().any(|hint| hint == tag) || word;
            assert!(known, "{id}: {tag} is not an entry and not a hint");
        }
    }
}

/// An entry that breaks a check needs a phrase and advice for doctor.
#[test]
fn entries_that_break_a_check_have_words_for_doctor() {
    for entry in entries().iter().filter(|entry| entry.breaks.is_some()) {
        assert!(!entry.says.is_empty() && !entry.says.ends_with('.'), "{}: says", entry.id);
        assert!(entry.advice.ends_with('.'), "{}: what to do", entry.id);
    }
}

#[test]
fn deleting_is_never_the_first_step() {
    for entry in entries() {
        let first = entry.next.first().map(|step| step.command).unwrap_or_default();
        assert!(!first.contains("kubectl delete"), "{}", entry.id);
    }
}
