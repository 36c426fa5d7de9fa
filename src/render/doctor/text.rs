//! Diagnoses for people: a line an APIService, then what is broken at length.

use std::fmt::Write;

use super::super::layout::wrap;
use super::super::paint::Paint;
use super::super::sanitise::sanitise;
use super::{details, verdict_sign};
use crate::availability::Step;
use crate::doctor::{Diagnosis, Severity, State, Verdict, common_consequences};
use crate::registry::{Backing, Registry};

/// How much to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoctorView {
    /// Local APIServices one by one, and notes too.
    pub all: bool,
    /// Only some were asked for: show each at length.
    pub named: bool,
    /// Those that are only to be looked at at length too, however many they are.
    pub verbose: bool,
    /// Columns.
    pub width: usize,
    /// Colours.
    pub paint: Paint,
}

/// The widest column of names; longer ones get a line of their own.
const NAME_WIDTH: usize = 36;

/// How many that are only to be looked at are shown at length: more would bury what is broken.
const MOST_WARNINGS: usize = 3;

/// All diagnoses as text.
pub fn doctor_text(
    registry: &Registry<'_>,
    diagnoses: &[Diagnosis<'_>],
    view: DoctorView,
) -> String {
    let mut text = String::new();
    let compact = |d: &&Diagnosis<'_>| {
        !view.all && !view.named && d.service.service.is_none() && d.verdict == Verdict::Healthy
    };
    let (counted, shown): (Vec<_>, Vec<_>) = diagnoses.iter().partition(compact);
    let longest = |d: &&&Diagnosis<'_>| d.service.name.chars().count();
    let column = shown
        .iter()
        .map(|d| longest(&d))
        .filter(|n| *n <= NAME_WIDTH.min(view.width / 2))
        .max()
        .unwrap_or(0);
    for diagnosis in &shown {
        line(&mut text, diagnosis, column, view);
    }
    if !counted.is_empty() {
        let _ =
            writeln!(text, "{} {}", verdict_sign(Verdict::Healthy, view.paint), locals(&counted));
    }
    let warnings = shown.iter().filter(|d| d.verdict == Verdict::Warning).count();
    let few = view.verbose || warnings <= MOST_WARNINGS;
    let wanted = |d: &&Diagnosis<'_>| match d.verdict {
        _ if view.named => true,
        Verdict::Broken => true,
        Verdict::Warning => few,
        Verdict::Healthy => false,
    };
    let mut at_length: Vec<&Diagnosis<'_>> = shown.iter().copied().filter(wanted).collect();
    at_length.sort_by_key(|d| std::cmp::Reverse(d.verdict));
    for diagnosis in &at_length {
        text.push('\n');
        details::block(&mut text, diagnosis, view);
    }
    let broken = diagnoses.iter().filter(|d| d.verdict == Verdict::Broken).count();
    if broken > 0 {
        hangs(&mut text, broken, view);
    }
    if broken > 0 || view.all || view.named {
        unverified(&mut text, registry, diagnoses, view);
    }
    if !view.named && !few {
        let what = format!(
            "{warnings} to look at (‼) are not shown at length: -v shows them all, `aggctl doctor NAME` one."
        );
        text.push('\n');
        details::item(&mut text, "note: ", &what, 0, view.width);
    }
    if !at_length.is_empty() || !few {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", total(registry, diagnoses, view.paint));
    text
}

fn line(text: &mut String, diagnosis: &Diagnosis<'_>, column: usize, view: DoctorView) {
    let sign = verdict_sign(diagnosis.verdict, view.paint);
    let name = sanitise(&diagnosis.service.name);
    let summary = sanitise(&diagnosis.summary);
    let mut lines = wrap(&summary, view.width.saturating_sub(column + 4)).into_iter();
    let own_line = name.chars().count() > column;
    if own_line {
        let _ = writeln!(text, "{sign} {name}");
    } else {
        let _ = writeln!(text, "{sign} {name:column$}  {}", lines.next().unwrap_or_default());
    }
    for line in lines {
        let _ = writeln!(text, "  {:column$}  {line}", "");
    }
}

