//! The Service is the API server itself.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "service-is-the-api-server",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The Service is the API server itself",
    docs: Docs {
        what: "Reports an APIService that leads to `default/kubernetes`.",
        why: "The API server then sends each request to itself, and again, until it fails.",
        example: include_str!("../../../testdata/lint/service-is-the-api-server/example.yaml"),
        remedy: "Name the Service of the extension server. For a group version that CRDs serve, no \
               APIService is needed: the server makes one.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    if target.id() == "default/kubernetes" {
        let message =
            "the Service default/kubernetes is the API server itself: requests go in a circle";
        out.push(service.finding(&RULE, "spec.service.name", message));
    }
}
