//! Builds a [`Snapshot`] from the JSON of API servers.
//!
//! `recognize` determines what a document is, and the codec of its kind decodes it into the model.
//! [`SnapshotBuilder`] collects the results. If two documents disagree, the newer state wins and a
//! [`Note`] reports that.

mod bounds;
mod by_key;
mod control_plane;
mod discovery;
mod document;
mod emulation;
mod escape;
mod lease;
pub mod manifest;
mod missing;
mod named;
mod objects;
mod openapi;
mod part;
mod rbac;
mod recognize;
mod refused;
mod so_far;
mod stripped;
mod untyped;
pub use crate::lenient::lenient;
pub use part::Envelope;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use crate::model::{
    AggregatedGroup, ApiResource, ApiService, CompleteLists, Crd, DiscoveryForm, EndpointSlice,
    GroupVersion, HealthEndpoint, HealthSample, IdentityLease, Input, LegacyGroup, Minor,
    Namespace, ObjectName, Origin, ServerFlags, ServerVersion, Service, SlowDocument, Snapshot,
    SourceKind, Unread,
};
use by_key::{Disagreement, FactsByKey};
pub use control_plane::structured as flagz_json;
pub use document::ServerDocument;
pub use missing::Missing;
use openapi::OpenApiFacts;
use part::{JsonText, Part};
pub use untyped::kind_of_file;

thread_local! {
    static DECODED: Cell<usize> = const { Cell::new(0) };
}

/// Returns how many JSON documents this thread has decoded. Tests compare it with the number of
/// documents that were read, to prove that none is decoded twice.
pub fn decoded_documents() -> usize {
    DECODED.get()
}

fn count_decoded() {
    DECODED.set(DECODED.get() + 1);
}

/// Something that a user should know about how a snapshot was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub weight: NoteLevel,
    /// The message, as one line.
    pub text: String,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteLevel {
    /// Answers may be wrong or incomplete because of it.
    Warning,
    /// Useful to know.
    Note,
    /// A detail of how the source was read.
    Detail,
}

/// Collects the documents of a cluster and builds a [`Snapshot`] from them. The order of the
/// documents does not matter.
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    bounds: bounds::Bounds,
    pub(crate) version: FactsByKey<(), ServerVersion>,
    pub(crate) root_paths: FactsByKey<(), BTreeSet<String>>,
    pub(crate) api_services: FactsByKey<String, ApiService>,
    pub(crate) crds: FactsByKey<String, Crd>,
    pub(crate) services: FactsByKey<(String, String), Service>,
    pub(crate) endpoint_slices: FactsByKey<(String, String), EndpointSlice>,
    pub(crate) endpoints: FactsByKey<(String, String), Vec<EndpointSlice>>,
    pub(crate) namespaces: FactsByKey<String, Namespace>,
    pub(crate) rbac: rbac::RbacFacts,
    pub(crate) control_plane: control_plane::ControlPlaneFacts,
    pub(crate) resource_lists: FactsByKey<GroupVersion, Vec<ApiResource>>,
    pub(crate) legacy_groups: FactsByKey<(), Vec<LegacyGroup>>,
    pub(crate) aggregated_groups: FactsByKey<(), Vec<AggregatedGroup>>,
    pub(crate) aggregated_core: FactsByKey<(), Vec<AggregatedGroup>>,
    /// The aggregated document without peers.
    pub(crate) own_groups: FactsByKey<(), Vec<AggregatedGroup>>,
    pub(crate) leases: FactsByKey<String, IdentityLease>,
    /// The server's versions according to `/statusz`.
    pub(crate) stated_versions: Option<emulation::StatedVersions>,
    /// The text of discovery documents, if requested. A value is `None` if two files have different
    /// texts.
    pub(crate) as_served: Option<BTreeMap<(String, DiscoveryForm), Option<String>>>,
    /// In the order of arrival. Two different responses are both kept.
    pub(crate) health: Vec<HealthSample>,
    pub(crate) metrics: Option<String>,
    pub(crate) openapi: OpenApiFacts,
    /// APIServices and CRDs in the order of arrival, if requested.
    pub(crate) order: Option<Vec<ObjectName>>,
    /// Kinds for which a list was added, even an empty one.
    pub(crate) listed: BTreeSet<&'static str>,
    /// Kinds for which a list is only a page, with the file of that page.
    pub(crate) cut: BTreeMap<&'static str, String>,
    /// Kinds of which some objects are left out, whatever their lists say.
    pub(crate) incomplete: BTreeSet<&'static str>,
    /// Kinds with at least one object that has a status, even an empty one.
    pub(crate) with_status: BTreeSet<&'static str>,
    /// Whether the objects are manifests, which have no status from a server.
    pub(crate) of_manifests: bool,
    /// APIServices of manifests that claim one name for different Services.
    pub(crate) rivals: Vec<ApiService>,
    /// Pairs of files that disagree, if nothing shows which one is newer.
    pub(crate) disagreements: Vec<[String; 2]>,
    /// The files of manifests with patches of APIServices elsewhere.
    pub(crate) patches: Vec<String>,
    /// The newest kubelet.
    pub(crate) kubelet: Option<Minor>,
    /// The version in the image tag of kube-apiserver, if all Pods agree.
    pub(crate) image: Option<Option<ServerVersion>>,
    /// Kinds that are not about the aggregation layer, with their number of objects.
    pub(crate) others: BTreeMap<String, usize>,
    /// Documents that were requested and could not be read.
    pub(crate) missing: Vec<Missing>,
    pub(crate) notes: Vec<Note>,
    /// The complete objects, if requested.
    pub(crate) objects: Option<objects::ObjectFacts>,
}

