//! The text of `explain`.

use super::answer::ExplanationAnswer;
use crate::render::health::health_answers;
use crate::render::{SourceFlags, TextBuilder, TextOptions, indented, sanitize};
use aggctl_diagnose::explain::{About, EntryAnswer, Likely, Lookup, NamespaceAnswer};
use aggctl_diagnose::knowledge::{GroupKind, Layer, SharedWith};
use kube_aggregation::model::Origin;

/// How many names of a kind are listed.
const MAX_NAMES: usize = 12;

/// Returns an explanation, with what the source says about it.
pub(super) fn explanation(answer: &ExplanationAnswer<'_>, page: TextOptions) -> String {
    let report = answer.report;
    let mut sheet = TextBuilder::new(page);
    match report.answers.split_first() {
        None if report.is_recognized() => {}
        None => not_recognized(&mut sheet, answer),
        Some((first, rest)) => {
            title(&mut sheet, &first.lead);
            let brief = report.found.about == Some(About::Possibly) && !page.verbose;
            let alone = answer.origin.is_none() && answer.cache.is_none();
            match brief && report.refused.is_empty() && alone {
                true => possibly(&mut sheet, answer, first),
                false => recognized(&mut sheet, answer, first),
            }
            if !rest.is_empty() && !brief {
                let codes: Vec<&str> = rest.iter().map(|one| one.entry.id).collect();
                sheet.gap();
                sheet.hang("also recognized:", codes.join(", "));
            }
        }
    }
    if let Some(health) = &report.found.health {
        if !report.answers.is_empty() {
            sheet.section("Health checks");
        }
        health_answers(&mut sheet, health, page.verbose);
    }
    if report.found.cut {
        sheet.line("\nthe text is long; only the first 4 MiB were read");
    }
    sheet.into_text()
}

/// Returns why a namespace is stuck in Terminating.
pub(super) fn namespace(answer: &NamespaceAnswer, same: &SourceFlags, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    title(&mut sheet, &answer.summary);
    for blocker in &answer.blockers {
        sheet.section(&blocker.condition);
        sheet.indented(2, &blocker.message);
        sheet.indented(2, blocker.meaning);
        lookups(&mut sheet, &blocker.lookups);
    }
    if !answer.suspects.is_empty() {
        sheet.section("Also not working");
        sheet.indented(2, answer.of_suspects);
        let widest = answer.suspects.iter().map(|one| one.name.chars().count()).max();
        let widest = widest.unwrap_or_default().min(page.width / 2);
        for one in &answer.suspects {
            sheet.hang(format_args!("  {:widest$} ", sanitize(&one.name)), &one.brief);
        }
    }
    if !answer.next.is_empty() {
        sheet.section("Next");
    }
    for step in &answer.next {
        sheet.command(" ", &same.complete(&step.command));
        sheet.indented(6, step.what);
    }
    sheet.into_text()
}

fn title(sheet: &mut TextBuilder, title: &str) {
    for line in indented(0, title, sheet.page.width).lines() {
        sheet.line(sheet.page.paint.strong(line));
    }
}

fn not_recognized(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    sheet.line("not recognized: aggctl does not know this message");
    let nearest = &answer.report.found.nearest;
    if !nearest.is_empty() {
        sheet.section("Nearest");
        for entry in nearest {
            sheet.hang(format_args!("  {:24}", entry.id), entry.title);
        }
    }
    if let Some(about) = about_line(answer) {
        sheet.hang("  about     ", about);
    }
    subject(sheet, answer);
    refused(sheet, answer);
    sheet.section("Next");
    command(sheet, answer, "aggctl doctor");
    sheet.indented(6, "lists APIServices that do not work, and why");
    sheet.indented(
        2,
        "If the message is about the aggregation layer, aggctl should know it: please report it.",
    );
}

/// Writes an answer to a message that other programs print too. It is short, because it may not
/// apply.
fn possibly(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>, first: &EntryAnswer) {
    const MAX_LINES: usize = 9;
    let found = &answer.report.found;
    let mut body = TextBuilder::new(sheet.page);
    if let Some(others) = who_else(first.entry.shared) {
        body.indented(2, others);
    }
    if let Some(about) = about_line(answer) {
        body.hang("  about ", about);
    }
    let mut lines = body.into_text().lines().map(str::to_owned).collect::<Vec<_>>();
    for (index, cause) in first.causes.iter().take(3).enumerate() {
        let mut one = TextBuilder::new(sheet.page);
        one.hang(format_args!("  {}.", index + 1), &cause.text);
        let text = one.into_text();
        if lines.len() + text.lines().count() > MAX_LINES - 2 {
            break;
        }
        lines.extend(text.lines().map(str::to_owned));
    }
    for line in lines {
        sheet.line(line);
    }
    let confirm = first.causes.first().and_then(|cause| cause.confirm.as_ref()).into_iter();
    let step = confirm.chain(&first.next).find(|step| !step.command.is_empty());
    if let Some(step) = step.filter(|_| found.about.is_some()) {
        command(sheet, answer, &step.command);
    }
}

