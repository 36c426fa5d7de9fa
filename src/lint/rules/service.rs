//! What is wrong or odd about the Service behind an APIService: the flaws that the availability
//! controller's steps meet, one rule for each.

use crate::availability::{Check as Steps, Flaw};
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

/// Reports a flaw, for the rule that stands for it.
pub(in crate::lint) fn check(
    service: &ApiService<'_>,
    scope: &Scope<'_>,
    rule: &'static Rule,
    flaw: Flaw,
    out: &mut Vec<Finding>,
) {
    let stands_for = |found: &Flaw| match found {
        // Nothing lists endpoints, or none is ready: for a manifest that is the same.
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
                "the Service {name} is an ExternalName, which a server with --enable-aggregator-routing refuses"
            ),
        ),
        Flaw::Headless => {
            ("spec.service", format!("the Service {name} is headless: there is no address to dial"))
        }
        Flaw::ApiServer => (
            "spec.service.name",
            "the Service default/kubernetes is the API server itself: requests go in a circle"
                .to_owned(),
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
            let has = if ports.is_empty() { "no ports".to_owned() } else { ports.join(", ") };
            let message = format!("the Service {name} has no port {port}, but {has}");
            ("spec.service.port", message)
        }
        Flaw::NoEndpoints => {
            ("spec.service", format!("the Service {name} has no {}", steps.endpoints.kind))
        }
        Flaw::NotReady => ("spec.service", format!("no endpoint of the Service {name} is ready")),
        // Said by a rule of its own, which also knows what else the input has.
        Flaw::NotFound | Flaw::NotSeen => {
            ("spec.service.name", format!("there is no Service {}", steps.reference.id()))
        }
    }
}

const fn rule(
    name: &'static str,
    flaw: Flaw,
    (severity, confidence): (Severity, Confidence),
    summary: &'static str,
    docs: Docs,
) -> Rule {
    Rule {
        name,
        category: Category::References,
        severity,
        confidence,
        server_rejects: false,
        fixable: false,
        summary,
        docs,
        check: Check::Service(flaw),
    }
}

pub(super) static SERVICE_EXTERNAL_NAME: Rule = rule(
    "service-external-name",
    Flaw::ExternalName,
    (Severity::Warning, Confidence::Medium),
    "The Service is an ExternalName",
    Docs {
        what: "Reports a Service of the type ExternalName behind an APIService.",
        why: "It works only while the API server runs without `--enable-aggregator-routing`; with \
               it every request fails with `unsupported service type \"ExternalName\"`. Many \
               distributions set that flag.",
        example: include_str!("../../../testdata/lint/service-external-name/example.yaml"),
        remedy: "Use a Service with a cluster IP, with an EndpointSlice of your own where the server \
               is outside.",
    },
);

pub(super) static SERVICE_HEADLESS: Rule = rule(
    "service-headless",
    Flaw::Headless,
    (Severity::Error, Confidence::Medium),
    "The Service has no cluster IP",
    Docs {
        what: "Reports a Service with `clusterIP: None` behind an APIService.",
        why: "The API server dials the cluster IP. Without one it answers 503, unless it runs with \
               `--enable-aggregator-routing`.",
        example: include_str!("../../../testdata/lint/service-headless/example.yaml"),
        remedy: "Use a Service with a cluster IP.",
    },
);

pub(super) static SERVICE_IS_THE_API_SERVER: Rule = rule(
    "service-is-the-api-server",
    Flaw::ApiServer,
    (Severity::Error, Confidence::High),
    "The Service is the API server itself",
    Docs {
        what: "Reports an APIService that leads to `default/kubernetes`.",
        why: "The API server then sends each request to itself, and again, until it fails.",
        example: include_str!("../../../testdata/lint/service-is-the-api-server/example.yaml"),
        remedy: "Name the Service of the extension server. For a group version that CRDs serve, no \
               APIService is needed: the server makes one.",
    },
);

pub(super) static SERVICE_PORT_NAME_MISMATCH: Rule = rule(
    "service-port-name-mismatch",
    Flaw::PortNameMismatch,
    (Severity::Error, Confidence::High),
    "No EndpointSlice has the name of the Service's port",
    Docs {
        what: "Reports a Service whose port has a name that no EndpointSlice with ready endpoints \
               has. The server looks for the slice by that name.",
        why: "The APIService is unavailable (MissingEndpoints), though pods are ready. It happens \
               where slices are written by hand.",
        example: include_str!("../../../testdata/lint/service-port-name-mismatch/example.yaml"),
        remedy: "Give the port the same name in the Service and in the EndpointSlice.",
    },
);

pub(super) static SERVICE_PORT_NOT_FOUND: Rule = rule(
    "service-port-not-found",
    Flaw::PortNotFound,
    (Severity::Error, Confidence::High),
    "The Service has no such port",
    Docs {
        what: "Reports a `spec.service.port` (443 where it is left out) that the Service does not \
               have. The port is the Service's, not the pod's.",
        why: "The APIService is unavailable (ServicePortError), and the group version answers 503.",
        example: include_str!("../../../testdata/lint/service-port-not-found/example.yaml"),
        remedy: "Use the `port` of the Service, or add that port to it.",
    },
);

pub(super) static SERVICE_WITHOUT_READY_ENDPOINTS: Rule = rule(
    "service-without-ready-endpoints",
    Flaw::NotReady,
    (Severity::Warning, Confidence::Medium),
    "No endpoint of the Service is ready",
    Docs {
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
);