impl SnapshotBuilder {
    /// Creates a builder. With `objects` it also keeps every object as collected, and with `texts`
    /// the text of discovery documents.
    pub fn keeping(objects: bool, texts: bool) -> Self {
        let objects = objects.then(Default::default);
        Self { objects, as_served: texts.then(BTreeMap::new), ..Self::default() }
    }

    /// Creates a builder for manifests, which have an order and no status.
    pub fn of_manifests() -> Self {
        Self { order: Some(vec![]), of_manifests: true, ..Self::default() }
    }

    /// Adds one JSON document. `name` is where it came from, for messages. For documents without a
    /// kind, a file name can also show what they are.
    ///
    /// # Errors
    /// If the document is of a known kind but malformed. The parts that could be read are kept.
    pub fn add_json(&mut self, name: &str, json: &str) -> Result<(), String> {
        count_decoded();
        recognize::add(self, name, JsonText(json))
    }

    /// Adds one document that was read from another format, such as YAML.
    ///
    /// # Errors
    /// As for [`add_json`](Self::add_json).
    pub fn add_value(&mut self, name: &str, value: &serde_json::Value) -> Result<(), String> {
        count_decoded();
        recognize::add(self, name, value)
    }

    /// Adds `text` if it is exactly one JSON object. Returns `None` if it is not.
    pub fn add_single_json(&mut self, name: &str, text: &str) -> Option<Result<(), String>> {
        recognize::add_object(self, name, JsonText(text.trim_ascii())).inspect(|_| count_decoded())
    }

    /// Adds JSON with only some objects of a kind, so that its lists do not count as complete.
    ///
    /// # Errors
    /// As for [`add_json`](Self::add_json).
    pub fn add_selection(&mut self, name: &str, json: &str) -> Result<(), String> {
        let objects = self.objects.take();
        let added = self.add_json(name, json);
        self.objects = objects;
        added
    }

    /// Adds the text form of `/flagz` or `/statusz`. Returns whether `text` is one.
    pub fn add_flags_text(&mut self, name: &str, text: &str) -> bool {
        control_plane::add_text(self, name, text) || emulation::add_text(self, text)
    }

    /// Adds the response of a health endpoint.
    pub fn add_health(&mut self, endpoint: Option<HealthEndpoint>, body: &str) {
        self.health.push(HealthSample { endpoint, body: Ok(body.to_owned()) });
    }

    /// Sets the response of `/metrics`.
    pub fn set_metrics(&mut self, text: &str) {
        self.metrics = Some(text.to_owned());
    }

