//! Diagnoses for people: details first, the answer last, where a terminal leaves it in sight.

use super::{DoctorAnswer, details, verdict_sign};
use crate::render::{TextBuilder, TextOptions, counted, joined, sanitize};
use aggctl_diagnose::doctor::{
    Diagnosis, DiagnosisGroup, Verdict, common_consequences, groups, quoted,
};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Severity, SourceKind};
use kube_aggregation::registry::Backend;

/// The widest column of names; longer ones get a line of their own.
const NAME_WIDTH: usize = 36;

/// How many problems are shown at length unless somebody asks for more.
const FEW: usize = 3;

/// All diagnoses as text.
pub(super) fn text(answer: &DoctorAnswer<'_, '_>, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
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
                details::block(&mut sheet, diagnosis, answer);
                sheet.gap();
            }
        }
    }
    // Who is only taken for somebody else harms nobody else.
    let harms = |group: &&DiagnosisGroup<'_, '_>| {
        let front_proxy = |one: &&Diagnosis<'_>| {
            let link = one.broken_link().map(|link| link.step);
            one.service.is_available() && link == Some(AvailabilityStep::FrontProxy)
        };
        group.first().filter(|one| front_proxy(one)).is_none()
    };
    let harmful = of(Verdict::Broken).filter(harms).count();
    if harmful > 0 {
        consequences(&mut sheet, harmful);
    }
    let long = groups.iter().map(|g| g.names().chars().count());
    let column = long.filter(|n| *n <= NAME_WIDTH.min(page.width / 2)).max().unwrap_or(0);
    for group in &groups {
        line(&mut sheet, group, column, answer, !at_length(verdict_of(group)));
    }
    if !local.is_empty() {
        let sign = verdict_sign(Verdict::Healthy, true, page.paint);
        sheet.line(format_args!("{sign} {}: served by the API server itself", locals(&local)));
    }
    let commands = groups.iter().any(|group| at_length(verdict_of(group)));
    end(&mut sheet, answer, commands);
    sheet.into_text()
}

fn verdict_of(group: &DiagnosisGroup<'_, '_>) -> Verdict {
    group.first().map_or(Verdict::Healthy, |one| one.verdict)
}

/// One group of the list: who, why, and how to see more.
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
    if point && one.verdict == Verdict::Broken {
        let command = format!("aggctl doctor {}", quoted(&one.service.name));
        sheet.command("    →", &answer.same.complete(&command));
    }
}

/// Those that are local and well, counted by what stands behind them.
fn locals(local: &[&Diagnosis<'_>]) -> String {
    let count = |of: fn(Backend) -> bool| local.iter().filter(|d| of(d.backing)).count();
    counts(&[
        (count(|b| matches!(b, Backend::BuiltIn | Backend::Extensions)), "built-in"),
        (count(|b| b == Backend::Crd), "of CRDs"),
        (
            count(|b| matches!(b, Backend::Unknown | Backend::Nobody | Backend::Service)),
            "local, with an unknown server behind them",
        ),
    ])
}

/// How many there are of what, without what there is none of.
fn counts(counts: &[(usize, &str)]) -> String {
    let some = counts.iter().filter(|(count, _)| *count > 0);
    joined(some.map(|(count, what)| format!("{count} {what}")), ", ")
}

/// What any broken APIService means for the cluster, once.
fn consequences(sheet: &mut TextBuilder, broken: usize) {
    let until = if broken == 1 { "Until this is fixed:" } else { "Until these are fixed:" };
    sheet.line(sheet.page.paint.strong(until));
    let refused = "Requests to an unavailable group version get 503 service unavailable.";
    sheet.paragraph("- ", "  ", refused);
    for consequence in common_consequences() {
        let strength = if consequence.certain { "" } else { "Possibly: " };
        sheet.paragraph("- ", "  ", format_args!("{strength}{}", consequence.what));
    }
    sheet.gap();
}

/// The answer: how many of what, and which cluster was looked at.
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
    let broken = count(Verdict::Broken);
    let numbers = counts(&[
        (broken, "broken"),
        (count(Verdict::Warning), "to look at"),
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
    /// Whether a finding is worth showing.
    pub(super) fn shows(&self, severity: Severity) -> bool {
        severity > Severity::Info || self.all || self.named
    }
}
