//! Compares kubectl's files with what the server answers now.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::cache::DiscoveryCache;
use crate::documents::{DiscoveredGroup, ResourceList};
use crate::kubectl::Kubectl;
use crate::server::{ListAnswer, ServerDiscovery};

/// What differs between the files and the server.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Disagreements {
    /// The differences, sorted by group version.
    pub all: Vec<Disagreement>,
    /// The group versions that could not be compared: the source does not have their resources.
    pub unknown: Vec<String>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disagreement {
    /// The files have a group version that the server does not serve. kubectl requests it anyway
    /// and gets a 404.
    Gone {
        /// The group version.
        group_version: String,
    },
    /// The files have a group version that is Stale on the server. A client without these files
    /// takes it for missing.
    Stale {
        /// The group version.
        group_version: String,
    },
    /// The server has a group version that the files lack. kubectl finds it only after a lookup
    /// failed.
    New {
        /// The group version.
        group_version: String,
    },
    /// The preferred version of a group differs. kubectl requests the one of the files.
    Preferred {
        /// The group.
        group: String,
        /// The version of the files.
        cache: String,
        /// The version of the server.
        server: String,
    },
    /// The resources of a group version differ.
    Resources {
        /// The group version.
        group_version: String,
        /// Those that only the files have.
        gone: Vec<String>,
        /// Those that only the server has.
        new: Vec<String>,
    },
}

impl Disagreement {
    /// Returns the group that it is about.
    pub fn group(&self) -> &str {
        match self {
            Self::Preferred { group, .. } => group,
            Self::Gone { group_version }
            | Self::Stale { group_version }
            | Self::New { group_version }
            | Self::Resources { group_version, .. } => {
                group_version.rsplit_once('/').map_or("", |(group, _)| group)
            }
        }
    }
}

impl Disagreement {
    /// Returns whether kubectl requests something because of it that the server does not serve, or
    /// another version than a client without these files. What is only new is found anyway, and
    /// what is Stale is the server's problem.
    pub fn misleads(&self) -> bool {
        match self {
            Self::Gone { .. } | Self::Preferred { .. } => true,
            Self::Resources { gone, .. } => !gone.is_empty(),
            Self::New { .. } | Self::Stale { .. } => false,
        }
    }
}

/// Compares the files that kubectl would use with the server's documents. The core group is left
/// out if the server's part is unknown.
pub fn disagreements(
    cache: &DiscoveryCache,
    server: &ServerDiscovery,
    kubectl: Kubectl,
    now: Timestamp,
) -> Disagreements {
    let mut found = Disagreements::default();
    let file = cache.groups.as_ref().filter(|file| !file.is_expired(now, kubectl));
    let Some(groups) = file.and_then(|file| file.content.as_ref()) else { return found };
    let versions = |groups: &[DiscoveredGroup]| -> BTreeSet<String> {
        let versions = groups.iter().flat_map(|group| &group.versions);
        versions.map(|version| version.group_version.clone()).collect()
    };
    let (kept, served) = (versions(groups), versions(&server.groups));
    let has_core = server.groups.iter().any(|group| group.name.is_empty());
    let gone = kept.difference(&served).filter(|name| has_core || name.contains('/')).cloned();
    found.all.extend(gone.map(|group_version| match server.stale.contains(&group_version) {
        true => Disagreement::Stale { group_version },
        false => Disagreement::Gone { group_version },
    }));
    let new = served.difference(&kept).cloned();
    found.all.extend(new.map(|group_version| Disagreement::New { group_version }));
    for group in groups {
        let Some(other) = server.groups.iter().find(|one| one.name == group.name) else { continue };
        let (mine, theirs) = (&group.preferred_version.version, &other.preferred_version.version);
        if mine != theirs && !mine.is_empty() && !theirs.is_empty() {
            found.all.push(Disagreement::Preferred {
                group: group.name.clone(),
                cache: mine.clone(),
                server: theirs.clone(),
            });
        }
    }
    for group_version in kept.intersection(&served) {
        let file = cache.lists.get(group_version).filter(|file| !file.is_expired(now, kubectl));
        let Some(mine) = file.and_then(|file| file.content.as_ref()) else { continue };
        let theirs = match server.lists.get(group_version) {
            Some(ListAnswer::List(list)) => list,
            Some(ListAnswer::Unknown) => {
                found.unknown.push(group_version.clone());
                continue;
            }
            Some(ListAnswer::Refused(_)) | None => continue,
        };
        let (mine, theirs) = (names(mine), names(theirs));
        let only = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| -> Vec<String> {
            a.difference(b).map(|name| (*name).to_owned()).collect()
        };
        let (gone, new) = (only(&mine, &theirs), only(&theirs, &mine));
        if !gone.is_empty() || !new.is_empty() {
            let group_version = group_version.clone();
            found.all.push(Disagreement::Resources { group_version, gone, new });
        }
    }
    found.all.sort();
    found
}

fn names(list: &ResourceList) -> BTreeSet<&str> {
    let names = list.resources.iter().map(|resource| resource.name.as_str());
    names.filter(|name| !name.contains('/')).collect()
}
