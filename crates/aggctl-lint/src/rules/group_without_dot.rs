//! Rule: the group name has no domain.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "group-without-dot",
    category: Category::Conflicts,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let group = service.group();
    if service.has_group_version()
        && !group.is_empty()
        && !group.contains('.')
        && !scope.is_built_in_group(group)
    {
        let message =
            format!("the group `{group}` has no domain; only Kubernetes' own groups have none");
        let finding = service.finding(&RULE, "spec.group", message);
        out.push(finding.help("use a name below a domain of your own"));
    }
}
