//! Reviews the OpenAPI documents of a cluster: which server publishes what, and how the aggregator
//! combines it.

mod found;
mod owners;
mod v2;
mod v3;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::code::{Code, OpenApiFinding};
use super::contribution::Owner;
use super::local;
use super::merged::{Merged, etag};
use super::published::Given;
use kube_aggregation::model::{AGGREGATOR_GROUP, ApiService, Cause, GroupVersion, Input, words};
use kube_aggregation::registry::{Backend, Registry};
pub use owners::Listed;

/// The input of a review.
#[derive(Debug, Clone, Copy)]
pub struct ReviewRequest<'a> {
    /// The cluster that served the documents.
    pub now: &'a Registry<'a>,
    /// The cluster to review: the same one, or a what-if.
    pub then: &'a Registry<'a>,
    /// Documents that Services are known to publish.
    pub given: &'a [Given<'a>],
}

/// The result of a review.
#[derive(Debug)]
pub struct OpenApiReview<'a> {
    /// All group versions.
    pub items: Vec<Item>,
    /// The index `/openapi/v3`.
    pub index: Vec<Listed>,
    /// The APIServices with a Service, in merge order, with the priority that determines it.
    pub order: Vec<(String, i32)>,
    /// The findings, the most severe first.
    pub findings: Vec<OpenApiFinding>,
    /// What cannot be observed from outside and was assumed.
    pub assumptions: Vec<String>,
    /// The merged document, if its parts are known.
    pub merged: Option<Merged<'a>>,
    /// The Services of the merged parts, in merge order.
    pub services: Vec<String>,
    /// By APIService: numbered definitions in the served document.
    numbered: BTreeMap<String, Vec<String>>,
}

/// `/openapi/v2` as it was served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// The HTTP status of the JSON document.
    pub status: Option<u16>,
    /// The HTTP status of the protobuf document.
    pub protobuf_status: Option<u16>,
    /// The ETag of the served document.
    pub etag: Option<String>,
    /// The ETag of the document that merging the parts gives.
    pub computed_etag: Option<String>,
    /// The size of the served document.
    pub bytes: Option<usize>,
}

/// One group version, and its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The group version.
    pub group_version: GroupVersion,
    /// Its APIService, if it has one.
    pub api_service: Option<String>,
    /// Whether a Service is its backend.
    pub remote: bool,
    /// The server that handles its requests, if known.
    pub serves: Option<String>,
    /// Its part of `/openapi/v2`.
    pub v2: V2,
    /// Its document of `/openapi/v3`.
    pub v3: V3,
    /// The codes of the findings about it.
    pub codes: Vec<Code>,
}

/// A group version's part of `/openapi/v2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V2 {
    /// The server that published the paths.
    pub from: Option<String>,
    /// Whether the part was merged.
    pub state: State,
    /// The number of paths, if known.
    pub paths: Option<usize>,
    /// Renamed definitions: old name, new name, and the owner of the definition with the old name.
    pub renamed: Vec<(String, String, String)>,
}

words! {
    /// The state of a part of `/openapi/v2`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        /// It is in the document.
        Merged = "merged",
        /// The document contains nothing of it.
        Nothing = "nothing",
        /// It cannot be merged.
        Refused = "refused",
        /// The state cannot be determined.
        Unknown = "unknown",
    }
}

/// A group version's document of `/openapi/v3`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct V3 {
    /// The servers that may answer. If there are several, one is chosen at random per request.
    pub from: Vec<String>,
    /// The form of the document; `None` if unknown.
    pub form: Option<Form>,
    /// The status of the document, if it was requested.
    pub status: Option<u16>,
    /// The address of the document in the index.
    pub address: Option<String>,
    /// The ETag of the document, if it was requested.
    pub etag: Option<String>,
}

words! {
    /// The form of a document of `/openapi/v3`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Form {
        /// The document as published by its server.
        Own = "own",
        /// Converted from a v2 document.
        Converted = "converted",
        /// There is no document.
        None = "none",
    }
}

