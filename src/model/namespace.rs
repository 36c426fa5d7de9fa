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
