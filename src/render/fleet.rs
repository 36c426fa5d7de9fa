//! The answers for several clusters: a summary, worst first, then the answer for each.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::doctor::{DiagnosesJson, DoctorAnswer};
use super::format::Format;
use super::table::{Grid, Table, Tone};
use super::{Answer, ResponseMeta, TextBuilder, TextOptions, counted, sanitize};
use aggctl_diagnose::doctor::DoctorVerdict;

/// The diagnosis of one of several clusters.
#[derive(Debug)]
pub struct FleetMember<'a, 'r> {
    /// The context of the kubeconfig.
    pub context: &'a str,
    /// The diagnosis, or why the cluster could not be read.
    pub state: Result<DoctorAnswer<'a, 'r>, String>,
    /// Whether it could not be read because its kubeconfig is wrong.
    pub misconfigured: bool,
    /// The slowest request, and how long it took.
    pub slowest: Option<(&'a str, Duration)>,
}

impl FleetMember<'_, '_> {
    fn count(&self, verdict: DoctorVerdict) -> usize {
        let Ok(answer) = &self.state else { return 0 };
        answer.diagnoses.iter().filter(|one| one.verdict == verdict).count()
    }

    fn status(&self) -> &'static str {
        let has = |verdict| self.count(verdict) > 0;
        match &self.state {
            Err(_) if self.misconfigured => "misconfigured",
            Err(_) => "unreachable",
            Ok(_) if has(DoctorVerdict::Broken) => "broken",
            Ok(_) if has(DoctorVerdict::Warning) => "warning",
            Ok(_) => "healthy",
        }
    }

    fn version(&self) -> Option<&str> {
        let version = self.state.as_ref().ok()?.snapshot.version.loaded()?;
        Some(&version.git_version)
    }

    /// Formats a number of diagnoses; a cluster that was not read has none.
    fn counted(&self, verdict: DoctorVerdict) -> String {
        self.state.as_ref().map_or("-".to_owned(), |_| self.count(verdict).to_string())
    }

    fn slowest(&self) -> String {
        self.slowest
            .map_or("-".to_owned(), |(path, took)| format!("{:.1}s {path}", took.as_secs_f64()))
    }
}

/// The diagnoses of several clusters.
#[derive(Debug)]
pub struct FleetAnswer<'a, 'r> {
    members: Vec<FleetMember<'a, 'r>>,
    /// Whether to show healthy clusters in detail.
    all: bool,
}

impl<'a, 'r> FleetAnswer<'a, 'r> {
    /// Sorts the worst cluster first: those that cannot be read, then by the number of broken
    /// APIServices and of warnings.
    pub fn new(mut members: Vec<FleetMember<'a, 'r>>, all: bool) -> Self {
        members.sort_by_key(|one| {
            let counts = [DoctorVerdict::Broken, DoctorVerdict::Warning].map(|v| one.count(v));
            (one.state.is_ok(), counts.map(std::cmp::Reverse), one.context)
        });
        Self { members, all }
    }

    fn summary(&self, options: TextOptions) -> Table<'_, FleetMember<'a, 'r>> {
        Table::new(&self.members, options)
            .column("CONTEXT", |one| one.context)
            .toned("STATUS", |one| {
                let tone = match one.status() {
                    "healthy" => Tone::Good,
                    "warning" => Tone::Odd,
                    _ => Tone::Bad,
                };
                (one.status(), tone)
            })
            .column("VERSION", |one| one.version().unwrap_or("-").to_owned())
            .column("BROKEN", |one| one.counted(DoctorVerdict::Broken))
            .column("WARNINGS", |one| one.counted(DoctorVerdict::Warning))
            .column("SLOWEST", FleetMember::slowest)
            .shortened()
    }
}

impl Answer for FleetAnswer<'_, '_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide];

    fn text(&self, page: TextOptions) -> String {
        let mut sheet = TextBuilder::new(page);
        sheet.push(&self.summary(page).render());
        let mut healthy = 0;
        for member in &self.members {
            let heading = page.paint.strong(sanitize(member.context)).to_string();
            match &member.state {
                Ok(_) if member.status() == "healthy" && !self.all => healthy += 1,
                Ok(answer) => {
                    sheet.gap();
                    sheet.line(format_args!("==> {heading} <=="));
                    sheet.push(&answer.text(page));
                }
                Err(why) => {
                    sheet.gap();
                    sheet.line(format_args!("==> {heading} <=="));
                    sheet.hang("error:", sanitize(why));
                }
            }
        }
        if healthy > 0 {
            sheet.gap();
            let hidden = counted(healthy, "healthy context");
            sheet.line(format_args!("{hidden} without details (use --all)"));
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let items = self.members.iter().map(FleetItemJson::new).collect();
        ResponseMeta::none().list("Fleet", items)
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(self.summary(options).grid())
    }
}

