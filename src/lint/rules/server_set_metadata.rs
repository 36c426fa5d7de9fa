//! The manifest has metadata that only the server sets.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "server-set-metadata",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The manifest has metadata that only the server sets",
    docs: Docs {
        what: "Reports `uid`, `resourceVersion`, `creationTimestamp`, `generation`, \
               `managedFields`, `selfLink` and deletion fields in a manifest.",
        why: "The server ignores most of them, and refuses to create an object with a \
               `resourceVersion`. They usually come from `kubectl get -o yaml`.",
        example: include_str!("../../../testdata/lint/server-set-metadata/example.yaml"),
        remedy: "Remove them.",
    },
    check: Check::Each(check),
};

const FIELDS: [&str; 8] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    for key in FIELDS {
        let Some(node) = service.node(&["metadata", key]) else { continue };
        if node.as_str() == Some("") {
            continue;
        }
        let message = match key {
            "resourceVersion" => "an object with a resourceVersion cannot be created".to_owned(),
            _ => format!("{key} is set by the server"),
        };
        out.push(service.finding(&RULE, &format!("metadata.{key}"), message));
    }
}
