//! What fights over one group version, name or path. Pure.
//!
//! A command of its own, `aggctl conflicts`, and not a part of `doctor`: doctor answers why
//! something does not work, while here everything may be Available and healthy, and the wrong one
//! answers. What several want to have is an oddity with a contest; which resource a name means is
//! in `names`.

use crate::knowledge::{self, Owner};
use kube_aggregation::registry::{Code, Registry};

/// Something that several want to have, in words.
#[derive(Debug)]
pub struct WordedConflict {
    /// What kind.
    pub code: Code,
    /// What is fought over: a group version, a name.
    pub over: String,
    /// Who fights, the one that has it first.
    pub parties: Vec<String>,
    /// Whose the group is, where it is a distribution's.
    pub owner: Option<&'static Owner>,
    /// What comes of it, in a sentence or two.
    pub outcome: String,
    /// What to do.
    pub next: String,
    /// A command that helps with it.
    pub command: Option<String>,
}

/// Everything that is fought over apart from names that `kubectl get` takes.
pub fn conflicts(registry: &Registry<'_>) -> Vec<WordedConflict> {
    let found = registry.contests().into_iter().filter_map(|oddity| {
        let contest = oddity.contest.as_ref()?;
        let (next, command) = knowledge::next(&oddity).unwrap_or_default();
        Some(WordedConflict {
            code: oddity.code,
            over: contest.over.to_string(),
            parties: contest.parties.iter().map(ToString::to_string).collect(),
            owner: knowledge::owner(oddity.subject.group()),
            outcome: format!("{}. {}", knowledge::sentence(&oddity), knowledge::says(&oddity).why),
            next,
            command,
        })
    });
    found.collect()
}
