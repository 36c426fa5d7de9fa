//! The Service is not there, but one of nearly that name is.

use crate::lint::{
    ApiService, Category, Check, Confidence, Finding, Lookup, Rule, Scope, Severity,
};
use crate::model::ServiceReference;

pub(super) static RULE: Rule = Rule {
    name: "similar-service-name",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    fixable: false,
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = service.service.as_ref().filter(|t| !t.name.is_empty()) else { return };
    let file = service.object.file;
    if let Lookup::NotInInput = scope.service(target, file)
        && let Some(near) = near(target, file, scope)
    {
        let message = format!("the input has no Service {}, but {near}", target.id());
        let finding = service.finding(&RULE, "spec.service.name", message);
        out.push(finding.help(format!("did you mean {near}?")));
    }
}

/// The Service of nearly that name: a letter or two differ, or a word is missing.
pub(super) fn near<'a>(
    target: &ServiceReference,
    file: usize,
    scope: &Scope<'a>,
) -> Option<&'a str> {
    /// Beyond these nobody made a slip.
    const MOST: usize = 100;
    let beside = scope.services_beside(target, file);
    if beside.len() > MOST {
        return None;
    }
    crate::nearest::nearest(&target.name, beside.iter().copied())
}
