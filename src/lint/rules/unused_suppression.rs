//! A suppression that matches nothing.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{Confidence, Finding, Place, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unused-suppression",
    category: Category::Input,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "A suppression that matches nothing",
    docs: Docs {
        what: "Reports an annotation, a comment or an entry of `aggctl.toml` that allows a rule \
               which finds nothing there, or that does not exist.",
        why: "What it was for is gone, or it never worked because of a typo. Left there, it hides \
               the next real finding.",
        example: include_str!("../../../testdata/lint/unused-suppression/example.yaml"),
        remedy: "Remove it, or correct the name of the rule.",
    },
    check: Check::Engine,
};

/// A suppression that was not needed.
pub(in crate::lint) fn unused(place: Place, name: &str) -> Finding {
    Finding::new(&RULE, place, format!("`{name}` is allowed here, but finds nothing"))
}

/// A suppression of a rule that does not exist.
pub(in crate::lint) fn unknown(place: Place, name: &str, near: Option<&str>) -> Finding {
    let finding = Finding::new(&RULE, place, format!("there is no rule `{name}` to allow"));
    match near {
        Some(rule) => finding.help(format!("did you mean `{rule}`?")),
        None => finding.help("`aggctl rules` lists all rules"),
    }
}
