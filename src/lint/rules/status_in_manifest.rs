//! The manifest has a status.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Fix, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "status-in-manifest",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: true,
    summary: "The manifest has a status",
    docs: Docs {
        what: "Reports a `status` in a manifest.",
        why: "The server ignores it on create, and it makes diffs and GitOps tools see changes \
               that nobody can apply. It usually comes from `kubectl get -o yaml`.",
        example: include_str!("../../../testdata/lint/status-in-manifest/example.yaml"),
        remedy: "Remove it. `--fix` does it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    if service.node(&["status"]).is_some() {
        let message = "status belongs to the server, which ignores it here";
        let mut finding = service.finding(&RULE, "status", message);
        finding.fix = Fix::remove(service, &["status"], "remove status");
        out.push(finding);
    }
}
