//! The text of `explain`.

use super::answer::ExplanationAnswer;
use crate::render::health::health_answers;
use crate::render::{TextBuilder, TextOptions, indented, sanitize};
use aggctl_diagnose::explain::{About, EntryAnswer, Lookup, NamespaceAnswer};
use aggctl_diagnose::knowledge::SharedWith;
use kube_aggregation::model::Origin;

/// How many names of a kind are listed.
const MAX_NAMES: usize = 12;

/// Returns an explanation, with what the source says about it.
pub(super) fn explanation(answer: &ExplanationAnswer<'_>, page: TextOptions) -> String {
    let report = answer.report;
    let mut sheet = TextBuilder::new(page);
    match report.answers.split_first() {
        None if report.is_recognised() => {}
        None => not_recognised(&mut sheet, answer),
        Some((first, rest)) => {
            title(&mut sheet, first.entry.title);
            recognised(&mut sheet, answer, first);
            if !rest.is_empty() {
                sheet.section("ALSO RECOGNISED");
                for one in rest {
                    sheet.hang(format_args!("  {:24}", one.entry.id), one.entry.title);
                }
            }
        }
    }
    if let Some(health) = &report.found.health {
        if !report.answers.is_empty() {
            sheet.section("HEALTH CHECKS");
        }
        health_answers(&mut sheet, health, page.verbose);
    }
    if report.found.cut {
        sheet.line("\nthe text is long: only its first 4 MiB were read");
    }
    sheet.into_text()
}

/// Returns why a namespace is stuck in Terminating.
pub(super) fn namespace(answer: &NamespaceAnswer, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    title(&mut sheet, &answer.summary);
    for blocker in &answer.blockers {
        sheet.section(&blocker.condition);
        sheet.indented(2, &blocker.message);
        sheet.indented(2, blocker.meaning);
        lookups(&mut sheet, &blocker.lookups);
    }
    if !answer.suspects.is_empty() {
        sheet.section("ALSO NOT WORKING");
        sheet.indented(2, answer.of_suspects);
        let widest = answer.suspects.iter().map(|one| one.name.chars().count()).max();
        let widest = widest.unwrap_or_default().min(page.width / 2);
        for one in &answer.suspects {
            sheet.hang(format_args!("  {:widest$} ", sanitize(&one.name)), &one.brief);
        }
    }
    sheet.into_text()
}

fn title(sheet: &mut TextBuilder, title: &str) {
    for line in indented(0, title, sheet.page.width).lines() {
        sheet.line(sheet.page.paint.strong(line));
    }
}

fn not_recognised(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    sheet.line("not recognised: aggctl does not know this message");
    let nearest = &answer.report.found.nearest;
    if !nearest.is_empty() {
        sheet.section("NEAREST");
        for entry in nearest {
            sheet.hang(format_args!("  {:24}", entry.id), entry.title);
        }
    }
    subject(sheet, answer);
    refused(sheet, answer);
    sheet.section("WHAT TO RUN");
    command(sheet, answer, "aggctl doctor");
    sheet.indented(6, "to see whether any APIService does not work, and why");
    sheet.indented(
        2,
        "If the message is about the aggregation layer, aggctl should know it: please report it.",
    );
}

fn recognised(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>, first: &EntryAnswer) {
    let (entry, found) = (first.entry, &answer.report.found);
    if let Some((line, text)) = &first.place {
        sheet.hang(format_args!("  line {line}:"), text);
    }
    if !entry.said_by.is_empty() {
        sheet.hang("  said by:", entry.said_by);
    }
    let own = entry.shared == SharedWith::Resources && found.subject.is_built_in();
    if let (Some(About::Possibly), Some(others), false) = (found.about, who_else(entry.shared), own)
    {
        sheet.gap();
        sheet.indented(2, others);
    }
    sheet.section("WHAT IT MEANS");
    for paragraph in &entry.meaning {
        sheet.indented(2, paragraph);
    }
    if let Some(cause) = &found.cause {
        sheet.section("WHAT FAILED");
        sheet.indented(2, &cause.what);
        sheet.indented(2, cause.advice);
    }
    subject(sheet, answer);
    refused(sheet, answer);
    sheet.section("USUAL CAUSES");
    for (index, cause) in first.causes.iter().enumerate() {
        let mark = if cause.likely.is_some() { " ← likely here" } else { "" };
        let number = index + 1;
        sheet.hang(format_args!("  {number}."), format_args!("{}{mark}", cause.text));
    }
    sheet.section("WHAT TO RUN");
    let mut steps = first.next.iter().peekable();
    while let Some(step) = steps.next() {
        if step.command.is_empty() {
            sheet.indented(2, step.what);
            continue;
        }
        command(sheet, answer, &step.command);
        // Several commands with one purpose explain it once.
        let again = steps.peek().is_some_and(|next| next.what == step.what);
        if !again && !step.what.is_empty() {
            sheet.indented(6, step.what);
        }
    }
}

/// Returns who else may have printed the message.
fn who_else(shared: SharedWith) -> Option<&'static str> {
    Some(match shared {
        SharedWith::Network => {
            "Any program that uses the network or TLS says this, and nothing in the text tells which one did. What follows holds if it is from an APIService's condition, from kube-apiserver's log, or from a request to an aggregated API; otherwise look at the program that said it."
        }
        SharedWith::Resources => {
            "The same is said of CRDs and of built-in resources, and nothing in the text tells whether an extension server is behind this one. If none is, what follows about APIServices does not apply."
        }
        SharedWith::Servers => {
            "Other servers say this as well, such as kube-apiserver itself, a webhook or kube-rbac-proxy, and nothing in the text tells which one did. What follows holds if it was an extension API server."
        }
        SharedWith::NotShared => return None,
    })
}

/// Adds who refused the request, and which rule is missing.
fn refused(sheet: &mut TextBuilder, answer: &ExplanationAnswer<'_>) {
    for one in &answer.report.refused {
        sheet.section("WHO SAID NO");
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
            sheet.section("WHERE IT IS SO NOW");
            origin(sheet, from);
            if report.lookups.is_empty() {
                sheet.indented(2, "no APIService of the source has it now");
            }
            lookups(sheet, &report.lookups);
        }
        return;
    }
    sheet.section("WHAT IT IS ABOUT");
    let names = subject
        .group_versions
        .iter()
        .map(|gv| format!("group version {gv} (APIService {})", gv.api_service_name()));
    let groups = subject.groups.iter().map(|group| format!("group {group}"));
    let services = subject.services.iter().map(|service| format!("Service {service}"));
    let all: Vec<String> = names.chain(groups).chain(services).collect();
    for name in all.iter().take(MAX_NAMES) {
        sheet.indented(2, name);
    }
    and_more(sheet, all.len());
    for when in report.served.iter().take(MAX_NAMES) {
        sheet.indented(2, when);
    }
    match answer.origin {
        None => sheet.indented(2, "not looked up: no cluster and no dump (--dump PATH)"),
        Some(from) => {
            sheet.gap();
            origin(sheet, from);
            lookups(sheet, &report.lookups);
        }
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
