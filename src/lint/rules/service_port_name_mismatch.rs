//! No EndpointSlice has the name of the Service's port.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};
use crate::model::ServiceType;

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
    let Some(target) = &service.service else { return };
    let Lookup::Found { service: found, .. } = scope.service(target, service.object.file) else {
        return;
    };
    let port = found.ports.iter().find(|port| port.port == target.port);
    let (Some(port), ServiceType::ClusterIp) = (port, &found.kind) else { return };
    let slices = scope.slices(target);
    let ready = || slices.iter().filter(|slice| slice.ready() > 0);
    let names = || ready().flat_map(|slice| &slice.ports).map(|port| port.name.as_str());
    if ready().next().is_some() && !names().any(|name| name == port.name) {
        let mut names: Vec<&str> = names().collect();
        names.sort_unstable();
        names.dedup();
        let message = format!(
            "the port {} of the Service {} is named \"{}\", but its EndpointSlices have \"{}\"",
            target.port,
            target.name,
            port.name,
            names.join("\", \"")
        );
        out.push(service.finding(&RULE, "spec.service.port", message));
    }
}
