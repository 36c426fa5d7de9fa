//! The manifest has metadata that only the server sets.

use crate::lint::{ApiService, Category, Check, Confidence, Finding, Rule, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "server-set-metadata",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
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
