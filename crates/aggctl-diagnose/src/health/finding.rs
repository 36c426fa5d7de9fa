//! What there is to say about the health of a server. The words are those of the entry of each code.

use crate::knowledge;
use kube_aggregation::model::{Severity, codes};
use kube_aggregation::registry::Anomaly;

codes! {
    /// Something about the health of a server that aggctl names.
    /// etcd does not answer.
    EtcdDown = "etcd-down",
    /// Somebody excludes a check that is none, or one of two that belong together.
    ExcludeHasNoEffect = "exclude-has-no-effect",
    /// The process ends soon unless a hook finishes.
    HookFatalSoon = "hook-fatal-soon",
    /// A liveness probe restarts a server that would recover.
    LivezRestartsOnEtcd = "livez-restarts-on-etcd",
    /// The server does not tell who asks.
    ProbeForbidden = "probe-forbidden",
    /// Two answers that one process does not give.
    ReplicasDiffer = "replicas-differ",
    /// It got SIGTERM.
    ShuttingDown = "shutting-down",
    /// It has not finished its start.
    Starting = "starting",
    /// A check that plain Kubernetes does not have.
    UnknownCheck = "unknown-check",
}

/// Something to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthFinding {
    /// The name of its entry.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is so, in a sentence.
    pub message: String,
    /// Why that matters, in a sentence or two.
    pub why: String,
    /// What to do about it, and a command, if one helps.
    pub next: Option<(String, Option<String>)>,
}

impl HealthFinding {
    /// What the entry of a code says, with its places filled.
    pub(super) fn new(code: Code, facts: &[(&str, String)]) -> Self {
        let fill = |place: &str| {
            facts.iter().find(|(name, _)| *name == place).map(|(_, value)| value.clone())
        };
        Self::of(code.as_str(), &fill, "")
    }

    /// The same of something odd that the registry found.
    pub(super) fn of_oddity(oddity: &Anomaly<'_>) -> Self {
        let about = format!("{}: ", oddity.subject);
        Self::of(oddity.code.as_str(), &|place| oddity.fill(place), &about)
    }

    fn of(code: &'static str, fill: &dyn Fn(&str) -> Option<String>, about: &str) -> Self {
        let words = knowledge::worded(code, fill);
        Self {
            code,
            severity: knowledge::severity(code),
            message: format!("{about}{}", words.says),
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
