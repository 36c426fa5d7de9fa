//! An APIService without a Service has TLS settings.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "local-with-tls-settings",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "An APIService without a Service has TLS settings",
    docs: Docs {
        what: "Reports `caBundle` or `insecureSkipTLSVerify` where there is no `spec.service`.",
        why: "The server answers 422: a local APIService is served by the API server itself.",
        example: include_str!("../../../testdata/lint/local-with-tls-settings/example.yaml"),
        remedy: "Add the `service` that was meant, or remove the TLS settings.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::LocalTls, out);
}
