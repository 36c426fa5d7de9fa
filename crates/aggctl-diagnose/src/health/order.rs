//! In which order the checks of a start passed, as somebody who looks again and again sees it.

use std::collections::BTreeSet;

use super::{Answered, HealthCheck, HealthState};

/// A check that passed since the first look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Its name.
    pub name: String,
    /// What is known about it.
    pub known: Option<&'static HealthCheck>,
    /// At which look it was first seen to pass, counted from 0.
    pub look: usize,
}

/// The checks that failed at one look and pass at a later one, in the order in which they did.
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
