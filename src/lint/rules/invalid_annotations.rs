//! An annotation has a key that is not allowed, or all are too large.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-annotations",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "An annotation has a key that is not allowed, or all are too large",
    docs: Docs {
        what: "Reports annotation keys that break Kubernetes' rules for them, and annotations of \
               more than 256 KiB together.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-annotations/example.yaml"),
        remedy: "Keys are `name` or `prefix/name`. Large data belongs elsewhere.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::Annotations, out);
}
