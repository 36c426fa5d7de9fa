//! The order in which checks passed, seen by repeated looks at a starting server.

use std::collections::BTreeSet;

use super::answer::{Answered, HealthState};
use super::check::HealthCheck;

/// A check that passed since the first look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Its name.
    pub name: String,
    /// The check; `None` if plain Kubernetes has no such check.
    pub known: Option<&'static HealthCheck>,
    /// The first look at which it passed, counted from 0.
    pub look: usize,
}

/// Returns the checks that failed at one look and passed at a later one, in order.
pub fn order(looks: &[Vec<Answered>]) -> Vec<Passed> {
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    let mut found = vec![];
    for (look, answers) in looks.iter().enumerate() {
        let checks = || answers.iter().flat_map(|one| &one.checks);
        let now: BTreeSet<&str> =
            checks().filter(|check| check.failed()).map(|check| check.name.as_str()).collect();
        for check in checks().filter(|check| check.state == HealthState::Passed) {
            if !now.contains(&*check.name) && failed.remove(&*check.name) {
                found.push(Passed { name: check.name.clone(), known: check.known, look });
            }
        }
        failed.extend(now);
    }
    found
}
