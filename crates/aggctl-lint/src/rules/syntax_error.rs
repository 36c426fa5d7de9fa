//! Rule: a document is neither YAML nor JSON.

use crate::{Category, Confidence, Finding, Place, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "syntax-error",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

/// Reports a document that could not be parsed.
pub(crate) fn finding(place: Place, problem: &str) -> Finding {
    Finding::new(&RULE, place, format!("this cannot be parsed: {problem}"))
}
