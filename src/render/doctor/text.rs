//! Writes diagnoses as text: details first, the answer last, where a terminal keeps it in view.

use super::group::{DiagnosisGroup, groups};
use super::{DoctorAnswer, details, verdict_sign};
use crate::render::{TextBuilder, TextOptions, counted, joined, sanitize};
use aggctl_diagnose::doctor::{Diagnosis, DoctorVerdict, common_consequences, quoted};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Severity, SourceKind};
use kube_aggregation::registry::Backend;

/// The maximum width of the name column; longer names get a separate line.
const NAME_WIDTH: usize = 36;

/// How many problems are shown in full by default.
const MAX_IN_FULL: usize = 3;

/// Returns all diagnoses as text.
pub(super) fn text(answer: &DoctorAnswer<'_, '_>, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    let compact = |d: &&Diagnosis<'_>| {
        let all = answer.all || answer.named || page.wide;
        !all && d.service.service.is_none() && d.verdict == DoctorVerdict::Healthy
    };
    let (local, shown): (Vec<_>, Vec<_>) = answer.diagnoses.iter().partition(compact);
    let groups = groups(shown);
    let of = |verdict| groups.iter().filter(move |g| verdict_of(g) == verdict);
    let few = |verdict| answer.named || page.verbose || of(verdict).nth(MAX_IN_FULL).is_none();
    let few = [DoctorVerdict::Warning, DoctorVerdict::Broken].map(few);
    let at_length = |verdict| match verdict {
        DoctorVerdict::Healthy => answer.named,
        // Warnings would distract from many broken ones.
        DoctorVerdict::Warning => few == [true, true],
        DoctorVerdict::Broken => few[1],
    };
    for group in &groups {
        if at_length(verdict_of(group)) {
            for diagnosis in &group.members {
                details::block(&mut sheet, diagnosis, answer);
                sheet.gap();
            }
        }
    }
    // An APIService that only misidentifies its callers does not affect others.
    let harms = |group: &&DiagnosisGroup<'_, '_>| {
        let front_proxy = |one: &&Diagnosis<'_>| {
            let broken = one.broken_check().map(|check| check.step);
            one.service.is_available() && broken == Some(AvailabilityStep::FrontProxy)
        };
        group.first().filter(|one| front_proxy(one)).is_none()
    };
    let harmful = of(DoctorVerdict::Broken).filter(harms).count();
    if harmful > 0 {
        consequences(&mut sheet, harmful);
    }
    let long = groups.iter().map(|g| g.names().chars().count());
    let column = long.filter(|n| *n <= NAME_WIDTH.min(page.width / 2)).max().unwrap_or(0);
    for group in &groups {
        line(&mut sheet, group, column, answer, !at_length(verdict_of(group)));
    }
    if !local.is_empty() {
        let sign = verdict_sign(DoctorVerdict::Healthy, true, page.paint);
        sheet.line(format_args!("{sign} {}: served by the API server itself", locals(&local)));
    }
    let commands = groups.iter().any(|group| at_length(verdict_of(group)));
    end(&mut sheet, answer, commands);
    sheet.into_text()
}

fn verdict_of(group: &DiagnosisGroup<'_, '_>) -> DoctorVerdict {
    group.first().map_or(DoctorVerdict::Healthy, |one| one.verdict)
}

/// Writes one line of the list: names, summary, and how to see more.
fn line(
    sheet: &mut TextBuilder,
    group: &DiagnosisGroup<'_, '_>,
    column: usize,
    answer: &DoctorAnswer<'_, '_>,
    point: bool,
) {
    let Some(one) = group.first() else { return };
    let sign = verdict_sign(one.verdict, one.is_verified(), sheet.page.paint);
    let names = group.names();
    let names = sanitize(&names);
    if names.chars().count() > column {
        sheet.paragraph(format_args!("{sign} "), "  ", &names);
        sheet.indented(4, &one.summary);
    } else {
        let rest = " ".repeat(column + 4);
        sheet.paragraph(format_args!("{sign} {names:column$}  "), &rest, &one.summary);
    }
    if point && one.verdict == DoctorVerdict::Broken {
        let command = format!("aggctl doctor {}", quoted(&one.service.name));
        sheet.command("    →", &answer.same.complete(&command));
    }
}

/// Counts healthy local APIServices by their backend.
fn locals(local: &[&Diagnosis<'_>]) -> String {
    let count = |of: fn(Backend) -> bool| local.iter().filter(|d| of(d.backend)).count();
    counts(&[
        (count(|b| matches!(b, Backend::BuiltIn | Backend::Extensions)), "built-in"),
        (count(|b| b == Backend::Crd), "of CRDs"),
        (
            count(|b| matches!(b, Backend::Unknown | Backend::Nobody | Backend::Service)),
            "local, with an unknown server behind them",
        ),
    ])
}

/// Joins counts, and leaves out zeros.
fn counts(counts: &[(usize, &str)]) -> String {
    let some = counts.iter().filter(|(count, _)| *count > 0);
    joined(some.map(|(count, what)| format!("{count} {what}")), ", ")
}

/// Writes what any broken APIService means for the cluster.
fn consequences(sheet: &mut TextBuilder, broken: usize) {
    let until = if broken == 1 { "Until this is fixed:" } else { "Until these are fixed:" };
    sheet.line(sheet.page.paint.strong(until));
    let refused = "Requests to an unavailable group version get 503 service unavailable.";
    sheet.paragraph("- ", "  ", refused);
    for consequence in common_consequences() {
        let strength = if consequence.certain { "" } else { "Possibly: " };
        sheet.paragraph("- ", "  ", format_args!("{strength}{}", consequence.effect));
    }
    sheet.gap();
}

/// Writes the answer: the counts, and the source.
fn end(sheet: &mut TextBuilder, answer: &DoctorAnswer<'_, '_>, commands: bool) {
    let (snapshot, paint) = (answer.snapshot, sheet.page.paint);
    let count = |verdict| answer.diagnoses.iter().filter(|d| d.verdict == verdict).count();
    let unknown = answer.diagnoses.iter().filter(|d| !d.is_known()).count();
    let unverified = answer.diagnoses.iter().filter(|d| d.is_known() && !d.is_verified()).count();
    if let Some(minor) = snapshot.minor().filter(|_| unverified > 0) {
        let what = format!(
            "{unverified} not verified (?): Kubernetes {minor} reports Available without checking the certificate; 1.36 and later check it. `--direct` checks it from inside the cluster's network."
        );
        sheet.gap();
        sheet.hang("note:", what);
    }
    let broken = count(DoctorVerdict::Broken);
    let numbers = counts(&[
        (broken, "broken"),
        (count(DoctorVerdict::Warning), "to look at"),
        (unknown, "not known"),
        (unverified, "not verified"),
    ]);
    let verdict = match broken {
        _ if numbers.is_empty() => paint.good("all work"),
        0 => paint.odd(numbers),
        _ => paint.bad(numbers),
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
    sheet.line(format_args!("\n{all}: {verdict}"));
    sheet.paragraph("", "", format_args!("{version}, {origin}{whose}"));
}

impl DoctorAnswer<'_, '_> {
    /// Returns whether to show a finding.
    pub(super) fn shows(&self, severity: Severity) -> bool {
        severity > Severity::Info || self.all || self.named
    }
}
