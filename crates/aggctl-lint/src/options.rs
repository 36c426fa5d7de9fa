//! The options of a lint run.

use super::config::Config;

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

impl LintOptions {
    /// Completes the options with the selections of a configuration file.
    pub(super) fn completed(&self, config: Config) -> Self {
        let or = |own: &[String], file: Vec<toml::Spanned<String>>| match own {
            [] => file.into_iter().map(toml::Spanned::into_inner).collect(),
            own => own.to_vec(),
        };
        Self {
            select: or(&self.select, config.select),
            ignore: or(&self.ignore, config.ignore),
            ..*self
        }
    }
}