/// Reviews the OpenAPI documents of a cluster.
pub fn review<'a>(question: ReviewRequest<'a>) -> OpenApiReview<'a> {
    let ReviewRequest { now, then, .. } = question;
    let mut review = v2::merged(question);
    let registered = then.api_services.iter().map(|s| &s.group_version);
    // The aggregator's own group has no APIService.
    let own = then.baseline_snapshot().resource_lists.keys().filter(|gv| {
        let listed = then.snapshot.openapi_v3.loaded();
        gv.group == AGGREGATOR_GROUP && listed.is_some_and(|keys| keys.contains(&v3::key(gv)))
    });
    let installed = then.installed().map(|service| &service.group_version);
    let group_versions: BTreeSet<&GroupVersion> = registered.chain(own).chain(installed).collect();
    for gv in group_versions {
        let service = then.api_service(&gv.api_service_name());
        let remote = matches!(service, Some((_, Backend::Service)));
        let item = Item {
            group_version: gv.clone(),
            api_service: service.map(|(service, _)| service.name.clone()),
            remote,
            serves: match service {
                Some((service, Backend::Service)) => Some(service_name(service)),
                _ => server(then, gv).map(str::to_owned),
            },
            v2: v2::of(question, &review, gv),
            v3: v3::of(question, gv),
            codes: vec![],
        };
        review.items.push(item);
    }
    let places = review.order.iter().enumerate().map(|(place, (name, _))| (name, place));
    let places: HashMap<&String, usize> = places.collect();
    let place = |item: &Item| {
        let place = item.api_service.as_ref().and_then(|name| places.get(name).copied());
        (item.remote, place, server(then, &item.group_version), item.group_version.clone())
    };
    review.items.sort_by_cached_key(place);
    review.index = owners::index(question);
    found::findings(question, &mut review);
    v3::findings(question, &mut review);
    let openapi = &now.snapshot.openapi;
    for slow in &openapi.slow {
        let of = |item: &&Item| openapi.slow_document(&item.group_version) == Some(slow);
        let item = review.items.iter().find(of);
        review.findings.push(OpenApiFinding {
            code: Code::SlowOpenApi,
            api_service: item.and_then(|item| item.api_service.clone()),
            group_version: item.map(|item| item.group_version.to_string()),
            facts: vec![("request", slow.to_string())],
        });
    }
    review.findings.sort_by_key(|found| std::cmp::Reverse(found.code.severity()));
    let mut codes: HashMap<&str, Vec<Code>> = HashMap::new();
    for found in &review.findings {
        let gv = found.group_version.as_deref();
        gv.into_iter().for_each(|gv| codes.entry(gv).or_default().push(found.code));
    }
    for item in &mut review.items {
        item.codes = codes.remove(&*item.group_version.to_string()).unwrap_or_default();
        item.codes.dedup();
    }
    review
}

impl ReviewRequest<'_> {
    /// Returns whether the review is about a what-if.
    fn is_what_if(&self) -> bool {
        !std::ptr::eq(self.now, self.then)
    }

    fn given(&self, service: &ApiService) -> impl Iterator<Item = &Given<'_>> {
        self.given.iter().filter(|given| given.api_service == service.name)
    }
}

/// Returns what is served at `/openapi/v2`, and what should be.
pub fn served(now: &Registry<'_>, review: &OpenApiReview<'_>) -> Served {
    let openapi = &now.snapshot.openapi;
    let text = openapi.v2.loaded().map(|text| text.trim_end().as_bytes());
    let whole = |merged: &&Merged<'_>| merged.failure().is_none() && !merged.has_imagined();
    let merged = review.merged.as_ref().filter(whole).filter(|_| text.is_some());
    let computed = merged.map(Merged::write);
    let served = text.map(etag);
    Served {
        status: status(&openapi.v2),
        protobuf_status: status(&openapi.protobuf),
        computed_etag: match computed.as_deref() == text {
            true => served.clone(),
            false => computed.as_deref().map(etag),
        },
        etag: served,
        bytes: text.map(<[u8]>::len),
    }
}

/// Returns the HTTP status of an input, as far as it shows one.
fn status<T>(input: &Input<T>) -> Option<u16> {
    match input {
        Input::Loaded(_) => Some(200),
        Input::Absent => None,
        Input::Unread(unread) => match unread.cause {
            Cause::Forbidden => Some(403),
            Cause::Unauthorized => Some(401),
            Cause::NotFound => Some(404),
            Cause::Status(status) => Some(status),
            _ => None,
        },
    }
}

/// Returns the name of the local server of a group version.
fn server(registry: &Registry<'_>, gv: &GroupVersion) -> Option<&'static str> {
    local::server_of(registry, gv).map(local::Local::as_str)
}

/// Returns the Service of an APIService as `namespace/name`.
fn service_name(service: &ApiService) -> String {
    service.service.as_ref().map(|service| service.id()).unwrap_or_default()
}

impl OpenApiReview<'_> {
    /// Returns the name of an owner in the merged document.
    pub fn owner(&self, owner: Owner, definition: &str, registry: &Registry<'_>) -> String {
        match owner {
            Owner::Part(part) => self.services.get(part).cloned().unwrap_or_default(),
            Owner::Local => {
                let merged = self.merged.as_ref();
                let groups = merged.map(|m| m.groups_of(definition)).unwrap_or_default();
                let custom = |group: &String| {
                    registry.crds_of(group).next().is_some() && !registry.is_built_in_group(group)
                };
                let local = match groups.iter().any(custom) {
                    true => local::Local::Crds,
                    false => local::Local::KubeApiserver,
                };
                local.as_str().to_owned()
            }
        }
    }
}
