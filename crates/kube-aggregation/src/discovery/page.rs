//! A discovery document with its origin, backends, assumptions and differences.

use std::collections::HashMap;
use std::fmt;

use super::compare::{self, Difference};
use super::document::{self, DiscoveryDocument, Taken};
use super::merge;
use crate::model::{DiscoveryForm, GroupVersion, LegacyGroup, ServiceReference, Snapshot};
use crate::registry::{Assumption, Backend, Fallback, Registry};

/// A discovery document with details about how it was obtained.
#[derive(Debug)]
pub struct DocumentPage<'s> {
    /// The document.
    pub document: DiscoveryDocument,
    /// How it was obtained.
    pub taken: Taken,
    /// The server's original text, if the source has it.
    pub text: Option<&'s str>,
    /// Assumptions made because resource lists were missing.
    pub assumed: Vec<Assumption>,
    /// The backend of each group version that it lists.
    pub origins: HashMap<GroupVersion, Behind>,
    /// For a merged document: how the server's own differs.
    pub differences: Vec<Difference>,
}

/// The backend of a group version, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behind {
    /// kube-apiserver, or apiextensions-apiserver for its own group.
    BuiltIn,
    /// CRDs.
    Crds,
    /// A Service, as namespace and name if known.
    Service(Option<String>),
    /// Only a peer: another API server of the control plane.
    Peer,
    /// Unserved: no server serves it.
    Unserved,
    /// Unknown.
    Unknown,
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BuiltIn => "built-in",
            Self::Crds => "CRDs",
            Self::Service(Some(id)) => id,
            Self::Service(None) => "a Service",
            Self::Peer => "a peer",
            Self::Unserved => "(none)",
            Self::Unknown => "unknown",
        })
    }
}

fn behind(registry: &Registry<'_>, gv: &GroupVersion) -> Behind {
    match registry.api_service(&gv.api_service_name()) {
        Some((service, Backend::Service)) => {
            Behind::Service(service.service.as_ref().map(ServiceReference::id))
        }
        Some((_, Backend::BuiltIn | Backend::Extensions)) | None => Behind::BuiltIn,
        Some((_, Backend::Crd)) => Behind::Crds,
        Some((_, Backend::Unserved)) => Behind::Unserved,
        Some((_, Backend::Unknown)) => Behind::Unknown,
    }
}

/// Returns the group versions that a document of groups lists.
fn listed(document: &DiscoveryDocument) -> Vec<GroupVersion> {
    let legacy = |g: &LegacyGroup| -> Vec<GroupVersion> {
        g.versions.iter().map(|v| GroupVersion::new(&*g.name, v)).collect()
    };
    match document {
        DiscoveryDocument::Groups(groups) => groups.iter().flat_map(legacy).collect(),
        DiscoveryDocument::Group(group) => legacy(group),
        DiscoveryDocument::Aggregated(groups) => (groups.iter())
            .flat_map(|g| g.versions.iter().map(|v| GroupVersion::new(&*g.name, &*v.version)))
            .collect(),
        DiscoveryDocument::Resources(..) | DiscoveryDocument::Versions(_) => vec![],
    }
}

/// Returns the document at a path, as [`document::document`] finds it, with details.
pub fn page<'s>(
    registry: &Registry<'s>,
    path: &str,
    form: DiscoveryForm,
    merged: bool,
) -> Option<DocumentPage<'s>> {
    let (document, taken) = document::document(registry, path, form, merged)?;
    let snapshot = registry.snapshot;
    let text = as_served(snapshot, path, form).filter(|_| !merged || taken == Taken::Served);
    let listed = listed(&document).into_iter();
    let origins = listed.map(|gv| (gv.clone(), behind(registry, &gv))).collect();
    let mut page =
        DocumentPage { document, taken, text, assumed: vec![], origins, differences: vec![] };
    let assumed = |lists: Vec<GroupVersion>, instead: Fallback| {
        let any = !lists.is_empty();
        any.then(|| registry.without_lists(lists, instead))
    };
    match (&page.document, taken) {
        (DiscoveryDocument::Resources(gv, _), Taken::Plain) => {
            page.assumed.extend(assumed(vec![gv.clone()], registry.plain_server()));
        }
        (DiscoveryDocument::Groups(_), Taken::Merged) => {
            if let Some(served) = snapshot.legacy_groups.loaded() {
                page.differences = compare::legacy_differences(&merge::legacy(registry), served);
            }
        }
        (DiscoveryDocument::Aggregated(_), Taken::Merged) if path.trim_matches('/') == "apis" => {
            let parts = merge::aggregated(registry);
            if let Some(served) = snapshot.own_document().loaded() {
                page.differences = compare::aggregated_differences(&parts, served);
            }
            page.assumed.extend(assumed(parts.without_resources, Fallback::WithoutResources));
            page.assumed.extend(assumed(parts.from_plain, registry.plain_server()));
            page.assumed.extend(registry.timing());
        }
        _ => {}
    }
    Some(page)
}

/// Returns the server's original text of the document at a path, if the source has it.
fn as_served<'s>(snapshot: &'s Snapshot, path: &str, form: DiscoveryForm) -> Option<&'s str> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let form = if parts.len() == 1 { form } else { DiscoveryForm::Legacy };
    snapshot.as_served.get(&(format!("/{}", parts.join("/")), form)).map(String::as_str)
}
