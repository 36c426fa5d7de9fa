//! The same APIService twice, with different specs.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};
use std::collections::HashMap;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-api-service",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The same APIService twice, with different specs",
    docs: Docs {
        what: "Reports an APIService whose name an earlier one in the input has, with another spec.",
        why: "The one that is applied last wins: which one depends on the order of files. Two \
               installations that bring the same APIService fight for it.",
        example: include_str!("../../../testdata/lint/duplicate-api-service/example.yaml"),
        remedy: "Keep one of them. A group version has one server.",
    },
    check: Check::Together(check),
};

fn check(scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let mut first: HashMap<&str, &ApiService<'_>> =
        HashMap::with_capacity(scope.api_services.len());
    for service in scope.api_services.iter().filter(|s| !s.name.is_empty()) {
        let earlier = *first.entry(service.name).or_insert(service);
        if std::ptr::eq(earlier, service) {
            continue;
        }
        let spec = |s: &ApiService<'_>| s.node(&["spec"]).map(crate::document::Node::to_json_value);
        if spec(earlier) != spec(service) {
            let message = format!("{} is in the input twice, with different specs", service.name);
            let finding = service.finding(&RULE, "metadata.name", message);
            let there = format!("document {} of the file", earlier.object.document);
            out.push(if earlier.object.file == service.object.file {
                finding.help(format!("the other one is {there}"))
            } else {
                finding
            });
        }
    }
}
