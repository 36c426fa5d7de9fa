//! The text of `health`.

use std::collections::BTreeSet;

use colored::ColoredString;

use super::answer::HealthAnswer;
use crate::render::{Paint, TextBuilder, TextOptions, counted, joined, sanitize};
use aggctl_diagnose::health::{
    Answered, CheckResult, Expect, Expected, Health, HealthCheck, HealthFinding, HealthState,
    HealthVerdict, Unusable,
};
use kube_aggregation::model::{HealthEndpoint, Severity};

/// With more failed checks, each gets only one line.
const MAX_IN_DETAIL: usize = 4;

/// Returns the health of a server.
pub(super) fn health(answer: &HealthAnswer<'_>, page: TextOptions) -> String {
    let health = answer.health;
    let mut sheet = TextBuilder::new(page);
    answers(&mut sheet, health, page.verbose || answer.all);
    if health.answers.is_empty() {
        sheet.line("The source has no response from a health endpoint.");
    }
    if let Some(passes) = health.next_restart.filter(|passes| !passes || fails_to_register(health))
    {
        let verb = if passes { "passes" } else { "keeps failing" };
        let words = format!("autoregister-completion {verb} with the APIServices of the source");
        sheet.hang("after a restart:", words);
    }
    order(&mut sheet, answer);
    for (finding, command) in health.findings.iter().zip(&answer.next) {
        remark(&mut sheet, finding, command.as_deref());
    }
    sheet.into_text()
}

/// Adds what the endpoints answered: the failed checks or all of them, and what clients see.
pub(in crate::render) fn answers(sheet: &mut TextBuilder, health: &Health, all: bool) {
    let mut told: Vec<BTreeSet<&str>> = vec![];
    for one in &health.answers {
        let failed: BTreeSet<&str> =
            one.checks.iter().filter(|check| check.failed()).map(|c| c.name.as_str()).collect();
        let same = !all && !failed.is_empty() && told.iter().any(|known| failed.is_subset(known));
        sheet.hang(heading(one, sheet.page.paint), summary(one, same));
        if !same {
            checks(sheet, one, all);
        }
        told.push(failed);
    }
    if !health.answers.is_empty() {
        sheet.hang("phase:", health.phase);
    }
    if health.answers.iter().any(|one| one.verdict.is_known()) {
        now(sheet, health.expect);
    }
}

/// Describes a check.
pub(super) fn check(check: &HealthCheck, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    sheet.line(page.paint.strong(check.name));
    let mut row = |label: &str, words: &str| {
        if !words.is_empty() {
            sheet.hang(format_args!("  {label:<13}"), words);
        }
    };
    let server = match check.shared {
        true => "every server of the chain; kube-aggregator answers for all of them",
        false => check.server.as_str(),
    };
    row("registered by", server);
    let versions = match (check.since, check.until) {
        (None, None) => "all (since 1.20 or earlier)".to_owned(),
        (Some(since), None) => format!("since {since}"),
        (None, Some(until)) => format!("up to {until}"),
        (Some(since), Some(until)) => format!("{since} to {until}"),
    };
    row("versions", &versions);
    row("only with", check.with);
    let on = HealthEndpoint::ALL.into_iter().filter(|one| check.is_on(*one));
    row("endpoints", &joined(on.map(|one| format!("/{}", one.as_str())), ", "));
    row("when", &check.stage.to_string());
    row("waits for", check.waits_for);
    row("until then", check.meanwhile);
    row("keeps failing", if check.stuck.is_empty() { "never for long" } else { check.stuck });
    if let Some(seconds) = check.fatal_after {
        row("then", &format!("the process exits, {seconds} seconds after it began to wait"));
    }
    sheet.into_text()
}

fn heading(one: &Answered, paint: Paint) -> ColoredString {
    let name = one.endpoint.map_or("health", |endpoint| endpoint.as_str());
    let name = format!("{name}:");
    match one.verdict {
        HealthVerdict::Passed => paint.good(name),
        HealthVerdict::Failed => paint.bad(name),
        _ => paint.odd(name),
    }
}

fn summary(one: &Answered, same: bool) -> String {
    let status = one.verdict.status().map(|status| status.to_string()).unwrap_or_default();
    let (all, failed) = (one.checks.len(), one.checks.iter().filter(|c| c.failed()).count());
    match &one.verdict {
        HealthVerdict::Failed if same => format!("{status}, the same checks"),
        HealthVerdict::Failed if all == 0 => {
            let endpoint = one.endpoint.map_or("health", |endpoint| endpoint.as_str());
            format!("{status}; /{endpoint} failed; the text does not show which check")
        }
        HealthVerdict::Failed if one.whole => {
            let checks = counted(all, "check");
            let fail = if failed == 1 { "fails" } else { "fail" };
            format!("{status}, {failed} of {checks} {fail} (kube-aggregator answers for the chain)")
        }
        HealthVerdict::Failed => {
            format!("{status}, {} failed; the text is not complete", counted(failed, "check"))
        }
        HealthVerdict::Passed if all == 0 => {
            format!("{status}, ok; add ?verbose to list the checks")
        }
        HealthVerdict::Passed => {
            match one.checks.iter().filter(|c| c.state == HealthState::Excluded).count() {
                0 if all == 1 => format!("{status}, the check passes"),
                0 => format!("{status}, all {all} checks pass"),
                out => format!("{status}, {} of {all} checks pass, {out} excluded", all - out),
            }
        }
        HealthVerdict::CutOff => {
            format!("unknown: the text is cut off after {}, all passing", counted(all, "check"))
        }
        HealthVerdict::Unusable(Unusable::Html) => {
            "unknown: HTML from a proxy or load balancer, not a response of the API server"
                .to_owned()
        }
        HealthVerdict::Unusable(Unusable::Other) => {
            "unknown: not a response of a health endpoint".to_owned()
        }
        HealthVerdict::Unread(unread) => format!("no response: {}", unread.why),
    }
}

