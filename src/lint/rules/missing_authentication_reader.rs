//! The extension server may not read how to trust the API server.

use super::not_granted;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-authentication-reader",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not read how to trust the API server",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account that no RoleBinding in `kube-system` gives `extension- \
               apiserver-authentication-reader`.",
        why: "The extension server needs that ConfigMap to verify the API server's client \
               certificate. Without it, it does not start, or treats everybody as anonymous.",
        example: include_str!("../../../testdata/lint/missing-authentication-reader/example.yaml"),
        remedy: "Bind the Role `extension-apiserver-authentication-reader` in `kube-system` to the \
               service account.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    const ROLE: &str = "extension-apiserver-authentication-reader";
    not_granted(service, scope, &RULE, ROLE, out, |grant| {
        let there = grant.namespace.as_deref().is_none_or(|n| n == "kube-system");
        !grant.everywhere && there && grant.role.1 == ROLE
    });
}
