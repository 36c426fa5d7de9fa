//! A document that is neither YAML nor JSON.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{Confidence, Finding, Place, Severity};

pub(super) static RULE: Rule = Rule {
    name: "syntax-error",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "A document that is neither YAML nor JSON",
    docs: Docs {
        what: "Reports a document that cannot be parsed, at the place where the parser gave up. The \
               other documents of the file are still checked.",
        why: "Nothing in it was checked, and nothing in it can be applied.",
        example: include_str!("../../../testdata/lint/syntax-error/example.yaml"),
        remedy: "Correct the text at the place that is named. Tabs do not indent YAML, and a `:` or \
               `#` inside of a value needs quotes.",
    },
    check: Check::Engine,
};

/// A document that could not be parsed.
pub(in crate::lint) fn finding(place: Place, problem: &str) -> Finding {
    Finding::new(&RULE, place, format!("this cannot be parsed: {problem}"))
}
