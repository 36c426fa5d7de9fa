//! Who wrote an APIService, as far as its metadata shows.

use jiff::Timestamp;

use super::age::Age;
use kube_aggregation::model::{ApiService, FieldManager};

/// One trace of a writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Writer<'r> {
    /// What was written, such as `spec.caBundle`; `None` for a trace about the whole object.
    pub field: Option<&'static str>,
    /// Who wrote it.
    pub by: WrittenBy<'r>,
    /// When, as written.
    pub time: Option<&'r str>,
    /// How long ago.
    pub age: Option<Age>,
}

/// What identifies a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenBy<'r> {
    /// A manager of `metadata.managedFields`.
    Manager(&'r str),
    /// A tool, and the value of the label or annotation by which it marks what it manages.
    Tool(ManagedWith, &'r str),
}

/// A tool that marks what it manages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManagedWith {
    Helm,
    ArgoCd,
    ArgoCdApplication,
    Flux,
    Olm,
    CertManager,
    CertManagerSecret,
    OpenShiftServiceCa,
}

/// The fields that decide whether an APIService works.
const FIELDS: [&str; 3] = ["spec.service", "spec.caBundle", "spec.insecureSkipTLSVerify"];

/// Labels and annotations by which tools mark what they manage.
const TRACES: [(&str, ManagedWith); 8] = [
    ("meta.helm.sh/release-name", ManagedWith::Helm),
    ("argocd.argoproj.io/tracking-id", ManagedWith::ArgoCd),
    ("argocd.argoproj.io/instance", ManagedWith::ArgoCdApplication),
    ("kustomize.toolkit.fluxcd.io/name", ManagedWith::Flux),
    ("olm.owner", ManagedWith::Olm),
    ("cert-manager.io/inject-ca-from", ManagedWith::CertManager),
    ("cert-manager.io/inject-ca-from-secret", ManagedWith::CertManagerSecret),
    ("service.beta.openshift.io/inject-cabundle", ManagedWith::OpenShiftServiceCa),
];

/// Finds traces of who wrote an APIService and the fields that matter.
pub(super) fn writers(service: &ApiService, now: Timestamp) -> Vec<Writer<'_>> {
    let provenance = &service.provenance;
    let mut found = vec![];
    for field in FIELDS {
        let owners = provenance.managers.iter().filter(|m| m.fields.iter().any(|f| f == field));
        // All times have the same format and zone, so they sort as strings.
        let last: Option<&FieldManager> =
            owners.max_by_key(|m| m.time.as_deref().unwrap_or_default());
        if let Some(last) = last {
            let time = last.time.as_deref();
            found.push(Writer {
                field: Some(field),
                by: WrittenBy::Manager(&last.manager),
                time,
                age: time.and_then(|time| Age::since(time, now)),
            });
        }
    }
    for (key, tool) in TRACES {
        let value = provenance.annotations.get(key).or_else(|| provenance.labels.get(key));
        if let Some(value) = value {
            let by = WrittenBy::Tool(tool, value);
            found.push(Writer { field: None, by, time: None, age: None });
        }
    }
    found
}
