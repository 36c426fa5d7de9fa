//! Explains why a namespace is stuck in Terminating.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::commands::SuggestedStep;
use super::lookup::{Lookup, look_up};
use super::recognize::explain;
use super::subject::TextSubject;
use crate::doctor::quoted;
use kube_aggregation::model::Namespace;
use kube_aggregation::registry::{ApiServiceReview, Code, Registry};

/// Why a namespace still exists.
#[derive(Debug)]
pub struct NamespaceAnswer {
    /// The reason, as a sentence.
    pub summary: String,
    /// The conditions that block its deletion, the most specific first.
    pub blockers: Vec<Blocker>,
    /// APIServices that fail discovery but that no condition names.
    pub suspects: Vec<Lookup>,
    /// Whether the suspects may block the deletion, as a sentence.
    pub of_suspects: &'static str,
    /// What to run next.
    pub next: Vec<SuggestedStep>,
}

impl NamespaceAnswer {
    /// Returns the distinct APIServices that block the deletion or may do so.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let held = self.blockers.iter().flat_map(|blocker| &blocker.lookups);
        let names = held.chain(&self.suspects).map(|one| one.name.as_str());
        names.collect::<BTreeSet<_>>().into_iter()
    }
}

/// One condition that blocks the deletion of a namespace.
#[derive(Debug)]
pub struct Blocker {
    /// The type of the condition.
    pub condition: String,
    /// Its message, as the server wrote it.
    pub message: String,
    /// What blocks the deletion, in a few words.
    brief: &'static str,
    /// What the condition means, and what to do.
    pub meaning: &'static str,
    /// The APIServices that the message names.
    pub lookups: Vec<Lookup>,
}

const DISCOVERY: &str = "NamespaceDeletionDiscoveryFailure";

/// The conditions of the namespace controller: type, what it reports when True, and what it means.
const CONDITIONS: [(&str, &str, &str); 5] = [
    (
        DISCOVERY,
        "some group versions do not answer discovery",
        "The controller must list every kind of object, and these group versions do not answer. Fix their APIServices; delete one only if its component was removed for good.",
    ),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "discovery lists an invalid group version",
        "A server lists a group version whose name is not valid. Fix that server.",
    ),
    (
        "NamespaceDeletionContentFailure",
        "some objects could not be deleted",
        "A webhook (admission, or conversion of a CRD) or the server behind their API rejects the deletion.",
    ),
    (
        "NamespaceFinalizersRemaining",
        "some objects wait for their finalizers",
        "These objects wait for the controllers that set their finalizers. If one is gone, its objects wait forever.",
    ),
    (
        "NamespaceContentRemaining",
        "some objects still exist",
        "Something must finish deleting these objects; see their finalizers.",
    ),
];

/// Explains why a namespace still exists.
pub fn explain_namespace(
    registry: &Registry<'_>,
    namespace: &Namespace,
    now: Timestamp,
) -> NamespaceAnswer {
    let mut blockers = vec![];
    for (kind, brief, meaning) in CONDITIONS {
        let holds = namespace.conditions.iter().find(|(k, c)| k == kind && c.status == "True");
        let Some((_, condition)) = holds else { continue };
        let subject = explain(&condition.message).subject;
        blockers.push(Blocker {
            condition: kind.to_owned(),
            message: condition.message.clone(),
            brief,
            meaning,
            lookups: look_up(registry, &subject, now),
        });
    }
    let reviews = registry.review();
    let fails = |review: &&ApiServiceReview<'_>| {
        let broken = review.service.service.is_some() && !review.service.is_available();
        // Controllers read aggregated discovery, which does not list what nothing serves.
        broken || review.is(Code::Stale)
    };
    let failing = reviews.iter().filter(fails);
    let subject = TextSubject {
        group_versions: failing.map(|review| review.service.group_version.clone()).collect(),
        ..TextSubject::default()
    };
    let named =
        |l: &Lookup| blockers.iter().any(|b: &Blocker| b.lookups.iter().any(|o| o.name == l.name));
    let suspects: Vec<Lookup> =
        look_up(registry, &subject, now).into_iter().filter(|one| !named(one)).collect();
    let discovery =
        namespace.conditions.iter().find(|(k, _)| k == DISCOVERY).map(|(_, c)| c.status.as_str());
    let fine = discovery == Some("False");
    let of_suspects = match discovery {
        Some("True") => {
            "The condition does not name these, but a group version that fails in discovery blocks every namespace deletion: they may be next."
        }
        _ => {
            "No condition names these, but a group version that fails in discovery blocks every namespace deletion, perhaps this one."
        }
    };
    let name = &namespace.name;
    let summary = if !namespace.is_terminating() && namespace.phase.is_empty() {
        format!(
            "cannot tell whether namespace {name} is being deleted: the source has no status for it"
        )
    } else if !namespace.is_terminating() {
        format!("namespace {name} is not being deleted: its phase is {}", namespace.phase)
    } else if let Some(first) = blockers.first() {
        format!("namespace {name} stays in Terminating: {}", first.brief)
    } else if fine {
        format!(
            "namespace {name} is being deleted; discovery works, and its conditions name no other blocker: see spec.finalizers"
        )
    } else if suspects.is_empty() {
        format!("namespace {name} is being deleted; its conditions do not show what it waits for")
    } else {
        format!(
            "namespace {name} is being deleted; its conditions name nothing, but a group version that fails in discovery blocks every deletion"
        )
    };
    // Discovery worked at the last try, so broken APIServices do not block this namespace.
    let suspects = if namespace.is_terminating() && !fine { suspects } else { vec![] };
    let next = if namespace.is_terminating() { next(name, &blockers, &suspects) } else { vec![] };
    NamespaceAnswer { summary, blockers, suspects, of_suspects, next }
}

/// Returns what to run next: doctor for APIServices, and a list of what is left in the namespace.
fn next(name: &str, blockers: &[Blocker], suspects: &[Lookup]) -> Vec<SuggestedStep> {
    let discovery = blockers.iter().filter(|blocker| blocker.condition == DISCOVERY);
    let mut names: Vec<&Lookup> = discovery.clone().flat_map(|blocker| &blocker.lookups).collect();
    if names.is_empty() {
        names = suspects.iter().collect();
    }
    let names = names.iter().map(|one| quoted(&one.name)).collect::<Vec<_>>().join(" ");
    let mut steps = vec![];
    if !names.is_empty() {
        let command = format!("aggctl doctor {names}");
        steps.push(SuggestedStep {
            command,
            what: "shows each check from the APIService to the Pod",
        });
    }
    if discovery.count() == 0 {
        let command = format!(
            "kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl get -n {} --ignore-not-found --show-kind",
            quoted(name)
        );
        steps.push(SuggestedStep { command, what: "lists what is left in the namespace" });
    }
    steps
}