    /// Adds a document of the index `/openapi/v3` under its key.
    pub fn add_openapi_document(&mut self, key: &str, json: &str, etag: Option<String>) {
        count_decoded();
        openapi::document(self, key, key.to_owned(), json, etag);
    }

    /// Adds the response to a repeated request for the index `/openapi/v3`.
    ///
    /// # Errors
    /// If it is not an index.
    pub fn add_openapi_sample(&mut self, json: &str) -> Result<(), String> {
        count_decoded();
        openapi::sample(self, json)
    }

    /// Records which OpenAPI requests were slow, and whether `/openapi/v2` was served as protobuf.
    pub fn set_openapi_behavior(&mut self, slow: Vec<SlowDocument>, protobuf: bool) {
        self.openapi.slow = slow;
        self.openapi.protobuf |= protobuf;
    }

    /// Records that a document was requested and could not be read.
    pub fn add_missing(&mut self, document: ServerDocument, unread: Unread) {
        self.missing.push(Missing { document, unread });
    }

    /// Marks every list as complete, because all of its pages were added. Those that were marked as
    /// incomplete stay so.
    pub fn set_lists_complete(&mut self) {
        self.cut.clear();
    }

    /// Marks the list of a kind as incomplete, because some objects were not added.
    pub fn set_list_incomplete(&mut self, kind: &'static str) {
        self.incomplete.insert(kind);
    }

    /// Returns whether the list of a kind was marked as incomplete, or has too many objects to be
    /// added.
    pub fn is_list_incomplete(&self, kind: &str) -> bool {
        self.incomplete.contains(kind)
    }

    /// Adds a note to those that [`build`](Self::build) returns.
    pub fn note(&mut self, weight: NoteLevel, text: String) {
        self.notes.push(Note { weight, text });
    }

    /// Returns the kinds that were added and are not about the aggregation layer, with their
    /// number of objects.
    pub fn other_kinds(&self) -> &BTreeMap<String, usize> {
        &self.others
    }

    /// Adds a note about a disagreement. It is only a detail if one of the two is known to be
    /// newer.
    pub(crate) fn note_conflict<K>(
        &mut self,
        conflict: Option<Disagreement<K>>,
        what: impl FnOnce(&K) -> String,
    ) {
        let Some(Disagreement { key, used, other, newer }) = conflict else { return };
        if !newer {
            self.disagreements.push([used.to_string(), other.to_string()]);
        }
        let what = what(&key);
        let places = if used == other {
            format!("twice in {used}, with different contents")
        } else {
            format!("in {used} and {other}, with different contents")
        };
        let (weight, chosen) = if newer {
            (NoteLevel::Detail, "using the one with the higher resourceVersion".to_owned())
        } else if used == other {
            (NoteLevel::Warning, "using one of them".to_owned())
        } else {
            (NoteLevel::Warning, format!("using the one in {used}"))
        };
        self.notes.push(Note { weight, text: format!("{what} is {places}; {chosen}") });
    }

