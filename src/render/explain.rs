//! An explanation: for people, for programs.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;

use super::command::SameSource;
use super::layout::wrap;
use super::paint::Paint;
use super::sanitise::sanitise;
use crate::doctor::quoted;
use crate::explain::{Blocker, Explanation, Looked, Match, NamespaceAnswer, Subject};
use crate::knowledge::{Entry, NextStep, UsualCause};
use crate::model::Origin;

/// How many names of a kind are shown.
const MOST: usize = 12;

/// How an explanation is shown.
#[derive(Debug, Clone, Copy)]
pub struct ExplainView<'a> {
    /// The source that was asked; none where none was.
    pub origin: Option<&'a Origin>,
    /// The arguments that name it again.
    pub same: &'a SameSource,
    /// Colours.
    pub paint: Paint,
    /// Columns.
    pub width: usize,
}

/// An explanation with what the source says of it.
pub fn explanation_text(found: &Explanation, looked: &[Looked], view: ExplainView<'_>) -> String {
    let ExplainView { origin, paint, width, .. } = view;
    let mut text = String::new();
    let Some(first) = found.matches.first() else {
        text.push_str("not recognised: this is no message that aggctl knows\n");
        if !found.nearest.is_empty() {
            section(&mut text, "NEAREST", paint);
            for entry in &found.nearest {
                hanging(&mut text, &format!("{:24}", entry.id), entry.title, width);
            }
        }
        about(&mut text, &found.subject, looked, origin, paint, width);
        section(&mut text, "WHAT TO RUN", paint);
        let doctor = view.same.complete("aggctl doctor");
        let _ = writeln!(text, "  {}", paint.away(sanitise(&doctor)));
        indented(&mut text, "to see whether any APIService does not work, and why", 6, width);
        let report = "if the message is about the aggregation layer, aggctl should know it: report it where you got aggctl from, with the message";
        indented(&mut text, report, 2, width);
        return text;
    };
    let _ = writeln!(text, "{}", paint.strong(first.entry.title));
    hanging(&mut text, &format!("line {}:", first.line), &first.text, width);
    entry_text(&mut text, first.entry, Some((found, looked)), view);
    if found.matches.len() > 1 {
        section(&mut text, "ALSO RECOGNISED", paint);
        for one in found.matches.iter().skip(1) {
            hanging(&mut text, &format!("{:24}", one.entry.id), one.entry.title, width);
        }
    }
    if found.cut {
        text.push_str("\nthe text is long: only its first 4 MiB were read\n");
    }
    text
}

type Context<'a> = Option<(&'a Explanation, &'a [Looked])>;

/// One entry on its own.
pub fn entry_alone(entry: &Entry, same: &SameSource, paint: Paint, width: usize) -> String {
    let mut text = format!("{}\n", paint.strong(entry.title));
    entry_text(&mut text, entry, None, ExplainView { origin: None, same, paint, width });
    text
}

fn entry_text(text: &mut String, entry: &Entry, context: Context<'_>, view: ExplainView<'_>) {
    let ExplainView { origin, same, paint, width } = view;
    section(text, "WHAT IT MEANS", paint);
    for paragraph in &entry.meaning {
        indented(text, paragraph, 2, width);
    }
    if let Some(cause) = context.and_then(|(found, _)| found.cause.as_ref()) {
        section(text, "WHAT FAILED", paint);
        indented(text, &cause.what, 2, width);
        indented(text, cause.advice, 2, width);
    }
    let nothing = Subject::default();
    let mut evidence = BTreeSet::new();
    let mut subject = &nothing;
    let looked = context.map(|(_, looked)| looked).unwrap_or_default();
    if let Some((found, looked)) = context {
        subject = &found.subject;
        evidence = found.evidence(looked);
        about(text, subject, looked, origin, paint, width);
    }
    section(text, "USUAL CAUSES", paint);
    for (index, (cause, shown)) in ordered(&entry.causes, &evidence).into_iter().enumerate() {
        let mark = if shown { whose_evidence(cause, context) } else { "" };
        hanging(text, &format!("{}.", index + 1), &format!("{}{mark}", cause.text), width);
    }
    section(text, "WHAT TO RUN", paint);
    for step in &entry.next {
        let (command, what) = filled(step, subject, looked, same);
        if command.is_empty() {
            indented(text, &what, 2, width);
        } else {
            let _ = writeln!(text, "  {}", paint.away(sanitise(&command)));
            indented(text, &what, 6, width);
        }
    }
}

