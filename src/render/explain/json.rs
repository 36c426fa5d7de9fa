//! The JSON of `explain`.

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::ExplanationAnswer;
use crate::render::client::CacheVerdictsJson;
use crate::render::health::HealthJson;
use crate::render::json::non_empty;
use crate::render::{CacheVerdicts, SourceFlags};
use aggctl_diagnose::explain::{
    About, Blocker, Deletion, Direction, EntryAnswer, ExplainReport, Lookup, NamespaceAnswer,
    Refused, Speaker, SuggestedStep,
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplanationJson<'a> {
    recognised: bool,
    /// `aggregation-layer`, `possibly` or `elsewhere`; null if nothing is recognized.
    about: Option<&'static str>,
    matches: Vec<MatchJson<'a>>,
    nearest: Vec<&'static str>,
    /// Only the group where the text names no version. If it names neither, those of a component that
    /// it mentions.
    group_versions: Vec<String>,
    /// Groups of components that the text mentions, if it names no group.
    probable_groups: Vec<&'a str>,
    services: Vec<&'a str>,
    /// The program that printed the text, if that is certain.
    speaker: Option<&'static str>,
    /// The connection that failed.
    direction: Option<&'static str>,
    /// The component behind the APIServices, if it is known.
    component: Option<&'static str>,
    cause: Option<ExplainedFailureJson<'a>>,
    lookups: Vec<LookupJson<'a>>,
    /// When Kubernetes served a group version or resource that the source does not have.
    served: Vec<String>,
    /// The refusals in the text: who cannot do what.
    refused: Vec<RefusedJson<'a>>,
    /// Whether kubectl's cache, the server or the name is the reason that a client did not find
    /// something; absent without a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_cache: Option<CacheVerdictsJson<'a>>,
    /// The health that answers of health endpoints in the text show.
    #[serde(skip_serializing_if = "Option::is_none")]
    health: Option<HealthJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MatchJson<'a> {
    code: &'static str,
    title: &'static str,
    /// What happened, with the name of the server if it is known.
    lead: &'a str,
    said_by: Option<&'static str>,
    line: Option<usize>,
    text: Option<&'a str>,
    meaning: &'static [String],
    causes: Vec<CauseJson<'a>>,
    next: Vec<NextJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExplainedFailureJson<'a> {
    code: &'static str,
    what: &'a str,
    advice: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefusedJson<'a> {
    said: &'a str,
    /// kube-apiserver, extension-server or unknown
    by: &'static str,
    why: String,
    /// What follows from the details that the server added.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    adds: &'a [String],
    missing_rule: Option<&'a str>,
    /// The missing rule as YAML of a Role.
    rule: Option<&'a str>,
    namespace: Option<&'a str>,
    nearest_rule: Option<&'a str>,
    commands: Vec<String>,
}

