//! The options of a lint run.

/// What to check, and against what.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// The minor version of the server to validate for.
    pub minor: u32,
    /// The current time for certificates, in seconds since 1970.
    pub now: i64,
    /// How long a certificate must remain valid, in seconds.
    pub expires_within: i64,
    /// Rules and categories to run; all if empty.
    pub select: Vec<String>,
    /// Rules and categories to skip.
    pub ignore: Vec<String>,
}
