//! From answers to a judgement.

use std::collections::BTreeSet;

use super::answer::{Answered, HealthState, HealthVerdict, Judged};
use super::body::bodies;
use super::expect::{Expect, Seen, etcd_is_to_blame, expect};
use super::finding::{Code, HealthFinding};
use super::order::{Passed, order};
use super::phase::{Phase, phase};
use super::{HealthCheck, find};
use kube_aggregation::model::{Cause, HealthEndpoint, HealthSample, Minor};
use kube_aggregation::registry::{self, Registry};

/// The health of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// What each endpoint answered.
    pub answers: Vec<Answered>,
    /// How far the server is.
    pub phase: Phase,
    /// What clients get at this moment.
    pub expect: Expect,
    /// What there is to know, the worst first.
    pub findings: Vec<HealthFinding>,
    /// What passed between the first look and the last one.
    pub order: Vec<Passed>,
    /// Whether `autoregister-completion` will pass after a restart; none where the APIServices are
    /// not known.
    pub next_restart: Option<bool>,
}

impl Health {
    /// Keeps only these checks; what is left decides whether an endpoint passed.
    ///
    /// # Errors
    /// A name that no answer has.
    pub fn keep(&mut self, names: &[String]) -> Result<(), String> {
        let full = |name: &str| find(name).map_or(name, |check| check.name).to_owned();
        let wanted: Vec<String> = names.iter().map(|name| full(name)).collect();
        let is = |check: &Judged, name: &String| check.name == *name;
        for (name, wanted) in names.iter().zip(&wanted) {
            let mut all = self.answers.iter().flat_map(|one| &one.checks);
            if !all.any(|check| is(check, wanted) || is(check, name)) {
                return Err(name.clone());
            }
        }
        for one in &mut self.answers {
            let kept = |c: &Judged| wanted.iter().chain(names).any(|name| is(c, name));
            one.checks.retain(kept);
            if one.verdict.is_known() || one.verdict == HealthVerdict::CutOff {
                let failed = one.checks.iter().any(Judged::failed);
                one.verdict = if failed { HealthVerdict::Failed } else { HealthVerdict::Passed };
            }
        }
        self.answers.retain(|one| !one.checks.is_empty());
        Ok(())
    }

    /// Whether something that was asked for fails.
    pub fn fails(&self) -> bool {
        self.answers.iter().any(|one| one.verdict == HealthVerdict::Failed)
    }

    /// Whether all that was asked for passes.
    pub fn passes(&self) -> bool {
        !self.answers.is_empty()
            && self.answers.iter().all(|one| one.verdict == HealthVerdict::Passed)
    }
}

/// What the last of several looks at a server comes to, a look being an answer of each endpoint that was
/// asked; `registry` is what is known of its APIServices.
pub fn judge(
    looks: &[Vec<HealthSample>],
    minor: Option<Minor>,
    registry: Option<&Registry<'_>>,
) -> Health {
    let looks = looks.iter().map(|look| {
        let mut answers: Vec<Answered> = look.iter().flat_map(answered).collect();
        // The one that says most first, and what does not say whose it is last.
        answers.sort_by_key(|one| (one.endpoint.is_none(), one.endpoint));
        answers
    });
    let mut looks: Vec<Vec<Answered>> = looks.collect();
    let (order, differing) = (order(&looks), differing(&looks));
    let answers = looks.pop().unwrap_or_default();
    let known = registry.filter(|registry| registry.api_services_complete);
    let stuck = known.map(|registry| stuck(registry)).unwrap_or_default();
    let next_restart = known.map(|_| stuck.is_empty());
    let expect = expect(&answers, minor);
    let phase = phase(&answers, !stuck.is_empty());
    let mut findings = stuck;
    findings
        .extend(differing.map(|name| HealthFinding::new(Code::ReplicasDiffer, &[("check", name)])));
    findings.extend(found(&answers, phase));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Health { answers, phase, expect, findings, order, next_restart }
}

const STUCK: registry::Code = registry::Code::StuckBuiltInApiservice;

/// What keeps a restarted server from becoming ready.
fn stuck(registry: &Registry<'_>) -> Vec<HealthFinding> {
    let all = registry.api_services().flat_map(|(service, b)| registry.oddities(service, b));
    let all: Vec<_> = all.filter(|oddity| oddity.code == STUCK).collect();
    all.iter().map(HealthFinding::of_oddity).collect()
}