/// Writes the APIServices, groups and Services of the text on one line.
fn about_line(answer: &ExplanationAnswer<'_>) -> Option<String> {
    let subject = &answer.report.found.subject;
    let elsewhere = answer.report.found.about == Some(About::Elsewhere);
    let label = if subject.group_versions.len() > 1 { "APIServices" } else { "APIService" };
    let names = subject.group_versions.iter().enumerate().map(|(index, gv)| match index {
        _ if elsewhere => gv.to_string(),
        0 => format!("{label} {}", gv.api_service_name()),
        _ => gv.api_service_name(),
    });
    let groups = subject.groups.iter().map(|group| format!("group {group}"));
    let sure = answer.report.found.about == Some(About::AggregationLayer);
    let probable = subject.probable_names().into_iter().filter(|_| sure);
    let probable = probable.map(|name| format!("probably {name}"));
    let mut all: Vec<String> = names.chain(groups).chain(probable).collect();
    let more = all.len().saturating_sub(MAX_NAMED);
    all.truncate(MAX_NAMED);
    if more > 0 {
        all.push(format!("{more} more"));
    }
    let services: Vec<&str> = subject.services.iter().map(String::as_str).collect();
    let backend = match services.as_slice() {
        [] => String::new(),
        services if all.is_empty() => format!("Service {}", services.join(", ")),
        services => format!(" → Service {}", services.join(", ")),
    };
    (!all.is_empty() || !services.is_empty()).then(|| all.join(", ") + &backend)
}

/// How many names one line has.
const MAX_NAMED: usize = 4;
/// How many commands follow the causes.
const MAX_STEPS: usize = 3;

fn recognized(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>, first: &EntryAnswer) {
    let (entry, found) = (first.entry, &answer.report.found);
    // Without a text, the user requested the whole entry.
    let whole = first.place.is_none() || sheet.page.verbose;
    sheet.gap();
    if let Some((line, text)) = &first.place
        && *line > 1
    {
        let short: String = text.chars().take(120).collect();
        sheet.hang(format_args!("  {:10}", format!("line {line}")), short);
    }
    if let Some(about) = about_line(answer) {
        sheet.hang("  about     ", about);
    }
    let speaker = found.backbone.speaker.map_or("", |speaker| speaker.as_str());
    let said_by = if entry.said_by.is_empty() { speaker } else { entry.said_by };
    if !said_by.is_empty() && found.about != Some(About::Elsewhere) {
        sheet.hang("  said by   ", said_by);
    }
    let note = match found.about {
        Some(About::Possibly) => who_else(entry.shared),
        Some(About::Elsewhere) if entry.layer == Layer::Maybe => served_by(found.backbone.kind),
        _ => None,
    };
    if let Some(note) = note {
        sheet.hang("  note      ", note);
    }
    let paragraphs = if whole { entry.meaning.len() } else { 1 };
    for paragraph in entry.meaning.iter().take(paragraphs) {
        sheet.hang("  meaning   ", paragraph);
    }
    for when in answer.report.served.iter().take(MAX_NAMED) {
        sheet.hang("  versions  ", when);
    }
    verdicts(sheet, answer);
    // The missing rule is the answer if the message is a refusal. Otherwise causes come first.
    let is_refusal = first
        .place
        .as_ref()
        .is_none_or(|(_, text)| text.contains("forbidden") || text.contains("cannot"));
    if is_refusal {
        refused(sheet, answer);
    }
    sheet.section("Likely causes");
    let mut shown: Vec<&str> = vec![];
    for (index, cause) in first.causes.iter().enumerate() {
        let mark = match cause.likely {
            Some(Likely::Text) if first.causes.len() > 1 => " ← likely here",
            _ => "",
        };
        sheet.hang(format_args!("  {}.", index + 1), format_args!("{}{mark}", cause.text));
        let confirm = cause.confirm.as_ref().filter(|step| !shown.contains(&step.command.as_str()));
        if let Some(step) = confirm {
            sheet.command("     confirm:", &answer.same.complete(&step.command));
            if !step.what.is_empty() {
                sheet.indented(14, step.what);
            }
            shown.push(&step.command);
        }
    }
    let steps = first.next.iter().filter(|step| !shown.contains(&step.command.as_str()));
    let most = if whole { usize::MAX } else { MAX_STEPS };
    let steps: Vec<_> = steps.take(most).collect();
    if !steps.is_empty() {
        sheet.section("Next");
    }
    let mut steps = steps.into_iter().peekable();
    while let Some(step) = steps.next() {
        if step.command.is_empty() {
            sheet.indented(2, step.what);
            continue;
        }
        command(sheet, answer, &step.command);
        // Print a purpose once if several commands share it.
        let again = steps.peek().is_some_and(|next| next.what == step.what);
        if !again && !step.what.is_empty() {
            sheet.indented(6, step.what);
        }
    }
    if !is_refusal {
        refused(sheet, answer);
    }
    // The details come last, so that causes and a command are on the first screen.
    subject(sheet, answer);
}