/// Who speaks for a cause.
fn whose_evidence(cause: &UsualCause, context: Context<'_>) -> &'static str {
    let looked = context.map(|(_, looked)| looked).unwrap_or_default();
    let source = cause.evidence.iter().any(|tag| looked.iter().any(|l| l.evidence.contains(*tag)));
    if source { " ← the source speaks for it" } else { " ← the text speaks for it" }
}

/// Causes that evidence speaks for, then the others, each in the entry's own order.
fn ordered<'e>(
    causes: &'e [UsualCause],
    evidence: &BTreeSet<String>,
) -> Vec<(&'e UsualCause, bool)> {
    let speaks = |cause: &UsualCause| cause.evidence.iter().any(|tag| evidence.contains(*tag));
    let mut all: Vec<(&UsualCause, bool)> =
        causes.iter().map(|cause| (cause, speaks(cause))).collect();
    all.sort_by_key(|(_, speaks)| !speaks);
    all
}

fn about(
    text: &mut String,
    subject: &Subject,
    looked: &[Looked],
    origin: Option<&Origin>,
    paint: Paint,
    width: usize,
) {
    if subject.is_empty() {
        if let (Some(origin), false) = (origin, subject.states.is_empty()) {
            section(text, "WHERE IT IS SO NOW", paint);
            let _ = writeln!(
                text,
                "  {}",
                paint.faint(format!("in {}", sanitise(&origin.to_string())))
            );
            if looked.is_empty() {
                indented(text, "no APIService of the source has it now", 2, width);
            }
            looked_text(text, looked, paint, width);
        }
        return;
    }
    section(text, "WHAT IT IS ABOUT", paint);
    let names = subject
        .group_versions
        .iter()
        .map(|gv| format!("group version {gv} (APIService {})", gv.api_service_name()));
    let groups = subject.groups.iter().map(|group| format!("group {group}"));
    let services = subject.services.iter().map(|service| format!("Service {service}"));
    let all: Vec<String> = names.chain(groups).chain(services).collect();
    for name in all.iter().take(MOST) {
        indented(text, name, 2, width);
    }
    if let Some(more) = all.len().checked_sub(MOST).filter(|n| *n > 0) {
        let _ = writeln!(text, "  and {more} more");
    }
    match origin {
        None => indented(
            text,
            "not looked up: no dump and no cluster was named (--dump PATH)",
            2,
            width,
        ),
        Some(origin) => {
            let _ = writeln!(
                text,
                "\n  {}",
                paint.faint(format!("in {}", sanitise(&origin.to_string())))
            );
            looked_text(text, looked, paint, width);
        }
    }
}

fn looked_text(text: &mut String, looked: &[Looked], paint: Paint, width: usize) {
    for one in looked.iter().take(MOST) {
        let name = match one.works {
            Some(true) => paint.good(sanitise(&one.name)),
            Some(false) => paint.bad(sanitise(&one.name)),
            None => paint.odd(sanitise(&one.name)),
        };
        let _ = writeln!(text, "  APIService {name}");
        indented(text, &one.state, 6, width);
        for line in &one.diagnosis {
            indented(text, &format!("doctor: {line}"), 6, width);
        }
        if let Some(deletion) = &one.deletion {
            indented(text, deletion, 6, width);
        }
    }
    if let Some(more) = looked.len().checked_sub(MOST).filter(|n| *n > 0) {
        let _ = writeln!(text, "  and {more} more");
    }
}

