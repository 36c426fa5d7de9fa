//! Rule: the Service does not exist.

use super::similar_service_name;
use crate::{
    ApiService, Category, Confidence, Finding, LintContext, Rule, ServiceFinding, Severity,
};

pub(super) static RULE: Rule = Rule {
    name: "service-not-found",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(target) = service.service.as_ref().filter(|t| !t.name.is_empty()) else { return };
    let file = service.object.file;
    match scope.service(target, file) {
        ServiceFinding::Missing => {
            let message = format!("the cluster has no Service {}", target.id());
            out.push(service.finding(&RULE, "spec.service.name", message));
        }
        ServiceFinding::NotInInput if similar_service_name::near(target, file, scope).is_none() => {
            let message =
                format!("the input has Services of that namespace, but not {}", target.id());
            let finding = service.finding(&RULE, "spec.service.name", message);
            out.push(finding.severity(Severity::Warning).confidence(Confidence::Medium));
        }
        ServiceFinding::NotInInput | ServiceFinding::Found { .. } | ServiceFinding::Unknown => {}
    }
}
