//! What differs between two snapshots. Pure.
//!
//! Each side is spelled out as a [`Listing`]: everything that a client can notice. A [`Diff`] is
//! complete by construction: applied to one listing it gives the other.

mod listing;
mod order;
mod paths;
mod thing;

use std::collections::BTreeSet;

pub use listing::Listing;
pub use order::OrderChange;
pub use paths::known as known_paths;
pub use thing::{
    Available, Definition, DefinitionState, Ending, Registration, Resource, ServedBy, Service,
    Subject, Thing, Trust,
};

use crate::model::{Freshness, Snapshot};
use crate::registry::Registry;

/// Everything that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// Things that came, went or changed, in the order of their subjects.
    pub differences: Vec<Difference>,
    /// Orders of groups that are not the same.
    pub orders: Vec<OrderChange>,
    /// What the answer rests on that was not there to look at.
    pub assumptions: Vec<String>,
}

/// One thing that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is.
    pub subject: Subject,
    /// What became of it.
    pub change: Change,
}

/// What became of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Only the second side has it.
    Added(Thing),
    /// Only the first side has it.
    Removed(Thing),
    /// Both have it, but not alike: on the first side, and on the second.
    Changed(Thing, Thing),
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.orders.is_empty()
    }

    /// Whether something is gone.
    pub fn removes(&self) -> bool {
        self.differences.iter().any(|one| matches!(one.change, Change::Removed(_)))
    }

    /// Whether a request ends elsewhere.
    pub fn reroutes(&self) -> bool {
        self.differences.iter().any(|one| matches!(one.subject, Subject::Route(_)))
    }

    /// Whether an APIService is no longer available, or a group version no longer up to date.
    pub fn makes_unavailable(&self) -> bool {
        self.changed().any(|change| match change {
            (Thing::ApiService(a), Thing::ApiService(b)) => {
                a.available == Available::True && b.available != Available::True
            }
            (Thing::GroupVersion(a), Thing::GroupVersion(b)) => {
                let current = Some(Freshness::Current);
                a.freshness == current && b.freshness != current
            }
            _ => false,
        })
    }

    /// Whether groups, or the versions of one, are in another order.
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
    let (left, right) = (Listing::new(&a, &paths), Listing::new(&b, &paths));
    let mut found = compare(&left, &right);
    found.assumptions =
        assumptions(&a, &left, "the first").chain(assumptions(&b, &right, "the second")).collect();
    found
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

fn assumptions(
    registry: &Registry<'_>,
    listing: &Listing,
    side: &str,
) -> impl Iterator<Item = String> {
    let mut found = vec![];
    if !registry.api_services_complete {
        found.push(format!(
            "{side} source does not have all APIServices: those that must exist were inferred"
        ));
    }
    if !registry.snapshot.crds.is_loaded() {
        found.push(format!("{side} source has no CRDs to look at"));
    }
    let unknown: Vec<String> = listing.without_resources.iter().map(ToString::to_string).collect();
    if !unknown.is_empty() {
        found.push(format!("{side} source does not have the resources of {}", unknown.join(", ")));
    }
    found.into_iter()
}
