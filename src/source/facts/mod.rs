//! What has been found in a source so far, and what becomes of two findings about one thing.
//!
//! Shared by every source that gets JSON: the dump reads it from files, the live cluster answers
//! with it. `recognise` tells what a document is, `wire` is its form, `convert` makes it plain data.

pub(super) mod control_plane;
mod convert;
mod discovery;
mod list;
mod missing;
mod objects;
pub(super) mod openapi;
mod rbac;
pub(super) mod recognise;
mod refused;
mod stripped;
pub(super) mod unnamed;
pub(super) mod wire;

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::fmt::Debug;
use std::sync::Arc;

use super::{Note, Weight};
use crate::model::{
    AggregatedGroup, ApiResource, ApiService, Crd, EndpointSlice, Form, GroupVersion, HealthSample,
    Input, LegacyGroup, Listed, Namespace, ObjectName, Origin, ServerVersion, Service, Snapshot,
};
pub(super) use missing::Missing;
use openapi::OpenApiFacts;

/// Facts by what they are about. The result does not depend on the order of the files.
#[derive(Debug, Default)]
pub(in crate::source) struct Facts {
    pub version: Singles<(), ServerVersion>,
    pub root_paths: Singles<(), BTreeSet<String>>,
    pub api_services: Singles<String, ApiService>,
    pub crds: Singles<String, Crd>,
    pub services: Singles<(String, String), Service>,
    pub endpoint_slices: Singles<(String, String), EndpointSlice>,
    pub endpoints: Singles<(String, String), Vec<EndpointSlice>>,
    pub namespaces: Singles<String, Namespace>,
    pub rbac: rbac::RbacFacts,
    pub control_plane: control_plane::ControlPlaneFacts,
    pub resource_lists: Singles<GroupVersion, Vec<ApiResource>>,
    pub legacy_groups: Singles<(), Vec<LegacyGroup>>,
    pub aggregated_groups: Singles<(), Vec<AggregatedGroup>>,
    pub aggregated_core: Singles<(), Vec<AggregatedGroup>>,
    /// The text of discovery documents, where it is wanted; none where two files have different
    /// ones.
    pub as_served: Option<BTreeMap<(String, Form), Option<String>>>,
    /// As they came: two that differ are two answers.
    pub health: Vec<HealthSample>,
    pub metrics: Option<String>,
    pub openapi: OpenApiFacts,
    /// APIServices and CRDs as they came, where that is wanted.
    pub order: Option<Vec<ObjectName>>,
    /// Kinds that came as a list, even an empty one.
    pub listed: BTreeSet<&'static str>,
    /// Kinds of which a list is only a page, with the file that it is in.
    pub cut: BTreeMap<&'static str, String>,
    /// Kinds of which some object has a status, if only an empty one.
    pub with_status: BTreeSet<&'static str>,
    /// Whether these are manifests, which no server wrote.
    pub of_manifests: bool,
    /// Where only these group versions are asked about: what an aggregated document lists need not
    /// be read once more.
    pub asked: Option<BTreeSet<GroupVersion>>,
    /// Discovery documents that need not be read if such a document still comes, by their files.
    pub waiting: Vec<(String, String)>,
    /// Kinds that no answer of this run looks at, and whether one of them came.
    pub unneeded: BTreeSet<&'static str>,
    pub passed_over: bool,
    /// Kinds that are none of ours, and how often they came.
    pub others: BTreeMap<String, usize>,
    /// What was asked for and did not come.
    pub missing: Vec<Missing>,
    pub notes: Vec<Note>,
    /// The objects themselves, where they are wanted.
    pub objects: Option<objects::ObjectFacts>,
}

/// One fact per key.
#[derive(Debug)]
pub(in crate::source) struct Singles<K, T> {
    all: BTreeMap<K, Found<T>>,
    /// The file that the last one was found in: the next is most often in the same.
    file: Arc<str>,
}

#[derive(Debug)]
struct Found<T> {
    value: T,
    /// `metadata.resourceVersion`, 0 where there is none: of two states the later one counts.
    revision: u64,
    file: Arc<str>,
}

impl<K, T> Default for Singles<K, T> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), file: Arc::default() }
    }
}

