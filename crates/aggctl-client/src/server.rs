//! The discovery documents that a server would answer a client with.

use std::collections::{BTreeMap, BTreeSet};

use kube_aggregation::discovery::{self, DiscoveryDocument, aggregated_versions};
use kube_aggregation::model::{AggregatedGroup, DiscoveryForm, GroupVersion};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Outcome, Router, Target};

use crate::documents::{
    DiscoveredGroup, DiscoveredResource, DiscoveredVersion, ResourceList, split,
};
use crate::kubectl::Kubectl;

/// What a server would answer a client's discovery requests with.
#[derive(Debug, Default)]
pub struct ServerDiscovery {
    /// The version of aggregated discovery that the two agree on; `None` for the legacy documents.
    pub aggregated: Option<&'static str>,
    /// The groups, in order, the core group first.
    pub groups: Vec<DiscoveredGroup>,
    /// The lists, by `group/version`.
    pub lists: BTreeMap<String, ListAnswer>,
    /// The group versions that are Stale in the aggregated document. The client takes them for
    /// missing.
    pub stale: BTreeSet<String>,
}

/// How a server answers for a group version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionState {
    /// It lists its resources.
    Served,
    /// The aggregated document has it as Stale.
    Stale,
    /// It answers the request for its resources with this status.
    Refused(u16),
    /// Its list of groups does not have it.
    NotListed,
    /// The source does not have its resources.
    Unknown,
}

/// The answer to a request for an APIResourceList.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListAnswer {
    /// The list.
    List(ResourceList),
    /// An error with this status.
    Refused(u16),
    /// The source does not have the list.
    Unknown,
}

impl ServerDiscovery {
    /// Returns what the server of a registry answers a release of kubectl.
    pub fn of(registry: &Registry<'_>, kubectl: Kubectl) -> Self {
        let offered = aggregated_versions(registry.minor);
        let mut accepted = kubectl.aggregated_forms().iter().copied();
        match accepted.find(|form| offered.contains(form)) {
            Some(form) => Self::aggregated(registry, kubectl, form),
            None => Self::legacy(registry),
        }
    }

    fn aggregated(registry: &Registry<'_>, kubectl: Kubectl, form: &'static str) -> Self {
        let documents = ["/api", "/apis"].map(|path| {
            let document = discovery::document(registry, path, DiscoveryForm::Aggregated, false);
            match document {
                Some((DiscoveryDocument::Aggregated(groups), _)) => groups,
                _ => vec![],
            }
        });
        let mut answers = Self::of_aggregated(documents.iter().flatten(), kubectl, form);
        // A document that is computed has an empty list for what the source does not have.
        if !registry.snapshot.aggregated_groups.is_loaded() {
            for gv in discovery::aggregated(registry).without_resources {
                answers.lists.insert(gv.to_string(), ListAnswer::Unknown);
            }
        }
        answers
    }

    /// Returns what a client makes of aggregated documents: the groups of `/api`, then those of
    /// `/apis`.
    pub fn of_aggregated<'g>(
        groups: impl IntoIterator<Item = &'g AggregatedGroup>,
        kubectl: Kubectl,
        form: &'static str,
    ) -> Self {
        let mut answers = Self { aggregated: Some(form), ..Self::default() };
        for group in groups {
            let (discovered, lists) = split(group, kubectl);
            for version in &group.versions {
                let named = DiscoveredVersion::new(&group.name, &version.version);
                if !discovered.versions.contains(&named) {
                    answers.stale.insert(named.group_version);
                }
            }
            answers.groups.push(discovered);
            for list in lists {
                answers.lists.insert(list.group_version.clone(), ListAnswer::List(list));
            }
        }
        answers
    }

    fn legacy(registry: &Registry<'_>) -> Self {
        let mut answers = Self::default();
        let document = |path| discovery::document(registry, path, DiscoveryForm::Legacy, false);
        if let Some((DiscoveryDocument::Versions(versions), _)) = document("/api") {
            let versions: Vec<_> =
                versions.iter().map(|version| DiscoveredVersion::new("", version)).collect();
            let preferred_version = versions.first().cloned().unwrap_or_default();
            answers.groups.push(DiscoveredGroup {
                name: String::new(),
                versions,
                preferred_version,
            });
        }
        if let Some((DiscoveryDocument::Groups(groups), _)) = document("/apis") {
            answers.groups.extend(groups.iter().map(|group| {
                let named = |version: &String| DiscoveredVersion::new(&group.name, version);
                DiscoveredGroup {
                    name: group.name.clone(),
                    versions: group.versions.iter().map(named).collect(),
                    preferred_version: named(&group.preferred),
                }
            }));
        }
        let router = Router::new(registry);
        for group in &answers.groups {
            for version in &group.versions {
                let gv = GroupVersion::new(&*group.name, &*version.version);
                let answer = list(registry, &router, &gv);
                answers.lists.insert(version.group_version.clone(), answer);
            }
        }
        answers
    }

    /// Returns how the server answers for a group version.
    pub fn state(&self, group_version: &str) -> VersionState {
        let mut versions = self.groups.iter().flat_map(|group| &group.versions);
        match self.lists.get(group_version) {
            _ if self.stale.contains(group_version) => VersionState::Stale,
            _ if !versions.any(|one| one.group_version == group_version) => VersionState::NotListed,
            Some(ListAnswer::List(_)) => VersionState::Served,
            Some(ListAnswer::Refused(status)) => VersionState::Refused(*status),
            Some(ListAnswer::Unknown) | None => VersionState::Unknown,
        }
    }

    /// Returns the group versions whose resources the source does not have.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let unknown = self.lists.iter().filter(|(_, answer)| **answer == ListAnswer::Unknown);
        unknown.map(|(name, _)| name.as_str())
    }

    /// Returns the group versions whose lists the server refuses, with the status.
    pub fn refused(&self) -> impl Iterator<Item = (&str, u16)> {
        self.lists.iter().filter_map(|(name, answer)| match answer {
            ListAnswer::Refused(status) => Some((name.as_str(), *status)),
            ListAnswer::List(_) | ListAnswer::Unknown => None,
        })
    }
}

fn list(registry: &Registry<'_>, router: &Router<'_>, gv: &GroupVersion) -> ListAnswer {
    let path = gv.root_path();
    let Ok(target) = Target::parse(Method::Get, &path) else { return ListAnswer::Unknown };
    match router.route(&target).outcome {
        Outcome::Unavailable => return ListAnswer::Refused(503),
        Outcome::NotFound => return ListAnswer::Refused(404),
        _ => {}
    }
    match discovery::document(registry, &path, DiscoveryForm::Legacy, false) {
        Some((DiscoveryDocument::Resources(_, resources), _)) => ListAnswer::List(ResourceList {
            group_version: gv.to_string(),
            resources: resources.iter().map(DiscoveredResource::from).collect(),
        }),
        _ => ListAnswer::Unknown,
    }
}
