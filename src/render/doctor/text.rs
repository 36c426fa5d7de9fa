//! Writes diagnoses as text: the counts, what is broken, what that means for the cluster, and how
//! much is hidden.

use super::group::{DiagnosisGroup, groups};
use super::{DoctorAnswer, cause, details, verdict_sign};
use crate::render::{TextBuilder, TextOptions, counted, enumerate, joined};
use aggctl_diagnose::doctor::{Diagnosis, DoctorVerdict, common_consequences, quoted};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Severity, SourceKind};
use kube_aggregation::registry::Backend;

/// How many names a note lists.
const MAX_NAMES: usize = 6;

/// Returns all diagnoses as text.
pub(super) fn text(answer: &DoctorAnswer<'_, '_>, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    let hidden = |one: &&Diagnosis<'_>| {
        let all = answer.all || answer.named || page.wide;
        !all && one.verdict == DoctorVerdict::Healthy && one.is_known()
    };
    let (hidden, shown): (Vec<_>, Vec<_>) = answer.diagnoses.iter().partition(hidden);
    let groups = groups(shown);
    if !answer.named {
        headline(&mut sheet, answer);
    }
    let in_full = answer.named || page.verbose || groups.len() == 1;
    let mut listed = false;
    for group in &groups {
        if in_full && (answer.named || verdict_of(group) > DoctorVerdict::Healthy) {
            for diagnosis in &group.members {
                sheet.gap_unless_empty();
                details::block(&mut sheet, diagnosis, answer);
            }
        } else {
            if in_full || !listed {
                sheet.gap_unless_empty();
            }
            listed = true;
            entry(&mut sheet, group, answer);
        }
    }
    impact(&mut sheet, &groups, answer.named);
    end(&mut sheet, answer, &hidden, in_full);
    sheet.into_text()
}

fn verdict_of(group: &DiagnosisGroup<'_, '_>) -> DoctorVerdict {
    group.first().map_or(DoctorVerdict::Healthy, |one| one.verdict)
}

/// Writes the counts: `3 of 58 APIServices are broken, 1 needs attention.`
fn headline(sheet: &mut TextBuilder, answer: &DoctorAnswer<'_, '_>) {
    let paint = sheet.page.paint;
    let all = answer.diagnoses.len();
    let count = |verdict| answer.diagnoses.iter().filter(|d| d.verdict == verdict).count();
    let (broken, odd) = (count(DoctorVerdict::Broken), count(DoctorVerdict::Warning));
    let unknown = answer.diagnoses.iter().filter(|d| !d.is_known()).count();
    let are = |count| if count == 1 { "is" } else { "are" };
    let mut parts = vec![];
    if broken > 0 {
        parts.push(format!("{} broken", are(broken)));
    }
    if odd > 0 {
        parts.push(format!("{odd} {} attention", if odd == 1 { "needs" } else { "need" }));
    }
    if unknown > 0 {
        parts.push(format!("the state of {unknown} {} unknown", are(unknown)));
    }
    let services = if all == 1 { "APIService" } else { "APIServices" };
    let text = match (broken, parts.is_empty()) {
        (_, true) if all == 0 => "The source has no APIServices.".to_owned(),
        (_, true) if all == 1 => "The only APIService works.".to_owned(),
        (_, true) => format!("All {all} APIServices work."),
        (0, false) => format!("None of {all} {services} is broken, {}.", parts.join(", ")),
        (_, false) => format!("{broken} of {all} {services} {}.", parts.join(", ")),
    };
    let painted = match (broken, parts.is_empty()) {
        (_, true) => paint.good(&text),
        (0, _) => paint.odd(&text),
        _ => paint.bad(&text),
    };
    sheet.line(painted);
}

/// Writes one entry of the list: names, what is wrong, and the command that shows more.
fn entry(sheet: &mut TextBuilder, group: &DiagnosisGroup<'_, '_>, answer: &DoctorAnswer<'_, '_>) {
    let Some(one) = group.first() else { return };
    let sign = verdict_sign(one, sheet.page.paint);
    let names = group.names();
    if one.verdict == DoctorVerdict::Healthy {
        let line = format!("{names}: {}", one.summary);
        return sheet.paragraph(format_args!("{sign} "), "    ", line);
    }
    sheet.paragraph(format_args!("{sign} "), "  ", &names);
    sheet.indented(4, cause(one));
    if one.verdict == DoctorVerdict::Broken {
        let direct = if answer.direct { " --direct" } else { "" };
        let command = format!("aggctl doctor {}{direct}", quoted(&one.service.name));
        sheet.command("    →", &answer.same.complete(&command));
    }
}

