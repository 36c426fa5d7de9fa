//! No certificate of the caBundle is an authority.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ca-bundle-without-ca",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "No certificate of the caBundle is an authority",
    docs: Docs {
        what: "Reports a `spec.caBundle` in which no certificate may sign others (basic constraints \
               `CA:TRUE`).",
        why: "Such a certificate verifies only itself: it works while the Service presents this \
               very certificate, and breaks at its next renewal.",
        example: include_str!("../../../testdata/lint/ca-bundle-without-ca/example.yaml"),
        remedy: "Put the certificate of the authority that signed the serving certificate there.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(bundle) = service.bundle() else { return };
    let Some(first) = bundle.certificates.first() else { return };
    if bundle.certificates.iter().all(|c| !c.ca) {
        let message = format!(
            "no certificate of the caBundle is an authority; `{}` verifies only itself",
            first.subject
        );
        out.push(service.finding(&RULE, "spec.caBundle", message));
    }
}
