//! How a run is set up.

/// What to check, and against what.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// The minor version of the server to judge for.
    pub minor: u32,
    /// The time that certificates are compared with, in seconds since 1970.
    pub now: i64,
    /// How long a certificate must still be valid, in seconds.
    pub expires_within: i64,
    /// Only these rules and categories; all where it is empty.
    pub select: Vec<String>,
    /// Not these rules and categories.
    pub ignore: Vec<String>,
}
