//! One side of a comparison: everything about a snapshot that a client can observe.

use std::collections::{BTreeMap, BTreeSet};

use super::thing::{Definition, Registration, ServedBy, Service, Subject, Thing};
use crate::discovery::{self, Aggregated, From};
use crate::model::{Freshness, GroupVersion, ServiceReference};
use crate::priority::OrderedGroup;
use crate::registry::{Backend, Registry};
use crate::routing::{Method, Router, Target};

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// All compared things by subject.
    pub things: BTreeMap<Subject, Thing>,
    /// The order of groups, per discovery form.
    pub orders: [(&'static str, Vec<String>); 2],
    /// Group versions with unknown resources.
    pub without_resources: BTreeSet<GroupVersion>,
}

/// Adds one part of a registry to a listing.
type Part = fn(&mut Listing, &Registry<'_>);

/// The parts besides routes. No two parts share a subject.
const PARTS: [Part; 2] = [Listing::objects, Listing::documents];

impl Listing {
    /// Lists a registry, including the route of a GET request to each of these paths.
    pub fn new(registry: &Registry<'_>, paths: &BTreeSet<String>) -> Self {
        let mut listing = Self::empty(registry);
        PARTS.iter().for_each(|part| part(&mut listing, registry));
        listing.routes(registry, paths);
        listing
    }

    /// Returns both sides of a comparison without what they have in common. Drops the common part
    /// after each step, because it is most of the data.
    pub(super) fn apart(sides: [&Registry<'_>; 2], paths: &BTreeSet<String>) -> [Self; 2] {
        let [mut left, mut right] = sides.map(Self::empty);
        for part in PARTS {
            part(&mut left, sides[0]);
            part(&mut right, sides[1]);
            right.things.retain(|subject, thing| {
                let alike = left.things.get(subject) == Some(thing);
                if alike {
                    left.things.remove(subject);
                }
                !alike
            });
        }
        let endings = |registry| {
            let router = Router::new(registry);
            paths.iter().map(move |path| ending(&router, path))
        };
        // One router at a time, because it is larger than what it finds.
        let before: Vec<Option<Thing>> = endings(sides[0]).collect();
        for ((path, before), after) in paths.iter().zip(before).zip(endings(sides[1])) {
            if before != after {
                left.things.extend(before.map(|one| (Subject::Route(path.clone()), one)));
                right.things.extend(after.map(|one| (Subject::Route(path.clone()), one)));
            }
        }
        [left, right]
    }

    /// Returns the listing without the things that another one has, too.
    pub(super) fn without_common(&self, other: &Self) -> Self {
        let own =
            self.things.iter().filter(|(subject, thing)| other.things.get(*subject) != Some(thing));
        Self {
            things: own.map(|(subject, thing)| (subject.clone(), thing.clone())).collect(),
            orders: self.orders.clone(),
            without_resources: self.without_resources.clone(),
        }
    }

    /// Returns what most listings have in common. Of equally frequent values, the first one counts.
    pub fn majority(all: &[Self]) -> Self {
        let subjects: BTreeSet<&Subject> = all.iter().flat_map(|one| one.things.keys()).collect();
        let common = |subject: &&Subject| {
            let thing = most_frequent(all.iter().map(|one| one.things.get(*subject)))??;
            Some(((*subject).clone(), thing.clone()))
        };
        let order = |at: usize| {
            let names = most_frequent(all.iter().filter_map(|one| one.orders.get(at)));
            names.cloned().unwrap_or_default()
        };
        Self {
            things: subjects.iter().filter_map(common).collect(),
            orders: [order(0), order(1)],
            without_resources: BTreeSet::new(),
        }
    }

    fn empty(registry: &Registry<'_>) -> Self {
        let names =
            |groups: Vec<OrderedGroup<'_>>| groups.iter().map(|g| g.name.to_owned()).collect();
        Self {
            things: BTreeMap::new(),
            orders: [
                ("legacy", names(discovery::legacy(registry))),
                ("aggregated", names(discovery::aggregated_order(registry))),
            ],
            without_resources: BTreeSet::new(),
        }
    }

    /// Adds APIServices and CRDs.
    fn objects(&mut self, registry: &Registry<'_>) {
        for review in registry.review() {
            let subject = Subject::ApiService(review.service.name.clone());
            self.put(subject, Thing::ApiService(Registration::new(&review)));
        }
        for crd in registry.crds.iter() {
            self.put(Subject::Crd(crd.name.clone()), Thing::Crd(Definition::from(crd)));
        }
    }

    /// Adds groups, group versions and resources.
    fn documents(&mut self, registry: &Registry<'_>) {
        for group in discovery::legacy(registry) {
            let versions = group.versions.iter().map(|v| v.version.to_owned()).collect();
            self.put(Subject::Group(group.name.to_owned()), Thing::Group(versions));
        }
        self.document(registry, &discovery::aggregated_core(registry));
        self.document(registry, &discovery::aggregated(registry));
        self.unlisted(registry);
    }

    fn put(&mut self, subject: Subject, thing: Thing) {
        self.things.insert(subject, thing);
    }

    fn document(&mut self, registry: &Registry<'_>, document: &Aggregated<'_>) {
        self.without_resources.extend(document.without_resources.iter().cloned());
        for group in &document.groups {
            for version in &group.versions {
                let gv = GroupVersion::new(group.name, version.version);
                let by = match version.from {
                    From::Service => ServedBy::Service(version.service.map(ServiceReference::id)),
                    From::BuiltIn => ServedBy::ApiServer,
                    From::Crds => ServedBy::Crds,
                    From::Unknown => ServedBy::Unknown,
                };
                let stale = registry.is_stale(&gv);
                let freshness = Some(if stale { Freshness::Stale } else { version.freshness });
                for one in &version.resources {
                    let subject = Subject::Resource(gv.clone(), one.resource.clone());
                    self.put(subject, Thing::Resource(one.into()));
                    for sub in &one.subresources {
                        let name = format!("{}/{}", one.resource, sub.subresource);
                        let subject = Subject::Resource(gv.clone(), name);
                        self.put(subject, Thing::Resource(sub.into()));
                    }
                }
                self.put(Subject::GroupVersion(gv), Thing::GroupVersion(Service { by, freshness }));
            }
        }
    }

    /// Adds group versions that are registered but missing from the aggregated documents.
    fn unlisted(&mut self, registry: &Registry<'_>) {
        for (service, backing) in registry.api_services() {
            let by = match backing {
                Backend::Unserved => ServedBy::Unserved,
                _ => ServedBy::Unknown,
            };
            let subject = Subject::GroupVersion(service.group_version.clone());
            let thing = Thing::GroupVersion(Service { by, freshness: None });
            self.things.entry(subject).or_insert(thing);
        }
    }

    pub(super) fn routes(&mut self, registry: &Registry<'_>, paths: &BTreeSet<String>) {
        let router = Router::new(registry);
        for path in paths {
            if let Some(ending) = ending(&router, path) {
                self.put(Subject::Route(path.clone()), ending);
            }
        }
    }
}

/// Returns where a GET request to a path ends; `None` for an invalid path.
fn ending(router: &Router<'_>, path: &str) -> Option<Thing> {
    let target = Target::parse(Method::Get, path).ok()?;
    Some(Thing::Route(router.route(&target).way().into()))
}

/// Returns the most frequent value, the first one of several.
fn most_frequent<T: PartialEq>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: Vec<(T, usize)> = vec![];
    for value in values {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    // The last of several maxima is returned.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}
