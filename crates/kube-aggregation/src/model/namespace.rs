use super::Condition;

/// A Namespace, reduced to what says why it does not go away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// `status.phase` as written.
    pub phase: String,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// Its conditions by type, in the order of the status.
    pub conditions: Vec<(String, Condition)>,
}

impl Namespace {
    /// The message of its condition `NamespaceDeletionDiscoveryFailure`, where that is `True`.
    pub fn discovery_failure(&self) -> Option<&str> {
        let failed = |(kind, condition): &&(String, Condition)| {
            kind == "NamespaceDeletionDiscoveryFailure" && condition.status == "True"
        };
        self.conditions.iter().find(failed).map(|(_, condition)| condition.message.as_str())
    }
}
