//! A suppression that does not say why.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{Confidence, Finding, Place, Severity};

pub(super) static RULE: Rule = Rule {
    name: "suppression-without-reason",
    category: Category::Input,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "A suppression that does not say why",
    docs: Docs {
        what: "Reports an annotation, a comment or an entry of `aggctl.toml` that allows a rule \
               without giving a reason. It still works.",
        why: "Whoever reads it later cannot know whether it is still needed.",
        example: include_str!("../../../testdata/lint/suppression-without-reason/example.yaml"),
        remedy: "Say why: `# aggctl: allow missing-ca-bundle -- injected by the operator`.",
    },
    check: Check::Engine,
};

/// A suppression without a reason.
pub(in crate::lint) fn finding(place: Place, name: &str) -> Finding {
    Finding::new(&RULE, place, format!("`{name}` is allowed here without a reason"))
        .help(format!("write `allow {name} -- <reason>`"))
}