/// A text may have the answers of several endpoints.
fn answered(sample: &HealthSample) -> Vec<Answered> {
    let answers = match &sample.body {
        Ok(text) => bodies(text).map_err(HealthVerdict::Unusable),
        Err(unread) => Err(HealthVerdict::Unread(unread.clone())),
    };
    let mut answers =
        answers.unwrap_or_else(|verdict| vec![Answered { verdict, ..Answered::default() }]);
    for one in &mut answers {
        one.endpoint = one.endpoint.or(sample.endpoint);
    }
    answers
}

fn found(answers: &[Answered], phase: Phase) -> Vec<HealthFinding> {
    let seen = Seen(answers);
    let etcd = seen.failed("etcd") || seen.failed("etcd-readiness");
    let mut found = vec![];
    let mut add =
        |code: Code, facts: &[(&str, String)]| found.push(HealthFinding::new(code, facts));
    let forbidden = answers.iter().find_map(|one| match &one.verdict {
        HealthVerdict::Unread(u) if matches!(u.cause, Cause::Forbidden | Cause::Unauthorized) => {
            Some(u)
        }
        _ => None,
    });
    if let Some(unread) = forbidden {
        add(Code::ProbeForbidden, &[("said", unread.why.clone())]);
    }
    if phase == Phase::Stopping {
        add(Code::ShuttingDown, &[]);
    }
    if etcd && (phase != Phase::Stopping || etcd_is_to_blame(answers) == Some(true)) {
        add(Code::EtcdDown, &[]);
        let livez = |one: &&Answered| one.endpoint == Some(HealthEndpoint::Livez);
        let only = |one: &Answered| one.checks.iter().all(|c| !c.failed() || c.name == "etcd");
        if answers
            .iter()
            .any(|one| livez(&one) && one.verdict == HealthVerdict::Failed && only(one))
        {
            add(Code::LivezRestartsOnEtcd, &[]);
        }
    }
    for check in unique(answers, |check| check.failed()) {
        if let Some(seconds) = check.known.and_then(|known| known.fatal_after) {
            let facts = [("check", check.name.clone()), ("seconds", seconds.to_string())];
            add(Code::HookFatalSoon, &facts);
        }
    }
    let ineffective: Vec<&str> =
        answers.iter().flat_map(|one| &one.not_excluded).map(String::as_str).collect();
    if !ineffective.is_empty() {
        add(Code::ExcludeHasNoEffect, &[("checks", ineffective.join(", "))]);
    }
    let half = |a: &str, b: &str| {
        let is = |check: &Judged, name: &str| check.name == name;
        answers.iter().any(|one| {
            one.checks.iter().any(|c| is(c, a) && c.state == HealthState::Excluded)
                && one.checks.iter().any(|c| is(c, b) && c.failed())
        })
    };
    for (excluded, other) in [("etcd", "etcd-readiness"), ("etcd-readiness", "etcd")] {
        if half(excluded, other) {
            let names = format!("{excluded} without {other}");
            add(Code::ExcludeHasNoEffect, &[("checks", names)]);
        }
    }
    if matches!(phase, Phase::InstallingRoutes | Phase::Bootstrapping) {
        add(Code::Starting, &[("phase", phase.to_string())]);
    }
    let unknown: Vec<String> =
        unique(answers, |check| check.known.is_none()).map(|check| check.name.clone()).collect();
    if !unknown.is_empty() {
        add(Code::UnknownCheck, &[("checks", unknown.join(", "))]);
    }
    found
}

/// The checks of all answers that are so, each once.
fn unique(answers: &[Answered], is: fn(&Judged) -> bool) -> impl Iterator<Item = &Judged> {
    let mut seen = BTreeSet::new();
    let all = answers.iter().flat_map(|one| &one.checks);
    all.filter(move |check| is(check) && seen.insert(check.name.as_str()))
}

/// A hook that has passed in one answer and fails in a later one of the same endpoint: hooks never fail
/// again, so that another process answered.
fn differing(looks: &[Vec<Answered>]) -> Option<String> {
    let mut passed = BTreeSet::new();
    for one in looks.iter().flatten() {
        for check in one.checks.iter().filter(|check| check.known.is_some_and(HealthCheck::is_hook))
        {
            match check.state {
                HealthState::Passed => drop(passed.insert((one.endpoint, &check.name))),
                HealthState::Failed(_) if passed.contains(&(one.endpoint, &check.name)) => {
                    return Some(check.name.clone());
                }
                _ => {}
            }
        }
    }
    None
}
