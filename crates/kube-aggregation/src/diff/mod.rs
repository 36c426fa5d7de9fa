//! Compares two snapshots and reports what differs for clients. Pure.
//!
//! Each side becomes a [`Listing`] of everything that a client can observe. A [`Diff`] is complete
//! by construction: applied to one listing, it gives the other.

mod listing;
mod order;
mod paths;
mod thing;

use std::collections::BTreeSet;
use std::fmt;

pub use listing::Listing;
pub use order::OrderChange;
pub use paths::known as known_paths;
pub use thing::{
    Available, Definition, DefinitionState, Ending, Registration, Resource, ServedBy, Service,
    Subject, Thing, Trust,
};

use crate::model::{Freshness, Snapshot};
use crate::registry::{Assumption, Fact, Fallback, OpenQuestion, Registry};

/// All differences between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// Things that were added, removed or changed, sorted by subject.
    pub differences: Vec<Difference>,
    /// Discovery forms in which the order of groups differs.
    pub orders: Vec<OrderChange>,
    /// What had to be assumed because the sources lack data.
    pub assumptions: Vec<Assumed>,
}

/// An assumption about one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumed {
    /// The side.
    pub side: Side,
    /// The assumption.
    pub assumption: Assumption,
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.side, self.assumption)
    }
}

/// One of the two snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The snapshot before.
    First,
    /// The snapshot after.
    Second,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "the first source",
            Self::Second => "the second source",
        })
    }
}

/// One thing that differs between the sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The name of the thing.
    pub subject: Subject,
    /// How it differs.
    pub change: Change,
}

/// How a thing differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Only the second side has it.
    Added(Thing),
    /// Only the first side has it.
    Removed(Thing),
    /// Both sides have it, with these different values.
    Changed(Thing, Thing),
}

impl Diff {
    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.orders.is_empty()
    }

    /// Returns whether something was removed.
    pub fn removes(&self) -> bool {
        self.differences.iter().any(|one| matches!(one.change, Change::Removed(_)))
    }

    /// Returns whether a request ends elsewhere.
    pub fn reroutes(&self) -> bool {
        self.differences.iter().any(|one| matches!(one.subject, Subject::Route(_)))
    }

    /// Returns whether an APIService became unavailable, or a group version became stale.
    pub fn makes_unavailable(&self) -> bool {
        self.changed().any(|change| match change {
            (Thing::ApiService(a), Thing::ApiService(b)) => {
                let known = !matches!(b.available, Available::True | Available::NotInSource);
                a.available == Available::True && known
            }
            (Thing::GroupVersion(a), Thing::GroupVersion(b)) => {
                let (was, is) = (a.freshness, b.freshness);
                was == Some(Freshness::Current) && is != was && is != Some(Freshness::Unknown)
            }
            _ => false,
        })
    }

    /// Returns whether the order of groups, or of a group's versions, changed.
    pub fn reorders(&self) -> bool {
        let group = |(before, _): (&Thing, &Thing)| matches!(before, Thing::Group(_));
        !self.orders.is_empty() || self.changed().any(group)
    }

    fn changed(&self) -> impl Iterator<Item = (&Thing, &Thing)> {
        self.differences.iter().filter_map(|one| match &one.change {
            Change::Changed(before, after) => Some((before, after)),
            Change::Added(_) | Change::Removed(_) => None,
        })
    }
}

/// Compares two snapshots.
pub fn diff(before: &Snapshot, after: &Snapshot) -> Diff {
    let (a, b) = (Registry::new(before), Registry::new(after));
    let paths: BTreeSet<String> = paths::known(&a).chain(paths::known(&b)).collect();
    let [left, right] = Listing::apart([&a, &b], &paths);
    found(&a, &left, &b, &right)
}

fn found(a: &Registry<'_>, left: &Listing, b: &Registry<'_>, right: &Listing) -> Diff {
    let mut found = compare(left, right);
    found.assumptions =
        [assumptions(a, left, Side::First), assumptions(b, right, Side::Second)].concat();
    found
}

/// A snapshot that is compared with several others. It is listed once.
#[derive(Debug)]
pub struct DiffBase<'s> {
    registry: Registry<'s>,
    paths: BTreeSet<String>,
    listing: Listing,
}

impl<'s> DiffBase<'s> {
    /// Lists the snapshot before the changes.
    pub fn new(before: &'s Snapshot) -> Self {
        let registry = Registry::new(before);
        let paths = paths::known(&registry).collect();
        let listing = Listing::new(&registry, &paths);
        Self { registry, paths, listing }
    }

    /// Compares it with the snapshot after the changes, as [`diff`] does.
    pub fn diff(&self, after: &Snapshot) -> Diff {
        let registry = Registry::new(after);
        let mut paths = paths::known(&registry).collect::<BTreeSet<_>>();
        let new: BTreeSet<String> = paths.difference(&self.paths).cloned().collect();
        paths.extend(self.paths.iter().cloned());
        let right = Listing::new(&registry, &paths);
        let mut left = self.listing.without_common(&right);
        if !new.is_empty() {
            left.routes(&self.registry, &new);
        }
        let right = right.without_common(&self.listing);
        found(&self.registry, &left, &registry, &right)
    }
}

/// Compares two listings.
pub fn compare(before: &Listing, after: &Listing) -> Diff {
    let subjects: BTreeSet<_> = before.things.keys().chain(after.things.keys()).collect();
    let mut differences = vec![];
    for subject in subjects {
        let change = match (before.things.get(subject), after.things.get(subject)) {
            (None, Some(thing)) => Change::Added(thing.clone()),
            (Some(thing), None) => Change::Removed(thing.clone()),
            (Some(a), Some(b)) if a != b => Change::Changed(a.clone(), b.clone()),
            _ => continue,
        };
        differences.push(Difference { subject: subject.clone(), change });
    }
    let orders = before.orders.iter().zip(&after.orders);
    let orders = orders.filter(|(a, b)| a.1 != b.1).map(|(a, b)| OrderChange {
        form: a.0,
        before: a.1.clone(),
        after: b.1.clone(),
    });
    Diff { differences, orders: orders.collect(), assumptions: vec![] }
}

fn assumptions(registry: &Registry<'_>, listing: &Listing, side: Side) -> Vec<Assumed> {
    let unknown = &listing.without_resources;
    let lists = (!unknown.is_empty()).then(|| {
        let question = Fallback::Untold(OpenQuestion::WhichResources);
        registry.without_lists(unknown.iter().cloned().collect(), question)
    });
    let found = registry.assumptions(&[Fact::ApiServices, Fact::Crds]).into_iter().chain(lists);
    found.map(|assumption| Assumed { side, assumption }).collect()
}