fn checks(sheet: &mut TextBuilder, one: &Answered, all: bool) {
    let page = sheet.page;
    let shown = || one.checks.iter().filter(|check| all || check.failed());
    let brief = !page.verbose && one.checks.iter().filter(|c| c.failed()).count() > MAX_IN_DETAIL;
    let rows = Rows::new(shown().map(|check| (check.name.as_str(), check.known)), 4, page.width);
    for check in shown() {
        let mark = match check.state {
            HealthState::Passed => page.paint.good("✓"),
            HealthState::Excluded => page.paint.faint("-"),
            HealthState::Failed(_) => page.paint.bad("✗"),
        };
        sheet.line(rows.line(&format!("  {mark} "), &check.name, check.known));
        if check.failed() {
            details(sheet, check, brief);
        }
    }
}

/// Lists names of checks with their servers next to them, or below if there is no room.
struct Rows {
    /// The column of the servers.
    column: usize,
    indent: usize,
    width: usize,
}

impl Rows {
    fn new<'a>(
        checks: impl Iterator<Item = (&'a str, Option<&'static HealthCheck>)>,
        indent: usize,
        width: usize,
    ) -> Self {
        let fits = |(name, check): (&str, Option<&'static HealthCheck>)| {
            Some(name.len()).filter(|len| indent + len + 2 + server(check).len() <= width)
        };
        let column = checks.filter_map(fits).max().unwrap_or_default();
        Self { column, indent, width }
    }

    fn line(&self, before: &str, name: &str, check: Option<&'static HealthCheck>) -> String {
        let (name, server) = (sanitize(name), server(check));
        let column = self.column.min(self.width.saturating_sub(self.indent + 2 + server.len()));
        match server {
            "" => format!("{before}{name}"),
            _ if name.len() > column => {
                format!("{before}{name}\n{:indent$}{server}", "", indent = self.indent + column + 2)
            }
            _ => format!("{before}{name:column$}  {server}"),
        }
    }
}

fn server(check: Option<&'static HealthCheck>) -> &'static str {
    match check {
        None => "",
        Some(known) if known.shared => "every server",
        Some(known) => known.server.as_str(),
    }
}

fn details(sheet: &mut TextBuilder, check: &CheckResult, brief: bool) {
    let mut line = |words: &str| sheet.indented(6, words);
    match check.reason() {
        Some("not finished") | None if brief => {}
        Some(reason) => line(reason),
        None => line("the server withholds the reason"),
    }
    let Some(known) = check.known else { return };
    line(&format!("waits for: {}", known.waits_for));
    if brief {
        return;
    }
    if !known.meanwhile.is_empty() {
        line(&format!("until then: {}", known.meanwhile));
    }
    if !known.stuck.is_empty() {
        line(&format!("if it keeps failing: {}", known.stuck));
    }
}

fn now(sheet: &mut TextBuilder, expect: Expect) {
    let rows = [
        ("unknown paths", expect.unknown_path, "unknown"),
        ("custom resources", expect.custom_resources, "served"),
        ("extension API servers", expect.extension, "served, or 503 if unavailable"),
        ("RBAC users", expect.rbac_users, "as their roles allow"),
    ];
    if rows.iter().all(|(_, expected, _)| *expected == Expected::Unknown) {
        sheet.line("requests now: unknown");
        return;
    }
    sheet.line("requests now:");
    for (what, expected, usual) in rows {
        let answer = match expected {
            Expected::Status(status) => status.to_string(),
            Expected::AsUsual => usual.to_owned(),
            Expected::Hangs => "hang".to_owned(),
            Expected::Unknown => "unknown".to_owned(),
        };
        sheet.hang(format_args!("  {what:<21} "), answer);
    }
}

fn fails_to_register(health: &Health) -> bool {
    let mut all = health.answers.iter().flat_map(|one| &one.checks);
    all.any(|check| check.failed() && check.name == "autoregister-completion")
}

fn order(sheet: &mut TextBuilder, answer: &HealthAnswer<'_>) {
    let (order, page) = (&answer.health.order, sheet.page);
    if order.is_empty() {
        return;
    }
    sheet.line("passed in this order:");
    let rows = Rows::new(order.iter().map(|one| (one.name.as_str(), one.known)), 9, page.width);
    for one in order {
        let after = answer.seconds.get(one.look).copied().unwrap_or_default();
        let before = format!("  {after:>3}s {} ", page.paint.good("✓"));
        sheet.line(rows.line(&before, &one.name, one.known));
    }
}

fn remark(sheet: &mut TextBuilder, finding: &HealthFinding, command: Option<&str>) {
    let HealthFinding { code, severity, message, why, next } = finding;
    let label = format!("{}[{code}]:", severity.as_str());
    sheet.line(sheet.page.paint.severity(*severity, label));
    sheet.indented(2, message);
    if sheet.page.verbose || *severity == Severity::Error {
        sheet.indented(2, why);
    }
    match (command, next) {
        (Some(command), _) => sheet.command("  next:", command),
        (None, Some((what, None))) => sheet.hang("  next:", what),
        // The command was left out, because it makes no sense for this source.
        (None, None | Some((_, Some(_)))) => {}
    }
}
