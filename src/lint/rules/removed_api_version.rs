//! The manifest uses an apiVersion that the server no longer serves.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Fix, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "removed-api-version",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: true,
    summary: "The manifest uses an apiVersion that the server no longer serves",
    docs: Docs {
        what: "Reports `apiregistration.k8s.io/v1beta1`, which Kubernetes 1.22 removed. \
               `--kubernetes-version` decides whether it still exists.",
        why: "The server does not find the kind, and the install fails.",
        example: include_str!("../../../testdata/lint/removed-api-version/example.yaml"),
        remedy: "Write `apiVersion: apiregistration.k8s.io/v1`: the fields are the same. `--fix` does \
               it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let first = out.len();
    refused(service, &RULE, Refusal::RemovedApiVersion, out);
    for finding in &mut out[first..] {
        let title = "use apiregistration.k8s.io/v1";
        finding.fix = Fix::set(service, &["apiVersion"], "apiregistration.k8s.io/v1", title);
    }
}
