//! Namespaces, and why one is stuck in Terminating.

use super::Condition;

/// A Namespace, reduced to what explains why it is stuck in Terminating.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// `status.phase` as written.
    pub phase: String,
    /// `metadata.deletionTimestamp` as written, if it is being deleted.
    pub deleted: Option<String>,
    /// Its conditions by type, in the order of the status.
    pub conditions: Vec<(String, Condition)>,
}

impl Namespace {
    /// Returns whether it is being deleted.
    pub fn is_terminating(&self) -> bool {
        self.deleted.is_some() || self.phase == "Terminating"
    }

    /// Returns the message of its condition `NamespaceDeletionDiscoveryFailure` if that is `True`.
    pub fn discovery_failure(&self) -> Option<&str> {
        let failed = |(kind, condition): &&(String, Condition)| {
            kind == "NamespaceDeletionDiscoveryFailure" && condition.status == "True"
        };
        self.conditions.iter().find(failed).map(|(_, condition)| condition.message.as_str())
    }
}