/// Returns what serves a group without an APIService that has a backend.
fn served_by(kind: Option<GroupKind>) -> Option<&'static str> {
    match kind? {
        GroupKind::BuiltIn => {
            Some("kube-apiserver serves this group itself. No extension server is involved.")
        }
        GroupKind::Crds => {
            Some("CRDs serve this group where it is installed. No extension server is involved.")
        }
        GroupKind::Extension(_) | GroupKind::Unknown => None,
    }
}

/// Adds whether the cache, the server or the name is the reason.
fn verdicts(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    let Some(cache) = answer.cache else { return };
    for sentence in cache.sentences() {
        sheet.hang("  verdict   ", sentence);
    }
    if cache.blames_cache() {
        let refresh = answer.same.complete("kubectl api-resources");
        sheet.hang("  fix       ", format_args!("{refresh} refreshes the cache"));
    }
}

/// Returns what else prints a message that may be about the aggregation layer.
fn who_else(shared: SharedWith) -> Option<&'static str> {
    Some(match shared {
        SharedWith::Network => {
            "Any program that uses the network or TLS prints this. The rest applies only if the message is about an APIService."
        }
        SharedWith::Resources => {
            "CRDs and built-in resources give the same error. If no APIService serves this group, skip what is about APIServices."
        }
        SharedWith::Servers => {
            "Other servers print this too, such as kube-apiserver, a webhook or kube-rbac-proxy. The rest applies to an extension API server."
        }
        SharedWith::NotShared => return None,
    })
}

/// Adds who refused the request, and which rule is missing.
fn refused(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    for one in &answer.report.refused {
        sheet.section("Who refused");
        sheet.indented(2, &one.said);
        sheet.hang("  said by:", &one.by);
        for adds in &one.adds {
            sheet.indented(2, adds);
        }
        let place = match &one.namespace {
            Some(namespace) => format!("in namespace {namespace}"),
            None => "in a ClusterRole, bound by a ClusterRoleBinding".to_owned(),
        };
        if let Some(missing) = &one.missing {
            sheet.hang("  missing rule:", format_args!("{missing}, {place}"));
        }
        for line in one.rule.iter().flat_map(|rule| rule.lines()) {
            sheet.line(format_args!("    {}", sanitize(line)));
        }
        if let Some(nearest) = &one.nearest {
            sheet.hang("  nearest rule:", nearest);
        }
        for one in &one.commands {
            command(sheet, answer, one);
        }
    }
}

fn subject(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    let report = answer.report;
    let subject = &report.found.subject;
    if subject.is_empty() {
        if let (Some(from), false) = (answer.origin, subject.states.is_empty()) {
            sheet.section("Now");
            origin(sheet, from);
            if report.lookups.is_empty() {
                sheet.indented(2, "no APIService in the source is in this state now");
            }
            lookups(sheet, &report.lookups);
        }
        return;
    }
    if let Some(from) = answer.origin {
        sheet.section("Now");
        origin(sheet, from);
        lookups(sheet, &report.lookups);
    }
}

fn origin(sheet: &mut TextBuilder, origin: &Origin) {
    let origin = format!("in {}", sanitize(&origin.to_string()));
    sheet.line(format_args!("  {}", sheet.page.paint.faint(origin)));
}

fn lookups(sheet: &mut TextBuilder, lookups: &[Lookup]) {
    let paint = sheet.page.paint;
    for one in lookups.iter().take(MAX_NAMES) {
        let name = match one.works {
            Some(true) => paint.good(sanitize(&one.name)),
            Some(false) => paint.bad(sanitize(&one.name)),
            None => paint.odd(sanitize(&one.name)),
        };
        sheet.line(format_args!("  APIService {name}"));
        sheet.indented(6, &one.state);
        for line in &one.diagnosis {
            sheet.indented(6, format_args!("doctor: {line}"));
        }
        if let Some(deletion) = one.deletion {
            sheet.indented(6, deletion.as_str());
        }
    }
    and_more(sheet, lookups.len());
}

fn and_more(sheet: &mut TextBuilder, count: usize) {
    if count > MAX_NAMES {
        sheet.line(format_args!("  and {} more", count - MAX_NAMES));
    }
}

fn command(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>, command: &str) {
    sheet.command(" ", &answer.same.complete(command));
}
