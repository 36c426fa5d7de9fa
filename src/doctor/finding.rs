//! What is odd about an APIService apart from the walk to its Service.

use std::collections::BTreeSet;

use super::asked::Asked;
use super::link::{Link, State};
use crate::availability::{Step, VERIFIES_TLS_SINCE};
use crate::model::{ApiService, Crd, ServiceType};
use crate::registry::{Oddity, Registry, Review};

/// Something to know about an APIService.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A stable word for it, such as `ghost`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is odd, as a phrase.
    pub what: String,
    /// Why that matters, as a sentence.
    pub why: String,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Somebody will stumble over it.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// One word for it, as the JSON contract has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

fn warning(code: &'static str, what: impl Into<String>, why: impl Into<String>) -> Finding {
    Finding { code, severity: Severity::Warning, what: what.into(), why: why.into() }
}

fn note(code: &'static str, what: impl Into<String>, why: impl Into<String>) -> Finding {
    Finding { code, severity: Severity::Note, what: what.into(), why: why.into() }
}

/// All that is odd about one APIService.
pub(super) fn findings(
    registry: &Registry<'_>,
    review: &Review<'_>,
    links: &[Link],
) -> Vec<Finding> {
    let service = review.service;
    let gv = &service.group_version;
    let mut found = vec![];
    for oddity in &review.oddities {
        found.extend(match oddity {
            Oddity::Ghost => Some(unestablished(registry, service).unwrap_or_else(|| warning(
                "ghost",
                "available, but nobody serves it: requests get a 404",
                "It is local, and neither kube-apiserver nor a CRD has the group version. The legacy discovery documents list it, so that clients that read those fail on it.",
            ))),
            Oddity::ShadowsCrd => Some(shadows(registry, service)),
            Oddity::ShadowsBuiltIn => Some(shadows_built_in(service)),
            Oddity::JoinsBuiltInGroup => Some(note(
                "joins-built-in-group",
                format!("adds a version to the built-in group {}", gv.group),
                "Its priorities can change which version clients prefer.",
            )),
            Oddity::AggregatorOwnGroup => Some(warning(
                "aggregator-own-group",
                format!("{} is the aggregator's own group: nobody asks it", gv.group),
                "The aggregator answers every request below this group itself, so that none ever reaches what stands behind the APIService; discovery lists the version all the same.",
            )),
            Oddity::Unclear => Some(note(
                "unclear",
                "what stands behind it cannot be told from the source",
                "The source does not hold all CRDs.",
            )),
            // The walk has a link for it; inferred ones are not diagnosed.
            Oddity::Stale | Oddity::Inferred => None,
        });
    }
    if let Some(time) = &service.provenance.deleted {
        found.push(warning(
            "being-deleted",
            "is being deleted, and something holds it",
            format!(
                "It has been marked for deletion at {time}; its finalizers have not been removed."
            ),
        ));
    }
    found.extend(left_over(registry, service, links));
    found.extend(external_name(registry, service));
    found.extend(split_group(registry, service));
    found.extend(unverified(registry, service));
    found
}

/// The CRDs that would serve a group version if the server had accepted them.
pub(super) fn waiting_crds<'r>(registry: &'r Registry<'_>, service: &ApiService) -> Vec<&'r Crd> {
    let gv = &service.group_version;
    let ours = |crd: &&Crd| {
        crd.group == gv.group && !crd.established && crd.served_version(&gv.version).is_some()
    };
    registry.crds.iter().filter(ours).collect()
}

/// A ghost that the server writes back, since its CRD is there.
fn unestablished(registry: &Registry<'_>, service: &ApiService) -> Option<Finding> {
    let crds = waiting_crds(registry, service);
    let first = crds.first()?;
    let mut why: Vec<String> = crds
        .iter()
        .map(|crd| match &crd.refusal {
            Some(refusal) => format!("The server refuses a name of CRD {} ({refusal}).", crd.name),
            None if crd.terminating => format!("CRD {} is being deleted.", crd.name),
            None => format!("CRD {} has no condition Established=True.", crd.name),
        })
        .collect();
    why.push("The API server keeps the registration as long as the CRD is there.".to_owned());
    Some(warning(
        "ghost",
        format!("available, but CRD {} is not established: requests get a 404", first.name),
        why.join(" "),
    ))
}

