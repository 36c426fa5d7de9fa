//! Evaluates the responses of health endpoints: the phase of the server, its issues, and what
//! clients get.

use std::collections::BTreeSet;
use std::fmt;

use super::answer::{Answered, CheckResult, HealthState, HealthVerdict};
use super::body::bodies;
use super::check::HealthCheck;
use super::expect::{
    CheckEvidence, Expect, Expected, etcd_is_to_blame, expect, is_connecting_to_etcd,
};
use super::finding::{Code, HealthFinding};
use super::order::{Passed, order};
use super::phase::{Phase, phase};
use super::table::find;
use kube_aggregation::model::{Cause, HealthEndpoint, HealthSample, Minor, Snapshot, Unread};
use kube_aggregation::registry::{self, Registry};

/// The health of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The response of each endpoint.
    pub answers: Vec<Answered>,
    /// The phase of the server's life.
    pub phase: Phase,
    /// The responses that clients get right now.
    pub expect: Expect,
    /// Issues, the worst first.
    pub findings: Vec<HealthFinding>,
    /// The checks that passed between the first and the last sample, in order.
    pub order: Vec<Passed>,
    /// Whether `autoregister-completion` will pass after a restart; `None` if the APIServices are
    /// unknown.
    pub next_restart: Option<bool>,
}

/// The name of a check that no response contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCheck(pub String);

impl fmt::Display for UnknownCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no response has a check {:?}", self.0)
    }
}

impl std::error::Error for UnknownCheck {}

impl Health {
    /// Keeps only these checks. They alone decide whether an endpoint passed.
    ///
    /// # Errors
    /// If no response contains one of them.
    pub fn keep(&mut self, names: &[String]) -> Result<(), UnknownCheck> {
        let full = |name: &str| find(name).map_or(name, |check| check.name).to_owned();
        let wanted: Vec<String> = names.iter().map(|name| full(name)).collect();
        let is = |check: &CheckResult, name: &String| check.name == *name;
        for (name, wanted) in names.iter().zip(&wanted) {
            let mut all = self.answers.iter().flat_map(|one| &one.checks);
            if !all.any(|check| is(check, wanted) || is(check, name)) {
                return Err(UnknownCheck(name.clone()));
            }
        }
        for one in &mut self.answers {
            let kept = |c: &CheckResult| wanted.iter().chain(names).any(|name| is(c, name));
            one.checks.retain(kept);
            if one.verdict.is_known() || one.verdict == HealthVerdict::CutOff {
                let failed = one.checks.iter().any(CheckResult::failed);
                one.verdict = if failed { HealthVerdict::Failed } else { HealthVerdict::Passed };
            }
        }
        self.answers.retain(|one| !one.checks.is_empty());
        Ok(())
    }

    /// Returns whether any endpoint fails.
    pub fn fails(&self) -> bool {
        self.answers.iter().any(|one| one.verdict == HealthVerdict::Failed)
    }

    /// Returns whether the server is healthy. `/readyz` decides, because it includes the checks of
    /// the other endpoints. Without it, all endpoints must pass.
    pub fn passes(&self) -> bool {
        let passed = |one: &Answered| one.verdict == HealthVerdict::Passed;
        let is_ready = |one: &Answered| one.endpoint == Some(HealthEndpoint::Readyz) && passed(one);
        let decides = self.answers.iter().any(is_ready) || self.answers.iter().all(passed);
        !self.answers.is_empty() && !self.fails() && decides
    }

    /// Returns the endpoints that could not be read, and why.
    pub fn unread(&self) -> impl Iterator<Item = (Option<HealthEndpoint>, &Unread)> {
        self.answers.iter().filter_map(|one| match &one.verdict {
            HealthVerdict::Unread(unread) => Some((one.endpoint, unread)),
            _ => None,
        })
    }
}

/// Evaluates repeated samples of a server. Each round has one sample per endpoint. The last round
/// counts; the earlier ones show what changed. `registry` contains the server's APIServices, if
/// they are known.
pub fn judge(
    looks: &[Vec<HealthSample>],
    minor: Option<Minor>,
    registry: Option<&Registry<'_>>,
) -> Health {
    let looks = looks.iter().map(|look| {
        let mut answers: Vec<Answered> = look.iter().flat_map(answered).collect();
        // `/readyz` first, responses without an endpoint last.
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

/// Returns whether the server of a snapshot was starting and answers 503 instead of 404.
pub fn is_installing_routes(snapshot: &Snapshot) -> bool {
    !snapshot.health.is_empty() && {
        let health = judge(std::slice::from_ref(&snapshot.health), snapshot.minor(), None);
        health.expect.unknown_path == Expected::Status(503)
    }
}

const STUCK: registry::Code = registry::Code::StuckBuiltInApiservice;

/// Finds the built-in APIServices that keep a restarted server from becoming ready.
fn stuck(registry: &Registry<'_>) -> Vec<HealthFinding> {
    let all = registry.api_services().flat_map(|(service, b)| registry.anomalies(service, b));
    let all: Vec<_> = all.filter(|anomaly| anomaly.code == STUCK).collect();
    all.iter().map(HealthFinding::of_anomaly).collect()
}

/// Parses a sample, which may contain the responses of several endpoints.
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
    let seen = CheckEvidence(answers);
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
    // The first connection to etcd takes a moment.
    let starting = matches!(phase, Phase::InstallingRoutes | Phase::Bootstrapping);
    let etcd = etcd && !(starting && is_connecting_to_etcd(answers));
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
        let is = |check: &CheckResult, name: &str| check.name == name;
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

/// Returns the distinct checks that match a predicate.
fn unique(
    answers: &[Answered],
    is: fn(&CheckResult) -> bool,
) -> impl Iterator<Item = &CheckResult> {
    let mut seen = BTreeSet::new();
    let all = answers.iter().flat_map(|one| &one.checks);
    all.filter(move |check| is(check) && seen.insert(check.name.as_str()))
}

/// Finds a hook that passed in one response and fails in a later one of the same endpoint. Hooks
/// never fail again, so a different process must have answered.
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
