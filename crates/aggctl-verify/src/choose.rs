//! Chooses the requests to send: from a seed, and so that every group version gets some.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::probe::{Form, LOWER_MARK, MARK, Probe, ProbeClass};
use super::random::Random;
use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::model::{AGGREGATED_SINCE, GroupVersion};
use kube_aggregation::registry::Registry;

/// The requests to send, and how much they cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The requests, in the order to send them.
    pub probes: Vec<Probe>,
    /// How many group versions are registered or served.
    pub group_versions: usize,
}

impl Choice {
    /// Returns how many group versions a request is about.
    pub fn covered(&self) -> usize {
        let all: HashSet<_> =
            self.probes.iter().filter_map(|probe| probe.group_version.as_ref()).collect();
        all.len()
    }
}

/// A resource that can be read by name.
#[derive(Debug, Clone)]
struct Readable {
    name: String,
    namespaced: bool,
    /// Its subresources that can be read without an effect.
    subresources: Vec<String>,
}

/// The share of the requests that are documents or odd paths, as a divisor.
const SHARE: usize = 8;

/// The subresources that only read the object.
const READ_ONLY: [&str; 2] = ["status", "scale"];

/// Chooses at most `samples` requests. The same registry, number and seed give the same requests.
pub fn choose(registry: &Registry<'_>, samples: usize, seed: u64) -> Choice {
    let mut random = Random::new(seed);
    let mut maker = Maker { suffix: random.number(), random };
    let all = group_versions(registry);
    let readable: BTreeMap<&GroupVersion, Vec<Readable>> =
        all.iter().map(|gv| (gv, readable(registry, gv))).collect();
    let mut queues: Vec<Vec<Probe>> =
        readable.iter().map(|(gv, resources)| maker.about(gv, resources)).collect();
    maker.random.shuffle(&mut queues);
    let mut chosen = Chosen { probes: vec![], seen: HashSet::new(), samples };
    let share = samples / SHARE;
    // A few documents, then one request per group version, then odd paths, then the rest in turns.
    chosen.add_some(documents(registry), share.max(1));
    let mut turns: Vec<_> = queues.into_iter().map(Vec::into_iter).collect();
    chosen.add(turns.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>());
    let bases: Vec<(GroupVersion, Readable)> = (readable.iter())
        .flat_map(|(gv, all)| all.iter().map(|one| ((*gv).clone(), one.clone())))
        .collect();
    let odd = maker.odd(&bases, share);
    chosen.add_some(odd, share);
    while chosen.probes.len() < samples {
        let turn: Vec<Probe> = turns.iter_mut().filter_map(Iterator::next).collect();
        if turn.is_empty() {
            break;
        }
        chosen.add(turn);
    }
    Choice { probes: chosen.probes, group_versions: all.len() }
}

/// The requests so far.
struct Chosen {
    probes: Vec<Probe>,
    seen: HashSet<(String, Form)>,
    samples: usize,
}

impl Chosen {
    fn add(&mut self, probes: impl IntoIterator<Item = Probe>) {
        self.add_some(probes, usize::MAX);
    }

    /// Adds at most `most` requests, and none twice.
    fn add_some(&mut self, probes: impl IntoIterator<Item = Probe>, most: usize) {
        let mut left = most.min(self.samples - self.probes.len());
        for probe in probes {
            if left == 0 {
                return;
            }
            if probe.is_harmless() && self.seen.insert((probe.path.clone(), probe.form)) {
                self.probes.push(probe);
                left -= 1;
            }
        }
    }
}

/// Returns every group version that is registered, listed or served.
fn group_versions(registry: &Registry<'_>) -> BTreeSet<GroupVersion> {
    let registered = registry.api_services().map(|(service, _)| service.group_version.clone());
    let listed = registry.root_paths.iter().filter_map(|path| GroupVersion::at_root(path));
    let custom = registry.custom_group_versions().cloned();
    registered.chain(listed).chain(custom).collect()
}

/// Returns the resources of a group version that can be read by name.
fn readable(registry: &Registry<'_>, gv: &GroupVersion) -> Vec<Readable> {
    let mut found: BTreeMap<String, Readable> = BTreeMap::new();
    let list = registry.resources(gv).map(|(list, _)| list).unwrap_or_default();
    for one in list {
        let can_get = one.verbs.iter().any(|verb| &**verb == "get");
        if can_get && !one.name.contains('/') {
            let (name, namespaced) = (one.name.clone(), one.namespaced);
            found.insert(name.clone(), Readable { name, namespaced, subresources: vec![] });
        }
    }
    for one in list {
        if let Some((parent, sub)) = one.name.split_once('/')
            && READ_ONLY.contains(&sub)
            && let Some(parent) = found.get_mut(parent)
        {
            parent.subresources.push(sub.to_owned());
        }
    }
    for crd in registry.custom_resources(gv) {
        let name = crd.accepted.plural.clone();
        let one = Readable { name: name.clone(), namespaced: crd.namespaced, subresources: vec![] };
        found.entry(name).or_insert(one);
    }
    found.into_values().filter(|one| !one.name.is_empty()).collect()
}

