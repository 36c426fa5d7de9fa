//! Parses answers to `?verbose`, line by line: as the server sends them, as kubectl quotes them, from
//! the server's log, and truncated.

use std::collections::BTreeSet;

use super::answer::{Answered, CheckResult, HealthState, HealthVerdict, Unusable};
use super::check::On;
use kube_aggregation::model::HealthEndpoint;

const WITHHELD: &str = "reason withheld";

/// Parses all answers in a text, in order.
///
/// # Errors
/// If there is none.
pub fn bodies(text: &str) -> Result<Vec<Answered>, Unusable> {
    let unquoted = unquoted(text);
    let mut found = vec![];
    let mut body = Answered::default();
    // The checks of the current body, so that parsing takes linear time.
    let mut names = BTreeSet::new();
    for line in unquoted.lines() {
        if body.checks.is_empty() {
            names.clear();
        }
        match reading(line) {
            BodyReading::Check(check) => {
                if !names.insert(check.name.clone()) {
                    found.push(std::mem::take(&mut body));
                    names = BTreeSet::from([check.name.clone()]);
                }
                body.checks.push(check);
            }
            BodyReading::Verdict(endpoint, passed) => {
                body.endpoint = Some(endpoint);
                body.verdict = if passed { HealthVerdict::Passed } else { HealthVerdict::Failed };
                // A failed answer always lists its checks.
                body.whole = passed || !body.checks.is_empty();
                found.push(std::mem::take(&mut body));
            }
            BodyReading::LogVerdict(endpoint) => {
                if !body.checks.is_empty() {
                    found.push(std::mem::take(&mut body));
                }
                let (endpoint, verdict) = (Some(endpoint), HealthVerdict::Failed);
                body = Answered { endpoint, verdict, ..Answered::default() };
            }
            BodyReading::NotExcluded(names) => body.not_excluded = names,
            BodyReading::Reason(reason) => {
                if let Some(name) = owner(&reason) {
                    names.insert(name.to_owned());
                    body.checks.push(CheckResult::new(name, HealthState::Failed(Some(reason))));
                }
            }
            BodyReading::Noise => {}
        }
    }
    if !body.checks.is_empty() {
        found.push(body);
    }
    if found.is_empty() && unquoted.trim() == "ok" {
        found.push(Answered { verdict: HealthVerdict::Passed, ..Answered::default() });
    }
    for body in &mut found {
        body.endpoint = body.endpoint.or_else(|| guessed(&body.checks));
        if body.checks.iter().any(CheckResult::failed) {
            body.verdict = HealthVerdict::Failed;
        }
    }
    let lower = unquoted.trim_start().to_ascii_lowercase();
    match found.is_empty() {
        false => Ok(found),
        true if lower.starts_with("<!doctype") || lower.starts_with("<html") => Err(Unusable::Html),
        true => Err(Unusable::Other),
    }
}

/// Lines about checks are shorter than this; whole documents on one line are not.
const MAX_LINE: usize = 1000;

/// Whether a file of any kind is the answer of a health endpoint.
pub fn is_body(text: &str) -> bool {
    let ping = |line: &str| {
        line.len() < MAX_LINE
            && line.contains("ping")
            && matches!(reading(line), BodyReading::Check(check) if check.name == "ping")
    };
    text.lines().take(3).any(ping)
}

/// The names of the checks that failed with their reasons withheld.
pub fn withheld(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| match reading(line) {
        BodyReading::Check(CheckResult { name, state: HealthState::Failed(None), .. }) => {
            Some(name)
        }
        _ => None,
    });
    lines.collect()
}

