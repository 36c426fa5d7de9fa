//! The routes that a report contains. A route is the same for all namespaces and names, and nearly
//! the same for all resources of a group version, so each distinct one is kept once.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use serde_json::Value;

use super::answers::Answers;
use super::error::Refusal;
use super::query::Query;
use kube_aggregation::diff;
use kube_aggregation::names;
use kube_aggregation::registry::Registry;

/// How many routes a report contains.
pub(super) const MAX_ROUTES: usize = 10_000;

/// Routes by request. A request is a method and a path, in which `NAMESPACE` and `NAME` stand for
/// any namespace and name.
#[derive(Debug, Default, Serialize)]
pub(super) struct Routes {
    /// The index in `answers` of each request.
    requests: BTreeMap<String, usize>,
    /// Distinct answers, without what follows from the request.
    answers: Vec<Value>,
    /// The collections that resources are called by, as `kubectl get` accepts them.
    words: BTreeMap<String, String>,
    #[serde(skip)]
    known: HashMap<String, usize>,
    /// How many requests there are without the limit.
    #[serde(skip)]
    pub possible: usize,
    /// Requests that cannot be routed because of their names.
    #[serde(skip)]
    pub odd: Vec<String>,
}

impl Routes {
    /// Routes every known request, reads first.
    pub(super) fn new(answers: &Answers<'_, '_, '_>, registry: &Registry<'_>) -> Self {
        let mut routes = Self { words: words(registry), ..Self::default() };
        let (reads, writes) = requests(answers, registry);
        routes.possible = reads.len() + writes.len();
        for (method, path) in reads.into_iter().chain(writes).take(MAX_ROUTES) {
            if routes.add(answers, method, &path).is_err() {
                routes.odd.push(path);
            }
        }
        routes
    }

    pub(super) fn len(&self) -> usize {
        self.requests.len()
    }

    fn add(
        &mut self,
        answers: &Answers<'_, '_, '_>,
        method: &str,
        path: &str,
    ) -> Result<(), Refusal> {
        let request = format!("{method} {path}");
        let query = Query { request: Some(request.clone()), ..Query::default() };
        let mut answer: Value = serde_json::from_str(&answers.answer("route", &query)?)?;
        if let Some(request) = answer.get_mut("request").and_then(Value::as_object_mut) {
            for field in ["path", "namespace", "name", "resourceName"] {
                request.remove(field);
            }
        }
        if let Some(Value::String(url)) = answer.pointer_mut("/handler/url") {
            url.truncate(url.strip_suffix(path).map_or(url.len(), str::len));
        }
        let next = self.answers.len();
        let at = *self.known.entry(answer.to_string()).or_insert(next);
        if at == next {
            self.answers.push(answer);
        }
        self.requests.insert(request, at);
        Ok(())
    }
}

type Requests = Vec<(&'static str, String)>;

/// Returns the requests that read, and those that write.
fn requests(answers: &Answers<'_, '_, '_>, registry: &Registry<'_>) -> (Requests, Requests) {
    let mut collections = answers.paths();
    let (mut items, mut writes): (Vec<String>, Requests) = (vec![], vec![]);
    let own = diff::known_paths(registry);
    let peers = answers.peers().flat_map(|router| diff::known_paths(router.registry()));
    let mut known = HashSet::new();
    for path in own.into_iter().chain(peers).filter(|path| known.insert(path.clone())) {
        let Some(collection) = path.strip_suffix("/NAME") else { continue };
        if collection.contains("/namespaces/NAMESPACE/") {
            collections.push(collection.to_owned());
        }
        writes.extend(["POST", "DELETE"].map(|method| (method, collection.to_owned())));
        writes.extend(["PUT", "PATCH", "DELETE"].map(|method| (method, path.clone())));
        items.push(path);
    }
    let reads = collections.into_iter().chain(items).map(|path| ("GET", path)).collect();
    (reads, writes)
}

/// Returns the collection for each name of a resource, alone and followed by its group.
fn words(registry: &Registry<'_>) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for (name, resources) in names::by_name(registry) {
        for one in &resources {
            let path = match one.group.as_str() {
                "" => format!("/api/{}/{}", one.version, one.resource),
                group => format!("/apis/{group}/{}/{}", one.version, one.resource),
            };
            if !one.group.is_empty() {
                words.entry(format!("{name}.{}", one.group)).or_insert(path.clone());
            }
            words.entry(name.clone()).or_insert(path);
        }
    }
    words
}
