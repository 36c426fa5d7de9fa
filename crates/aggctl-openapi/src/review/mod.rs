//! Who publishes what, and what the aggregator makes of it.

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

/// What to look at.
#[derive(Debug, Clone, Copy)]
pub struct ReviewRequest<'a> {
    /// The cluster that the documents are of.
    pub now: &'a Registry<'a>,
    /// The cluster that is asked about: the same, or as it would be.
    pub then: &'a Registry<'a>,
    /// What Services are known to publish.
    pub given: &'a [Given<'a>],
}

/// What there is to say.
#[derive(Debug)]
pub struct OpenApiReview<'a> {
    /// Each group version.
    pub items: Vec<Item>,
    /// The index `/openapi/v3`.
    pub index: Vec<Listed>,
    /// What is not local, in the order of merging, with the priority that put it there.
    pub order: Vec<(String, i32)>,
    /// What was found.
    pub findings: Vec<OpenApiFinding>,
    /// What cannot be known from outside, and was assumed.
    pub assumptions: Vec<String>,
    /// The merged document, if what it is merged from is known.
    pub merged: Option<Merged<'a>>,
    /// The Services behind the parts of the merged document, in their order.
    pub services: Vec<String>,
    /// By APIService, definitions of the served document that have a number.
    numbered: BTreeMap<String, Vec<String>>,
}

/// `/openapi/v2`, as it was served.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Served {
    /// The status as JSON.
    pub status: Option<u16>,
    /// The status as protobuf.
    pub protobuf_status: Option<u16>,
    /// The ETag of what was served.
    pub etag: Option<String>,
    /// The ETag of what the parts give.
    pub computed_etag: Option<String>,
    /// How large it is.
    pub bytes: Option<usize>,
}

/// A group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Which.
    pub group_version: GroupVersion,
    /// Its APIService, if it has one.
    pub api_service: Option<String>,
    /// Whether a Service answers for it.
    pub remote: bool,
    /// Who answers requests to it, if that is known.
    pub serves: Option<String>,
    /// Its part of `/openapi/v2`.
    pub v2: V2,
    /// Its document of `/openapi/v3`.
    pub v3: V3,
    /// What was found about it.
    pub codes: Vec<Code>,
}

/// A group version's part of `/openapi/v2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct V2 {
    /// Whose paths are there.
    pub from: Option<String>,
    /// What became of the part.
    pub state: State,
    /// How many paths, if that is known.
    pub paths: Option<usize>,
    /// Definitions that got another name: from, to, and whose the other one is.
    pub renamed: Vec<(String, String, String)>,
}

words! {
    /// What became of a part.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        /// It is in the document.
        Merged = "merged",
        /// There is nothing of it.
        Nothing = "nothing",
        /// It cannot be merged.
        Refused = "refused",
        /// That cannot be told.
        Unknown = "unknown",
    }
}

/// A group version's document of `/openapi/v3`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct V3 {
    /// Who may answer: several where that is drawn anew each time.
    pub from: Vec<String>,
    /// Whose document it is; none where that is not known.
    pub form: Option<Form>,
    /// The status of the document, where it was asked for.
    pub status: Option<u16>,
    /// Where the index says that it is.
    pub address: Option<String>,
    /// Its ETag, where it was asked for.
    pub etag: Option<String>,
}

words! {
    /// What a document of `/openapi/v3` is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Form {
        /// As its server publishes it.
        Own = "own",
        /// Made of a v2 document.
        Converted = "converted",
        /// There is none.
        None = "none",
    }
}

/// Looks at the documents of a cluster.
pub fn review<'a>(question: ReviewRequest<'a>) -> OpenApiReview<'a> {
    let ReviewRequest { now, then, .. } = question;
    let mut review = v2::merged(question);
    let registered = then.api_services.iter().map(|s| &s.group_version);
    // The aggregator's own group has no APIService.
    let own = then.baseline_snapshot().resource_lists.keys().filter(|gv| {
        let listed = then.snapshot.openapi_v3.loaded();
        gv.group == AGGREGATOR_GROUP && listed.is_some_and(|keys| keys.contains(&v3::key(gv)))
    });
    let group_versions: BTreeSet<&GroupVersion> = registered.chain(own).collect();
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
    /// Whether it is about a cluster that is not there.
    fn is_what_if(&self) -> bool {
        !std::ptr::eq(self.now, self.then)
    }

    fn given(&self, service: &ApiService) -> impl Iterator<Item = &Given<'_>> {
        self.given.iter().filter(|given| given.api_service == service.name)
    }
}

/// What is served at `/openapi/v2`, and what should be.
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

/// The HTTP status that an input came with, as far as it tells.
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

/// The local server of a group version, by its name.
fn server(registry: &Registry<'_>, gv: &GroupVersion) -> Option<&'static str> {
    local::server_of(registry, gv).map(local::Local::as_str)
}

/// The Service of an APIService, as people write it.
fn service_name(service: &ApiService) -> String {
    service.service.as_ref().map(|service| service.id()).unwrap_or_default()
}

impl OpenApiReview<'_> {
    /// What an owner of something in the merged document is called.
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