impl<K: Ord + Clone, T: PartialEq + Debug> Singles<K, T> {
    /// Adds a fact. Where another file says otherwise, the later state wins, and without revisions
    /// an order of their own; the answer is what to tell the user.
    pub(in crate::source) fn add(
        &mut self,
        key: K,
        value: T,
        revision: u64,
        file: &str,
    ) -> Option<Conflict<K>> {
        if &*self.file != file {
            self.file = file.into();
        }
        let new = Found { value, revision, file: Arc::clone(&self.file) };
        let mut place = match self.all.entry(key) {
            Entry::Occupied(place) => place,
            Entry::Vacant(place) => {
                place.insert(new);
                return None;
            }
        };
        let old = place.get();
        if old.value == new.value {
            return None;
        }
        let newer = match new.revision.cmp(&old.revision) {
            std::cmp::Ordering::Equal => format!("{:?}", new.value) > format!("{:?}", old.value),
            order => order.is_gt(),
        };
        let known = old.revision != new.revision && old.revision.min(new.revision) > 0;
        let (used, other) = if newer { (&new.file, &old.file) } else { (&old.file, &new.file) };
        let (used, other) = (Arc::clone(used), Arc::clone(other));
        let conflict = Conflict { key: place.key().clone(), used, other, newer: known };
        if newer {
            place.insert(new);
        }
        Some(conflict)
    }

    pub(in crate::source) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The first of them.
    fn any(&self) -> Option<&T> {
        self.all.values().next().map(|found| &found.value)
    }

    fn into_entries(self) -> impl Iterator<Item = (K, T)> {
        self.all.into_iter().map(|(key, found)| (key, found.value))
    }

    fn into_values(self) -> Vec<T> {
        self.all.into_values().map(|found| found.value).collect()
    }
}

impl<T> Singles<(), T> {
    fn into_input(self) -> Input<T> {
        let first = self.all.into_values().next();
        first.map_or(Input::Absent, |found| Input::Loaded(found.value))
    }
}

/// Two files that say different things about one object.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::source) struct Conflict<K> {
    key: K,
    used: Arc<str>,
    other: Arc<str>,
    /// Whether the one that is used is known to be the later state.
    newer: bool,
}

impl Facts {
    /// Of which nothing is known yet; with the objects themselves, and the text of discovery
    /// documents, if they are wanted.
    pub(in crate::source) fn keeping(objects: bool, texts: bool) -> Self {
        let objects = objects.then(Default::default);
        Self { objects, as_served: texts.then(BTreeMap::new), ..Self::default() }
    }

    /// Tells the user of a conflict over something, unless it is only an older state of it.
    pub(in crate::source) fn note_conflict<K>(
        &mut self,
        conflict: Option<Conflict<K>>,
        what: impl FnOnce(&K) -> String,
    ) {
        let Some(Conflict { key, used, other, newer }) = conflict else { return };
        let what = what(&key);
        let places = if used == other {
            format!("twice in {used}, with different contents")
        } else {
            format!("in {used} and {other}, with different contents")
        };
        let (weight, chosen) = if newer {
            (Weight::Detail, "using the one with the higher resourceVersion".to_owned())
        } else if used == other {
            (Weight::Warning, "using one of them".to_owned())
        } else {
            (Weight::Warning, format!("using the one in {used}"))
        };
        self.notes.push(Note { weight, text: format!("{what} is {places}; {chosen}") });
    }

    /// The aggregated document that lists a group version if the server does, if it has come.
    fn aggregated(&self, gv: &GroupVersion) -> Option<&Vec<AggregatedGroup>> {
        let core = gv.group.is_empty();
        if core { self.aggregated_core.any() } else { self.aggregated_groups.any() }
    }

    /// Keeps the text of a discovery document.
    pub(in crate::source) fn keep_text(&mut self, path: String, form: Form, text: &str) {
        let Some(texts) = &mut self.as_served else { return };
        let kept = texts.entry((path, form)).or_insert_with(|| Some(text.to_owned()));
        if kept.as_deref() != Some(text) {
            *kept = None;
        }
    }

    /// A list of a kind came; one that is only a page of it, from a file.
    pub(in crate::source) fn lists(&mut self, kind: &'static str, page: Option<&str>) {
        self.listed.insert(kind);
        if let Some(file) = page {
            self.cut.entry(kind).or_insert_with(|| file.to_owned());
        }
    }

    /// Whether anything was found.
    pub(in crate::source) fn is_empty(&self) -> bool {
        self.version.is_empty()
            && self.root_paths.is_empty()
            && self.api_services.is_empty()
            && self.crds.is_empty()
            && self.services.is_empty()
            && self.endpoint_slices.is_empty()
            && self.endpoints.is_empty()
            && self.namespaces.is_empty()
            && self.rbac.is_empty()
            && self.control_plane.flags.is_empty()
            && self.control_plane.front_proxy.is_empty()
            && self.resource_lists.is_empty()
            && self.legacy_groups.is_empty()
            && self.aggregated_groups.is_empty()
            && self.aggregated_core.is_empty()
            && self.openapi.is_empty()
            && self.health.is_empty()
            && self.metrics.is_none()
            && self.listed.is_empty()
            && !self.passed_over
    }

