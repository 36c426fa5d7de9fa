//! Describes conflicts: several APIServices or CRDs that claim one group version, name or path.
//!
//! Unlike a diagnosis, a conflict does not mean that something fails: everything may be available
//! while the wrong claimant answers. The registry finds these conflicts. Conflicts over names that
//! `kubectl get` accepts are in `kube_aggregation::names`.

use crate::knowledge::{self, GroupOwner};
use kube_aggregation::registry::{Code, Registry};

/// A conflict in words.
#[derive(Debug)]
pub struct WordedConflict {
    /// Which kind.
    pub code: Code,
    /// What is claimed: a group version, a name.
    pub over: String,
    /// The claimants, the winner first.
    pub parties: Vec<String>,
    /// The distribution that the group belongs to.
    pub owner: Option<&'static GroupOwner>,
    /// What follows, in a sentence or two.
    pub outcome: String,
    /// What to do.
    pub next: String,
    /// A command that helps with it.
    pub command: Option<String>,
}

/// Lists all conflicts except those over names that `kubectl get` accepts.
pub fn conflicts(registry: &Registry<'_>) -> Vec<WordedConflict> {
    let found = registry.contests().into_iter().filter_map(|anomaly| {
        let contest = anomaly.contest.as_ref()?;
        let (next, command) = knowledge::next(&anomaly).unwrap_or_default();
        let why = knowledge::describe(&anomaly).why;
        Some(WordedConflict {
            code: anomaly.code,
            over: contest.over.to_string(),
            parties: contest.parties.iter().map(ToString::to_string).collect(),
            owner: knowledge::owner(anomaly.subject.group()),
            outcome: format!("{}. {why}", knowledge::sentence(&anomaly)),
            next,
            command,
        })
    });
    found.collect()
}
