//! Reports of the linter, one file a format, and the reference of its rules.

mod diff;
mod github;
mod json;
mod junit;
mod rules;
mod sarif;
mod text;

pub use diff::diff;
pub use github::github;
pub use json::{json, lines, names};
pub use junit::junit;
pub use rules::{rule_json, rule_markdown, rule_text, rules_markdown, rules_table};
pub use sarif::sarif;
pub use text::{Style, summary, text};
