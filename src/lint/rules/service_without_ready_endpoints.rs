//! No endpoint of the Service is ready.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};
use crate::model::ServiceType;

pub(super) static RULE: Rule = Rule {
    name: "service-without-ready-endpoints",
    category: Category::References,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "No endpoint of the Service is ready",
    docs: Docs {
        what: "Reports an APIService whose Service has no EndpointSlice with a ready endpoint. Only \
               Services of the type ClusterIP are checked, as the server does.",
        why: "The APIService is unavailable (EndpointsNotFound or MissingEndpoints) until a pod is \
               ready.",
        example: include_str!(
            "../../../testdata/lint/service-without-ready-endpoints/example.yaml"
        ),
        remedy: "Look at the pods: are they running and ready, and does the Service's selector match \
               them?",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    let Lookup::Found { service: found, in_cluster } = scope.service(target, service.object.file)
    else {
        return;
    };
    if found.kind != ServiceType::ClusterIp {
        return;
    }
    let slices = scope.slices(target);
    if slices.is_empty() && in_cluster && scope.knows_endpoint_slices() {
        let message = format!("the Service {} has no EndpointSlices", target.name);
        out.push(service.finding(&RULE, "spec.service", message));
    } else if !slices.is_empty() && slices.iter().all(|slice| slice.ready() == 0) {
        let message = format!("no endpoint of the Service {} is ready", target.name);
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
