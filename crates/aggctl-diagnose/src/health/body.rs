//! Parses `?verbose` responses line by line: as the server sends them, as kubectl quotes them, from
//! the server's log, and truncated.

use std::collections::BTreeSet;

use super::answer::{
    Answered, CheckResult, FailureReason, HealthState, HealthVerdict, Unusable, WITHHELD,
};
use super::check::On;
use kube_aggregation::model::{Cause, HealthEndpoint, Unread};

/// Parses all responses in a text, in order.
///
/// # Errors
/// If there is none.
pub fn bodies(text: &str) -> Result<Vec<Answered>, Unusable> {
    let unquoted = unquoted(text);
    let mut found = vec![];
    let mut body = Answered::default();
    // The names in `body.checks`, so that parsing takes linear time.
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
                // A failed response always lists its checks.
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
                if let Some(name) = reason.words().and_then(owner) {
                    names.insert(name.to_owned());
                    body.checks.push(CheckResult::new(name, HealthState::Failed(reason)));
                }
            }
            BodyReading::Denied(endpoint, why) => {
                if !body.checks.is_empty() {
                    found.push(std::mem::take(&mut body));
                }
                let verdict = HealthVerdict::Unread(Unread { cause: Cause::Forbidden, why });
                let endpoint = Some(endpoint);
                found.push(Answered { endpoint, verdict, ..Answered::default() });
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

/// Lines about checks are shorter than this. A whole document on one line is longer.
const MAX_LINE: usize = 1000;

/// Returns whether a file of unknown kind is the response of a health endpoint.
pub fn is_body(text: &str) -> bool {
    let ping = |line: &str| {
        line.len() < MAX_LINE
            && line.contains("ping")
            && matches!(reading(line), BodyReading::Check(check) if check.name == "ping")
    };
    text.lines().take(3).any(ping)
}

/// Returns the names of the failed checks without a reason.
pub fn withheld(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| match reading(line) {
        BodyReading::Check(CheckResult {
            name,
            state: HealthState::Failed(FailureReason::Withheld),
            ..
        }) => Some(name),
        _ => None,
    });
    lines.collect()
}

/// Fills in the reasons that a response withholds.
pub fn with_reasons(text: &str, reasons: &[(String, FailureReason)]) -> String {
    let lines = text.lines().map(|line| {
        let known = reasons.iter().find_map(|(name, reason)| {
            let hidden = format!("[-]{name} failed: {WITHHELD}");
            let words = reason.words().filter(|_| line == hidden)?;
            Some(format!("[-]{name} failed: {words}"))
        });
        known.unwrap_or_else(|| line.to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the reason in the response of a single check: `internal server error: REASON`.
pub fn reason(answer: &str) -> Option<FailureReason> {
    if answer.trim() == "ok" {
        return Some(FailureReason::PassedSince);
    }
    let reason = answer.trim().strip_prefix("internal server error: ")?;
    let reason = reason.lines().next().map(str::trim).filter(|reason| !reason.is_empty())?;
    Some(FailureReason::Stated(reason.to_owned()))
}

/// The meaning of one line.
enum BodyReading {
    Check(CheckResult),
    Verdict(HealthEndpoint, bool),
    LogVerdict(HealthEndpoint),
    NotExcluded(Vec<String>),
    Reason(FailureReason),
    /// The caller may not read the endpoint, with the server's message.
    Denied(HealthEndpoint, String),
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
        // For example `etcd,informer-sync check failed: readyz`. The failed checks follow.
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
    if let Some((endpoint, why)) = denied(line) {
        return BodyReading::Denied(endpoint, why);
    }
    let reason = line.find("internal server error: ").and_then(|at| reason(line.split_at(at).1));
    reason.map_or(BodyReading::Noise, BodyReading::Reason)
}

/// Parses the message of a 403: `User "NAME" cannot get path "/readyz"`, alone or in a Status.
fn denied(line: &str) -> Option<(HealthEndpoint, String)> {
    let line = line.replace("\\\"", "\"");
    let start = line.find("User \"")?;
    let (_, message) = line.split_at(start);
    let (user, path) = message.split_once(" cannot get path \"")?;
    let (path, _) = path.split_once('"')?;
    let endpoint = path.trim_start_matches('/').split(['/', '?']).next()?;
    let endpoint = HealthEndpoint::parse(endpoint)?;
    Some((endpoint, format!("forbidden (403): {user} cannot get path \"{path}\"")))
}

/// Parses the text after `[+]` or `[-]`; `None` if the line is truncated.
fn check(passed: bool, rest: &str) -> Option<CheckResult> {
    let (name, state) = rest.split_once(' ')?;
    let state = state.trim();
    let state = match (passed, state.strip_prefix("failed:")) {
        (true, _) if state == "ok" => HealthState::Passed,
        (true, _) if state.starts_with("excluded") => HealthState::Excluded,
        (true, _) => return None,
        (false, reason) => {
            HealthState::Failed(FailureReason::parse(reason.unwrap_or_default().trim()))
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let whole = name.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    (whole && name.chars().all(plain)).then(|| CheckResult::new(name, state))
}

/// Returns the check that gives this reason, if there is only one.
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

/// Guesses the endpoint from a check that only `/readyz` includes.
fn guessed(checks: &[CheckResult]) -> Option<HealthEndpoint> {
    let is_readyz = |check: &CheckResult| check.known.is_some_and(|known| known.on == On::Readyz);
    checks.iter().any(is_readyz).then_some(HealthEndpoint::Readyz)
}

/// Unquotes the body of a failed request as printed by kubectl:
/// `an error on the server ("[+]ping ok\n[-]etcd …")`.
fn unquoted(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains("\\n[+]") || text.contains("\\n[-]") {
        return text.replace("\\n", "\n").replace("\\\"", "\"").into();
    }
    text.into()
}
