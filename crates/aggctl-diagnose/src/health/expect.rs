//! What clients get at this moment, as far as the checks tell.

use super::{Answered, HealthState, HealthVerdict, find};
use kube_aggregation::model::{HealthEndpoint, Minor};

/// The first version that answers 503 where a route may still come; before, it was 404.
const WAITS_SINCE: Minor = Minor::new(23);

/// What clients get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expect {
    /// For a path that nobody has.
    pub unknown_path: Expected,
    /// For custom resources.
    pub custom_resources: Expected,
    /// From extension API servers: routes come one by one, so that some may answer before.
    pub extension: Expected,
    /// Users whose rights come from RBAC.
    pub rbac_users: Expected,
}

/// What a kind of request gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// That status.
    Status(u16),
    /// What it gets from a server that is ready.
    AsUsual,
    /// No answer: it needs etcd.
    Hangs,
    /// The checks do not tell.
    Unknown,
}

/// What several answers tell of one check.
pub(super) struct Seen<'a>(pub(super) &'a [Answered]);

impl Seen<'_> {
    /// Whether a check passed; none where nothing tells. `/readyz` tells most; in `/livez` the
    /// aggregator's own may pass because of `--livez-grace-period`.
    pub(super) fn passed(&self, name: &str) -> Option<bool> {
        let graced = find(name).is_some_and(super::HealthCheck::is_graced);
        let mut told: Vec<(bool, bool)> = vec![];
        for one in self.0 {
            let livez = one.endpoint == Some(HealthEndpoint::Livez);
            let line = one.checks.iter().find(|check| check.name == name);
            let passed = match line.map(|check| &check.state) {
                Some(HealthState::Passed) => true,
                Some(HealthState::Failed(_)) => false,
                Some(HealthState::Excluded) => continue,
                // "ok" stands for all of them.
                None if one.verdict == HealthVerdict::Passed && one.checks.is_empty() => true,
                None => continue,
            };
            told.push((livez && graced && passed, passed));
        }
        // One that failed anywhere fails: the answers are of one moment.
        let sure = || told.iter().filter(|(doubtful, _)| !doubtful);
        sure().any(|(_, passed)| !passed).then_some(false).or_else(|| sure().next().map(|_| true))
    }

    /// Whether a check is known to fail.
    pub(super) fn failed(&self, name: &str) -> bool {
        self.passed(name) == Some(false)
    }
}

pub(super) fn expect(answers: &[Answered], minor: Option<Minor>) -> Expect {
    use Expected::{AsUsual, Hangs, Status, Unknown};
    let seen = Seen(answers);
    let etcd = seen.failed("etcd") || seen.failed("etcd-readiness");
    if seen.failed("shutdown") && etcd && etcd_is_to_blame(answers) != Some(true) {
        // The delay may be over: a moment of 503 or 429, then nobody listens.
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
        // A restart knows its roles already, a first start does not.
        (Some(false), Some(true)) => AsUsual,
        _ => Unknown,
    };
    Expect { unknown_path, custom_resources, extension: before(routes), rbac_users }
}

/// Whether the checks of etcd fail because of etcd: at its very end a server fails them itself. None
/// where no reason tells.
pub(super) fn etcd_is_to_blame(answers: &[Answered]) -> Option<bool> {
    let checks = answers.iter().flat_map(|one| &one.checks);
    let mut reasons =
        checks.filter(|check| check.name.starts_with("etcd")).filter_map(|c| c.reason());
    reasons.next().map(|reason| !reason.contains("shutting down"))
}

/// Whether roles or their bindings are not listed yet: `2 informers not started yet: [*v1.ClusterRole …]`.
/// None where some informer is not synced, and the server does not tell which.
fn unsynced_roles(answers: &[Answered]) -> Option<bool> {
    let checks = || answers.iter().flat_map(|one| &one.checks);
    let failed: Vec<_> =
        checks().filter(|check| check.name == "informer-sync" && check.failed()).collect();
    let reason = failed.iter().find_map(|check| check.reason());
    let is_role = |name: &str| {
        let kind = name.rsplit('.').next().unwrap_or_default().trim_end_matches(']');
        matches!(kind, "Role" | "RoleBinding" | "ClusterRole" | "ClusterRoleBinding")
    };
    match (failed.is_empty(), reason) {
        (true, _) => Some(false),
        (false, Some(reason)) => Some(reason.split([' ', '[']).any(is_role)),
        (false, None) => None,
    }
}

fn bootstrapped(seen: &Seen<'_>) -> Option<bool> {
    seen.passed("poststarthook/rbac/bootstrap-roles")
}