/// Fills in the reasons that are withheld from a body.
pub fn with_reasons(text: &str, reasons: &[(String, String)]) -> String {
    let lines = text.lines().map(|line| {
        let known = reasons.iter().find_map(|(name, reason)| {
            let hidden = format!("[-]{name} failed: {WITHHELD}");
            (line == hidden).then(|| format!("[-]{name} failed: {reason}"))
        });
        known.unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The reason in the answer of a single check: `internal server error: REASON`.
pub fn reason(answer: &str) -> Option<&str> {
    let reason = answer.trim().strip_prefix("internal server error: ")?;
    reason.lines().next().map(str::trim).filter(|reason| !reason.is_empty())
}

/// What one line of a text shows.
enum BodyReading {
    Check(CheckResult),
    Verdict(HealthEndpoint, bool),
    LogVerdict(HealthEndpoint),
    NotExcluded(Vec<String>),
    Reason(String),
    Noise,
}

fn reading(line: &str) -> BodyReading {
    if let Some(at) = line.find("[+]").into_iter().chain(line.find("[-]")).min() {
        let (mark, rest) = line.split_at(at).1.split_at(3);
        return check(mark == "[+]", rest).map_or(BodyReading::Noise, BodyReading::Check);
    }
    if let Some((_, names)) = line.split_once("health checks cannot be excluded: no matches for ") {
        let names = names.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        return BodyReading::NotExcluded(names);
    }
    if let Some((before, after)) = line.split_once(" check failed: ") {
        // `etcd,informer-sync check failed: readyz`, followed by the failed checks.
        let endpoint = HealthEndpoint::parse(after.trim());
        let name = before.rsplit(' ').next().unwrap_or_default();
        if let (Some(endpoint), false) = (endpoint, name.is_empty()) {
            return BodyReading::LogVerdict(endpoint);
        }
    }
    for (words, passed) in [(" check passed", true), (" check failed", false)] {
        if let Some((before, _)) = line.split_once(words)
            && let Some(endpoint) =
                HealthEndpoint::parse(before.trim().rsplit([' ', '"', '>']).next().unwrap_or(""))
        {
            return BodyReading::Verdict(endpoint, passed);
        }
    }
    let reason = line.find("internal server error: ").and_then(|at| reason(line.split_at(at).1));
    reason.map_or(BodyReading::Noise, |reason| BodyReading::Reason(reason.to_owned()))
}

/// Parses what follows `[+]` or `[-]`; `None` for a line that was cut off.
fn check(passed: bool, rest: &str) -> Option<CheckResult> {
    let (name, state) = rest.split_once(' ')?;
    let state = state.trim();
    let state = match (passed, state.strip_prefix("failed:")) {
        (true, _) if state == "ok" => HealthState::Passed,
        (true, _) if state.starts_with("excluded") => HealthState::Excluded,
        (true, _) => return None,
        (false, reason) => {
            let reason =
                reason.map(str::trim).filter(|r| !r.is_empty() && !WITHHELD.starts_with(r));
            HealthState::Failed(reason.map(str::to_owned))
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let whole = name.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    (whole && name.chars().all(plain)).then(|| CheckResult::new(name, state))
}

/// The only check that gives such a reason.
fn owner(reason: &str) -> Option<&'static str> {
    let checks = [
        ("missing APIService", "autoregister-completion"),
        ("informers not started yet", "informer-sync"),
        ("process is shutting down", "shutdown"),
        ("etcd client connection not yet established", "etcd"),
        ("logging blocked", "log"),
    ];
    checks.iter().find(|(words, _)| reason.contains(words)).map(|(_, check)| *check)
}

/// The endpoint, if a check belongs to only one.
fn guessed(checks: &[CheckResult]) -> Option<HealthEndpoint> {
    let is_readyz = |check: &CheckResult| check.known.is_some_and(|known| known.on == On::Readyz);
    checks.iter().any(is_readyz).then_some(HealthEndpoint::Readyz)
}

/// Unquotes the body of a failed request as kubectl shows it: `an error on the server ("[+]ping
/// ok\n[-]etcd …")`.
fn unquoted(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains("\\n[+]") || text.contains("\\n[-]") {
        return text.replace("\\n", "\n").replace("\\\"", "\"").into();
    }
    text.into()
}
