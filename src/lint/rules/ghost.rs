//! A local APIService with nothing behind it.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "ghost",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "A local APIService with nothing behind it",
    docs: Docs {
        what: "Reports an APIService without a Service for a group version that is neither built in \
               nor served by a CRD. It needs a cluster, or a CRD of that group in the input.",
        why: "The server lists it as available, and answers 404 to every request: a ghost that \
               discovery keeps showing.",
        example: include_str!("../../../testdata/lint/ghost/example.yaml"),
        remedy: "Delete it. For CRDs the server makes APIServices itself. If a Service was meant, add \
               `spec.service`.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let (group, file) = (service.group(), service.object.file);
    if service.service.is_some()
        || !service.has_group_version()
        || group.is_empty()
        || scope.is_built_in_group(group)
        || group == crate::model::AGGREGATOR_GROUP
    {
        return;
    }
    let crds = scope.crds(group, file);
    let known = scope.knows_crds();
    if (!known && crds.is_empty())
        || crds.iter().any(|crd| crd.served_version(service.version()).is_some())
        || scope.registry.custom_resources(&service.group_version).next().is_some()
    {
        return;
    }
    let gv = &service.group_version;
    let message = format!("no CRD serves {gv}, so every request to it is a 404");
    let finding = service.finding(&RULE, "spec.version", message);
    let unsure = |f: Finding| f.severity(Severity::Warning).confidence(Confidence::Medium);
    out.push(if known { finding } else { unsure(finding) });
}
