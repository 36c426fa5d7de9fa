//! Everything about a snapshot that a client can notice, as names with fields.

use std::collections::{BTreeMap, BTreeSet};

use crate::discovery::{self, Aggregated, From};
use crate::model::{AggregatedResource, Crd, GroupVersion};
use crate::registry::{Backing, Registry, Review};
use crate::routing::{Method, Router, Target};

/// Fields of a thing by name.
pub type Fields = BTreeMap<&'static str, String>;

/// The kinds of things that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// An APIService.
    ApiService,
    /// A CRD.
    Crd,
    /// A group, with its preferred version.
    Group,
    /// A group version.
    GroupVersion,
    /// A resource or subresource: `apps/v1 deployments/scale`.
    Resource,
    /// A request: `GET /apis/apps/v1/deployments`.
    Route,
}

impl Section {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] =
        [Self::ApiService, Self::Crd, Self::Group, Self::GroupVersion, Self::Resource, Self::Route];

    /// A word for it, as the JSON contract has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApiService => "APIService",
            Self::Crd => "CustomResourceDefinition",
            Self::Group => "Group",
            Self::GroupVersion => "GroupVersion",
            Self::Resource => "Resource",
            Self::Route => "Route",
        }
    }
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Things by section and name.
    pub things: BTreeMap<(Section, String), Fields>,
    /// The groups in order, per form.
    pub orders: [(&'static str, Vec<String>); 2],
    /// Group versions whose resources are not known.
    pub(super) resources_unknown: BTreeSet<String>,
}

impl Listing {
    /// Spells out a registry, with the way of a GET request to each of these paths.
    pub fn new(registry: &Registry<'_>, paths: &BTreeSet<String>) -> Self {
        let legacy = discovery::legacy(registry);
        let order = discovery::aggregated_order(registry);
        let names = |groups: &[crate::priority::OrderedGroup<'_>]| {
            groups.iter().map(|g| g.name.to_owned()).collect()
        };
        let mut listing = Self {
            things: BTreeMap::new(),
            orders: [("legacy", names(&legacy)), ("aggregated", names(&order))],
            resources_unknown: BTreeSet::new(),
        };
        for review in registry.review() {
            let fields = api_service(&review);
            listing.put(Section::ApiService, review.service.name.clone(), fields);
        }
        for crd in registry.crds.iter() {
            listing.put(Section::Crd, crd.name.clone(), custom(crd));
        }
        for group in &legacy {
            let versions: Vec<&str> = group.versions.iter().map(|v| v.version).collect();
            let fields = [
                ("preferredVersion", versions.first().copied().unwrap_or_default().to_owned()),
                ("versions", versions.join(" ")),
            ];
            listing.put(Section::Group, group.name.to_owned(), fields.into());
        }
        listing.documents(registry, &discovery::aggregated_core(registry));
        listing.documents(registry, &discovery::aggregated(registry));
        listing.unlisted(registry);
        listing.routes(registry, paths);
        listing
    }

    fn put(&mut self, section: Section, subject: String, fields: Fields) {
        self.things.insert((section, subject), fields);
    }

    fn documents(&mut self, registry: &Registry<'_>, document: &Aggregated<'_>) {
        let unknown = document.without_resources.iter().map(ToString::to_string);
        self.resources_unknown.extend(unknown);
        for group in &document.groups {
            for version in &group.versions {
                let gv = GroupVersion::new(group.name, version.version);
                let served_by = match (&version.service, version.from) {
                    (Some(service), _) => service.clone(),
                    (None, From::Service) => "some Service".to_owned(),
                    (None, From::BuiltIn) => "the API server".to_owned(),
                    (None, From::Crds) => "CRDs".to_owned(),
                };
                let stale = registry.is_stale(&gv);
                let freshness = if stale { "Stale" } else { version.freshness.as_str() };
                let fields = [("freshness", freshness.to_owned()), ("servedBy", served_by)];
                self.put(Section::GroupVersion, gv.to_string(), fields.into());
                for one in &version.resources {
                    self.resource(&gv, one);
                }
            }
        }
    }

    fn resource(&mut self, gv: &GroupVersion, one: &AggregatedResource) {
        let sorted = |words: &[String]| {
            let mut words = words.to_vec();
            words.sort();
            words.join(" ")
        };
        let fields = [
            ("kind", one.response_kind.kind.clone()),
            ("scope", if one.namespaced { "Namespaced" } else { "Cluster" }.to_owned()),
            ("verbs", sorted(&one.verbs)),
            ("shortNames", sorted(&one.short_names)),
            ("categories", sorted(&one.categories)),
        ];
        self.put(Section::Resource, format!("{gv} {}", one.resource), fields.into());
        for sub in &one.subresources {
            let fields = [("kind", sub.response_kind.kind.clone()), ("verbs", sorted(&sub.verbs))];
            self.put(
                Section::Resource,
                format!("{gv} {}/{}", one.resource, sub.subresource),
                fields.into(),
            );
        }
    }

    /// Group versions that are registered, but that no aggregated document lists.
    fn unlisted(&mut self, registry: &Registry<'_>) {
        for (service, backing) in registry.api_services() {
            let by = if backing == Backing::Nobody { "nobody" } else { "unknown" };
            let fields = || [("servedBy", by.to_owned())].into();
            let key = (Section::GroupVersion, service.group_version.to_string());
            self.things.entry(key).or_insert_with(fields);
        }
    }

    fn routes(&mut self, registry: &Registry<'_>, paths: &BTreeSet<String>) {
        let router = Router::new(registry);
        for path in paths {
            let Ok(target) = Target::parse(Method::Get, path) else { continue };
            let way = router.route(&target).way();
            let mut fields: Fields = [
                ("outcome", way.outcome.as_str().to_owned()),
                ("handler", way.handler.clone()),
                ("way", way.to_string()),
            ]
            .into();
            fields.extend(way.service.map(|service| ("service", service)));
            fields.extend(way.api_service.map(|name| ("apiService", name)));
            self.put(Section::Route, format!("GET {path}"), fields);
        }
    }
}

fn api_service(review: &Review<'_>) -> Fields {
    let service = review.service;
    let leads_to = match (&service.service, review.backing) {
        (Some(reference), _) => format!("{}:{}", reference.id(), reference.port),
        (None, Backing::BuiltIn) => "kube-apiserver".to_owned(),
        (None, Backing::Extensions) => "apiextensions-apiserver".to_owned(),
        (None, Backing::Crd) => "CRDs".to_owned(),
        (None, Backing::Nobody) => "nobody".to_owned(),
        (None, Backing::Service | Backing::Unknown) => "unknown".to_owned(),
    };
    let available = match &service.available {
        _ if service.service.is_none() => "True".to_owned(),
        Some(c) if c.status == "True" || c.reason.is_empty() => c.status.clone(),
        Some(c) => format!("{} ({})", c.status, c.reason),
        None => "no condition".to_owned(),
    };
    let trust = match (&service.ca_bundle, service.insecure_skip_tls_verify) {
        (_, true) => "nothing is verified".to_owned(),
        // Not the certificates themselves: only whether they are the same.
        (Some(bundle), false) => format!("caBundle {:08x}", checksum(bundle)),
        (None, false) if service.service.is_some() => "the system's roots".to_owned(),
        (None, false) => String::new(),
    };
    [
        ("available", available),
        ("groupPriorityMinimum", service.group_priority.to_string()),
        ("leadsTo", leads_to),
        ("managedBy", review.manager.as_str().to_owned()),
        ("trusts", trust),
        ("versionPriority", service.version_priority.to_string()),
    ]
    .into()
}

/// FNV-1a: short, stable, and good enough to see that two bundles are not the same.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn custom(crd: &Crd) -> Fields {
    let served: Vec<&str> =
        crd.versions.iter().filter(|v| v.served).map(|v| v.name.as_str()).collect();
    let state = match (crd.terminating, crd.established, crd.names_accepted) {
        (true, ..) => "terminating",
        (false, true, _) => "established",
        (false, false, true) => "not established",
        (false, false, false) => "names not accepted",
    };
    [
        ("served", served.join(" ")),
        ("scope", if crd.namespaced { "Namespaced" } else { "Cluster" }.to_owned()),
        ("state", state.to_owned()),
    ]
    .into()
}
