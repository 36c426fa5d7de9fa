//! Who wrote an APIService, as far as it says so itself.

use jiff::Timestamp;

use super::age::age;
use kube_aggregation::model::{ApiService, FieldManager};

/// One trace of a writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writer {
    /// What was written: `spec.caBundle`; empty for a trace about the whole object.
    pub field: String,
    /// Who wrote it.
    pub who: String,
    /// When, as written.
    pub time: Option<String>,
    /// How long ago.
    pub age: Option<String>,
}

/// The fields that decide whether an APIService works.
const FIELDS: [&str; 3] = ["spec.service", "spec.caBundle", "spec.insecureSkipTLSVerify"];

/// Labels and annotations by which tools mark what they manage, and what they mean.
const TRACES: [(&str, &str); 8] = [
    ("meta.helm.sh/release-name", "Helm release"),
    ("argocd.argoproj.io/tracking-id", "Argo CD"),
    ("argocd.argoproj.io/instance", "Argo CD application"),
    ("kustomize.toolkit.fluxcd.io/name", "Flux kustomization"),
    ("olm.owner", "operator lifecycle manager, owner"),
    ("cert-manager.io/inject-ca-from", "caBundle injected by cert-manager from certificate"),
    ("cert-manager.io/inject-ca-from-secret", "caBundle injected by cert-manager from secret"),
    ("service.beta.openshift.io/inject-cabundle", "caBundle injected by OpenShift's service CA"),
];

/// Traces of who wrote an APIService and the fields that matter.
pub(super) fn writers(service: &ApiService, now: Timestamp) -> Vec<Writer> {
    let provenance = &service.provenance;
    let mut found = vec![];
    for field in FIELDS {
        let owners = provenance.managers.iter().filter(|m| m.fields.iter().any(|f| f == field));
        // Times are all in one form and one zone, so that their order is that of the strings.
        let last: Option<&FieldManager> =
            owners.max_by_key(|m| m.time.as_deref().unwrap_or_default());
        if let Some(last) = last {
            found.push(Writer {
                field: field.to_owned(),
                who: last.manager.clone(),
                time: last.time.clone(),
                age: last.time.as_deref().and_then(|time| age(time, now)),
            });
        }
    }
    for (key, meaning) in TRACES {
        let value = provenance.annotations.get(key).or_else(|| provenance.labels.get(key));
        if let Some(value) = value {
            found.push(Writer { who: format!("{meaning} {value}"), ..Writer::default() });
        }
    }
    found
}
