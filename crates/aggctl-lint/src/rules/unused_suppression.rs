//! Rule: a suppression matches nothing.

use crate::{Category, Confidence, Finding, Place, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unused-suppression",
    category: Category::Input,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

/// Reports a suppression that was not needed.
pub(crate) fn unused(place: Place, name: &str) -> Finding {
    Finding::new(&RULE, place, format!("`{name}` is allowed here, but reports nothing"))
}

/// Reports a suppression of an unknown rule.
pub(crate) fn unknown(place: Place, name: &str, near: Option<&str>) -> Finding {
    let finding = Finding::new(&RULE, place, format!("there is no rule `{name}` to allow"));
    match near {
        Some(rule) => finding.help(format!("did you mean `{rule}`?")),
        None => finding.help("check its spelling"),
    }
}