    pub(in crate::source) fn into_snapshot(mut self, origin: Origin) -> (Snapshot, Vec<Note>) {
        let mut snapshot = Snapshot::empty(origin);
        let mut listed = std::mem::take(&mut self.listed);
        listed.retain(|kind| !self.unneeded.contains(kind));
        let cut = std::mem::take(&mut self.cut);
        let whole = |kind: &str| listed.contains(kind) && !cut.contains_key(kind);
        snapshot.crds_complete = whole("CustomResourceDefinition");
        snapshot.version = self.version.into_input();
        snapshot.root_paths = self.root_paths.into_input();
        snapshot.api_services = objects(self.api_services, listed.contains("APIService"));
        snapshot.crds = objects(self.crds, listed.contains("CustomResourceDefinition"));
        snapshot.services = objects(self.services, listed.contains("Service"));
        snapshot.endpoint_slices = objects(self.endpoint_slices, listed.contains("EndpointSlice"));
        snapshot.endpoints = match objects(self.endpoints, listed.contains("Endpoints")) {
            Input::Loaded(objects) => Input::Loaded(objects.into_iter().flatten().collect()),
            _ => Input::Absent,
        };
        snapshot.namespaces = objects(self.namespaces, listed.contains("Namespace"));
        snapshot.rbac = self.rbac.into_rbac(whole);
        snapshot.flags = objects(self.control_plane.flags, false);
        // Pods show what is set, `/flagz` of one of the same servers all defaults too: side by side
        // they would seem to differ.
        if let Input::Loaded(flags) = &mut snapshot.flags
            && flags.len() > 1
        {
            flags.retain(|server| server.from != control_plane::FLAGZ);
        }
        snapshot.pods = objects(self.control_plane.pods, false);
        snapshot.front_proxy = self.control_plane.front_proxy.into_input();
        snapshot.listed = Listed {
            services: whole("Service"),
            endpoint_slices: whole("EndpointSlice"),
            endpoints: whole("Endpoints"),
            namespaces: whole("Namespace"),
            api_services: cut.contains_key("APIService").then_some(false),
        };
        snapshot.resource_lists = self.resource_lists.into_entries().collect();
        snapshot.legacy_groups = self.legacy_groups.into_input();
        snapshot.aggregated_groups = self.aggregated_groups.into_input();
        snapshot.aggregated_core = self.aggregated_core.into_input();
        self.openapi.settle(&mut snapshot);
        snapshot.objects =
            self.objects.take().map(objects::ObjectFacts::settle).unwrap_or_default();
        let one = |(key, text): (_, Option<_>)| text.map(|text| (key, text));
        snapshot.as_served = self.as_served.into_iter().flatten().filter_map(one).collect();
        snapshot.health = std::mem::take(&mut self.health);
        snapshot.metrics = self.metrics.take().map_or(Input::Absent, Input::Loaded);
        let needed = |(kind, _): &(&&str, &String)| !self.unneeded.contains(**kind);
        let pages = cut.iter().filter(needed).map(|(kind, file)| {
            let text = format!("{file} has one page of a list: not every {kind} is there");
            recognise::warning(text)
        });
        self.notes.extend(pages);
        self.notes.extend(missing::mark(&mut snapshot, &self.missing));
        // Nobody expects manifests to have a status.
        if !self.of_manifests {
            self.notes.extend(stripped::restore(&mut snapshot, &self.with_status));
        }
        (snapshot, self.notes)
    }
}

fn objects<K: Ord + Clone, T: PartialEq + Debug>(
    found: Singles<K, T>,
    listed: bool,
) -> Input<Vec<T>> {
    if found.is_empty() && !listed { Input::Absent } else { Input::Loaded(found.into_values()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_state_wins_whatever_the_order() {
        for order in [[(1, "a"), (2, "b")], [(2, "b"), (1, "a")]] {
            let mut facts: Singles<(), &str> = Singles::default();
            let [first, second] = order;
            assert_eq!(facts.add((), first.1, first.0, first.1), None);
            let conflict = facts.add((), second.1, second.0, second.1).unwrap();
            assert!(conflict.newer);
            assert_eq!(facts.into_values(), ["b"]);
        }
    }

    #[test]
    fn without_revisions_the_choice_is_stable_and_said() {
        for order in [["a", "b"], ["b", "a"]] {
            let mut facts = Facts::default();
            let mut found: Singles<(), &str> = Singles::default();
            found.add((), order[0], 0, order[0]);
            let conflict = found.add((), order[1], 0, order[1]);
            facts.note_conflict(conflict, |()| "APIService v1.x".to_owned());
            assert_eq!(found.into_values(), ["b"]);
            assert_eq!(
                facts.notes[0].text,
                "APIService v1.x is in b and a, with different contents; using the one in b"
            );
        }
    }
}