/// Why a namespace does not go away.
pub fn namespace_text(answer: &NamespaceAnswer, paint: Paint, width: usize) -> String {
    let mut text = String::new();
    for line in wrap(&sanitise(&answer.summary), width) {
        let _ = writeln!(text, "{}", paint.strong(line));
    }
    for blocker in &answer.blockers {
        section(&mut text, &blocker.condition, paint);
        indented(&mut text, &blocker.message, 2, width);
        indented(&mut text, blocker.meaning, 2, width);
        looked_text(&mut text, &blocker.looked, paint, width);
    }
    if !answer.suspects.is_empty() {
        section(&mut text, "ALSO NOT WORKING", paint);
        indented(&mut text, answer.of_suspects, 2, width);
        let widest = answer.suspects.iter().map(|one| one.name.chars().count()).max();
        let widest = widest.unwrap_or_default().min(width / 2);
        for one in &answer.suspects {
            hanging(&mut text, &format!("{:widest$} ", sanitise(&one.name)), &one.brief, width);
        }
    }
    text
}

/// A step with the names that the text gave.
fn filled(
    step: &NextStep,
    subject: &Subject,
    looked: &[Looked],
    same: &SameSource,
) -> (String, String) {
    // Of several that have a state none is meant more than the others.
    let several = !subject.states.is_empty() && looked.len() > 1;
    let found = looked.iter().find(|one| one.works.is_some() && !several);
    let found = found.and_then(|one| of_api_service(&one.name));
    let gv = subject.group_versions.first().cloned().or(found);
    let gv = gv.as_ref();
    let service = subject.services.first().and_then(|id| id.split_once('/'));
    let mut command = step.command.to_owned();
    let mut put = |place: &str, value: Option<String>, otherwise: &str| {
        command =
            command.replace(place, value.as_deref().unwrap_or(otherwise)).trim_end().to_owned();
    };
    // aggctl answers for all where none is named.
    let all = if step.command.starts_with("aggctl ") { "" } else { "NAME" };
    put("{apiservice}", gv.map(crate::model::GroupVersion::api_service_name), all);
    put("{path}", gv.map(crate::model::GroupVersion::root_path), "/apis/GROUP/VERSION");
    put(
        "{service}",
        service.map(|(namespace, name)| format!("-n {} {}", quoted(namespace), quoted(name))),
        "-n NAMESPACE NAME",
    );
    put("{service-name}", service.map(|(_, name)| quoted(name).into_owned()), "NAME");
    (same.complete(&command), step.what.clone())
}

/// The group version of an APIService's name.
fn of_api_service(name: &str) -> Option<crate::model::GroupVersion> {
    let (version, group) = name.split_once('.')?;
    Some(crate::model::GroupVersion::new(group, version))
}

fn section(text: &mut String, title: &str, paint: Paint) {
    let _ = writeln!(text, "\n{}", paint.strong(sanitise(title)));
}

fn indented(text: &mut String, content: &str, indent: usize, width: usize) {
    for line in wrap(&sanitise(content), width.saturating_sub(indent)) {
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}

fn hanging(text: &mut String, label: &str, content: &str, width: usize) {
    let indent = label.chars().count() + 3;
    for (index, line) in wrap(&sanitise(content), width.saturating_sub(indent)).iter().enumerate() {
        if index == 0 {
            let _ = writeln!(text, "  {label} {line}");
        } else {
            let _ = writeln!(text, "{:indent$}{line}", "");
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExplanationJson<'a> {
    recognised: bool,
    matches: Vec<MatchJson<'a>>,
    nearest: Vec<&'static str>,
    group_versions: Vec<String>,
    groups: Vec<&'a str>,
    services: Vec<&'a str>,
    cause: Option<CauseOfJson<'a>>,
    lookups: Vec<LookedJson<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MatchJson<'a> {
    code: &'static str,
    title: &'static str,
    line: Option<usize>,
    text: Option<&'a str>,
    meaning: &'static [String],
    causes: Vec<CauseJson>,
    next: Vec<NextJson>,
}

#[derive(Debug, Serialize)]
struct CauseOfJson<'a> {
    code: &'static str,
    what: &'a str,
    advice: &'static str,
}

#[derive(Debug, Serialize)]
struct CauseJson {
    text: &'static str,
    supported: bool,
}

#[derive(Debug, Serialize)]
struct NextJson {
    command: Option<String>,
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LookedJson<'a> {
    api_service: &'a str,
    state: &'a str,
    works: Option<bool>,
    diagnosis: &'a [String],
    deletion: Option<&'a str>,
}

/// An explanation as the JSON contract has it.
pub fn explanation_json<'a>(
    found: &'a Explanation,
    looked: &'a [Looked],
    same: &SameSource,
) -> impl Serialize + use<'a> {
    ExplanationJson {
        recognised: !found.matches.is_empty(),
        matches: matched(found, looked, same),
        nearest: found.nearest.iter().map(|entry| entry.id).collect(),
        group_versions: found.subject.group_versions.iter().map(ToString::to_string).collect(),
        groups: found.subject.groups.iter().map(String::as_str).collect(),
        services: found.subject.services.iter().map(String::as_str).collect(),
        cause: found.cause.as_ref().map(|cause| CauseOfJson {
            code: cause.code,
            what: &cause.what,
            advice: cause.advice,
        }),
        lookups: looked.iter().map(LookedJson::from).collect(),
    }
}

