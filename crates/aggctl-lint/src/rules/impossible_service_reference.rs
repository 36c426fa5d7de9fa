//! Rule: the Service reference has an invalid name.

use crate::server::is_dns_label;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "impossible-service-reference",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    for (key, value, letter_first) in
        [("namespace", &target.namespace, false), ("name", &target.name, true)]
    {
        if !value.is_empty() && !is_dns_label(value, letter_first) {
            let what = if key == "name" { "Service" } else { "namespace" };
            let message = format!("no {what} can be called `{value}`");
            let finding = service.finding(&RULE, format!("spec.service.{key}"), message);
            out.push(finding.help("use lowercase letters, digits and `-`, at most 63"));
        }
    }
}
