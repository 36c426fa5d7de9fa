//! The name is not `<version>.<group>`.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Fix, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "invalid-name",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: true,
    summary: "The name is not `<version>.<group>`",
    docs: Docs {
        what: "Reports a `metadata.name` that is not `spec.version`, a dot and `spec.group`, that \
               cannot stand in a path, or that is to be generated.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-name/example.yaml"),
        remedy: "Name it `<spec.version>.<spec.group>`. `--fix` does it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let first = out.len();
    refused(service, &RULE, Refusal::Name, out);
    // Only a name that is there can be replaced, and only by one that is right.
    if service.has_group_version() && !service.name.is_empty() {
        let required = service.required_name();
        for finding in &mut out[first..] {
            if finding.field.as_deref() == Some("metadata.name") {
                let title = format!("name it {required}");
                finding.fix = Fix::set(service, &["metadata", "name"], &required, &title);
            }
        }
    }
}
