//! Rules: the extension server lacks permissions that it needs to call kube-apiserver.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use aggctl_diagnose::access::{Attributes, Power};

pub(super) static AUTH_DELEGATOR: Rule = Rule {
    name: "missing-auth-delegator",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn auth_delegator(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    out: &mut Vec<Finding>,
) {
    // Without tokenreviews, only requests that reach the extension server directly fail.
    let help = "bind the ClusterRole system:auth-delegator to it";
    check(service, scope, (&AUTH_DELEGATOR, Power::AskBack, help), out);
}

pub(super) static AUTHENTICATION_READER: Rule = Rule {
    name: "missing-authentication-reader",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn authentication_reader(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    out: &mut Vec<Finding>,
) {
    let help = "bind the Role extension-apiserver-authentication-reader in kube-system to it";
    check(service, scope, (&AUTHENTICATION_READER, Power::ReadFrontProxy, help), out);
}

/// Reports if the service account of the workload behind the Service lacks a permission.
fn check(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    (rule, power, help): (&'static Rule, Power, &'static str),
    out: &mut Vec<Finding>,
) {
    let Some(workload) = scope.workload_behind(service) else { return };
    let Some(request) = power.own_request() else { return };
    if scope.allows(workload, &request) == Some(false) {
        let workload = &workload.object;
        let message = format!(
            "{} {} runs as `{}`, which may not {}",
            workload.kind,
            workload.name,
            workload.service_account,
            words(&request)
        );
        out.push(service.finding(rule, "spec.service", message).help(help));
    }
}

fn words(request: &Attributes<'_>) -> String {
    let Attributes::Resource(about) = request else { return request.to_string() };
    let object = match about.name.as_ref() {
        "" => String::new(),
        name => format!(" {}/{name}", about.namespace),
    };
    format!("{} {}{object}", about.verb, about.resource)
}
