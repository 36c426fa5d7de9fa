//! The extension server may not ask the API server who a user is and what he may do.

use super::not_granted;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-auth-delegator",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not ask the API server who a user is and what he may do",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account that no ClusterRoleBinding of the input gives \
               `system:auth-delegator`.",
        why: "An extension server delegates authentication and authorization to the API server. \
               Without that role it answers 403 or 500, often only to some requests.",
        example: include_str!("../../../testdata/lint/missing-auth-delegator/example.yaml"),
        remedy: "Bind the ClusterRole `system:auth-delegator` to the service account. If it has the \
               same rights another way, allow this rule with that reason.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    const ROLE: &str = "system:auth-delegator";
    not_granted(service, scope, &RULE, ROLE, out, |grant| {
        let (kind, name) = &grant.role;
        grant.everywhere && kind == "ClusterRole" && name == ROLE
    });
}
