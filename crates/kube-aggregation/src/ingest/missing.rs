//! Documents that were requested and could not be read: marks them in the snapshot, and adds notes.

use std::collections::{BTreeMap, BTreeSet};

use super::{Note, NoteLevel, ServerDocument};
use crate::model::{Cause, GroupVersion, HealthSample, Input, Minor, Snapshot, Unread};

/// The maximum number of group versions that one note names.
const MAX_NAMES: usize = 5;

/// A document that was requested and could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub document: ServerDocument,
    pub unread: Unread,
}

impl Missing {
    /// Returns whether servers of this version do not have the document. Its absence is then
    /// expected and needs no note.
    fn is_of_other_servers(&self, minor: Option<Minor>) -> bool {
        let before = |first| minor.is_some_and(|minor| minor < Minor::new(first));
        self.unread.cause == Cause::NotFound
            && match self.document {
                ServerDocument::Endpoints => true,
                ServerDocument::EndpointSlices => before(21),
                ServerDocument::OpenApiV3 => before(24),
                _ => false,
            }
    }
}

/// Marks missing inputs of a snapshot as unread, unless another document provided them. Returns
/// notes about them.
pub(super) fn mark(snapshot: &mut Snapshot, all: &[Missing]) -> Vec<Note> {
    fn put<T>(input: &mut Input<T>, missing: &Missing) {
        if !input.is_loaded() {
            *input = Input::Unread(missing.unread.clone());
        }
    }
    let minor = snapshot.minor();
    for missing in all.iter().filter(|missing| !missing.is_of_other_servers(minor)) {
        match missing.document {
            ServerDocument::Version => put(&mut snapshot.version, missing),
            ServerDocument::Root => put(&mut snapshot.root_paths, missing),
            ServerDocument::ApiServices => put(&mut snapshot.api_services, missing),
            ServerDocument::Crds => put(&mut snapshot.crds, missing),
            ServerDocument::Services => put(&mut snapshot.services, missing),
            ServerDocument::EndpointSlices => put(&mut snapshot.endpoint_slices, missing),
            ServerDocument::Namespaces => put(&mut snapshot.namespaces, missing),
            ServerDocument::Endpoints => put(&mut snapshot.endpoints, missing),
            ServerDocument::ClusterRoles => put(&mut snapshot.rbac.cluster_roles, missing),
            ServerDocument::ClusterRoleBindings => {
                put(&mut snapshot.rbac.cluster_role_bindings, missing);
            }
            ServerDocument::Roles => put(&mut snapshot.rbac.roles, missing),
            ServerDocument::RoleBindings => put(&mut snapshot.rbac.role_bindings, missing),
            ServerDocument::FrontProxy => put(&mut snapshot.front_proxy, missing),
            // Most clusters show flags in only one of the two, so a missing `/flagz` is not a gap.
            ServerDocument::ApiServerPods => put(&mut snapshot.flags, missing),
            ServerDocument::Flagz => {}
            ServerDocument::Groups => put(&mut snapshot.legacy_groups, missing),
            ServerDocument::AggregatedGroups => put(&mut snapshot.aggregated_groups, missing),
            ServerDocument::OwnGroups => put(&mut snapshot.own_groups, missing),
            ServerDocument::Leases => put(&mut snapshot.leases, missing),
            ServerDocument::AggregatedCore => put(&mut snapshot.aggregated_core, missing),
            ServerDocument::OpenApiV3 => put(&mut snapshot.openapi_v3, missing),
            // Only its text is passed on, if the source has it.
            ServerDocument::Core => {}
            // A health endpoint that does not answer is a result, too.
            ServerDocument::Health(endpoint) => snapshot
                .health
                .push(HealthSample { endpoint: Some(endpoint), body: Err(missing.unread.clone()) }),
            ServerDocument::Metrics => put(&mut snapshot.metrics, missing),
            ServerDocument::OpenApiV2 => put(&mut snapshot.openapi.v2, missing),
            ServerDocument::OpenApiProtobuf => put(&mut snapshot.openapi.protobuf, missing),
            ServerDocument::OpenApiSample(_) => {}
            ServerDocument::OpenApiDocument(ref key) => {
                let unread = Input::Unread(missing.unread.clone());
                snapshot.openapi.documents.entry(key.clone()).or_insert(unread);
            }
            ServerDocument::Resources(ref gv) => {
                if !snapshot.resource_lists.contains_key(gv) {
                    snapshot.unread_lists.insert(gv.clone(), missing.unread.clone());
                }
            }
        }
    }
    notes(snapshot, all)
}

fn notes(snapshot: &Snapshot, all: &[Missing]) -> Vec<Note> {
    let services: BTreeSet<&GroupVersion> = (snapshot.api_services.loaded().into_iter().flatten())
        .filter(|s| s.service.is_some())
        .map(|s| &s.group_version)
        .collect();
    let mut notes = vec![];
    let mut lists: BTreeMap<(NoteLevel, &str), Vec<&GroupVersion>> = BTreeMap::new();
    for missing in all {
        match &missing.document {
            // A Service that does not answer and an unserved APIService are not failures of the
            // collection. They are reported elsewhere.
            ServerDocument::Resources(gv) => {
                let expected = services.contains(gv) || missing.unread.cause == Cause::NotFound;
                let weight = if expected { NoteLevel::Detail } else { NoteLevel::Warning };
                lists.entry((weight, &missing.unread.why)).or_default().push(gv);
            }
            _ if missing.is_of_other_servers(snapshot.minor()) => {}
            // `aggctl openapi` reports these itself.
            document if document.is_openapi() => {}
            document => {
                let text = format!("could not read {}: {}", document.words(), missing.unread.why);
                // Answers about access, flags, health and peers report these gaps themselves, and
                // no other answer depends on them.
                let aside = document.is_reported_by_its_answers();
                let weight = if aside { NoteLevel::Detail } else { NoteLevel::Warning };
                notes.push(Note { weight, text });
            }
        }
    }
    for ((weight, why), gvs) in lists {
        let mut names: Vec<String> = gvs.iter().take(MAX_NAMES).map(ToString::to_string).collect();
        if gvs.len() > MAX_NAMES {
            names.push(format!("{} more", gvs.len() - MAX_NAMES));
        }
        notes.push(Note {
            weight,
            text: format!("could not read the resources of {}: {why}", names.join(", ")),
        });
    }
    notes
}
