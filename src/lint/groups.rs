//! The groups of the input with what their versions say together.

use super::api_service::ApiService;
use super::facts::Registered;
use crate::model::{KubeVersion, Stage};
use std::collections::{HashMap, HashSet};

/// A version of a group, from the input or from the cluster.
#[derive(Debug, Clone, Copy)]
pub struct Version<'a> {
    /// The APIService's name.
    pub name: &'a str,
    /// The version.
    pub version: &'a str,
    /// `groupPriorityMinimum`.
    pub group_priority: i64,
    /// `versionPriority`.
    pub version_priority: i64,
}

/// A group.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// Its name.
    pub name: &'a str,
    /// The version that gives the group its place: the highest priority, of
    /// equal ones the first name, as in the legacy document.
    pub carrier: Version<'a>,
    /// The same among the input's own, if there are any.
    pub own_carrier: Option<&'a ApiService<'a>>,
    /// The stable version with the highest priority.
    pub best_stable: Option<Version<'a>>,
    /// For each version priority, a kube-like version that has it.
    kube_like: HashMap<i64, &'a str>,
}

impl<'a> Group<'a> {
    /// A kube-like version with this priority.
    pub fn kube_like_at(&self, version_priority: i64) -> Option<&'a str> {
        self.kube_like.get(&version_priority).copied()
    }

    fn add(&mut self, version: Version<'a>) {
        let kube = KubeVersion::parse(version.version);
        if kube.is_some() {
            self.kube_like.entry(version.version_priority).or_insert(version.version);
        }
        if kube.is_some_and(|v| v.stage == Stage::Ga)
            && self.best_stable.is_none_or(|b| version.version_priority > b.version_priority)
        {
            self.best_stable = Some(version);
        }
        if leads(&version, &self.carrier) {
            self.carrier = version;
        }
    }
}

fn leads(a: &Version<'_>, b: &Version<'_>) -> bool {
    (-a.group_priority, a.name) < (-b.group_priority, b.name)
}

/// All groups that the input has.
#[derive(Debug, Default)]
pub(super) struct Groups<'a> {
    table: HashMap<&'a str, Group<'a>>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(own: &'a [ApiService<'a>], cluster: &'a [Registered]) -> Self {
        let mut groups = Self::default();
        let mut names = HashSet::with_capacity(own.len());
        for service in own.iter().filter(|s| s.has_group_version()) {
            names.insert(service.name);
            let version = Version {
                name: service.name,
                version: service.version,
                group_priority: service.group_priority,
                version_priority: service.version_priority,
            };
            let group = groups.entry(service.group, version);
            let first = group.own_carrier.is_none_or(|carrier| {
                (-service.group_priority, service.name) < (-carrier.group_priority, carrier.name)
            });
            if first {
                group.own_carrier = Some(service);
            }
            group.add(version);
        }
        // As if the input were applied: what it brings replaces the cluster's.
        for other in cluster.iter().filter(|r| !names.contains(r.name.as_str())) {
            if let Some(group) = groups.table.get_mut(other.group.as_str()) {
                group.add(Version {
                    name: &other.name,
                    version: &other.version,
                    group_priority: other.group_priority,
                    version_priority: other.version_priority,
                });
            }
        }
        groups
    }

    fn entry(&mut self, name: &'a str, first: Version<'a>) -> &mut Group<'a> {
        self.table.entry(name).or_insert_with(|| Group {
            name,
            carrier: first,
            own_carrier: None,
            best_stable: None,
            kube_like: HashMap::new(),
        })
    }

    pub(super) fn get(&self, name: &str) -> Option<&Group<'a>> {
        self.table.get(name)
    }

    pub(super) fn sorted(&self) -> Vec<&Group<'a>> {
        let mut groups: Vec<_> = self.table.values().collect();
        groups.sort_unstable_by_key(|g| g.name);
        groups
    }
}
