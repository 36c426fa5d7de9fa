//! The label makes controllers overwrite or delete the object.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "automanaged-label",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The label makes controllers overwrite or delete the object",
    docs: Docs {
        what: "Reports the label `kube-aggregator.kubernetes.io/automanaged` with a value that \
               controllers act on.",
        why: "The label says that the API server keeps the object. It resets the spec to what a \
               CRD or a built-in group version asks for, and deletes the object where none does. It \
               usually comes from `kubectl get -o yaml`.",
        example: include_str!("../../../testdata/lint/automanaged-label/example.yaml"),
        remedy: "Remove the label. An APIService that the API server made needs no manifest at all.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    const LABEL: &str = "kube-aggregator.kubernetes.io/automanaged";
    let Some(label) = service.node(&["metadata", "labels", LABEL]) else { return };
    if matches!(label.as_str(), Some("onstart" | "true")) {
        let message = "with this label controllers overwrite or delete the object";
        let finding = Finding::new(&RULE, service.place_of(label.span), message)
            .field("metadata.labels")
            .object(service.title());
        out.push(finding);
    }
}
