//! Writes one diagnosis in full.

use std::fmt::Display;

use super::{DoctorAnswer, cause, command_line, state_sign, verdict_sign};
use crate::render::{TextBuilder, as_sentence, joined, sanitize};
use aggctl_diagnose::doctor::{
    Agreement, CheckState, Diagnosis, DoctorCheck, DoctorVerdict, Fact, Reported, Writer,
};
use kube_aggregation::model::Condition;
use kube_aggregation::registry::Code;

/// The width of the labels at the left, with the space after them.
const LABEL: usize = 11;

/// The width of the longest name of a check, `front-proxy`.
const STEP: usize = 11;

/// Writes everything that is known about one APIService.
pub(super) fn block(
    sheet: &mut TextBuilder,
    diagnosis: &Diagnosis<'_>,
    answer: &DoctorAnswer<'_, '_>,
) {
    let (service, paint) = (diagnosis.service, sheet.page.paint);
    let to = match &service.service {
        Some(reference) => format!(" → Service {}:{}", reference.id(), reference.port),
        None => " (local)".to_owned(),
    };
    let sign = verdict_sign(diagnosis, paint);
    let name = paint.strong(sanitize(&service.name));
    sheet.line(format_args!("{sign} {name}{}", sanitize(&to)));
    if diagnosis.checks.iter().any(|check| is_shown(check, diagnosis, answer.named)) {
        sheet.gap();
    }
    for one in diagnosis.checks.iter().filter(|one| is_shown(one, diagnosis, answer.named)) {
        check(sheet, one, answer.named);
    }
    sheet.gap();
    if diagnosis.verdict > DoctorVerdict::Healthy {
        labelled(sheet, "cause", cause(diagnosis));
    } else if diagnosis.checks.is_empty() {
        labelled(sheet, "backend", &diagnosis.summary);
    }
    if let Some(reported) = &diagnosis.reported {
        condition(sheet, reported, answer.named);
    }
    for (label, changes) in [("confirm", false), ("fix", true)] {
        let mut label = label;
        for advice in diagnosis.advice.iter().filter(|one| one.action.is_change() == changes) {
            labelled(sheet, label, &advice.action);
            for command in &advice.commands {
                sheet.command(" ".repeat(LABEL - 1), &command_line(command, answer.same));
            }
            label = "";
        }
    }
    // A block at the end covers what all broken ones have in common.
    let own = diagnosis.consequences.iter().filter(|c| !c.common);
    for (index, consequence) in own.enumerate() {
        labelled(sheet, if index == 0 { "impact" } else { "" }, consequence.effect);
    }
    writers(sheet, diagnosis, answer.named);
    if let Some(owner) = diagnosis.owner() {
        labelled(sheet, "part of", owner);
    }
    // The cause already says what decides the verdict, and a note at the end covers certificates
    // that were not checked.
    let known = diagnosis.summary.to_string();
    let notes = diagnosis.findings.iter().filter(|finding| {
        let is_shown = answer.shows(finding.severity) || finding.code == Code::LeftOver;
        is_shown && finding.code != Code::TlsNotChecked
    });
    for finding in notes {
        let what = if finding.what == known { "" } else { &*finding.what };
        let what = if what.is_empty() { String::new() } else { as_sentence(what) + " " };
        labelled(sheet, "note", format_args!("{what}{}", finding.why));
    }
}

/// Returns whether to show a check: those up to the broken one, and odd ones; all of them if the
/// user named the APIService.
fn is_shown(check: &DoctorCheck<'_>, diagnosis: &Diagnosis<'_>, named: bool) -> bool {
    let broken = diagnosis.broken_check().map(|check| check.step);
    let is_before = broken.is_some_and(|step| check.step <= step);
    named
        || matches!(check.state, CheckState::Odd | CheckState::Broken)
        || (is_before && check.state != CheckState::Skipped)
}

fn check(sheet: &mut TextBuilder, check: &DoctorCheck<'_>, named: bool) {
    let paint = sheet.page.paint;
    // The check passes, because the user chose not to verify. That is not a good state.
    let sign = match check.fact {
        Fact::TlsNotVerified => paint.odd("!"),
        _ => state_sign(check.state, paint),
    };
    let indent = " ".repeat(STEP + 6);
    let first = format!("  {sign} {:STEP$}  ", check.step.as_str());
    sheet.paragraph(first, &indent, &check.fact);
    let needs_notes = !matches!(check.state, CheckState::Ok | CheckState::Skipped);
    for note in check.notes.iter().filter(|_| named || needs_notes) {
        sheet.hang(format_args!("{indent}{}", paint.faint("·")), note);
    }
}

fn condition(sheet: &mut TextBuilder, reported: &Reported<'_>, named: bool) {
    let age = reported.age.map(|age| format!(", for {age}")).unwrap_or_default();
    let Condition { status, reason, message, .. } = reported.condition;
    labelled(sheet, "condition", format_args!("Available={status} ({reason}){age}"));
    if status != "True" && !message.is_empty() {
        let message = if named { message } else { tail(message) };
        labelled(sheet, "", format_args!("“{message}”"));
    }
    if let Agreement::Contradicts(how) = &reported.agreement {
        labelled(sheet, "", format_args!("The source disagrees: {how}."));
    }
}

/// Returns a message without its leading URLs, because a check shows the address.
fn tail(message: &str) -> &str {
    let Some(rest) = message.strip_prefix("failing or missing response from ") else {
        return message;
    };
    let Some((_, rest)) = rest.split_once(": ") else { return message };
    match rest.strip_prefix("Get \"").and_then(|rest| rest.split_once("\": ")) {
        Some((_, rest)) => rest,
        None => rest,
    }
}

fn writers(sheet: &mut TextBuilder, diagnosis: &Diagnosis<'_>, named: bool) {
    let mut label = "changed by";
    // One line per change, with all fields that it set.
    let same = |a: &Writer<'_>, b: &Writer<'_>| (a.by, a.time) == (b.by, b.time);
    for change in diagnosis.writers.chunk_by(same) {
        let Some(writer) = change.first() else { continue };
        let age = writer.age.map(|age| format!(", {age} ago")).unwrap_or_default();
        let fields = joined(change.iter().filter_map(|writer| writer.field), ", ");
        let fields = if fields.is_empty() { fields } else { format!(" ({fields})") };
        labelled(sheet, label, format_args!("{}{age}{fields}", writer.by));
        label = "";
    }
    if diagnosis.writers.is_empty() && diagnosis.verdict == DoctorVerdict::Broken && named {
        let unknown =
            "unknown (the source has no managed fields; kubectl get needs --show-managed-fields)";
        labelled(sheet, label, unknown);
    }
}

fn labelled(sheet: &mut TextBuilder, label: &str, what: impl Display) {
    let label = sheet.page.paint.faint(format!("{label:LABEL$}"));
    sheet.paragraph(label, &" ".repeat(LABEL), what);
}
