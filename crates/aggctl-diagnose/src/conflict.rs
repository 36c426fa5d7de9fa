//! Describes conflicts: several APIServices or CRDs that claim one group version, name or path.
//!
//! Unlike a diagnosis, a conflict does not mean that something fails: everything may be available
//! while the wrong claimant answers. The registry finds these conflicts. Conflicts over names that
//! `kubectl get` accepts are in `kube_aggregation::names`.

use crate::knowledge::{self, GroupOwner};
use kube_aggregation::registry::{Anomaly, Code, Registry};

/// One conflict, described in words.
#[derive(Debug)]
pub struct WordedConflict {
    /// The kind of conflict.
    pub code: Code,
    /// What is claimed: a group version or a name.
    pub over: String,
    /// The claimants, the winner first.
    pub parties: Vec<String>,
    /// The distribution that the group belongs to.
    pub owner: Option<&'static GroupOwner>,
    /// What happens because of the conflict, in a sentence or two.
    pub outcome: String,
    /// What to do.
    pub next: String,
    /// A command that helps to resolve it.
    pub command: Option<String>,
}

/// Returns all conflicts except those over names that `kubectl get` accepts.
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
            command: command.map(|command| with_name(&command, &anomaly)),
        })
    });
    found.collect()
}

/// Replaces the word NAME of a command by the name of the object that the anomaly is about.
fn with_name(command: &str, anomaly: &Anomaly<'_>) -> String {
    let Some(name) = anomaly.fill("crd").or_else(|| anomaly.fill("apiservice")) else {
        return command.to_owned();
    };
    let words = command.split(' ').map(|word| if word == "NAME" { &*name } else { word });
    words.collect::<Vec<_>>().join(" ")
}
