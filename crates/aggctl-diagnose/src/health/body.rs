//! The body of an answer to `?verbose`, line by line: as a server sends it, as kubectl quotes it, as the
//! server's log has it, and as somebody cut it off.

use std::collections::BTreeSet;

use super::On;
use super::answer::{Answered, HealthState, HealthVerdict, Judged, Unusable};
use kube_aggregation::model::HealthEndpoint;

const WITHHELD: &str = "reason withheld";

/// The bodies of a text, in their order.
///
/// # Errors
/// Where it has none.
pub fn bodies(text: &str) -> Result<Vec<Answered>, Unusable> {
    let unquoted = unquoted(text);
    let mut found = vec![];
    let mut body = Answered::default();
    // The names of the checks of the body, so that a text of any length is read in linear time.
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
                // A failed one always has lines.
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
                    body.checks.push(Judged::new(name, HealthState::Failed(Some(reason))));
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
        if body.checks.iter().any(Judged::failed) {
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

/// No line about a check is as long; whole documents are.
const LONGEST: usize = 1000;

/// Whether a text is an answer of a health endpoint, for whoever looks at files of any kind.
pub fn is_body(text: &str) -> bool {
    let ping = |line: &str| {
        line.len() < LONGEST
            && line.contains("ping")
            && matches!(reading(line), BodyReading::Check(check) if check.name == "ping")
    };
    text.lines().take(3).any(ping)
}

/// The names of the checks of a body that failed with their reasons withheld.
pub fn withheld(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| match reading(line) {
        BodyReading::Check(Judged { name, state: HealthState::Failed(None), .. }) => Some(name),
        _ => None,
    });
    lines.collect()
}

/// A body with the reasons that single checks gave in the place of those that are withheld.
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

/// What the answer of a single check says: `internal server error: REASON`.
pub fn reason(answer: &str) -> Option<&str> {
    let reason = answer.trim().strip_prefix("internal server error: ")?;
    reason.lines().next().map(str::trim).filter(|reason| !reason.is_empty())
}

/// What one line of a text is.
enum BodyReading {
    Check(Judged),
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
        // `etcd,informer-sync check failed: readyz`, and the failed lines behind it.
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
    let said = line.find("internal server error: ").and_then(|at| reason(line.split_at(at).1));
    said.map_or(BodyReading::Noise, |said| BodyReading::Reason(said.to_owned()))
}

/// What stands behind `[+]` or `[-]`. A name that was cut off is none: the mark alone is not enough.
fn check(passed: bool, rest: &str) -> Option<Judged> {
    let (name, said) = rest.split_once(' ')?;
    let said = said.trim();
    let state = match (passed, said.strip_prefix("failed:")) {
        (true, _) if said == "ok" => HealthState::Passed,
        (true, _) if said.starts_with("excluded") => HealthState::Excluded,
        (true, _) => return None,
        (false, reason) => {
            let reason =
                reason.map(str::trim).filter(|r| !r.is_empty() && !WITHHELD.starts_with(r));
            HealthState::Failed(reason.map(str::to_owned))
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let whole = name.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    (whole && name.chars().all(plain)).then(|| Judged::new(name, state))
}

/// The check that gives such a reason, where only one does.
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

/// Whose body it is, where the checks alone tell.
fn guessed(checks: &[Judged]) -> Option<HealthEndpoint> {
    let tells = |check: &Judged| check.known.is_some_and(|known| known.on == On::Readyz);
    checks.iter().any(tells).then_some(HealthEndpoint::Readyz)
}

/// kubectl quotes the body of a failed request: `an error on the server ("[+]ping ok\n[-]etcd …")`.
fn unquoted(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains("\\n[+]") || text.contains("\\n[-]") {
        return text.replace("\\n", "\n").replace("\\\"", "\"").into();
    }
    text.into()
}
