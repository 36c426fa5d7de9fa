//! The Service is not there.

use super::similar_service_name;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "service-not-found",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The Service is not there",
    docs: Docs {
        what: "Reports a `spec.service` that names a Service which the cluster does not have. \
               Without a cluster, it looks at the Services of the same namespace in the input, and \
               is less certain.",
        why: "The APIService is unavailable (ServiceNotFound): the group version answers 503, and \
               clients that need complete discovery fail.",
        example: include_str!("../../../testdata/lint/service-not-found/example.yaml"),
        remedy: "Correct the name or the namespace, or add the Service.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = service.service.as_ref().filter(|t| !t.name.is_empty()) else { return };
    let file = service.object.file;
    match scope.service(target, file) {
        Lookup::Missing => {
            let message = format!("the cluster has no Service {}", target.id());
            out.push(service.finding(&RULE, "spec.service.name", message));
        }
        Lookup::NotInInput if similar_service_name::near(target, file, scope).is_none() => {
            let message =
                format!("the input has Services of that namespace, but not {}", target.id());
            let finding = service.finding(&RULE, "spec.service.name", message);
            out.push(finding.severity(Severity::Warning).confidence(Confidence::Medium));
        }
        Lookup::NotInInput | Lookup::Found { .. } | Lookup::Unknown => {}
    }
}
