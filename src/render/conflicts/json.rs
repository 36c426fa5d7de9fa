//! The JSON of `conflicts`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::json::OwnerJson;
use aggctl_diagnose::conflict::WordedConflict;
use kube_aggregation::names::{Candidate, NameConflict};

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ConflictsJson<'a> {
    conflicts: Vec<ConflictJson<'a>>,
    names: Vec<NameJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ConflictJson<'a> {
    code: &'static str,
    over: &'a str,
    parties: &'a [String],
    /// The distribution that owns the group, if one does.
    #[serde(rename = "belongsTo", skip_serializing_if = "Option::is_none")]
    belongs_to: Option<OwnerJson>,
    outcome: &'a str,
    next: &'a str,
    command: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct NameJson<'a> {
    name: &'a str,
    picked: Option<CandidateJson<'a>>,
    others: Vec<CandidateJson<'a>>,
    #[serde(rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutJson<'a>>,
    why: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CandidateJson<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
    kind: &'a str,
    short_name: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LeftOutJson<'a> {
    #[serde(flatten)]
    candidate: CandidateJson<'a>,
    reason: &'static str,
}

impl<'a> ConflictsJson<'a> {
    pub(super) fn new(conflicts: &'a [WordedConflict], names: &'a [NameConflict]) -> Self {
        Self {
            conflicts: conflicts.iter().map(ConflictJson::from).collect(),
            names: names.iter().map(NameJson::from).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::render) enum ConflictLineJson<'a> {
    Conflict(ConflictJson<'a>),
    Name(NameJson<'a>),
}

impl<'a> From<&'a WordedConflict> for ConflictJson<'a> {
    fn from(c: &'a WordedConflict) -> Self {
        Self {
            code: c.code.as_str(),
            over: &c.over,
            parties: &c.parties,
            belongs_to: c.owner.map(OwnerJson::from),
            outcome: &c.outcome,
            next: &c.next,
            command: c.command.as_deref(),
        }
    }
}

impl<'a> From<&'a NameConflict> for NameJson<'a> {
    fn from(n: &'a NameConflict) -> Self {
        let candidate = |c: &'a Candidate| CandidateJson {
            group: &c.group,
            version: &c.version,
            resource: &c.resource,
            kind: &c.kind,
            short_name: c.short,
        };
        Self {
            name: &n.name,
            picked: n.candidates.first().map(candidate),
            others: n.candidates.iter().skip(1).map(candidate).collect(),
            left_out: (n.left_out.iter())
                .map(|one| LeftOutJson {
                    candidate: candidate(&one.candidate),
                    reason: one.unseen.as_str(),
                })
                .collect(),
            why: n.why.words(),
        }
    }
}
