//! Answers questions about the documents added so far, to decide what to request next.

use std::collections::BTreeSet;

use super::SnapshotBuilder;
use crate::model::{ApiService, GroupVersion, Minor};

impl SnapshotBuilder {
    /// Returns the server's version, if it is known.
    pub fn minor_so_far(&self) -> Option<Minor> {
        self.version.values().next()?.minor
    }

    /// Returns the paths that `/` lists, if it was added.
    pub fn root_paths_so_far(&self) -> Option<&BTreeSet<String>> {
        self.root_paths.values().next()
    }

    /// Returns the APIServices. Returns `None` if neither an APIService nor a list was added.
    pub fn api_services_so_far(&self) -> Option<Vec<&ApiService>> {
        let any = !self.api_services.is_empty() || self.listed.contains("APIService");
        any.then(|| self.api_services.values().collect())
    }

    /// Returns the group versions that discovery documents name.
    pub fn group_versions_so_far(&self) -> BTreeSet<GroupVersion> {
        let legacy = self.legacy_groups.values().flatten().flat_map(|group| {
            group.versions.iter().map(|version| GroupVersion::new(&*group.name, version))
        });
        let aggregated = self.aggregated_groups.values().flatten().flat_map(|group| {
            group.versions.iter().map(|one| GroupVersion::new(&*group.name, &*one.version))
        });
        legacy.chain(aggregated).collect()
    }

    /// Returns whether CRDs, or an empty list of them, were added.
    pub fn has_crds(&self) -> bool {
        !self.crds.is_empty() || self.listed.contains("CustomResourceDefinition")
    }

    /// Returns whether the aggregated form of `/apis` was added.
    pub fn has_aggregated_groups(&self) -> bool {
        !self.aggregated_groups.is_empty()
    }

    /// Returns whether the APIResourceList of a group version was added.
    pub fn has_resource_list(&self, gv: &GroupVersion) -> bool {
        self.resource_lists.contains(gv)
    }

    /// Returns whether the index `/openapi/v3` has a document with this key.
    pub fn openapi_index_has(&self, key: &str) -> bool {
        self.openapi.index_has(key)
    }
}
