//! Diagnoses for people: details first, the answer last, where a terminal leaves it in sight.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::{counted, paragraph};
use super::super::sanitise::sanitise;
use super::{DoctorAnswer, details, verdict_sign};
use crate::availability::Step;
use crate::doctor::{Diagnosis, Group, Verdict, common_consequences, groups};
use crate::model::{Severity, SourceKind};
use crate::registry::Backing;

/// The widest column of names; longer ones get a line of their own.
const NAME_WIDTH: usize = 36;

/// How many problems are shown at length unless somebody asks for more.
const FEW: usize = 3;

/// All diagnoses as text.
pub(super) fn text(answer: &DoctorAnswer<'_, '_>, page: Page) -> String {
    let mut text = String::new();
    let compact = |d: &&Diagnosis<'_>| {
        let all = answer.all || answer.named || page.wide;
        !all && d.service.service.is_none() && d.verdict == Verdict::Healthy
    };
    let (local, shown): (Vec<_>, Vec<_>) = answer.diagnoses.iter().partition(compact);
    let groups = groups(shown);
    let of = |verdict| groups.iter().filter(move |g| verdict_of(g) == verdict);
    let few = |verdict| answer.named || page.verbose || of(verdict).nth(FEW).is_none();
    let few = [Verdict::Warning, Verdict::Broken].map(few);
    let at_length = |verdict| match verdict {
        Verdict::Healthy => answer.named,
        // Beside much that is broken, what is only to be looked at would be in the way.
        Verdict::Warning => few == [true, true],
        Verdict::Broken => few[1],
    };
    for group in &groups {
        if at_length(verdict_of(group)) {
            for diagnosis in &group.members {
                details::block(&mut text, diagnosis, answer, page);
                text.push('\n');
            }
        }
    }
    // Who is only taken for somebody else harms nobody else.
    let harms = |group: &&Group<'_, '_>| {
        let front_proxy = |one: &&Diagnosis<'_>| {
            let link = one.broken_link().map(|link| link.step);
            one.service.is_available() && link == Some(Step::FrontProxy)
        };
        group.first().filter(|one| front_proxy(one)).is_none()
    };
    let harmful = of(Verdict::Broken).filter(harms).count();
    if harmful > 0 {
        consequences(&mut text, harmful, page);
    }
    let long = groups.iter().map(|g| g.names().chars().count());
    let column = long.filter(|n| *n <= NAME_WIDTH.min(page.width / 2)).max().unwrap_or(0);
    for group in &groups {
        line(&mut text, group, column, answer, !at_length(verdict_of(group)), page);
    }
    if !local.is_empty() {
        let _ = writeln!(
            text,
            "{} {}",
            verdict_sign(Verdict::Healthy, true, page.paint),
            locals(&local)
        );
    }
    let commands = groups.iter().any(|group| at_length(verdict_of(group)));
    end(&mut text, answer, commands, page);
    text
}

fn verdict_of(group: &Group<'_, '_>) -> Verdict {
    group.first().map_or(Verdict::Healthy, |one| one.verdict)
}

/// One group of the list: who, why, and how to see more.
fn line(
    text: &mut String,
    group: &Group<'_, '_>,
    column: usize,
    answer: &DoctorAnswer<'_, '_>,
    point: bool,
    page: Page,
) {
    let Some(one) = group.first() else { return };
    let sign = verdict_sign(one.verdict, one.is_verified(), page.paint);
    let names = group.names();
    let names = sanitise(&names);
    let rest = " ".repeat(column + 4);
    if names.chars().count() > column {
        text.push_str(&paragraph(&format!("{sign} "), "  ", &names, page.width));
        text.push_str(&paragraph("    ", "    ", &one.summary, page.width));
    } else {
        let first = format!("{sign} {names:column$}  ");
        text.push_str(&paragraph(&first, &rest, &one.summary, page.width));
    }
    if point && one.verdict == Verdict::Broken {
        let command = format!("aggctl doctor {}", crate::doctor::quoted(&one.service.name));
        let command = answer.same.complete(&command);
        let _ = writeln!(text, "    → {}", page.paint.away(sanitise(&command)));
    }
}

