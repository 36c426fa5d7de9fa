//! The group is the aggregator's own.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};
use crate::model::AGGREGATOR_GROUP;

pub(super) static RULE: Rule = Rule {
    name: "aggregator-own-group",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The group is the aggregator's own",
    docs: Docs {
        what: "Reports an APIService for `apiregistration.k8s.io`.",
        why: "The aggregator serves that group itself and never looks at an APIService for it: the \
               object does nothing, though the server takes it.",
        example: include_str!("../../../testdata/lint/aggregator-own-group/example.yaml"),
        remedy: "Use a group of your own.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    if service.group() == AGGREGATOR_GROUP {
        let message =
            format!("`{AGGREGATOR_GROUP}` is the aggregator's own group: this object does nothing");
        out.push(service.finding(&RULE, "spec.group", message));
    }
}
