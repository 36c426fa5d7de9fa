//! The certificates of the caBundle have expired.

use crate::certificate::date;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-expired",
    category: Category::Certificates,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The certificates of the caBundle have expired",
    docs: Docs {
        what: "Reports a `spec.caBundle` in which no certificate is valid any more; and, as a note, \
               one that holds an expired certificate beside valid ones.",
        why: "The connection to the Service fails with `x509: certificate has expired or is not \
               yet valid`, and the whole group version answers 503.",
        example: include_str!("../../../testdata/lint/ca-bundle-expired/example.yaml"),
        remedy: "Replace the authority's certificate, or let cert-manager inject it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let expired = bundle.certificates.iter().filter(|c| c.not_after < scope.options.now);
    let Some(last) = expired.clone().max_by_key(|c| c.not_after) else { return };
    let whose = format!("`{}` expired on {}", last.subject, date(last.not_after));
    let finding = if expired.count() == bundle.certificates.len() {
        service.finding(&RULE, "spec.caBundle", format!("the caBundle's certificate {whose}"))
    } else {
        let message = format!("one of the caBundle's certificates, {whose}");
        service.finding(&RULE, "spec.caBundle", message).severity(Severity::Info)
    };
    out.push(finding);
}
