//! One diagnosis at length.

use std::fmt::Write;

use super::super::layout::wrap;
use super::super::sanitise::sanitise;
use super::text::DoctorView;
use super::{state_sign, verdict_sign};
use crate::doctor::{Agreement, Diagnosis, Link, Reported, State, Verdict};

/// The width of the labels at the left.
const LABEL: usize = 10;

/// Writes everything that is known about one APIService.
pub(super) fn block(text: &mut String, diagnosis: &Diagnosis<'_>, view: DoctorView) {
    let service = diagnosis.service;
    let to = match &service.service {
        Some(reference) => format!(" → Service {}, port {}", reference.id(), reference.port),
        None => " (local)".to_owned(),
    };
    let sign = verdict_sign(diagnosis.verdict, view.paint);
    let _ =
        writeln!(text, "{sign} {}{}", view.paint.strong(sanitise(&service.name)), sanitise(&to));
    for line in shown(diagnosis, view) {
        link(text, line, view);
    }
    if let Some(reported) = &diagnosis.reported {
        condition(text, reported, view);
    }
    writers(text, diagnosis, view);
    for finding in
        diagnosis.findings.iter().filter(|f| view.shows(f.severity) || f.code == "left-over")
    {
        // That an old server's check proves little is said once, for all of them.
        if finding.code != "tls-not-checked" {
            labelled(text, "also", &format!("{}. {}", finding.what, finding.why), view);
        }
    }
    // What holds for all that are broken is said once, at the end.
    let own = diagnosis.consequences.iter().filter(|c| !c.common).skip(usize::from(!view.named));
    for consequence in own {
        labelled(text, "so", &consequence.what, view);
    }
    for advice in &diagnosis.advice {
        labelled(text, "next", &advice.what, view);
        for command in &advice.commands {
            // Never wrapped: it is there to be copied.
            let _ = writeln!(
                text,
                "    {:LABEL$}  {} {}",
                "",
                view.paint.faint("$"),
                view.paint.away(sanitise(command))
            );
        }
    }
}

/// The links that tell something: up to the broken one, unless this APIService was asked for.
fn shown<'d>(diagnosis: &'d Diagnosis<'_>, view: DoctorView) -> impl Iterator<Item = &'d Link> {
    let broken = diagnosis.broken_link().map(|link| link.step);
    diagnosis.links.iter().filter(move |link| {
        let before = broken.is_some_and(|step| link.step <= step);
        view.named
            || link.state == State::Odd
            || link.state == State::Broken
            || (before && link.state != State::Skipped)
    })
}

fn link(text: &mut String, link: &Link, view: DoctorView) {
    let sign = state_sign(link.state, view.paint);
    let indent = LABEL + 6;
    let mut lines = wrap(&sanitise(&link.what), view.width.saturating_sub(indent)).into_iter();
    let _ = writeln!(
        text,
        "  {sign} {:LABEL$}  {}",
        link.step.as_str(),
        lines.next().unwrap_or_default()
    );
    for line in lines {
        let _ = writeln!(text, "    {:LABEL$}  {line}", "");
    }
    let telling = view.named || matches!(link.state, State::Broken | State::Odd | State::Unknown);
    for evidence in link.evidence.iter().filter(|_| telling) {
        for (index, line) in
            wrap(&sanitise(evidence), view.width.saturating_sub(indent + 2)).iter().enumerate()
        {
            let mark = if index == 0 { "·" } else { " " };
            let _ = writeln!(
                text,
                "    {:LABEL$}  {} {}",
                "",
                view.paint.faint(mark),
                view.paint.faint(line)
            );
        }
    }
}

fn condition(text: &mut String, reported: &Reported, view: DoctorView) {
    let age = reported.age.as_deref().map(|age| format!(", for {age}")).unwrap_or_default();
    labelled(
        text,
        "condition",
        &format!("Available={} ({}){age}", reported.status, reported.reason),
        view,
    );
    if reported.status != "True" && !reported.message.is_empty() {
        let message = if view.named { &reported.message } else { tail(&reported.message) };
        labelled(text, "", &format!("“{message}”"), view);
    }
    if let Agreement::Contradicts(how) = &reported.agreement {
        labelled(text, "", &format!("the facts disagree: {how}"), view);
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

fn writers(text: &mut String, diagnosis: &Diagnosis<'_>, view: DoctorView) {
    let mut label = "written by";
    for writer in &diagnosis.writers {
        let age = writer.age.as_deref().map(|age| format!(", {age} ago")).unwrap_or_default();
        let field =
            if writer.field.is_empty() { String::new() } else { format!("{}: ", writer.field) };
        labelled(text, label, &format!("{field}{}{age}", writer.who), view);
        label = "";
    }
    if diagnosis.writers.is_empty() && diagnosis.verdict == Verdict::Broken && view.named {
        labelled(
            text,
            label,
            "not known: the source has no managed fields (kubectl get --show-managed-fields)",
            view,
        );
    }
}

fn labelled(text: &mut String, label: &str, what: &str, view: DoctorView) {
    let lines = wrap(&sanitise(what), view.width.saturating_sub(LABEL + 6));
    for (index, line) in lines.iter().enumerate() {
        let label = if index == 0 { label } else { "" };
        let _ = writeln!(text, "    {}  {line}", view.paint.faint(format!("{label:LABEL$}")));
    }
}

/// A wrapped line behind a mark.
pub(super) fn item(text: &mut String, mark: &str, what: &str, indent: usize, width: usize) {
    let hang = indent + mark.chars().count();
    for (index, line) in wrap(&sanitise(what), width.saturating_sub(hang)).iter().enumerate() {
        let mark = if index == 0 { mark } else { "" };
        let pad = hang - indent;
        let _ = writeln!(text, "{:indent$}{mark:pad$}{line}", "");
    }
}