/// One cluster.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FleetItemJson<'a> {
    /// The context of the kubeconfig.
    context: &'a str,
    /// `misconfigured`, `unreachable`, `broken`, `warning` or `healthy`.
    status: &'static str,
    /// Why the cluster could not be read.
    error: Option<&'a str>,
    /// The slowest request.
    slowest: Option<SlowestJson<'a>>,
    /// Null if the cluster could not be read.
    diagnosis: Option<DiagnosesJson<'a>>,
    /// What the diagnosis assumes.
    assumptions: &'a [String],
}

/// The slowest request to a cluster.
#[derive(Debug, Serialize, JsonSchema)]
struct SlowestJson<'a> {
    path: &'a str,
    seconds: f64,
}

impl<'a> FleetItemJson<'a> {
    fn new(member: &'a FleetMember<'_, '_>) -> Self {
        let answer = member.state.as_ref().ok();
        Self {
            context: member.context,
            status: member.status(),
            error: member.state.as_ref().err().map(String::as_str),
            slowest: member
                .slowest
                .map(|(path, took)| SlowestJson { path, seconds: took.as_secs_f64() }),
            diagnosis: answer.map(DiagnosesJson::new),
            assumptions: answer.map_or(&[], |answer| answer.meta.assumptions()),
        }
    }
}

/// The answer of a command for one of several clusters.
#[derive(Debug)]
pub struct ContextMember {
    /// The context of the kubeconfig.
    context: String,
    pub state: ContextState,
    /// Why there is no answer, and what to do.
    pub error: Option<(String, Option<String>)>,
    pub version: Option<String>,
    /// The slowest request, and how long it took.
    pub slowest: Option<(String, Duration)>,
    /// The answer as text, for text.
    pub text: String,
    /// The answer as JSON, for all other formats.
    pub json: Option<Value>,
}

/// How the answer for a cluster is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContextState {
    /// The cluster could not be read.
    Unreachable,
    /// It was read, but does not have the answer.
    NoAnswer,
    /// The exit code is 1.
    Findings,
    Ok,
}

impl ContextState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::NoAnswer => "no-answer",
            Self::Findings => "findings",
            Self::Ok => "ok",
        }
    }
}

impl ContextMember {
    /// Returns a cluster without an answer.
    pub fn new(context: &str) -> Self {
        Self {
            context: context.to_owned(),
            state: ContextState::Unreachable,
            error: None,
            version: None,
            slowest: None,
            text: String::new(),
            json: None,
        }
    }
}

/// The answers of a command for several clusters.
#[derive(Debug)]
pub struct ContextsAnswer {
    members: Vec<ContextMember>,
}

impl ContextsAnswer {
    /// Sorts the worst cluster first, and otherwise keeps the order.
    pub fn new(mut members: Vec<ContextMember>) -> Self {
        members.sort_by_key(|one| one.state);
        Self { members }
    }

    fn summary(&self, options: TextOptions) -> Table<'_, ContextMember> {
        Table::new(&self.members, options)
            .column("CONTEXT", |one| &one.context)
            .toned("STATUS", |one| {
                let tone = match one.state {
                    ContextState::Ok => Tone::Good,
                    ContextState::Findings => Tone::Odd,
                    ContextState::NoAnswer | ContextState::Unreachable => Tone::Bad,
                };
                (one.state.as_str(), tone)
            })
            .column("VERSION", |one| one.version.as_deref().unwrap_or("-"))
            .column("SLOWEST", |one| match &one.slowest {
                Some((path, took)) => format!("{:.1}s {path}", took.as_secs_f64()),
                None => "-".to_owned(),
            })
            .shortened()
    }
}

impl Answer for ContextsAnswer {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide];

    fn text(&self, page: TextOptions) -> String {
        let mut sheet = TextBuilder::new(page);
        sheet.push(&self.summary(page).render());
        for member in &self.members {
            sheet.gap();
            let heading = page.paint.strong(sanitize(&member.context)).to_string();
            sheet.line(format_args!("==> {heading} <=="));
            sheet.push(&member.text);
            if let Some((error, hint)) = &member.error {
                sheet.hang("error:", sanitize(error));
                hint.iter().for_each(|hint| sheet.hang("hint:", sanitize(hint)));
            }
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let items = self.members.iter().map(ContextItemJson::new).collect();
        ResponseMeta::none().list("ContextList", items)
    }
}

/// The answer for one of several clusters.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextItemJson<'a> {
    /// The context of the kubeconfig.
    context: &'a str,
    /// `unreachable`, `no-answer`, `findings` or `ok`.
    status: &'static str,
    /// Why there is no answer.
    error: Option<&'a str>,
    /// The version of the API server.
    version: Option<&'a str>,
    /// The slowest request.
    slowest: Option<SlowestJson<'a>>,
    /// The document that the command writes for one cluster.
    answer: Option<&'a Value>,
}

impl<'a> ContextItemJson<'a> {
    fn new(member: &'a ContextMember) -> Self {
        let slowest = member.slowest.as_ref();
        Self {
            context: &member.context,
            status: member.state.as_str(),
            error: member.error.as_ref().map(|(error, _)| error.as_str()),
            version: member.version.as_deref(),
            slowest: slowest.map(|(path, took)| SlowestJson { path, seconds: took.as_secs_f64() }),
            answer: member.json.as_ref(),
        }
    }
}