/// Those that are local and well, counted by what stands behind them.
fn locals(local: &[&Diagnosis<'_>]) -> String {
    let count = |of: fn(Backing) -> bool| local.iter().filter(|d| of(d.backing)).count();
    let parts = [
        (count(|b| matches!(b, Backing::BuiltIn | Backing::Extensions)), "built-in"),
        (count(|b| b == Backing::Crd), "of CRDs"),
        (
            count(|b| matches!(b, Backing::Unknown | Backing::Nobody | Backing::Service)),
            "local, with an unknown server behind them",
        ),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    format!("{}: served by the API server itself", parts.join(", "))
}

/// What any broken APIService means for the cluster, once.
fn consequences(text: &mut String, broken: usize, page: Page) {
    let until = if broken == 1 { "Until this is fixed:" } else { "Until these are fixed:" };
    let _ = writeln!(text, "{}", page.paint.strong(until));
    let refused = "Requests to an unavailable group version get 503 service unavailable.";
    text.push_str(&paragraph("- ", "  ", refused, page.width));
    for consequence in common_consequences() {
        let strength = if consequence.certain { "" } else { "Possibly: " };
        let what = format!("{strength}{}", consequence.what);
        text.push_str(&paragraph("- ", "  ", &what, page.width));
    }
    text.push('\n');
}

/// The answer: how many of what, and which cluster was looked at.
fn end(text: &mut String, answer: &DoctorAnswer<'_, '_>, commands: bool, page: Page) {
    let (snapshot, paint) = (answer.snapshot, page.paint);
    let count = |verdict| answer.diagnoses.iter().filter(|d| d.verdict == verdict).count();
    let unverified = answer.diagnoses.iter().filter(|d| !d.is_verified()).count();
    if let Some(minor) = snapshot.minor().filter(|_| unverified > 0) {
        let what = format!(
            "{unverified} not verified (?): Kubernetes {minor} reports Available without checking the certificate; 1.36 and later check it. `--direct` checks it from inside the cluster's network."
        );
        text.push('\n');
        text.push_str(&paragraph("note: ", "      ", &what, page.width));
    }
    let numbers = [
        (count(Verdict::Broken), "broken"),
        (count(Verdict::Warning), "to look at"),
        (unverified, "not verified"),
    ];
    let numbers = numbers.iter().filter(|(count, _)| *count > 0);
    let numbers: Vec<String> = numbers.map(|(count, what)| format!("{count} {what}")).collect();
    let verdict = match (count(Verdict::Broken), numbers.as_slice()) {
        (_, []) => paint.good("all work").to_string(),
        (0, some) => paint.odd(some.join(", ")).to_string(),
        (_, some) => paint.bad(some.join(", ")).to_string(),
    };
    let version = match snapshot.version.loaded() {
        Some(version) => format!("Kubernetes {}", version.git_version.trim_start_matches('v')),
        None => "Kubernetes of unknown version".to_owned(),
    };
    let origin = &snapshot.origin;
    let whose = match origin.kind {
        SourceKind::Dump if commands => {
            " (kubectl commands are for the cluster that this dump came from)"
        }
        _ => "",
    };
    let all = counted(answer.diagnoses.len(), "APIService");
    let _ = writeln!(text, "\n{all}: {verdict}");
    let about = format!("{version}, {origin}{whose}");
    text.push_str(&paragraph("", "", &about, page.width));
}

impl DoctorAnswer<'_, '_> {
    /// Whether a finding is worth showing.
    pub(super) fn shows(&self, severity: Severity) -> bool {
        severity > Severity::Info || self.all || self.named
    }
}
