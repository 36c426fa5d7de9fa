//! The Service's certificate is not verified.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "insecure-skip-tls-verify",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The Service's certificate is not verified",
    docs: Docs {
        what: "Reports `insecureSkipTLSVerify: true`.",
        why: "Whoever can answer at the Service's address receives the requests of all users, with \
               their names and groups, and can answer them.",
        example: include_str!("../../../testdata/lint/insecure-skip-tls-verify/example.yaml"),
        remedy: "Remove it and give a `caBundle`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    if service.insecure_skip_tls_verify && service.service.is_some() {
        let message = "the certificate of the Service is not verified";
        let finding = service.finding(&RULE, "spec.insecureSkipTLSVerify", message);
        out.push(finding.help("give a caBundle instead"));
    }
}
