//! Decides which documents to request, in two rounds.
//!
//! The first round requests documents with a fixed path. Their content names the group versions and
//! OpenAPI documents that the second round requests.

use std::collections::BTreeSet;

use super::documents::{Needs, Resources};
use kube_aggregation::ingest::{ServerDocument, SnapshotBuilder};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, ApiService, Automanaged, GroupVersion, LAST_WITH_ENDPOINTS,
    MERGES_PEERS_SINCE,
};

impl Needs {
    /// Returns the documents to request first. Two kinds wait until the server's version is known:
    /// Endpoints, because there are many and only old servers read them, and the document without
    /// peers, which only new servers have.
    pub(crate) fn first_round(&self) -> BTreeSet<ServerDocument> {
        let mut documents = self.documents.clone();
        documents.remove(&ServerDocument::Endpoints);
        documents.remove(&ServerDocument::OwnGroups);
        documents
    }

    /// Returns the documents to request after the first round was added to `found`.
    pub(crate) fn second_round(&self, found: &SnapshotBuilder) -> BTreeSet<ServerDocument> {
        let mut documents = self.resource_lists(found);
        documents.extend(self.openapi_documents(found));
        let old = found.minor_so_far().is_none_or(|minor| minor <= LAST_WITH_ENDPOINTS);
        if old && self.documents.contains(&ServerDocument::Endpoints) {
            documents.insert(ServerDocument::Endpoints);
        }
        let merges = found.minor_so_far().is_some_and(|minor| minor >= MERGES_PEERS_SINCE);
        if merges && self.documents.contains(&ServerDocument::OwnGroups) {
            documents.insert(ServerDocument::OwnGroups);
        }
        documents
    }

    fn resource_lists(&self, found: &SnapshotBuilder) -> BTreeSet<ServerDocument> {
        let services = found.api_services_so_far().unwrap_or_default();
        let known = group_versions(found);
        let listed = found.has_aggregated_groups();
        let aggregated: BTreeSet<&GroupVersion> =
            served_by_services(&services).map(|service| &service.group_version).collect();
        let mut wanted: Vec<GroupVersion> = match &self.resources {
            Resources::None => vec![],
            Resources::Unlisted(_) | Resources::AllUnlisted | Resources::EveryUnlisted
                if listed =>
            {
                vec![]
            }
            Resources::Unlisted(some) => {
                known.iter().filter(|gv| some.contains(gv)).cloned().collect()
            }
            Resources::AllUnlisted => {
                known.iter().filter(|gv| !aggregated.contains(gv)).cloned().collect()
            }
            Resources::OfServices if listed => aggregated.into_iter().cloned().collect(),
            Resources::OfAvailable => {
                let available = proxied(&services).filter(|service| service.is_available());
                available.map(|service| service.group_version.clone()).collect()
            }
            Resources::EveryUnlisted | Resources::OfServices | Resources::All => {
                known.iter().cloned().collect()
            }
        };
        // CRDs that cannot be read can be inferred from what they serve.
        if self.documents.contains(&ServerDocument::Crds) && !found.has_crds() {
            let custom =
                services.iter().filter(|s| s.automanaged == Some(Automanaged::CrdController));
            wanted.extend(custom.map(|service| service.group_version.clone()));
        }
        let unavailable = unavailable(&services);
        let wanted = wanted
            .into_iter()
            .filter(|gv| !found.has_resource_list(gv) && !unavailable.contains(gv));
        wanted.map(ServerDocument::Resources).collect()
    }

    fn openapi_documents(&self, found: &SnapshotBuilder) -> BTreeSet<ServerDocument> {
        if !self.openapi_documents {
            return BTreeSet::new();
        }
        let services = found.api_services_so_far().unwrap_or_default();
        let keys = served_by_services(&services)
            .map(|s| s.group_version.root_path().trim_start_matches('/').to_owned())
            .filter(|key| found.openapi_index_has(key));
        keys.map(ServerDocument::OpenApiDocument).collect()
    }
}

/// Returns the APIServices with a Service.
pub(crate) fn served_by_services<'a>(
    all: &[&'a ApiService],
) -> impl Iterator<Item = &'a ApiService> {
    all.iter().copied().filter(|service| service.service.is_some())
}

/// Returns the APIServices that the aggregator proxies. It serves its own group itself, regardless
/// of APIServices.
fn proxied<'a>(all: &[&'a ApiService]) -> impl Iterator<Item = &'a ApiService> {
    served_by_services(all).filter(|service| service.group_version.group != AGGREGATOR_GROUP)
}

/// Returns the group versions that get a 503 from the aggregator, because their APIService is
/// unavailable. There may be thousands, and requesting them reveals nothing.
pub(crate) fn unavailable<'a>(all: &[&'a ApiService]) -> BTreeSet<&'a GroupVersion> {
    proxied(all)
        .filter(|s| s.available.as_ref().is_some_and(|condition| condition.status == "False"))
        .map(|service| &service.group_version)
        .collect()
}

/// Returns all group versions that the documents name.
fn group_versions(found: &SnapshotBuilder) -> BTreeSet<GroupVersion> {
    let mut all =
        BTreeSet::from([GroupVersion::new("", "v1"), GroupVersion::new(AGGREGATOR_GROUP, "v1")]);
    let paths = found.root_paths_so_far().into_iter().flatten();
    let listed = paths
        .filter_map(|path| GroupVersion::parse(path.strip_prefix("/apis/")?))
        .filter(|gv| !gv.group.is_empty());
    if let Some(services) = found.api_services_so_far() {
        all.extend(services.iter().map(|service| service.group_version.clone()));
        // The aggregator's own group has no APIServices; before 1.22 it had a second version. A
        // built-in group version whose APIService another API server deleted is still served.
        all.extend(listed);
        return all;
    }
    all.extend(found.group_versions_so_far());
    all.extend(listed);
    all
}
