//! The Service is an ExternalName.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};
use crate::model::ServiceType;

pub(super) static RULE: Rule = Rule {
    name: "service-external-name",
    category: Category::References,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The Service is an ExternalName",
    docs: Docs {
        what: "Reports a Service of the type ExternalName behind an APIService.",
        why: "It works only while the API server runs without `--enable-aggregator-routing`; with \
               it every request fails with `unsupported service type \"ExternalName\"`. Many \
               distributions set that flag.",
        example: include_str!("../../../testdata/lint/service-external-name/example.yaml"),
        remedy: "Use a Service with a cluster IP, with an EndpointSlice of your own where the server \
               is outside.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    if let Lookup::Found { service: found, .. } = scope.service(target, service.object.file)
        && found.kind == ServiceType::ExternalName
    {
        let message = format!(
            "the Service {} is an ExternalName, which a server with --enable-aggregator-routing refuses",
            target.name
        );
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
