//! The files that kubectl keeps about one API server, as they were read.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::documents::{DiscoveredGroup, ResourceList};
use crate::http_cache::HttpEntry;
use crate::kubectl::Kubectl;

/// The discovery cache of one API server: `discovery/HOST_PORT/` and its part of `http/`.
#[derive(Debug, Default)]
pub struct DiscoveryCache {
    /// The directory of this server, for people.
    pub directory: String,
    /// `servergroups.json`.
    pub groups: Option<CacheFile<Vec<DiscoveredGroup>>>,
    /// `GROUP/VERSION/serverresources.json`, by `GROUP/VERSION`.
    pub lists: BTreeMap<String, CacheFile<ResourceList>>,
    /// Responses that kubectl revalidates, by path.
    pub http: BTreeMap<&'static str, HttpEntry>,
    /// Files that were not used.
    pub skipped: Vec<SkippedFile>,
}

/// A file that was not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// Its path, for people.
    pub path: String,
    /// Why.
    pub why: Unusable,
}

/// Why a file is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// It cannot be read; kubectl may be able to.
    Unreadable(String),
    /// It is not a discovery document. kubectl asks the server instead, and writes it again.
    NotDiscovery,
    /// Its checksum does not match, so kubectl ignores it.
    Checksum,
    /// Its name or place is none that kubectl uses.
    Foreign,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheFile<T> {
    /// When it was written.
    pub modified: Timestamp,
    /// Its content; `None` if kubectl cannot decode it.
    pub content: Option<T>,
}

impl<T> CacheFile<T> {
    /// Returns how long ago it was written.
    pub fn age(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.modified)
    }

    /// Returns whether it is too old to be used.
    pub fn is_expired(&self, now: Timestamp, kubectl: Kubectl) -> bool {
        self.age(now) > kubectl.time_to_live()
    }
}

impl DiscoveryCache {
    /// Returns whether kubectl has a list of groups here that it can use.
    pub fn has_groups(&self, now: Timestamp, kubectl: Kubectl) -> bool {
        let usable = |file: &CacheFile<_>| file.content.is_some() && !file.is_expired(now, kubectl);
        self.groups.as_ref().is_some_and(usable)
    }

    /// Returns the releases of kubectl that may have written the cache, oldest and newest, as far as
    /// a kept response shows.
    pub fn written_by(&self) -> Option<(Kubectl, Kubectl)> {
        self.http.values().find_map(|entry| Kubectl::sending(entry.accept.as_deref()?))
    }

    /// Returns the lists that no group of `servergroups.json` refers to. kubectl never deletes them.
    pub fn left_over(&self) -> impl Iterator<Item = &str> {
        let groups = self.groups.as_ref().and_then(|file| file.content.as_ref());
        let known = move |name: &str| {
            let mut versions = groups.into_iter().flatten().flat_map(|group| &group.versions);
            versions.any(|version| version.group_version == name)
        };
        let any = groups.is_some();
        self.lists.keys().map(String::as_str).filter(move |name| any && !known(name))
    }
}

/// Returns the name of a server's directory: the address without its scheme, and every unusual
/// character replaced. Addresses with a path keep their slashes.
pub fn host_directory(server: &str) -> String {
    let host = server.replacen("https://", "", 1).replacen("http://", "", 1);
    let kept = |c: char| c.is_ascii_alphanumeric() || "_/.()".contains(c);
    host.chars().map(|c| if kept(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_named_after_the_server() {
        for (server, want) in [
            ("https://10.0.0.1:6443", "10.0.0.1_6443"),
            ("http://[::1]:8080", "___1__8080"),
            ("https://rancher.example/k8s/clusters/c-1", "rancher.example/k8s/clusters/c_1"),
            ("localhost:8080", "localhost_8080"),
        ] {
            assert_eq!(host_directory(server), want);
        }
    }
}
