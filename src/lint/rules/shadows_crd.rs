//! The APIService takes over what a CRD serves.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "shadows-crd",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The APIService takes over what a CRD serves",
    docs: Docs {
        what: "Reports an APIService with a Service whose group version a CRD serves, in the input \
               or in the cluster.",
        why: "All requests to that group version go to the Service. The custom resources are still \
               stored, but nobody reaches them until the APIService is deleted.",
        example: include_str!("../../../testdata/lint/shadows-crd/example.yaml"),
        remedy: "Use another version or group, or remove the CRD's version once its objects were \
               moved.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    if service.service.is_none() || !service.has_group_version() {
        return;
    }
    let gv = &service.group_version;
    let own = scope.crds(&gv.group, service.object.file).into_iter();
    let mut own = own.filter(|crd| crd.served_version(&gv.version).is_some());
    if let Some(crd) = own.next().or_else(|| scope.registry.custom_resources(gv).next()) {
        let name = &crd.name;
        let message = format!("{gv} is served by the CRD {name}, whose objects nobody will reach");
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
