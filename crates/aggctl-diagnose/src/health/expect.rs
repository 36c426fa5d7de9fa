//! Derives from the health checks which responses clients get right now.

use super::answer::{Answered, FailureReason, HealthState, HealthVerdict};
use super::check::HealthCheck;
use super::table::find;
use kube_aggregation::model::{HealthEndpoint, Minor};

/// The first version that answers 503 instead of 404 while routes are being installed.
const WAITS_SINCE: Minor = Minor::new(23);

/// The responses that clients get, by kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expect {
    /// For a path that no server serves.
    pub unknown_path: Expected,
    /// For custom resources.
    pub custom_resources: Expected,
    /// For extension API servers. Routes are installed one by one, so some may work earlier.
    pub extension: Expected,
    /// For users with permissions from RBAC.
    pub rbac_users: Expected,
}

/// The response to one kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// This status.
    Status(u16),
    /// The same as from a ready server.
    AsUsual,
    /// No response, because etcd is down.
    Hangs,
    /// The checks do not show it.
    Unknown,
}

/// Several responses, as evidence about single checks.
pub(super) struct CheckEvidence<'a>(pub(super) &'a [Answered]);

impl CheckEvidence<'_> {
    /// Returns whether a check passed; `None` if no response shows it. In `/livez` the aggregator's
    /// own checks may pass only because of `--livez-grace-period`.
    pub(super) fn passed(&self, name: &str) -> Option<bool> {
        let graced = find(name).is_some_and(HealthCheck::is_graced);
        // For each result: whether it is doubtful, and whether it passed.
        let mut results: Vec<(bool, bool)> = vec![];
        for one in self.0 {
            let livez = one.endpoint == Some(HealthEndpoint::Livez);
            let line = one.checks.iter().find(|check| check.name == name);
            let passed = match line.map(|check| &check.state) {
                Some(HealthState::Passed) => true,
                Some(HealthState::Failed(_)) => false,
                Some(HealthState::Excluded) => continue,
                // A bare "ok" means that all checks passed.
                None if one.verdict == HealthVerdict::Passed && one.checks.is_empty() => true,
                None => continue,
            };
            results.push((livez && graced && passed, passed));
        }
        // The responses are from one moment, so one failure is enough.
        let sure = || results.iter().filter(|(doubtful, _)| !doubtful);
        sure().any(|(_, passed)| !passed).then_some(false).or_else(|| sure().next().map(|_| true))
    }

    /// Returns whether a check is known to fail.
    pub(super) fn failed(&self, name: &str) -> bool {
        self.passed(name) == Some(false)
    }
}

pub(super) fn expect(answers: &[Answered], minor: Option<Minor>) -> Expect {
    use Expected::{AsUsual, Hangs, Status, Unknown};
    let seen = CheckEvidence(answers);
    let etcd = seen.failed("etcd") || seen.failed("etcd-readiness");
    if seen.failed("shutdown") && etcd && etcd_is_to_blame(answers) != Some(true) {
        // The shutdown delay may be over. Then clients briefly get 503 or 429, and later no
        // connection.
        let gone = etcd_is_to_blame(answers).map_or(Unknown, |_| Status(503));
        return Expect {
            unknown_path: gone,
            custom_resources: gone,
            extension: gone,
            rbac_users: Unknown,
        };
    }
    let waits = minor.is_none_or(|minor| minor >= WAITS_SINCE);
    let crds = seen.passed("poststarthook/crd-informer-synced");
    let routes = seen.passed("poststarthook/apiservice-registration-controller");
    let unknown_path = match (crds, routes) {
        _ if !waits => Status(404),
        (Some(false), _) | (_, Some(false)) => Status(503),
        (Some(true), Some(true)) => Status(404),
        _ => Unknown,
    };
    let before = |synced: Option<bool>| match synced {
        Some(false) if waits => Status(503),
        Some(false) => Status(404),
        Some(true) => AsUsual,
        None => Unknown,
    };
    let custom_resources = match before(crds) {
        AsUsual if etcd => Hangs,
        other => other,
    };
    let rbac_users = match (unsynced_roles(answers), bootstrapped(&seen)) {
        (Some(true), _) => Status(403),
        // A restarted server already has its roles, a new one does not.
        (Some(false), Some(true)) => AsUsual,
        _ => Unknown,
    };
    Expect { unknown_path, custom_resources, extension: before(routes), rbac_users }
}

/// Returns whether the etcd checks fail because of etcd; `None` if no reason shows it. During
/// shutdown a server fails these checks itself.
pub(super) fn etcd_is_to_blame(answers: &[Answered]) -> Option<bool> {
    let checks = answers.iter().flat_map(|one| &one.checks);
    let mut reasons =
        checks.filter(|check| check.name.starts_with("etcd")).filter_map(|check| check.stated());
    reasons.next().map(|reason| !reason.contains("shutting down"))
}

/// Returns whether the etcd checks fail only because the server has not connected to etcd yet, or
/// had not a moment ago.
pub(super) fn is_connecting_to_etcd(answers: &[Answered]) -> bool {
    let checks = answers.iter().flat_map(|one| &one.checks);
    let failed = checks.filter(|check| check.failed() && check.name.starts_with("etcd"));
    let reasons = failed.filter_map(|check| check.failure());
    let mut reasons = reasons.filter(|reason| **reason != FailureReason::Withheld).peekable();
    let connecting = |reason: &FailureReason| match reason {
        FailureReason::Stated(words) => words.contains("not yet established"),
        other => *other == FailureReason::PassedSince,
    };
    reasons.peek().is_some() && reasons.all(connecting)
}

/// Returns whether roles or bindings are not synced yet:
/// `2 informers not started yet: [*v1.ClusterRole …]`. Returns `None` if the server withholds which
/// informers are not synced.
fn unsynced_roles(answers: &[Answered]) -> Option<bool> {
    let checks = answers.iter().flat_map(|one| &one.checks);
    let failed = checks.filter(|check| check.name == "informer-sync");
    let reasons: Vec<_> = failed.filter_map(|check| check.failure()).collect();
    let is_role = |name: &str| {
        let kind = name.rsplit('.').next().unwrap_or_default().trim_end_matches(']');
        matches!(kind, "Role" | "RoleBinding" | "ClusterRole" | "ClusterRoleBinding")
    };
    match reasons.iter().find(|reason| ***reason != FailureReason::Withheld) {
        Some(FailureReason::Stated(words)) => Some(words.split([' ', '[']).any(is_role)),
        None if !reasons.is_empty() => None,
        _ => Some(false),
    }
}

fn bootstrapped(seen: &CheckEvidence<'_>) -> Option<bool> {
    seen.passed("poststarthook/rbac/bootstrap-roles")
}
