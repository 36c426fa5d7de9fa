//! Predicts what a run of kubectl requests.

use std::collections::BTreeMap;

use jiff::Timestamp;
use kube_aggregation::model::GroupVersion;

use crate::arguments::{self, Arguments};
use crate::cache::DiscoveryCache;
use crate::kubectl::Kubectl;
use crate::mapper::{GroupKind, LookupError, Mapping};
pub use crate::refusal::Refusal;
use crate::resolve::{Resolution, Resolver};
use crate::server::ServerDiscovery;
pub use crate::session::Origin;
use crate::session::Session;
use crate::shortcut;

/// A `kubectl get`.
#[derive(Debug, Clone, Default)]
pub struct Command {
    /// Types and names, as `kubectl get` takes them.
    pub arguments: Vec<String>,
    /// The namespace; empty for all.
    pub namespace: String,
}

/// What a run of kubectl does.
#[derive(Debug)]
pub struct Prediction {
    /// How each word is understood, in order.
    pub resolutions: Vec<Resolution>,
    /// The categories among the words, with their resources.
    pub categories: BTreeMap<String, Vec<String>>,
    /// The requests, in order. Discovery is not among them.
    pub requests: Vec<ClientRequest>,
    /// Why it sends no request.
    pub refusal: Option<Refusal>,
    /// Each short name that kubectl warns about with the other resource, as often as it does.
    pub warnings: Vec<(String, String)>,
    /// Which documents it worked with.
    pub documents: DocumentUse,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRequest {
    /// The path.
    pub path: String,
    /// The query; empty for a request for one object.
    pub query: &'static str,
    /// The resource.
    pub mapping: Mapping,
}

/// Which documents a run worked with in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentUse {
    /// Where the list of groups came from.
    pub groups: Origin,
    /// Where each list of resources came from, by `group/version`.
    pub lists: BTreeMap<String, Origin>,
    /// Whether all files were discarded because a lookup failed.
    pub discarded: bool,
    /// How often the server was asked for `/api` and `/apis`.
    pub refreshes: usize,
}

/// Predicts what `kubectl get` requests. Without a cache, all documents come from the server.
pub fn predict(
    cache: Option<&DiscoveryCache>,
    server: &ServerDiscovery,
    kubectl: Kubectl,
    now: Timestamp,
    command: &Command,
) -> Prediction {
    let mut run = Run::new(cache, server, kubectl, now);
    let refusal = run.get(command).err();
    run.finish(refusal)
}

/// Predicts what `kubectl apply` maps an object of a manifest to.
pub fn predict_manifest(
    cache: Option<&DiscoveryCache>,
    server: &ServerDiscovery,
    kubectl: Kubectl,
    now: Timestamp,
    object: &ManifestObject,
) -> Prediction {
    let mut run = Run::new(cache, server, kubectl, now);
    let refusal = run.apply(object).err();
    run.finish(refusal)
}

/// Predicts what a client requests that knows the group of a resource, but not its version.
pub(crate) fn predict_resource(
    cache: Option<&DiscoveryCache>,
    server: &ServerDiscovery,
    kubectl: Kubectl,
    now: Timestamp,
    (group, resource): (&str, &str),
) -> Prediction {
    let mut run = Run::new(cache, server, kubectl, now);
    let refusal = run.list(group, resource).err();
    run.finish(refusal)
}

/// An object of a manifest, as far as kubectl needs it to find the path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestObject {
    /// The group version.
    pub group_version: GroupVersion,
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The namespace.
    pub namespace: String,
}

struct Run<'a> {
    resolver: Resolver<'a>,
    resolutions: Vec<Resolution>,
    categories: BTreeMap<String, Vec<String>>,
    requests: Vec<ClientRequest>,
}

/// The query of a list.
const FIRST_PAGE: &str = "limit=500";

impl<'a> Run<'a> {
    fn new(
        cache: Option<&'a DiscoveryCache>,
        server: &'a ServerDiscovery,
        kubectl: Kubectl,
        now: Timestamp,
    ) -> Self {
        let session = Session::new(cache, server, kubectl, now);
        Self {
            resolver: Resolver::new(session),
            resolutions: vec![],
            categories: BTreeMap::new(),
            requests: vec![],
        }
    }