/// Returns the documents of the server itself.
fn documents(registry: &Registry<'_>) -> Vec<Probe> {
    let document = |path: &str, form: Form| Probe {
        path: path.to_owned(),
        form,
        class: ProbeClass::Document,
        group_version: None,
    };
    let mut all = vec![document("/apis", Form::Plain), document("/api", Form::Plain)];
    if registry.minor >= AGGREGATED_SINCE {
        all.extend(["/apis", "/api"].map(|path| document(path, Form::Aggregated)));
    }
    all.extend(["/version", "/", "/openapi/v3"].map(|path| document(path, Form::Plain)));
    all
}

/// Makes requests with names that cannot exist.
struct Maker {
    random: Random,
    suffix: u64,
}

impl Maker {
    fn absent(&self) -> String {
        format!("{MARK}-{:016x}", self.suffix)
    }

    fn unknown(&self) -> String {
        format!("{LOWER_MARK}{:016x}", self.suffix)
    }

    /// Returns the path of an absent object.
    fn object(&self, gv: &GroupVersion, resource: &str, namespaced: bool) -> String {
        let space = if namespaced { "/namespaces/default" } else { "" };
        format!("{}{space}/{resource}/{}", root(gv), self.absent())
    }

    /// Returns the requests about one group version, the most telling first.
    fn about(&mut self, gv: &GroupVersion, resources: &[Readable]) -> Vec<Probe> {
        use ProbeClass as C;
        let probe = |path: String, class: ProbeClass| Probe {
            path,
            form: Form::Plain,
            class,
            group_version: Some(gv.clone()),
        };
        let root = root(gv);
        let mut resources: Vec<&Readable> = resources.iter().collect();
        self.random.shuffle(&mut resources);
        let mut all = vec![];
        let mut rest = resources.iter();
        if let Some(first) = rest.next() {
            all.push(probe(self.object(gv, &first.name, first.namespaced), C::AbsentObject));
        }
        all.push(probe(root.clone(), C::Document));
        all.push(probe(format!("{root}/{}", self.unknown()), C::UnknownResource));
        if let Some(first) = resources.first() {
            let object = self.object(gv, &first.name, first.namespaced);
            all.push(probe(format!("{object}/{}", self.unknown()), C::Subresource));
            all.push(probe(self.object(gv, &first.name, !first.namespaced), C::WrongScope));
        }
        if let Some((group, _)) = root.rsplit_once('/').filter(|_| !gv.group.is_empty()) {
            all.push(probe(group.to_owned(), C::Document));
            all.push(probe(format!("{group}/v{}", self.unknown()), C::UnknownVersion));
        }
        for one in rest {
            all.push(probe(self.object(gv, &one.name, one.namespaced), C::AbsentObject));
        }
        for one in &resources {
            let object = self.object(gv, &one.name, one.namespaced);
            let subresources = one.subresources.iter();
            all.extend(subresources.map(|sub| probe(format!("{object}/{sub}"), C::Subresource)));
        }
        all
    }

    /// Returns odd paths: fixed ones, and `count` distorted paths of absent objects, in turns.
    fn odd(&mut self, bases: &[(GroupVersion, Readable)], count: usize) -> Vec<Probe> {
        let (name, unknown) = (self.absent(), self.unknown());
        let mut fixed = [
            format!("/{unknown}"),
            format!("/apis/{unknown}.invalid"),
            format!("/apis/{unknown}.invalid/v1"),
            format!("/apis/{unknown}.invalid/v1/things/{name}"),
            format!("/apis/{unknown}.invalid/"),
            format!("/api/v{unknown}"),
            format!("/version/{unknown}"),
            format!("/openapi/v3/{unknown}"),
            "/apis/".to_owned(),
            "/api/".to_owned(),
            "/APIS".to_owned(),
            "/api/v1/watch".to_owned(),
            "/apis/apps/v1/proxy".to_owned(),
            "/%61pi/v1".to_owned(),
            "/version/".to_owned(),
        ];
        self.random.shuffle(&mut fixed);
        let mut fixed = fixed.into_iter().map(|path| (path, None));
        let mut all = vec![];
        for _ in 0..count {
            all.extend(fixed.next());
            if let Some((gv, one)) = self.random.pick(bases) {
                all.push((self.distorted(gv, one), Some(gv.clone())));
            }
        }
        let odd = |(path, group_version)| Probe {
            path,
            form: Form::Plain,
            class: ProbeClass::OddPath,
            group_version,
        };
        all.into_iter().map(odd).collect()
    }

    /// Returns the path of an absent object with unusual slashes, escapes or segments.
    fn distorted(&mut self, gv: &GroupVersion, one: &Readable) -> String {
        let (object, unknown) = (self.object(gv, &one.name, one.namespaced), self.unknown());
        match self.random.number() % 6 {
            0 => format!("{object}/"),
            1 => format!("{object}%25"),
            2 => object.replace("/namespaces/default/", "/namespaces//"),
            3 => object.replacen(&format!("/{}/", one.name), &escaped(&one.name), 1),
            4 => format!("{object}/{unknown}/{unknown}"),
            _ => format!("{object}//{unknown}"),
        }
    }
}

/// Returns a resource as a segment with its first letter escaped, which is the same path.
fn escaped(resource: &str) -> String {
    let mut letters = resource.chars();
    match letters.next().filter(char::is_ascii) {
        Some(first) => format!("/%{:02x}{}/", u32::from(first), letters.as_str()),
        None => format!("/{resource}/"),
    }
}

/// Returns the path of a group version, with what is not a plain name escaped.
fn root(gv: &GroupVersion) -> String {
    ServerDocument::Resources(gv.clone()).path()
}