    /// Keeps the text of a discovery document, if texts are kept.
    fn keep_text<'a>(&mut self, path: String, form: DiscoveryForm, part: impl Part<'a>) {
        let Some(texts) = &mut self.as_served else { return };
        let text = part.to_json();
        let kept = texts.entry((path, form)).or_insert_with(|| Some(text.clone().into_owned()));
        if kept.as_deref() != Some(&*text) {
            *kept = None;
        }
    }

    /// Records that a list of a kind was added. `page` is its file if the list is only a page.
    pub(crate) fn lists(&mut self, kind: &'static str, page: Option<&str>) {
        self.listed.insert(kind);
        if let Some(file) = page {
            self.cut.entry(kind).or_insert_with(|| file.to_owned());
        }
    }

    /// Returns whether nothing about an API server was added.
    pub fn is_empty(&self) -> bool {
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
            && self.own_groups.is_empty()
            && self.leases.is_empty()
            && self.stated_versions.is_none()
            && self.openapi.is_empty()
            && self.health.is_empty()
            && self.metrics.is_none()
            && self.listed.is_empty()
    }

    /// Builds the snapshot of a dump.
    pub fn build(self, name: impl Into<String>) -> (Snapshot, Vec<Note>) {
        self.build_from(Origin { kind: SourceKind::Dump, name: name.into() })
    }

    /// Returns two folders that look like dumps of two clusters, because their files disagree about
    /// several objects.
    pub fn rival_folders(&self) -> Option<[String; 2]> {
        const MANY: usize = 3;
        let mut pairs: BTreeMap<[String; 2], usize> = BTreeMap::new();
        for [a, b] in &self.disagreements {
            let same = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
            let folder = |file: &str| {
                let parts: Vec<&str> = file.split('/').collect();
                (parts.len() > same + 1).then(|| parts[..=same].join("/"))
            };
            let (Some(a), Some(b)) = (folder(a), folder(b)) else { continue };
            *pairs.entry([a.clone().min(b.clone()), a.max(b)]).or_default() += 1;
        }
        pairs.into_iter().find(|(_, count)| *count >= MANY).map(|(pair, _)| pair)
    }

    /// Builds the snapshot of a source of any kind.
    pub fn build_from(mut self, origin: Origin) -> (Snapshot, Vec<Note>) {
        let mut snapshot = Snapshot::empty(origin);
        let listed = std::mem::take(&mut self.listed);
        let cut = std::mem::take(&mut self.cut);
        let incomplete = std::mem::take(&mut self.incomplete);
        let is_partial = |kind: &str| cut.contains_key(kind) || incomplete.contains(kind);
        let whole = |kind: &str| listed.contains(kind) && !is_partial(kind);
        snapshot.crds_complete = whole("CustomResourceDefinition");
        snapshot.version = self.version.into_input();
        snapshot.kubelet = self.kubelet;
        if let Some(image) = self.image.take().flatten()
            && snapshot.version == Input::Absent
        {
            snapshot.version = Input::Loaded(image);
        }
        snapshot.root_paths = self.root_paths.into_input();
        snapshot.api_services = objects(self.api_services, listed.contains("APIService"));
        let kept: Vec<&ApiService> = snapshot.api_services.items().iter().collect();
        self.rivals.retain(|rival| !kept.contains(&rival));
        snapshot.rivals = std::mem::take(&mut self.rivals);
        for file in &self.patches {
            let text = format!("skipped a patch of an APIService in {file}");
            self.notes.push(recognize::warning(text));
        }
        snapshot.crds = objects(self.crds, listed.contains("CustomResourceDefinition"));
        snapshot.services = objects(self.services, listed.contains("Service"));
        if self.of_manifests {
            place_services(&mut snapshot);
        }
        snapshot.endpoint_slices = objects(self.endpoint_slices, listed.contains("EndpointSlice"));
        snapshot.endpoints = match objects(self.endpoints, listed.contains("Endpoints")) {
            Input::Loaded(objects) => Input::Loaded(objects.into_iter().flatten().collect()),
            _ => Input::Absent,
        };
        snapshot.namespaces = objects(self.namespaces, listed.contains("Namespace"));
        snapshot.rbac = self.rbac.into_rbac(whole);
        snapshot.flags = objects(self.control_plane.flags, false);
        let own = |server: &&ServerFlags| server.from == control_plane::FLAGZ;
        snapshot.own_flags = snapshot.flags.items().iter().find(own).cloned();
        // Pods show only flags that are set. `/flagz` of one of these servers also shows defaults,
        // so the servers would seem to differ.
        if let Input::Loaded(flags) = &mut snapshot.flags
            && flags.len() > 1
        {
            flags.retain(|server| server.from != control_plane::FLAGZ);
        }
        snapshot.pods = objects(self.control_plane.pods, false);
        snapshot.front_proxy = self.control_plane.front_proxy.into_input();
        snapshot.order = self.order.take().unwrap_or_default();
        snapshot.listed = CompleteLists {
            services: whole("Service"),
            endpoint_slices: whole("EndpointSlice"),
            endpoints: whole("Endpoints"),
            namespaces: whole("Namespace"),
            api_services: is_partial("APIService").then_some(false),
        };
        snapshot.resource_lists = self.resource_lists.into_entries().collect();
        snapshot.legacy_groups = self.legacy_groups.into_input();
        snapshot.aggregated_groups = self.aggregated_groups.into_input();
        snapshot.aggregated_core = self.aggregated_core.into_input();
        snapshot.own_groups = self.own_groups.into_input();
        snapshot.leases = objects(self.leases, listed.contains("Lease"));
        self.openapi.settle(&mut snapshot);
        snapshot.objects =
            self.objects.take().map(|all| all.settle(&incomplete)).unwrap_or_default();
        let one = |(key, text): (_, Option<_>)| text.map(|text| (key, text));
        snapshot.as_served = self.as_served.into_iter().flatten().filter_map(one).collect();
        snapshot.health = std::mem::take(&mut self.health);
        snapshot.metrics = self.metrics.take().map_or(Input::Absent, Input::Loaded);
        emulation::settle(&mut snapshot, self.stated_versions.take());
        let pages = cut.iter().map(|(kind, file)| {
            let text = format!("{file} has one page of a list: some {kind} objects are missing");
            recognize::warning(text)
        });
        self.notes.extend(pages);
        self.notes.extend(missing::mark(&mut snapshot, &self.missing));
        // Manifests normally have no status.
        if !self.of_manifests {
            self.notes.extend(stripped::restore(&mut snapshot, &self.with_status));
        }
        (snapshot, self.notes)
    }
}