    fn get(&mut self, command: &Command) -> Result<(), Refusal> {
        let namespace = command.namespace.as_str();
        match arguments::parse(&command.arguments)? {
            Arguments::Types(types, names) => {
                let types = self.with_categories(&types);
                if types.len() > 1 && !names.is_empty() {
                    return Err(Refusal::SeveralTypes);
                }
                let mut mappings: Vec<Mapping> = vec![];
                for word in &types {
                    let mapping = self.resolve(word)?;
                    if !mappings.iter().any(|known| known.kind == mapping.kind) {
                        mappings.push(mapping);
                    }
                }
                let lists = mappings.iter().filter(|_| names.is_empty());
                let lists: Vec<_> = lists.map(|one| request(one, namespace, None)).collect();
                self.requests.extend(lists);
                if let Some(mapping) = mappings.first() {
                    for name in &names {
                        self.object(mapping, namespace, name)?;
                    }
                }
            }
            Arguments::Objects(objects) => {
                let mut mappings: BTreeMap<&str, Mapping> = BTreeMap::new();
                for (word, _) in &objects {
                    if !mappings.contains_key(word.as_str()) {
                        mappings.insert(word, self.resolve(word)?);
                    }
                }
                for (word, name) in &objects {
                    if let Some(mapping) = mappings.get(word.as_str()) {
                        self.object(mapping, namespace, name)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces categories. They are never looked up again after files were discarded.
    fn with_categories(&mut self, types: &str) -> Vec<String> {
        let documents = self.resolver.documents();
        let mut words = vec![];
        for word in types.split(',') {
            let resources = shortcut::category(&documents, word);
            if resources.is_empty() {
                words.push(word.to_owned());
            } else {
                words.extend(resources.iter().cloned());
                self.categories.insert(word.to_owned(), resources);
            }
        }
        arguments::unique(&words.join(","))
    }

    fn resolve(&mut self, word: &str) -> Result<Mapping, Refusal> {
        let resolution = self.resolver.resolve(word).map_err(|error| {
            let (resource, group) = word.split_once('.').unwrap_or((word, ""));
            match error {
                LookupError::Ambiguous => Refusal::Ambiguous(word.to_owned()),
                LookupError::NoMatch | LookupError::Empty => Refusal::UnknownResource {
                    resource: resource.to_owned(),
                    group: group.to_owned(),
                },
            }
        })?;
        let mapping = resolution.mapping.clone();
        self.resolutions.push(resolution);
        Ok(mapping)
    }

    fn object(&mut self, mapping: &Mapping, namespace: &str, name: &str) -> Result<(), Refusal> {
        if mapping.namespaced && namespace.is_empty() {
            self.requests.clear();
            return Err(Refusal::AllNamespaces);
        }
        self.requests.push(request(mapping, namespace, Some(name)));
        Ok(())
    }

    fn apply(&mut self, object: &ManifestObject) -> Result<(), Refusal> {
        let GroupVersion { group, version } = &object.group_version;
        let asked = GroupKind { group: group.clone(), kind: object.kind.clone() };
        let mapping = self.resolver.mapping(&asked, version).map_err(|error| match error {
            LookupError::Ambiguous => Refusal::Ambiguous(object.kind.clone()),
            LookupError::NoMatch | LookupError::Empty => Refusal::UnknownKind {
                group_version: object.group_version.clone(),
                kind: object.kind.clone(),
            },
        })?;
        self.requests.push(request(&mapping, &object.namespace, Some(&object.name)));
        Ok(())
    }

    fn list(&mut self, group: &str, resource: &str) -> Result<(), Refusal> {
        let unknown =
            |_| Refusal::UnknownResource { resource: resource.to_owned(), group: group.to_owned() };
        let mapping = self.resolver.resource(group, resource).map_err(unknown)?;
        self.requests.push(request(&mapping, "default", None));
        Ok(())
    }

    fn finish(mut self, refusal: Option<Refusal>) -> Prediction {
        let documents = self.resolver.documents();
        let session = &self.resolver.session;
        let documents = DocumentUse {
            groups: documents.groups_from,
            lists: documents.lists_from.clone(),
            discarded: session.is_invalidated(),
            refreshes: session.refreshes,
        };
        Prediction {
            resolutions: self.resolutions,
            categories: self.categories,
            requests: if refusal.is_some() { vec![] } else { self.requests },
            refusal,
            warnings: self.resolver.warnings,
            documents,
        }
    }
}

fn request(mapping: &Mapping, namespace: &str, name: Option<&str>) -> ClientRequest {
    let gv = GroupVersion::new(&*mapping.kind.group, &*mapping.kind.version);
    let mut path = gv.root_path();
    if mapping.namespaced && !namespace.is_empty() {
        path.push_str(&format!("/namespaces/{namespace}"));
    }
    path.push_str(&format!("/{}", mapping.resource));
    if let Some(name) = name {
        path.push_str(&format!("/{name}"));
    }
    let query = if name.is_none() { FIRST_PAGE } else { "" };
    ClientRequest { path, query, mapping: mapping.clone() }
}
