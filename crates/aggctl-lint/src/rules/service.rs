//! Rules for the backend Service of an APIService: one rule per flaw that the availability checks
//! find.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use kube_aggregation::availability::{AvailabilityCheck as Steps, Flaw};

/// Reports a flaw, for the rule of its kind.
pub(crate) fn check(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    rule: &'static Rule,
    flaw: Flaw,
    out: &mut Vec<Finding>,
) {
    let stands_for = |found: &Flaw| match found {
        // For a manifest it makes no difference whether endpoints are missing or not ready.
        Flaw::NoEndpoints => flaw == Flaw::NotReady,
        found => *found == flaw,
    };
    for found in scope.flaws(service).iter().filter(|found| stands_for(found)) {
        let Some(steps) = scope.steps(service) else { continue };
        let (field, message) = words(*found, &steps);
        out.push(service.finding(rule, field, message));
    }
}

fn words(flaw: Flaw, steps: &Steps<'_>) -> (&'static str, String) {
    let (name, port) = (&steps.reference.name, steps.reference.port);
    match flaw {
        Flaw::ExternalName => (
            "spec.service",
            format!(
                "the Service {name} is an ExternalName, which a server with --enable-aggregator-routing rejects"
            ),
        ),
        Flaw::Headless => {
            ("spec.service", format!("the Service {name} is headless: there is no address to dial"))
        }
        Flaw::ApiServer => (
            "spec.service.name",
            "the Service default/kubernetes is the API server itself: requests loop".to_owned(),
        ),
        Flaw::PortNameMismatch => {
            let ready = steps.endpoints.slices.iter().filter(|slice| slice.ready() > 0);
            let mut names: Vec<&str> =
                ready.flat_map(|slice| &slice.ports).map(|port| port.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let own = steps.port.map(|port| port.name.as_str()).unwrap_or_default();
            let message = format!(
                "the port {port} of the Service {name} is named \"{own}\", but its EndpointSlices have \"{}\"",
                names.join("\", \"")
            );
            ("spec.service.port", message)
        }
        Flaw::PortNotFound => {
            let ports = steps.service.found().map_or(&[][..], |service| &service.ports);
            let ports: Vec<String> = ports.iter().map(|port| port.port.to_string()).collect();
            let has = if ports.is_empty() { "none".to_owned() } else { ports.join(", ") };
            let message = format!("the Service {name} has no port {port} (ports: {has})");
            ("spec.service.port", message)
        }
        Flaw::NoEndpoints => {
            ("spec.service", format!("the Service {name} has no {}", steps.endpoints.kind))
        }
        Flaw::NotReady => ("spec.service", format!("no endpoint of the Service {name} is ready")),
        // Reported by another rule, which also considers the rest of the input.
        Flaw::NotFound | Flaw::NotSeen => {
            ("spec.service.name", format!("there is no Service {}", steps.reference.id()))
        }
    }
}

const fn rule(name: &'static str, severity: Severity, confidence: Confidence) -> Rule {
    Rule { name, category: Category::References, severity, confidence, fixable: false }
}

pub(super) static SERVICE_EXTERNAL_NAME: Rule =
    rule("service-external-name", Severity::Warning, Confidence::Medium);
pub(super) static SERVICE_HEADLESS: Rule =
    rule("service-headless", Severity::Error, Confidence::Medium);
pub(super) static SERVICE_IS_THE_API_SERVER: Rule =
    rule("service-is-the-api-server", Severity::Error, Confidence::High);
pub(super) static SERVICE_PORT_NAME_MISMATCH: Rule =
    rule("service-port-name-mismatch", Severity::Error, Confidence::High);
pub(super) static SERVICE_PORT_NOT_FOUND: Rule =
    rule("service-port-not-found", Severity::Error, Confidence::High);
pub(super) static SERVICE_WITHOUT_READY_ENDPOINTS: Rule =
    rule("service-without-ready-endpoints", Severity::Warning, Confidence::Medium);