impl<'a> RefusedJson<'a> {
    fn new(one: &'a Refused, same: &SourceFlags) -> Self {
        Self {
            said: &one.said,
            by: one.by.as_str(),
            why: one.by.to_string(),
            adds: &one.adds,
            missing_rule: one.missing.as_deref(),
            rule: one.rule.as_deref(),
            namespace: one.namespace.as_deref(),
            nearest_rule: one.nearest.as_deref(),
            commands: one.commands.iter().map(|command| same.complete(command)).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CauseJson<'a> {
    text: &'a str,
    likely: bool,
    /// A command that confirms or refutes it.
    confirm: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NextJson {
    command: Option<String>,
    text: &'static str,
}

impl NextJson {
    fn new(step: &SuggestedStep, same: &SourceFlags) -> Self {
        let command = Some(same.complete(&step.command)).filter(|command| !command.is_empty());
        Self { command, text: step.what }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LookupJson<'a> {
    api_service: &'a str,
    state: &'a str,
    works: Option<bool>,
    diagnosis: &'a [String],
    deletion: Option<&'static str>,
}

/// Returns the document of an explanation.
pub(super) fn explanation<'a>(answer: &ExplanationAnswer<'a>) -> ExplanationJson<'a> {
    let ExplanationAnswer { report, same, .. } = *answer;
    let found = &report.found;
    let versions = found.subject.group_versions.iter().map(ToString::to_string);
    let probable = match found.about {
        Some(About::AggregationLayer) => found.subject.probable_names(),
        _ => vec![],
    };
    ExplanationJson {
        recognised: report.is_recognized(),
        about: found.about.map(|about| about.as_str()),
        matches: matches(report, same),
        nearest: found.nearest.iter().map(|entry| entry.id).collect(),
        group_versions: versions
            .chain(found.subject.groups.iter().cloned())
            .chain(probable)
            .collect(),
        probable_groups: found.subject.probable.iter().map(String::as_str).collect(),
        speaker: found.backbone.speaker.map(Speaker::as_str),
        direction: found.backbone.direction.map(Direction::as_str),
        component: found.backbone.component,
        services: found.subject.services.iter().map(String::as_str).collect(),
        cause: found.cause.as_ref().map(|cause| ExplainedFailureJson {
            code: cause.code,
            what: &cause.what,
            advice: cause.advice,
        }),
        lookups: report.lookups.iter().map(LookupJson::from).collect(),
        served: report.served.iter().map(ToString::to_string).collect(),
        refused: report.refused.iter().map(|one| RefusedJson::new(one, same)).collect(),
        client_cache: answer.cache.map(CacheVerdicts::json),
        health: found.health.as_ref().map(|health| HealthJson::new(health, &[], &[])),
    }
}

/// Returns one object per recognized message.
pub(super) fn matches<'a>(report: &'a ExplainReport, same: &SourceFlags) -> Vec<MatchJson<'a>> {
    let one = |answer: &'a EntryAnswer| {
        let causes = answer.causes.iter();
        let next = answer.next.iter().map(|step| NextJson::new(step, same));
        let place = answer.place.as_ref();
        MatchJson {
            code: answer.entry.id,
            title: answer.entry.title,
            lead: &answer.lead,
            said_by: non_empty(answer.entry.said_by),
            line: place.map(|(line, _)| *line),
            text: place.map(|(_, text)| text.as_str()),
            meaning: &answer.entry.meaning,
            causes: causes
                .map(|cause| CauseJson {
                    text: &cause.text,
                    likely: cause.likely.is_some(),
                    confirm: cause.confirm.as_ref().map(|step| same.complete(&step.command)),
                })
                .collect(),
            next: next.collect(),
        }
    };
    report.answers.iter().map(one).collect()
}

impl<'a> From<&'a Lookup> for LookupJson<'a> {
    fn from(one: &'a Lookup) -> Self {
        Self {
            api_service: &one.name,
            state: &one.state,
            works: one.works,
            diagnosis: &one.diagnosis,
            deletion: one.deletion.map(Deletion::as_str),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NamespaceJson<'a> {
    summary: &'a str,
    blockers: Vec<BlockerJson<'a>>,
    suspects: Vec<LookupJson<'a>>,
    of_suspects: Option<&'a str>,
    /// What to run next.
    next: Vec<NextJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BlockerJson<'a> {
    condition: &'a str,
    message: &'a str,
    meaning: &'a str,
    lookups: Vec<LookupJson<'a>>,
}

/// Returns the document of a stuck namespace.
pub(super) fn namespace<'a>(answer: &'a NamespaceAnswer, same: &SourceFlags) -> NamespaceJson<'a> {
    fn blocker(b: &Blocker) -> BlockerJson<'_> {
        BlockerJson {
            condition: &b.condition,
            message: &b.message,
            meaning: b.meaning,
            lookups: b.lookups.iter().map(LookupJson::from).collect(),
        }
    }
    NamespaceJson {
        summary: &answer.summary,
        blockers: answer.blockers.iter().map(blocker).collect(),
        suspects: answer.suspects.iter().map(LookupJson::from).collect(),
        of_suspects: Some(answer.of_suspects).filter(|_| !answer.suspects.is_empty()),
        next: answer.next.iter().map(|step| NextJson::new(step, same)).collect(),
    }
}
