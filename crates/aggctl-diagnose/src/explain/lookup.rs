//! Looks up the names in a text in a source.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::recognize::explain;
use super::subject::TextSubject;
use crate::doctor::{DoctorIndexes, DoctorVerdict, diagnose};
use kube_aggregation::model::{Snapshot, words};
use kube_aggregation::registry::{ApiServiceReview, Backend, Code, Registry};

/// What the source knows about one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lookup {
    /// The name of the APIService, or the group.
    pub name: String,
    /// What is wrong, in a few words; empty if nothing is.
    pub brief: String,
    /// The state of the APIService, as a sentence.
    pub state: String,
    /// Whether the APIService works, as far as the source shows; `None` if it does not exist.
    pub works: Option<bool>,
    /// What decides doctor's verdict, and the first recommended action.
    pub diagnosis: Vec<String>,
    /// Whether a broken APIService may be deleted.
    pub deletion: Option<Deletion>,
    /// The APIService's Service, as `namespace/name`.
    pub service: Option<String>,
    /// The codes of entries and anomalies that this state is evidence for.
    pub evidence: BTreeSet<String>,
}

/// Looks up everything that a text names.
pub fn look_up(registry: &Registry<'_>, subject: &TextSubject, now: Timestamp) -> Vec<Lookup> {
    let reviews = registry.review();
    let mut found = vec![];
    for gv in &subject.group_versions {
        let name = gv.api_service_name();
        match reviews.iter().find(|r| r.service.name == name) {
            Some(review) => found.push(state(registry, review, now)),
            None => found.push(missing(registry, name)),
        }
    }
    for group in &subject.groups {
        let of_group: Vec<_> =
            reviews.iter().filter(|r| r.service.group_version.group == *group).collect();
        if of_group.is_empty() {
            found.push(missing(registry, format!("of group {group}")));
        }
        found.extend(of_group.into_iter().map(|review| state(registry, review, now)));
    }
    for id in &subject.services {
        let is_backend =
            |r: &&ApiServiceReview<'_>| r.service.service.as_ref().is_some_and(|s| s.id() == *id);
        for review in reviews.iter().filter(is_backend) {
            let looked = state(registry, review, now);
            if !found.contains(&looked) {
                found.push(looked);
            }
        }
    }
    let has = |review: &ApiServiceReview<'_>, state: &str| {
        let reason = review.service.available.as_ref().is_some_and(|c| c.reason == state);
        reason || review.anomalies.iter().any(|anomaly| anomaly.code.as_str() == state)
    };
    for review in &reviews {
        if subject.states.iter().any(|wanted| has(review, wanted)) {
            found.push(state(registry, review, now));
        }
    }
    found
}

fn missing(registry: &Registry<'_>, name: String) -> Lookup {
    let (state, evidence) = if registry.api_services_complete {
        ("not registered in the source now", BTreeSet::from(["missing".to_owned()]))
    } else {
        ("not in the source, which does not have all APIServices", BTreeSet::new())
    };
    let (brief, state) = ("not registered".to_owned(), state.to_owned());
    Lookup { name, brief, state, evidence, ..Lookup::default() }
}

/// Describes the state of an APIService.
fn state(registry: &Registry<'_>, review: &ApiServiceReview<'_>, now: Timestamp) -> Lookup {
    let service = review.service;
    let mut evidence: BTreeSet<String> =
        review.anomalies.iter().map(|o| o.code.as_str().to_owned()).collect();
    let mut state = match (&service.service, review.backing) {
        (Some(reference), _) => {
            format!("backend: Service {}, port {}", reference.id(), reference.port)
        }
        (None, Backend::Crd) => "served by CRDs".to_owned(),
        (None, Backend::Unserved) if review.is(Code::ServedByPeer) => {
            "local; another API server of the control plane serves it".to_owned()
        }
        (None, Backend::Unserved) => "local, but nothing serves it (a ghost)".to_owned(),
        (None, Backend::Unknown) => "local; the source does not show what serves it".to_owned(),
        (None, _) => "built in".to_owned(),
    };
    let mut brief = vec![];
    match &service.available {
        _ if service.service.is_none() => {}
        None => {
            state.push_str("; no condition Available yet");
            brief.push("no condition Available yet".to_owned());
        }
        Some(_) if service.is_not_checked() => {
            state.push_str("; availability unknown");
        }
        Some(_) if service.is_available() => {
            state.push_str("; available");
            evidence.extend(["available", "checked"].map(str::to_owned));
        }
        Some(c) => {
            evidence.insert("checked".to_owned());
            state.push_str(&format!("; unavailable, {}: {}", c.reason, c.message));
            brief.push(format!("unavailable ({})", c.reason));
            let said = explain(&format!("{}\n{}", c.reason, c.message));
            evidence.extend(said.matches.iter().map(|m| m.entry.id.to_owned()));
        }
    }
    if review.is(Code::Stale) {
        state.push_str("; stale in aggregated discovery");
        let known = evidence.contains("available");
        let but = if known { "available, but " } else { "" };
        brief.push(format!("{but}stale in aggregated discovery"));
    }
    if review.is(Code::ShadowsCrd) {
        state.push_str("; shadows a CRD of the same group version");
    }
    if review.is(Code::Ghost) {
        brief.push("a ghost: 404 in legacy discovery".to_owned());
    }
    let is_served = review.backing != Backend::Unserved || review.is(Code::ServedByPeer);
    Lookup {
        name: service.name.clone(),
        brief: brief.join(", "),
        state,
        works: Some(service.is_available() && is_served),
        diagnosis: diagnosis(registry, review, now),
        deletion: deletion(registry.snapshot, review),
        service: service.service.as_ref().map(|reference| reference.id()),
        evidence,
    }
}

/// Returns what decides doctor's verdict and the first recommended action; empty if healthy.
fn diagnosis(
    registry: &Registry<'_>,
    review: &ApiServiceReview<'_>,
    now: Timestamp,
) -> Vec<String> {
    let found = diagnose(registry, &DoctorIndexes::new(registry.snapshot), review, now, None);
    if found.verdict == DoctorVerdict::Healthy {
        return vec![];
    }
    let first = found.advice.first().map(|advice| advice.action.to_string());
    std::iter::once(found.summary.to_string()).chain(first).collect()
}

words! {
    /// Whether an APIService that does not work may be deleted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Deletion {
        Unserved = "can be deleted if nothing should serve it: no server and no CRD does now",
        NoService = "its Service does not exist: if the component runs under another Service, correct the APIService; delete it only if the component was removed for good",
        No = "not left over, because its Service exists: fix it; deleting it removes the API for its users",
        Unknown = "the source does not show whether it can be deleted",
    }
}

/// Decides whether an APIService that does not work may be deleted.
fn deletion(snapshot: &Snapshot, review: &ApiServiceReview<'_>) -> Option<Deletion> {
    let service = review.service;
    if review.is(Code::ServedByPeer) {
        return None;
    }
    if review.backing == Backend::Unserved {
        return Some(Deletion::Unserved);
    }
    let reference = service.service.as_ref()?;
    if service.is_available() || service.automanaged.is_some() {
        return None;
    }
    let gone = service.available.as_ref().is_some_and(|c| c.reason == "ServiceNotFound");
    let there = snapshot.service(&reference.namespace, &reference.name).is_some();
    Some(match (gone, there) {
        (_, true) => Deletion::No,
        (true, false) => Deletion::NoService,
        (false, false) => Deletion::Unknown,
    })
}
