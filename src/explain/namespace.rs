//! Why a namespace does not go away.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::lookup::{Looked, look_up};
use super::{Subject, explain};
use crate::model::Namespace;
use crate::registry::Registry;

/// Why a namespace is still there.
#[derive(Debug)]
pub struct NamespaceAnswer {
    /// The answer in a sentence.
    pub summary: String,
    /// What holds it, the most telling first.
    pub blockers: Vec<Blocker>,
    /// APIServices that do not work and so block every namespace deletion, where no condition
    /// names them.
    pub suspects: Vec<Looked>,
}

impl NamespaceAnswer {
    /// The APIServices that hold it, or may, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let held = self.blockers.iter().flat_map(|blocker| &blocker.looked);
        let names = held.chain(&self.suspects).map(|looked| looked.name.as_str());
        names.collect::<BTreeSet<_>>().into_iter()
    }
}

/// One condition that holds a namespace.
#[derive(Debug)]
pub struct Blocker {
    /// The condition's type.
    pub condition: String,
    /// Its message, as the server wrote it.
    pub message: String,
    /// What it means.
    pub meaning: &'static str,
    /// The APIServices that it is about.
    pub looked: Vec<Looked>,
}

/// The conditions that the namespace controller writes, with what each means when it is True.
const CONDITIONS: [(&str, &str); 5] = [
    (
        "NamespaceDeletionDiscoveryFailure",
        "the controller must list every kind of object, and these group versions do not answer; mend or delete their APIServices",
    ),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        "discovery has a group version that cannot be read",
    ),
    (
        "NamespaceDeletionContentFailure",
        "some objects could not be deleted: a webhook or the server behind their API refuses",
    ),
    (
        "NamespaceContentRemaining",
        "these objects are still there; something must finish deleting them",
    ),
    (
        "NamespaceFinalizersRemaining",
        "these objects wait for whoever set their finalizers; if that controller is gone, they wait for ever",
    ),
];

/// Says why a namespace is still there.
pub fn explain_namespace(
    registry: &Registry<'_>,
    namespace: &Namespace,
    now: Timestamp,
) -> NamespaceAnswer {
    let mut blockers = vec![];
    for (kind, meaning) in CONDITIONS {
        let holds = namespace.conditions.iter().find(|(k, c)| k == kind && c.status == "True");
        let Some((_, condition)) = holds else { continue };
        let subject = explain(&condition.message).subject;
        blockers.push(Blocker {
            condition: kind.to_owned(),
            message: condition.message.clone(),
            meaning,
            looked: look_up(registry, &subject, now),
        });
    }
    let broken = registry.api_services().filter(|(s, _)| s.service.is_some() && !s.is_available());
    let subject = Subject {
        group_versions: broken.map(|(s, _)| s.group_version.clone()).collect(),
        ..Subject::default()
    };
    let named =
        |l: &Looked| blockers.iter().any(|b: &Blocker| b.looked.iter().any(|o| o.name == l.name));
    let suspects: Vec<Looked> =
        look_up(registry, &subject, now).into_iter().filter(|looked| !named(looked)).collect();
    let name = &namespace.name;
    let summary = if !namespace.terminating {
        format!("namespace {name} is not being deleted: its phase is {}", namespace.phase)
    } else if let Some(first) = blockers.first() {
        format!("namespace {name} is being deleted, and waits: {}", first.meaning)
    } else if suspects.is_empty() {
        format!(
            "namespace {name} is being deleted; what it waits for cannot be told from its conditions"
        )
    } else {
        format!(
            "namespace {name} is being deleted; its conditions name nothing, but an APIService that does not answer holds every deletion"
        )
    };
    let suspects = if namespace.terminating { suspects } else { vec![] };
    NamespaceAnswer { summary, blockers, suspects }
}
