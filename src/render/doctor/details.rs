//! One diagnosis at length.

use std::fmt::Display;

use super::{DoctorAnswer, state_sign, verdict_sign};
use crate::render::{TextBuilder, sanitize};
use aggctl_diagnose::doctor::{Agreement, CheckState, Diagnosis, DoctorCheck, Reported, Verdict};
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
    for line in shown(diagnosis, answer.named) {
        link(sheet, line, answer.named);
    }
    if let Some(reported) = &diagnosis.reported {
        condition(sheet, reported, answer.named);
    }
    writers(sheet, diagnosis, answer.named);
    for finding in
        diagnosis.findings.iter().filter(|f| answer.shows(f.severity) || f.code == Code::LeftOver)
    {
        // That an old server's check proves little is said once, for all of them.
        if finding.code != Code::TlsNotChecked {
            labelled(sheet, "also", format_args!("{}. {}", finding.what, finding.why));
        }
    }
    // What holds for all that are broken is said once, at the end.
    let own = diagnosis.consequences.iter().filter(|c| !c.common).skip(usize::from(!answer.named));
    for consequence in own {
        labelled(sheet, "so", &consequence.what);
    }
    for advice in &diagnosis.advice {
        labelled(sheet, "next", &advice.what);
        for command in &advice.commands {
            let before = format!("    {:LABEL$}  {}", "", paint.faint("$"));
            sheet.command(before, &answer.same.complete(command));
        }
    }
}

/// The links that tell something: up to the broken one, unless this APIService was asked for.
fn shown<'d>(diagnosis: &'d Diagnosis<'_>, named: bool) -> impl Iterator<Item = &'d DoctorCheck> {
    let broken = diagnosis.broken_link().map(|link| link.step);
    diagnosis.links.iter().filter(move |link| {
        let before = broken.is_some_and(|step| link.step <= step);
        named
            || link.state == CheckState::Odd
            || link.state == CheckState::Broken
            || (before && link.state != CheckState::Skipped)
    })
}

fn link(sheet: &mut TextBuilder, link: &DoctorCheck, named: bool) {
    let paint = sheet.page.paint;
    let sign = state_sign(link.state, paint);
    let indent = " ".repeat(LABEL + 6);
    // The longest name takes one of the two blanks.
    let first = format!("  {sign} {:1$} ", link.step.as_str(), LABEL + 1);
    sheet.paragraph(first, &indent, &link.what);
    let telling =
        named || matches!(link.state, CheckState::Broken | CheckState::Odd | CheckState::Unknown);
    for evidence in link.evidence.iter().filter(|_| telling) {
        sheet.hang(format_args!("{indent}{}", paint.faint("·")), evidence);
    }
}

fn condition(sheet: &mut TextBuilder, reported: &Reported<'_>, named: bool) {
    let age = reported.age.as_deref().map(|age| format!(", for {age}")).unwrap_or_default();
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

/// A message without the URLs that it begins with: the address has been shown.
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
        let age = writer.age.as_deref().map(|age| format!(", {age} ago")).unwrap_or_default();
        let field =
            if writer.field.is_empty() { String::new() } else { format!("{}: ", writer.field) };
        labelled(sheet, label, format_args!("{field}{}{age}", writer.who));
        label = "";
    }
    if diagnosis.writers.is_empty() && diagnosis.verdict == Verdict::Broken && named {
        let unknown = "the source has no managed fields (kubectl get --show-managed-fields)";
        labelled(sheet, label, format_args!("not known: {unknown}"));
    }
}

fn labelled(sheet: &mut TextBuilder, label: &str, what: impl Display) {
    let label = sheet.page.paint.faint(format!("{label:LABEL$}"));
    sheet.paragraph(format_args!("    {label}  "), &" ".repeat(LABEL + 6), what);
}
