use super::Condition;

/// A Namespace, reduced to what tells why its deletion does not finish.
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
    /// Whether it is being deleted.
    pub fn is_terminating(&self) -> bool {
        self.deleted.is_some() || self.phase == "Terminating"
    }

    /// The message of its condition `NamespaceDeletionDiscoveryFailure`, where that is `True`.
    pub fn discovery_failure(&self) -> Option<&str> {
        let failed = |(kind, condition): &&(String, Condition)| {
            kind == "NamespaceDeletionDiscoveryFailure" && condition.status == "True"
        };
        self.conditions.iter().find(failed).map(|(_, condition)| condition.message.as_str())
    }
}