/// Those that are local and well, counted by what stands behind them.
fn locals(counted: &[&Diagnosis<'_>]) -> String {
    let count = |of: fn(Backing) -> bool| counted.iter().filter(|d| of(d.backing)).count();
    let built_in = count(|b| matches!(b, Backing::BuiltIn | Backing::Extensions));
    let custom = count(|b| b == Backing::Crd);
    let unclear = count(|b| matches!(b, Backing::Unknown | Backing::Nobody | Backing::Service));
    let mut parts = vec![];
    for (count, what) in [
        (built_in, "built-in"),
        (custom, "of CRDs"),
        (unclear, "local, with what is behind them not known"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    format!("{}: served by the API server itself", parts.join(", "))
}

/// What hangs on any that is broken, once.
fn hangs(text: &mut String, broken: usize, view: DoctorView) {
    let while_so = if broken == 1 { "While it is so:" } else { "While any of them is so:" };
    let _ = writeln!(text, "\n{}", view.paint.strong(while_so));
    details::item(
        text,
        "- ",
        "Requests to a group version that is not available get 503 service unavailable.",
        0,
        view.width,
    );
    for consequence in common_consequences() {
        let strength = if consequence.certain { "" } else { "Possibly: " };
        details::item(text, "- ", &format!("{strength}{}", consequence.what), 0, view.width);
    }
}

/// What holds for all that are available, said once: an old server's check proves less.
fn unverified(
    text: &mut String,
    registry: &Registry<'_>,
    diagnoses: &[Diagnosis<'_>],
    view: DoctorView,
) {
    let proven = |d: &Diagnosis<'_>| {
        d.links.iter().any(|l| l.step == Step::Tls && matches!(l.state, State::Ok | State::Broken))
    };
    let of =
        |d: &&Diagnosis<'_>| d.findings.iter().any(|f| f.code == "tls-not-checked") && !proven(d);
    let count = diagnoses.iter().filter(of).count();
    if count == 0 {
        return;
    }
    let minor = registry.minor;
    let those = match count {
        1 => "1 APIService that is".to_owned(),
        n => format!("{n} APIServices that are"),
    };
    let what = format!(
        "the check of Kubernetes {minor} does not verify TLS: {those} available may still fail with x509 errors, and an upgrade to 1.36 would turn such unavailable. --direct shows the certificates, from inside the cluster's network."
    );
    text.push('\n');
    details::item(text, "note: ", &what, 0, view.width);
}

fn total(registry: &Registry<'_>, diagnoses: &[Diagnosis<'_>], paint: Paint) -> String {
    let count = |verdict| diagnoses.iter().filter(|d| d.verdict == verdict).count();
    let (broken, warnings) = (count(Verdict::Broken), count(Verdict::Warning));
    let all = diagnoses.len();
    let what = if all == 1 { "1 APIService".to_owned() } else { format!("{all} APIServices") };
    let version = match registry.snapshot.version.loaded() {
        Some(version) => {
            format!("Kubernetes {}", sanitise(version.git_version.trim_start_matches('v')))
        }
        None => "Kubernetes of a version that is not known".to_owned(),
    };
    let verdict = match (broken, warnings) {
        (0, 0) => paint.good("nothing is broken"),
        (0, n) => paint.odd(format!("nothing is broken, {n} to look at")),
        (n, 0) => paint.bad(format!("{n} broken")),
        (n, m) => paint.bad(format!("{n} broken, {m} to look at")),
    };
    format!("{what}, {version}: {verdict}")
}

impl DoctorView {
    /// Whether a finding is worth showing.
    pub(super) fn shows(self, severity: Severity) -> bool {
        severity == Severity::Warning || self.all || self.named
    }
}
