//! What fights over one group version, name or path. Pure.
//!
//! A command of its own, `aggctl conflicts`, and not a part of `doctor`: doctor answers why
//! something does not work, while here everything may be Available and healthy, and the wrong one
//! answers. Who asks "why does `kubectl get foo` show the other foo" does not look for a doctor.

mod names;
mod owners;
mod refused;
mod taken;

pub use names::{Candidate, LeftOut, NameConflict, Unseen, Why, name_conflicts, names, pick};

use crate::registry::Registry;

/// Something that two want to have.
#[derive(Debug)]
pub struct Conflict {
    /// A stable word for the kind.
    pub code: &'static str,
    /// What is fought over: a group version, a name.
    pub over: String,
    /// Who fights, the one that has it first.
    pub parties: Vec<String>,
    /// What comes of it, in a sentence or two.
    pub outcome: String,
    /// What to do.
    pub next: String,
    /// A command that helps with it.
    pub command: Option<String>,
}

/// Everything that is fought over apart from names that `kubectl get` takes.
pub fn conflicts(registry: &Registry<'_>) -> Vec<Conflict> {
    let mut found = taken::group_versions(registry);
    found.extend(taken::own_group(registry));
    found.extend(taken::built_in_groups(registry));
    found.extend(owners::api_services(registry));
    found.extend(refused::crds(registry));
    found
}
