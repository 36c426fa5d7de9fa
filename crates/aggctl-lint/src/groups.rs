//! The API groups of the input, with the combined properties of their versions.

use super::api_service::ApiService;
use super::together::Together;
use kube_aggregation::model::{self, KubeVersion, Stage};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A group in files that are applied together, including the cluster's versions.
#[derive(Debug)]
pub struct Group<'a> {
    /// The version that determines the group's place: the one with the highest priority. Ties are
    /// broken by name, as in the legacy document.
    pub carrier: &'a model::ApiService,
    /// The same, among versions in the input only.
    pub own_carrier: &'a ApiService<'a>,
    /// Per stage, the version with the highest priority.
    best: BTreeMap<Stage, &'a model::ApiService>,
    /// Per version priority, a kube-like version that has it.
    kube_like: HashMap<i32, &'a str>,
}

impl<'a> Group<'a> {
    /// Returns a kube-like version with this priority.
    pub fn kube_like_at(&self, version_priority: i32) -> Option<&'a str> {
        self.kube_like.get(&version_priority).copied()
    }

    /// Returns a more stable version that has a lower priority than this one.
    pub fn passed_over(&self, service: &model::ApiService) -> Option<&'a model::ApiService> {
        let stage = KubeVersion::parse(&service.group_version.version)?.stage;
        let stages = [Stage::Ga, Stage::Beta].into_iter().filter(|other| *other > stage);
        let mut best = stages.filter_map(|stage| self.best.get(&stage).copied());
        best.find(|other| other.version_priority < service.version_priority)
    }

    fn add(&mut self, service: &'a model::ApiService) {
        if let Some(version) = KubeVersion::parse(&service.group_version.version) {
            self.kube_like
                .entry(service.version_priority)
                .or_insert(&service.group_version.version);
            let best = self.best.entry(version.stage).or_insert(service);
            if best.version_priority < service.version_priority {
                *best = service;
            }
        }
        if leads(service, self.carrier) {
            self.carrier = service;
        }
    }
}

fn leads(a: &model::ApiService, b: &model::ApiService) -> bool {
    (-a.group_priority, &a.name) < (-b.group_priority, &b.name)
}

/// All groups in the input, per unit of files that are applied together.
#[derive(Debug, Default)]
pub(super) struct Groups<'a> {
    numbers: HashMap<&'a str, usize>,
    /// By unit, and by the index of the group's name.
    table: HashMap<(usize, usize), Group<'a>>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(
        own: &'a [ApiService<'a>],
        together: &Together,
        cluster: &'a [model::ApiService],
    ) -> Self {
        let mut groups = Self::default();
        let mut names = HashSet::with_capacity(own.len());
        for service in own.iter().filter(|s| s.has_group_version()) {
            let unit = together.unit(service.object.file);
            names.insert((unit, service.name.as_str()));
            let next = groups.numbers.len();
            let number = *groups.numbers.entry(service.group()).or_insert(next);
            let group = groups.table.entry((unit, number)).or_insert_with(|| Group {
                carrier: service,
                own_carrier: service,
                best: BTreeMap::new(),
                kube_like: HashMap::new(),
            });
            if leads(service, group.own_carrier) {
                group.own_carrier = service;
            }
            group.add(service);
        }
        // APIServices in the input replace those of the cluster.
        let mut by_group: HashMap<&str, Vec<&model::ApiService>> = HashMap::new();
        for other in cluster {
            by_group.entry(&other.group_version.group).or_default().push(other);
        }
        for ((unit, _), group) in &mut groups.table {
            let name = group.own_carrier.group();
            for other in by_group.get(name).into_iter().flatten().copied() {
                if !names.contains(&(*unit, other.name.as_str())) {
                    group.add(other);
                }
            }
        }
        groups
    }

    pub(super) fn get(&self, unit: usize, name: &str) -> Option<&Group<'a>> {
        self.table.get(&(unit, *self.numbers.get(name)?))
    }

    /// Returns all groups, sorted by unit and name.
    pub(super) fn sorted(&self) -> Vec<(usize, &Group<'a>)> {
        let mut groups: Vec<_> =
            self.table.iter().map(|((unit, _), group)| (*unit, group)).collect();
        groups.sort_unstable_by_key(|(unit, group)| (*unit, group.own_carrier.group()));
        groups
    }
}
