//! Rule: the Service does not exist, but one with a similar name does.

use crate::{
    ApiService, Category, Confidence, Finding, LintContext, Rule, ServiceFinding, Severity,
};
use kube_aggregation::model::ServiceReference;

pub(super) static RULE: Rule = Rule {
    name: "similar-service-name",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(target) = service.service.as_ref().filter(|t| !t.name.is_empty()) else { return };
    let file = service.object.file;
    if !matches!(scope.service(target, file), ServiceFinding::NotInInput | ServiceFinding::Unknown)
    {
        return;
    }
    let Some((name, open)) = near(target, file, scope) else { return };
    let message = format!("the input has no Service {}, only `{name}`", target.id());
    let finding = service.finding(&RULE, "spec.service.name", message);
    let finding = finding.help(format!("did you mean {name}?"));
    out.push(if open { finding.severity(Severity::Warning) } else { finding });
}

/// Returns a Service with a similar name: one or two letters differ, or a word is missing. The
/// second value is whether the manifest does not set its namespace.
pub(super) fn near<'a>(
    target: &ServiceReference,
    file: usize,
    scope: &LintContext<'a>,
) -> Option<(&'a str, bool)> {
    /// With more Services than this, a similar name is not evidence of a typo.
    const MAX: usize = 100;
    [target.namespace.as_str(), ""].into_iter().find_map(|namespace| {
        let beside = scope.services_beside(namespace, file);
        let few = beside.len() <= MAX;
        let near =
            few.then(|| kube_aggregation::nearest::nearest(&target.name, beside.iter().copied()));
        Some((near??, namespace.is_empty() && !target.namespace.is_empty()))
    })
}
