//! One diagnosis at length.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::paragraph;
use super::super::sanitise::sanitise;
use super::{DoctorAnswer, state_sign, verdict_sign};
use crate::doctor::{Agreement, Diagnosis, Link, Reported, State, Verdict};
use crate::registry::Code;

/// The width of the labels at the left.
const LABEL: usize = 10;

/// Writes everything that is known about one APIService.
pub(super) fn block(
    text: &mut String,
    diagnosis: &Diagnosis<'_>,
    answer: &DoctorAnswer<'_, '_>,
    page: Page,
) {
    let service = diagnosis.service;
    let to = match &service.service {
        Some(reference) => format!(" → Service {}, port {}", reference.id(), reference.port),
        None => " (local)".to_owned(),
    };
    let sign = verdict_sign(diagnosis.verdict, diagnosis.is_verified(), page.paint);
    let _ =
        writeln!(text, "{sign} {}{}", page.paint.strong(sanitise(&service.name)), sanitise(&to));
    if let Some(owner) = diagnosis.owner() {
        labelled(text, "whose", &owner.to_string(), page);
    }
    for line in shown(diagnosis, answer.named) {
        link(text, line, answer.named, page);
    }
    if let Some(reported) = &diagnosis.reported {
        condition(text, reported, answer.named, page);
    }
    writers(text, diagnosis, answer.named, page);
    for finding in
        diagnosis.findings.iter().filter(|f| answer.shows(f.severity) || f.code == Code::LeftOver)
    {
        // That an old server's check proves little is said once, for all of them.
        if finding.code != Code::TlsNotChecked {
            labelled(text, "also", &format!("{}. {}", finding.what, finding.why), page);
        }
    }
    // What holds for all that are broken is said once, at the end.
    let own = diagnosis.consequences.iter().filter(|c| !c.common).skip(usize::from(!answer.named));
    for consequence in own {
        labelled(text, "so", &consequence.what, page);
    }
    for advice in &diagnosis.advice {
        labelled(text, "next", &advice.what, page);
        for command in &advice.commands {
            // Never wrapped: it is there to be copied.
            let _ = writeln!(
                text,
                "    {:LABEL$}  {} {}",
                "",
                page.paint.faint("$"),
                page.paint.away(sanitise(command))
            );
        }
    }
}

/// The links that tell something: up to the broken one, unless this APIService was asked for.
fn shown<'d>(diagnosis: &'d Diagnosis<'_>, named: bool) -> impl Iterator<Item = &'d Link> {
    let broken = diagnosis.broken_link().map(|link| link.step);
    diagnosis.links.iter().filter(move |link| {
        let before = broken.is_some_and(|step| link.step <= step);
        named
            || link.state == State::Odd
            || link.state == State::Broken
            || (before && link.state != State::Skipped)
    })
}

fn link(text: &mut String, link: &Link, named: bool, page: Page) {
    let sign = state_sign(link.state, page.paint);
    let indent = " ".repeat(LABEL + 6);
    // The longest name takes one of the two blanks.
    let first = format!("  {sign} {:1$} ", link.step.as_str(), LABEL + 1);
    text.push_str(&paragraph(&first, &indent, &link.what, page.width));
    let telling = named || matches!(link.state, State::Broken | State::Odd | State::Unknown);
    for evidence in link.evidence.iter().filter(|_| telling) {
        let first = format!("{indent}{} ", page.paint.faint("·"));
        text.push_str(&paragraph(&first, &format!("{indent}  "), evidence, page.width));
    }
}

fn condition(text: &mut String, reported: &Reported, named: bool, page: Page) {
    let age = reported.age.as_deref().map(|age| format!(", for {age}")).unwrap_or_default();
    labelled(
        text,
        "condition",
        &format!("Available={} ({}){age}", reported.status, reported.reason),
        page,
    );
    if reported.status != "True" && !reported.message.is_empty() {
        let message = if named { &reported.message } else { tail(&reported.message) };
        labelled(text, "", &format!("“{message}”"), page);
    }
    if let Agreement::Contradicts(how) = &reported.agreement {
        labelled(text, "", &format!("the facts disagree: {how}"), page);
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

fn writers(text: &mut String, diagnosis: &Diagnosis<'_>, named: bool, page: Page) {
    let mut label = "written by";
    for writer in &diagnosis.writers {
        let age = writer.age.as_deref().map(|age| format!(", {age} ago")).unwrap_or_default();
        let field =
            if writer.field.is_empty() { String::new() } else { format!("{}: ", writer.field) };
        labelled(text, label, &format!("{field}{}{age}", writer.who), page);
        label = "";
    }
    if diagnosis.writers.is_empty() && diagnosis.verdict == Verdict::Broken && named {
        labelled(
            text,
            label,
            "not known: the source has no managed fields (kubectl get --show-managed-fields)",
            page,
        );
    }
}

fn labelled(text: &mut String, label: &str, what: &str, page: Page) {
    let first = format!("    {}  ", page.paint.faint(format!("{label:LABEL$}")));
    text.push_str(&paragraph(&first, &" ".repeat(LABEL + 6), what, page.width));
}
