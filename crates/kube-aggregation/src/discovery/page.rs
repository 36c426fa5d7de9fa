//! One document with all that is to be said about it.

use std::collections::HashMap;
use std::fmt;

use super::compare::{self, Difference};
use super::document::{self, DiscoveryDocument, Taken};
use super::merge;
use crate::model::{DiscoveryForm, GroupVersion, LegacyGroup, ServiceReference, Snapshot};
use crate::registry::{Assumption, Backend, Fallback, Registry};

/// A discovery document, and how it came about.
#[derive(Debug)]
pub struct DocumentPage<'s> {
    /// The document.
    pub document: DiscoveryDocument,
    /// Where it was taken from.
    pub taken: Taken,
    /// The server's own text, where the document is the server's.
    pub text: Option<&'s str>,
    /// Lists of group versions that were not there to merge.
    pub assumed: Vec<Assumption>,
    /// Who stands behind each group version that it lists.
    pub origins: HashMap<GroupVersion, Behind>,
    /// Where it was merged: on what the server's own document says otherwise.
    pub differences: Vec<Difference>,
}

/// Who stands behind a group version, in a word or two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behind {
    /// kube-apiserver, or apiextensions-apiserver for its own group.
    BuiltIn,
    /// CRDs.
    Crds,
    /// A Service, by namespace and name where that is known.
    Service(Option<String>),
    /// Only a peer: another API server of the control plane.
    Peer,
    /// Nobody.
    Nobody,
    /// It cannot be told.
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
            Self::Nobody => "(none)",
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
        Some((_, Backend::Nobody)) => Behind::Nobody,
        Some((_, Backend::Unknown)) => Behind::Unknown,
    }
}

/// The group versions that a document of groups lists.
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

/// The document at a path, as [`document::document`] finds it.
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
        }
        _ => {}
    }
    Some(page)
}

/// The text of the document at a path, where the server's own is in the source.
fn as_served<'s>(snapshot: &'s Snapshot, path: &str, form: DiscoveryForm) -> Option<&'s str> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let form = if parts.len() == 1 { form } else { DiscoveryForm::Legacy };
    snapshot.as_served.get(&(format!("/{}", parts.join("/")), form)).map(String::as_str)
}