fn shadows_built_in(service: &ApiService) -> Finding {
    let gv = &service.group_version;
    // What the controller that registers the built-in group versions does at each start.
    let back = match service.automanaged {
        Some(_) => "At its next start the API server writes its own registration back.",
        None => {
            "The API server leaves it alone, as it does not carry its label; once it is deleted, the next start registers the version again."
        }
    };
    warning(
        "shadows-built-in",
        format!("takes {gv} away from the API server itself"),
        format!("Requests go to the Service, and never reach the built-in resources. {back}"),
    )
}

fn shadows(registry: &Registry<'_>, service: &ApiService) -> Finding {
    let gv = &service.group_version;
    let crds: Vec<&str> = registry.custom_resources(gv).map(|crd| crd.name.as_str()).collect();
    warning(
        "shadows-crd",
        format!(
            "takes {gv} away from {} CRD{}",
            crds.len(),
            if crds.len() == 1 { "" } else { "s" }
        ),
        format!(
            "Requests go to the Service, and objects of {} cannot be reached there. Without this APIService the CRDs would answer.",
            crds.join(", ")
        ),
    )
}

/// Whether the registration outlived what it leads to.
fn left_over(registry: &Registry<'_>, service: &ApiService, links: &[Link]) -> Option<Finding> {
    let reference = service.service.as_ref()?;
    let gone = links.iter().any(|l| l.step == Step::Service && l.state == State::Broken);
    if !gone {
        return None;
    }
    let snapshot = registry.snapshot;
    let namespace_gone = snapshot.listed.namespaces
        && snapshot
            .namespaces
            .loaded()
            .is_some_and(|all| all.iter().all(|n| n.name != reference.namespace));
    let what = if namespace_gone {
        "left over: its Service and even the namespace are gone"
    } else {
        "may be left over from something that was removed"
    };
    Some(note("left-over", what, "Deleting an APIService deletes nothing but the registration."))
}

fn external_name(registry: &Registry<'_>, service: &ApiService) -> Option<Finding> {
    let reference = service.service.as_ref()?;
    let found = registry.snapshot.service(&reference.namespace, &reference.name)?;
    (found.kind == ServiceType::ExternalName).then(|| {
        note(
            "external-name",
            "leads to an ExternalName",
            "A kube-apiserver with --enable-aggregator-routing refuses that; whether the flag is set is not in any object.",
        )
    })
}

/// Two Services behind one group often are two installations that fight for it.
fn split_group(registry: &Registry<'_>, service: &ApiService) -> Option<Finding> {
    let own = service.service.as_ref()?;
    let gv = &service.group_version;
    let others: BTreeSet<String> = (registry.api_services())
        .filter(|(other, _)| other.group_version.group == gv.group)
        .filter_map(|(other, _)| other.service.as_ref())
        .filter(|other| (&other.namespace, &other.name) != (&own.namespace, &own.name))
        .map(|other| other.id())
        .collect();
    if others.is_empty() {
        return None;
    }
    let others: Vec<String> = others.into_iter().collect();
    Some(note(
        "split-group",
        format!("other versions of {} lead to {}", gv.group, others.join(", ")),
        "That is allowed; where it is not meant, two installations fight for the group.",
    ))
}

/// What a passed check does not prove, and what an upgrade can change.
fn unverified(registry: &Registry<'_>, service: &ApiService) -> Option<Finding> {
    let minor = registry.snapshot.minor().filter(|minor| *minor < VERIFIES_TLS_SINCE)?;
    if service.service.is_none() || service.insecure_skip_tls_verify || !service.is_available() {
        return None;
    }
    // A request came through, or did not and says why: that tells more than the check.
    let asked = Asked::of(registry.snapshot, service);
    if matches!(asked, Asked::List(_)) || asked.cause().is_some_and(|c| c.link == Step::Tls) {
        return None;
    }
    Some(note(
        "tls-not-checked",
        format!("Available=True says nothing about its certificate on Kubernetes {minor}"),
        "Up to 1.35 the server's own check does not verify TLS, the requests of clients do; from 1.36 on the check verifies too, so that an upgrade can turn a wrong certificate into Available=False.",
    ))
}