/// Writes what broken APIServices mean for the cluster.
fn impact(sheet: &mut TextBuilder, groups: &[DiagnosisGroup<'_, '_>], named: bool) {
    // An APIService that only misidentifies its callers does not affect others.
    let harms = |group: &&DiagnosisGroup<'_, '_>| {
        let front_proxy = |one: &&Diagnosis<'_>| {
            let broken = one.broken_check().map(|check| check.step);
            one.service.is_available() && broken == Some(AvailabilityStep::FrontProxy)
        };
        verdict_of(group) == DoctorVerdict::Broken
            && group.first().filter(|one| front_proxy(one)).is_none()
    };
    if !groups.iter().any(|group| harms(&group)) {
        return;
    }
    sheet.section("Impact until fixed");
    if !named {
        sheet.indented(2, "Requests to unavailable group versions return 503.");
    }
    for consequence in common_consequences() {
        let strength = if consequence.certain { "" } else { "Possible: " };
        sheet.paragraph("  ", "    ", format_args!("{strength}{}", consequence.effect));
    }
}

/// Writes what is hidden, what was not verified, and the source.
fn end(
    sheet: &mut TextBuilder,
    answer: &DoctorAnswer<'_, '_>,
    hidden: &[&Diagnosis<'_>],
    commands: bool,
) {
    let snapshot = answer.snapshot;
    sheet.gap();
    let unverified = answer.diagnoses.iter().filter(|d| d.is_known() && !d.is_verified());
    let unverified: Vec<&str> = unverified.map(|d| d.service.name.as_str()).collect();
    if let Some(minor) = snapshot.minor().filter(|_| !unverified.is_empty()) {
        let what = format!(
            "The certificates of {} were not verified: {}. Kubernetes {minor} reports Available without checking them; 1.36 and later check. --direct checks them from inside the cluster's network.",
            counted(unverified.len(), "APIService"),
            enumerate(&unverified, MAX_NAMES),
        );
        sheet.hang("note:", what);
    }
    if let Some(cache) = answer.cache {
        sheet.hang("note:", cache.text(answer.same, sheet.page.verbose));
    }
    if !hidden.is_empty() {
        let all = counted(hidden.len(), "healthy APIService");
        // Servers that find the same are shown together, so what differs without harm is left out.
        let text = match answer.one_of_several {
            true => format!("{all} hidden (use --all)."),
            false => format!("{all} hidden (use --all): {}.", backends(hidden, answer)),
        };
        sheet.paragraph("", "", text);
    }
    if answer.one_of_several {
        return;
    }
    let version = match snapshot.version.loaded() {
        Some(version) => format!("Kubernetes {}", version.git_version.trim_start_matches('v')),
        None => "Kubernetes of unknown version".to_owned(),
    };
    let origin = &snapshot.origin;
    let of_dump = match origin.kind {
        SourceKind::Dump if commands => " (run kubectl commands in the dumped cluster)",
        _ => "",
    };
    sheet.paragraph("", "", format_args!("{version}, {origin}{of_dump}"));
}

/// Counts healthy APIServices by their backend.
fn backends(healthy: &[&Diagnosis<'_>], answer: &DoctorAnswer<'_, '_>) -> String {
    const ALL: [&str; 5] = [
        "with a Service",
        "built-in",
        "of CRDs",
        "served by a peer",
        "local with an unknown backend",
    ];
    let by_peers = &answer.snapshot.peers.group_versions;
    let backend = |one: &Diagnosis<'_>| match one.backend {
        _ if one.service.service.is_some() => ALL[0],
        Backend::BuiltIn | Backend::Extensions => ALL[1],
        Backend::Crd => ALL[2],
        _ if by_peers.contains(&one.service.group_version) => ALL[3],
        Backend::Unknown | Backend::Unserved | Backend::Service => ALL[4],
    };
    let counts = ALL.map(|of| (healthy.iter().filter(|one| backend(one) == of).count(), of));
    let some = counts.iter().filter(|(count, _)| *count > 0);
    joined(some.map(|(count, of)| format!("{count} {of}")), ", ")
}

impl DoctorAnswer<'_, '_> {
    /// Returns whether to show a finding.
    pub(super) fn shows(&self, severity: Severity) -> bool {
        severity > Severity::Info || self.all || self.named
    }
}
