//! Issues with the health of a server, worded by the knowledge entry of each code.

use crate::knowledge;
use kube_aggregation::model::{Severity, codes};
use kube_aggregation::registry::Anomaly;

codes! {
    /// An issue with the health of a server.
    /// etcd does not answer.
    EtcdDown = "etcd-down",
    /// An excluded name is not a check, or is one of two that belong together.
    ExcludeHasNoEffect = "exclude-has-no-effect",
    /// The process exits soon unless a hook finishes.
    HookFatalSoon = "hook-fatal-soon",
    /// A liveness probe restarts a server that would recover.
    LivezRestartsOnEtcd = "livez-restarts-on-etcd",
    /// The server denies access to its health endpoints.
    ProbeForbidden = "probe-forbidden",
    /// Two answers that cannot be from one process.
    ReplicasDiffer = "replicas-differ",
    /// The server got SIGTERM.
    ShuttingDown = "shutting-down",
    /// The server has not finished its start.
    Starting = "starting",
    /// A check that plain Kubernetes does not have.
    UnknownCheck = "unknown-check",
}

/// One issue, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthFinding {
    /// The name of its entry.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What the issue is, as a sentence.
    pub message: String,
    /// Why it matters, in a sentence or two.
    pub why: String,
    /// What to do about it, and a command, if one helps.
    pub next: Option<(String, Option<String>)>,
}

impl HealthFinding {
    /// Describes a code with its entry.
    pub(super) fn new(code: Code, facts: &[(&str, String)]) -> Self {
        let fill = |place: &str| {
            facts.iter().find(|(name, _)| *name == place).map(|(_, value)| value.clone())
        };
        Self::of(code.as_str(), &fill, "")
    }

    /// Describes an anomaly of the registry.
    pub(super) fn of_anomaly(anomaly: &Anomaly<'_>) -> Self {
        let about = format!("{}: ", anomaly.subject);
        Self::of(anomaly.code.as_str(), &|place| anomaly.fill(place), &about)
    }

    fn of(code: &'static str, fill: &dyn Fn(&str) -> Option<String>, about: &str) -> Self {
        let words = knowledge::describe_code(code, fill);
        Self {
            code,
            severity: knowledge::severity(code),
            message: format!("{about}{}", words.what),
            why: words.why,
            next: knowledge::next_of(code, fill),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_an_entry_with_its_words() {
        assert!(Code::ALL.is_sorted_by_key(|code| code.as_str()));
        for code in Code::ALL {
            let finding = HealthFinding::new(code, &[]);
            assert!(!finding.message.is_empty() && finding.why.ends_with('.'), "{code}");
            assert!(finding.next.is_some(), "{code}");
        }
    }
}
