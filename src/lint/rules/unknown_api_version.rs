//! The apiVersion is none of an APIService.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unknown-api-version",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "The apiVersion is none of an APIService",
    docs: Docs {
        what: "Reports an APIService whose apiVersion no Kubernetes has ever served, or that has \
               none.",
        why: "The server does not find the kind.",
        example: include_str!("../../../testdata/lint/unknown-api-version/example.yaml"),
        remedy: "Write `apiVersion: apiregistration.k8s.io/v1`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::UnknownApiVersion, out);
}