/// What was recognised, for a line each.
pub fn matches_json<'a>(
    found: &'a Explanation,
    looked: &'a [Looked],
    same: &SameSource,
) -> Vec<impl Serialize + use<'a>> {
    matched(found, looked, same)
}

/// One entry on its own, in the form of an explanation.
pub fn entry_json(entry: &'static Entry, same: &SameSource) -> impl Serialize + use<> {
    let (nothing, none) = (Subject::default(), BTreeSet::new());
    let only = match_json(entry, None, &none, |step| filled(step, &nothing, &[], same));
    ExplanationJson {
        recognised: true,
        matches: vec![only],
        nearest: vec![],
        group_versions: vec![],
        groups: vec![],
        services: vec![],
        cause: None,
        lookups: vec![],
    }
}

fn matched<'a>(found: &'a Explanation, looked: &[Looked], same: &SameSource) -> Vec<MatchJson<'a>> {
    let evidence = found.evidence(looked);
    let one = |one: &'a Match| {
        let place = Some((one.line, one.text.as_str()));
        let fill = |step: &NextStep| filled(step, &found.subject, looked, same);
        match_json(one.entry, place, &evidence, fill)
    };
    found.matches.iter().map(one).collect()
}

fn match_json<'a>(
    entry: &'static Entry,
    place: Option<(usize, &'a str)>,
    evidence: &BTreeSet<String>,
    fill: impl Fn(&NextStep) -> (String, String),
) -> MatchJson<'a> {
    let causes = ordered(&entry.causes, evidence).into_iter();
    let next = entry.next.iter().map(|step| {
        let (command, text) = fill(step);
        NextJson { command: Some(command).filter(|c| !c.is_empty()), text }
    });
    MatchJson {
        code: entry.id,
        title: entry.title,
        line: place.map(|(line, _)| line),
        text: place.map(|(_, text)| text),
        meaning: &entry.meaning,
        causes: causes
            .map(|(cause, supported)| CauseJson { text: &cause.text, supported })
            .collect(),
        next: next.collect(),
    }
}

impl<'a> From<&'a Looked> for LookedJson<'a> {
    fn from(one: &'a Looked) -> Self {
        Self {
            api_service: &one.name,
            state: &one.state,
            works: one.works,
            diagnosis: &one.diagnosis,
            deletion: one.deletion.as_deref(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NamespaceJson<'a> {
    summary: &'a str,
    blockers: Vec<BlockerJson<'a>>,
    suspects: Vec<LookedJson<'a>>,
    of_suspects: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockerJson<'a> {
    condition: &'a str,
    message: &'a str,
    meaning: &'a str,
    lookups: Vec<LookedJson<'a>>,
}

/// Why a namespace does not go away, as the JSON contract has it.
pub fn namespace_json(answer: &NamespaceAnswer) -> impl Serialize + '_ {
    fn blocker(b: &Blocker) -> BlockerJson<'_> {
        BlockerJson {
            condition: &b.condition,
            message: &b.message,
            meaning: b.meaning,
            lookups: b.looked.iter().map(LookedJson::from).collect(),
        }
    }
    NamespaceJson {
        summary: &answer.summary,
        blockers: answer.blockers.iter().map(blocker).collect(),
        suspects: answer.suspects.iter().map(LookedJson::from).collect(),
        of_suspects: Some(answer.of_suspects).filter(|_| !answer.suspects.is_empty()),
    }
}