fn objects<K: Ord + Clone, T: PartialEq + Debug>(
    found: FactsByKey<K, T>,
    listed: bool,
) -> Input<Vec<T>> {
    if found.is_empty() && !listed { Input::Absent } else { Input::Loaded(found.into_values()) }
}

/// Gives a Service of manifests that sets no namespace the one in which an APIService expects it,
/// if that is certain.
fn place_services(snapshot: &mut Snapshot) {
    let Input::Loaded(services) = &mut snapshot.services else { return };
    for service in services.iter_mut().filter(|service| service.namespace.is_empty()) {
        let references = snapshot.api_services.items().iter().filter_map(|a| a.service.as_ref());
        let mut wanted: Vec<&str> = references
            .filter(|reference| reference.name == service.name)
            .map(|reference| reference.namespace.as_str())
            .collect();
        wanted.dedup();
        if let [namespace] = wanted[..] {
            service.namespace = namespace.to_owned();
        }
    }
    services.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_disagree_are_two_clusters() {
        let with = |files: &[[&str; 2]]| {
            let disagreements = files.iter().map(|pair| pair.map(str::to_owned)).collect();
            SnapshotBuilder { disagreements, ..SnapshotBuilder::default() }.rival_folders()
        };
        let pair = ["d/b/x/y.json", "d/a/z.json"];
        assert_eq!(with(&[pair; 3]), Some(["d/a".to_owned(), "d/b".to_owned()]));
        assert_eq!(with(&[pair; 2]), None);
        assert_eq!(with(&[["d/b.json", "d/a.json"]; 3]), None);
    }

    #[test]
    fn the_later_state_wins_whatever_the_order() {
        for order in [[(1, "a"), (2, "b")], [(2, "b"), (1, "a")]] {
            let mut builder: FactsByKey<(), &str> = FactsByKey::default();
            let [first, second] = order;
            assert_eq!(builder.add((), first.1, first.0, first.1), None);
            let conflict = builder.add((), second.1, second.0, second.1).unwrap();
            assert!(conflict.newer);
            assert_eq!(builder.into_values(), ["b"]);
        }
    }

    #[test]
    fn without_revisions_the_choice_is_stable_and_said() {
        for order in [["a", "b"], ["b", "a"]] {
            let mut builder = SnapshotBuilder::default();
            let mut found: FactsByKey<(), &str> = FactsByKey::default();
            found.add((), order[0], 0, order[0]);
            let conflict = found.add((), order[1], 0, order[1]);
            builder.note_conflict(conflict, |()| "APIService v1.x".to_owned());
            assert_eq!(found.into_values(), ["b"]);
            assert_eq!(
                builder.notes[0].text,
                "APIService v1.x is in b and a, with different contents; using the one in b"
            );
        }
    }
}
