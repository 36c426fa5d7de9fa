//! The Service has no cluster IP.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Lookup, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "service-headless",
    category: Category::References,
    severity: Severity::Error,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The Service has no cluster IP",
    docs: Docs {
        what: "Reports a Service with `clusterIP: None` behind an APIService.",
        why: "The API server dials the cluster IP. Without one it answers 503, unless it runs with \
               `--enable-aggregator-routing`.",
        example: include_str!("../../../testdata/lint/service-headless/example.yaml"),
        remedy: "Use a Service with a cluster IP.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    if let Lookup::Found { service: found, .. } = scope.service(target, service.object.file)
        && found.cluster_ip.as_deref() == Some("None")
    {
        let message =
            format!("the Service {} is headless: there is no address to dial", target.name);
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
