//! Rule: the manifest contains metadata that only the server sets.

use std::borrow::Cow;

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "server-set-metadata",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

const FIELDS: [&str; 8] = [
    "metadata.creationTimestamp",
    "metadata.deletionGracePeriodSeconds",
    "metadata.deletionTimestamp",
    "metadata.generation",
    "metadata.managedFields",
    "metadata.resourceVersion",
    "metadata.selfLink",
    "metadata.uid",
];

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    for field in FIELDS {
        let Some((parent, key)) = field.split_once('.') else { continue };
        let Some(node) = service.node(&[parent, key]) else { continue };
        if node.as_str() == Some("") {
            continue;
        }
        let message = match key {
            "resourceVersion" => "an object with a resourceVersion cannot be created".into(),
            _ => Cow::Owned(format!("{key} is set by the server")),
        };
        out.push(service.finding(&RULE, field, message));
    }
}
