//! Rules: the Service behind an APIService reaches no container of the input.

use crate::objects::ServiceManifest;
use crate::{Category, Confidence, Finding, LintContext, Place, Rule, Severity};
use kube_aggregation::model::{ServiceType, TargetPort};
use std::collections::{BTreeMap, HashSet};

pub(super) static SELECTOR: Rule = Rule {
    name: "service-selects-nothing",
    category: Category::References,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) static TARGET_PORT: Rule = Rule {
    name: "service-target-port-not-found",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    fixable: false,
};

/// Reports a Service that selects no Pod template, although workloads are applied with it.
pub(super) fn selector(scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    for (service, _) in services(scope) {
        let selector = &service.object.selector;
        if selector.is_empty()
            || service.object.kind == ServiceType::ExternalName
            || scope.selected(&service.object).next().is_some()
        {
            continue;
        }
        let Some(workload) = scope.workload_beside(service) else { continue };
        let message = format!(
            "the Service {} selects {}, which no Pod template of the input has",
            service.object.name,
            listed(selector)
        );
        let help = format!("{}/{} has {}", workload.kind, workload.name, listed(&workload.labels));
        out.push(
            finding(&SELECTOR, service, service.selector, message, "spec.selector").help(help),
        );
    }
}

/// Reports a target port that is a name, if no selected container has a port of that name.
pub(super) fn target_port(scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    for (service, number) in services(scope) {
        let Some(port) = service.object.ports.iter().find(|port| port.port == number) else {
            continue;
        };
        let Some(TargetPort::Name(name)) = &port.target_port else { continue };
        let mut selected = scope.selected(&service.object).peekable();
        let Some(workload) = selected.peek().map(|found| &found.object) else { continue };
        if selected.any(|found| found.object.ports.contains(name)) {
            continue;
        }
        let span = service.target_ports.iter().find(|(port, _)| *port == number);
        let span = span.map_or(service.selector, |(_, span)| *span);
        let message = format!(
            "no container of {}/{} has a port named `{name}`, so the Service {} has no endpoints",
            workload.kind, workload.name, service.object.name
        );
        let names: Vec<&str> = workload.ports.iter().map(String::as_str).collect();
        let help = match &names[..] {
            [] => "use the number of the port that the server listens on".to_owned(),
            names => format!("its containers name {}", names.join(", ")),
        };
        out.push(finding(&TARGET_PORT, service, span, message, "spec.ports").help(help));
    }
}

/// Returns the Services of the input that APIServices name, each once, with the port.
fn services<'a>(scope: &LintContext<'a>) -> Vec<(&'a ServiceManifest, i32)> {
    let mut seen = HashSet::new();
    let named = scope.api_services.iter().filter_map(|service| {
        let target = service.service.as_ref().filter(|target| !target.name.is_empty())?;
        let found = scope.in_input(target, service.object.file)?;
        Some((found, target.port))
    });
    named.filter(|(found, port)| seen.insert((std::ptr::from_ref(*found), *port))).collect()
}

fn finding(
    rule: &'static Rule,
    service: &ServiceManifest,
    span: located_document::Span,
    message: String,
    field: &'static str,
) -> Finding {
    let place = Place { file: service.file, document: service.document, span };
    let object = format!("Service/{}", service.object.name);
    Finding::new(rule, place, message).field(field).object(object)
}

fn listed(labels: &BTreeMap<String, String>) -> String {
    const MAX: usize = 4;
    if labels.is_empty() {
        return "no labels".to_owned();
    }
    let mut text: Vec<String> =
        labels.iter().take(MAX).map(|(key, value)| format!("{key}={value}")).collect();
    if labels.len() > MAX {
        text.push("...".to_owned());
    }
    text.join(", ")
}
