//! How a run is set up.

use super::config::Config;
use super::rule::{Category, Rule};
use super::rules;

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

impl LintOptions {
    /// Completes what was asked for by the selections of a configuration file.
    pub(super) fn completed(&self, config: Config) -> Self {
        let or = |own: &[String], file| if own.is_empty() { file } else { own.to_vec() };
        Self {
            select: or(&self.select, config.select),
            ignore: or(&self.ignore, config.ignore),
            ..*self
        }
    }

    /// Whether a rule takes part.
    ///
    /// What says that a file could not be read takes part even where other
    /// rules are selected: "could not look" must not read as "clean". To ignore it takes its own
    /// name, that of its category is not enough.
    pub fn enabled(&self, rule: &Rule) -> bool {
        let is = |name: &str| rules::find(name).is_some_and(|found| found.name == rule.name);
        let named =
            |list: &[String]| list.iter().any(|name| is(name) || name == rule.category.as_str());
        let ignored = match rule.name {
            "syntax-error" | "unrendered-template" => self.ignore.iter().any(|name| is(name)),
            _ => named(&self.ignore),
        };
        !ignored
            && (self.select.is_empty() || rule.category == Category::Input || named(&self.select))
    }
}
