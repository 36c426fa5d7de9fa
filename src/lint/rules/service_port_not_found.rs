//! The Service has no such port.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};
use crate::model::ServiceType;

pub(super) static RULE: Rule = Rule {
    name: "service-port-not-found",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The Service has no such port",
    docs: Docs {
        what: "Reports a `spec.service.port` (443 where it is left out) that the Service does not \
               have. The port is the Service's, not the pod's.",
        why: "The APIService is unavailable (ServicePortError), and the group version answers 503.",
        example: include_str!("../../../testdata/lint/service-port-not-found/example.yaml"),
        remedy: "Use the `port` of the Service, or add that port to it.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    let Lookup::Found { service: found, .. } = scope.service(target, service.object.file) else {
        return;
    };
    // An ExternalName is dialled at the APIService's port, whatever it lists.
    if found.kind == ServiceType::ExternalName || found.ports.iter().any(|p| p.port == target.port)
    {
        return;
    }
    let ports: Vec<String> = found.ports.iter().map(|p| p.port.to_string()).collect();
    let has = if ports.is_empty() { "no ports".to_owned() } else { ports.join(", ") };
    let message = format!("the Service {} has no port {}, but {has}", found.name, target.port);
    out.push(service.finding(&RULE, "spec.service.port", message));
}
