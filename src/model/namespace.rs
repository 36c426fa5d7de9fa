/// A namespace, reduced to whether it goes, and whether discovery keeps it from going.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// The message of its condition `NamespaceDeletionDiscoveryFailure`, where that is `True`.
    pub discovery_failure: Option<String>,
}
