//! What differs between two snapshots. Pure.
//!
//! Each side is spelled out as a [`Listing`]: everything that a client can notice, as names with
//! fields. A [`Diff`] is complete by construction: applied to one listing it gives the other.

mod listing;
mod paths;

use std::collections::BTreeSet;

pub use listing::{Fields, Listing, Section};
pub use paths::known as known_paths;

use crate::model::Snapshot;
use crate::registry::Registry;

/// Everything that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// Things that came, went or changed, in the order of sections and names.
    pub differences: Vec<Difference>,
    /// Orders of groups that are not the same.
    pub orders: Vec<OrderChange>,
    /// What the answer rests on that was not there to look at.
    pub assumptions: Vec<String>,
}

/// One thing that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What kind of thing.
    pub section: Section,
    /// Its name.
    pub subject: String,
    /// What became of it.
    pub change: Change,
}

/// What became of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Only the second side has it.
    Added(Fields),
    /// Only the first side has it.
    Removed(Fields),
    /// Both have it, with these fields different.
    Changed(Vec<FieldChange>),
}

/// One field that is not the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// Its name.
    pub field: &'static str,
    /// On the first side; `None` where it has no such field.
    pub before: Option<String>,
    /// On the second side.
    pub after: Option<String>,
}

/// The order of groups of one endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderChange {
    /// `legacy` or `aggregated`.
    pub form: &'static str,
    /// On the first side.
    pub before: Vec<String>,
    /// On the second side.
    pub after: Vec<String>,
}

impl Diff {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.orders.is_empty()
    }

    /// The differences of one section.
    pub fn of(&self, section: Section) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(move |d| d.section == section)
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
    let keys: BTreeSet<_> = before.things.keys().chain(after.things.keys()).collect();
    let mut differences = vec![];
    for key in keys {
        let change = match (before.things.get(key), after.things.get(key)) {
            (None, Some(fields)) => Change::Added(fields.clone()),
            (Some(fields), None) => Change::Removed(fields.clone()),
            (Some(a), Some(b)) if a != b => Change::Changed(fields(a, b)),
            _ => continue,
        };
        differences.push(Difference { section: key.0, subject: key.1.clone(), change });
    }
    let orders = before.orders.iter().zip(&after.orders);
    let orders = orders.filter(|(a, b)| a.1 != b.1).map(|(a, b)| OrderChange {
        form: a.0,
        before: a.1.clone(),
        after: b.1.clone(),
    });
    Diff { differences, orders: orders.collect(), assumptions: vec![] }
}

fn fields(a: &Fields, b: &Fields) -> Vec<FieldChange> {
    let names: BTreeSet<&'static str> = a.keys().chain(b.keys()).copied().collect();
    let changes = names.into_iter().map(|field| FieldChange {
        field,
        before: a.get(field).cloned(),
        after: b.get(field).cloned(),
    });
    changes.filter(|change| change.before != change.after).collect()
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
    let unknown: Vec<&str> = listing.resources_unknown.iter().map(String::as_str).collect();
    if !unknown.is_empty() {
        found.push(format!("{side} source does not have the resources of {}", unknown.join(", ")));
    }
    found.into_iter()
}
