//! No EndpointSlice has the name of the Service's port.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "service-port-name-mismatch",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "No EndpointSlice has the name of the Service's port",
    docs: Docs {
        what: "Reports a Service whose port has a name that no EndpointSlice with ready endpoints \
               has. The server looks for the slice by that name.",
        why: "The APIService is unavailable (MissingEndpoints), though pods are ready. It happens \
               where slices are written by hand.",
        example: include_str!("../../../testdata/lint/service-port-name-mismatch/example.yaml"),
        remedy: "Give the port the same name in the Service and in the EndpointSlice.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = service.service else { return };
    let Lookup::Found(found) = scope.service(&target) else { return };
    let port = found.fact.ports.iter().find(|(_, port)| *port == target.port);
    let (Some((name, _)), "ClusterIP") = (port, found.fact.kind.as_str()) else { return };
    let slices = scope.slices(&target);
    let ready = || slices.iter().filter(|slice| slice.ready);
    if ready().next().is_some() && ready().all(|slice| !slice.ports.contains(name)) {
        let mut names: Vec<&str> = ready().flat_map(|s| &s.ports).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let message = format!(
            "the port {} of the Service {} is named \"{name}\", but its EndpointSlices have \"{}\"",
            target.port,
            target.name,
            names.join("\", \"")
        );
        out.push(service.finding(&RULE, "spec.service.port", message));
    }
}
