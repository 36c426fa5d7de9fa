//! Rule: a suppression has no reason.

use crate::{Category, Confidence, Finding, Place, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "suppression-without-reason",
    category: Category::Input,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

/// Reports a suppression without a reason.
pub(crate) fn finding(place: Place, name: &str, by: &str) -> Finding {
    let help = match by {
        "annotation" => format!("write `allow.aggctl/{name}: <reason>`"),
        "comment" => format!("write `# aggctl: allow {name} -- <reason>`"),
        _ => "write `reason = \"<reason>\"` into this entry".to_owned(),
    };
    Finding::new(&RULE, place, format!("`{name}` is allowed here without a reason")).help(help)
}
