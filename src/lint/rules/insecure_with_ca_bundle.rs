//! insecureSkipTLSVerify and a caBundle exclude each other.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "insecure-with-ca-bundle",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "insecureSkipTLSVerify and a caBundle exclude each other",
    docs: Docs {
        what: "Reports `insecureSkipTLSVerify: true` together with a `caBundle`.",
        why: "The server answers 422. Injectors that add a caBundle to an insecure APIService fail \
               in the same way.",
        example: include_str!("../../../testdata/lint/insecure-with-ca-bundle/example.yaml"),
        remedy: "Remove `insecureSkipTLSVerify`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::TlsConflict, out);
}
