//! Writes one diagnosis in full.

use std::fmt::Display;

use super::{DoctorAnswer, command_line, state_sign, verdict_sign};
use crate::render::{TextBuilder, sanitize};
use aggctl_diagnose::doctor::{
    Agreement, CheckState, Diagnosis, DoctorCheck, DoctorVerdict, Reported,
};
use kube_aggregation::model::Condition;
use kube_aggregation::registry::Code;

/// The width of the labels at the left.
const LABEL: usize = 10;

/// Writes everything that is known about one APIService.
pub(super) fn block(
    sheet: &mut TextBuilder,
    diagnosis: &Diagnosis<'_>,
    answer: &DoctorAnswer<'_, '_>,
) {
    let (service, paint) = (diagnosis.service, sheet.page.paint);
    let to = match &service.service {
        Some(reference) => format!(" → Service {}, port {}", reference.id(), reference.port),
        None => " (local)".to_owned(),
    };
    let sign = verdict_sign(diagnosis.verdict, diagnosis.is_verified(), paint);
    let name = paint.strong(sanitize(&service.name));
    sheet.line(format_args!("{sign} {name}{}", sanitize(&to)));
    if let Some(owner) = diagnosis.owner() {
        labelled(sheet, "whose", owner);
    }
    for one in shown(diagnosis, answer.named) {
        check(sheet, one, answer.named);
    }
    if let Some(reported) = &diagnosis.reported {
        condition(sheet, reported, answer.named);
    }
    writers(sheet, diagnosis, answer.named);
    for finding in
        diagnosis.findings.iter().filter(|f| answer.shows(f.severity) || f.code == Code::LeftOver)
    {
        // A note at the end covers all of these.
        if finding.code != Code::TlsNotChecked {
            labelled(sheet, "also", format_args!("{}. {}", finding.what, finding.why));
        }
    }
    // A list at the end covers what all broken ones have in common.
    let own = diagnosis.consequences.iter().filter(|c| !c.common).skip(usize::from(!answer.named));
    for consequence in own {
        labelled(sheet, "so", consequence.effect);
    }
    for advice in &diagnosis.advice {
        labelled(sheet, "next", &advice.action);
        for command in &advice.commands {
            let before = format!("    {:LABEL$}  {}", "", paint.faint("$"));
            sheet.command(before, &command_line(command, answer.same));
        }
    }
}

/// Returns the checks up to the broken one, and odd ones; all checks if the user named the
/// APIService.
fn shown<'d, 'r>(
    diagnosis: &'d Diagnosis<'r>,
    named: bool,
) -> impl Iterator<Item = &'d DoctorCheck<'r>> {
    let broken = diagnosis.broken_check().map(|check| check.step);
    diagnosis.checks.iter().filter(move |check| {
        let is_before = broken.is_some_and(|step| check.step <= step);
        named
            || matches!(check.state, CheckState::Odd | CheckState::Broken)
            || (is_before && check.state != CheckState::Skipped)
    })
}

fn check(sheet: &mut TextBuilder, check: &DoctorCheck<'_>, named: bool) {
    let paint = sheet.page.paint;
    let sign = state_sign(check.state, paint);
    let indent = " ".repeat(LABEL + 6);
    // The longest name takes one of the two blanks.
    let first = format!("  {sign} {:1$} ", check.step.as_str(), LABEL + 1);
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
        labelled(sheet, "", format_args!("the facts disagree: {how}"));
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
    let mut label = "written by";
    for writer in &diagnosis.writers {
        let age = writer.age.map(|age| format!(", {age} ago")).unwrap_or_default();
        let field = writer.field.map(|field| format!("{field}: ")).unwrap_or_default();
        labelled(sheet, label, format_args!("{field}{}{age}", writer.by));
        label = "";
    }
    if diagnosis.writers.is_empty() && diagnosis.verdict == DoctorVerdict::Broken && named {
        let unknown = "the source has no managed fields (kubectl get --show-managed-fields)";
        labelled(sheet, label, format_args!("not known: {unknown}"));
    }
}

fn labelled(sheet: &mut TextBuilder, label: &str, what: impl Display) {
    let label = sheet.page.paint.faint(format!("{label:LABEL$}"));
    sheet.paragraph(format_args!("    {label}  "), &" ".repeat(LABEL + 6), what);
}
