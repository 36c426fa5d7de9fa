//! The JSON of `health`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::json::non_empty;
use aggctl_diagnose::health::{
    Answered, CheckResult, Expect, Expected, Health, HealthCheck, HealthState, HealthVerdict,
    Passed, Unusable,
};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct HealthJson<'a> {
    endpoints: Vec<EndpointJson<'a>>,
    phase: &'static str,
    expect: ExpectJson,
    /// The checks that passed since the first poll, if there were several.
    order: Vec<PassedJson<'a>>,
    next_restart: RestartJson,
    warnings: Vec<HealthWarningJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EndpointJson<'a> {
    path: Option<String>,
    status: Option<u16>,
    /// The caller, if the server names it.
    r#as: Option<&'a str>,
    verdict: &'static str,
    /// Why there is no answer.
    why: Option<&'a str>,
    /// Whether the answer lists every check.
    whole: bool,
    checks: Vec<CheckJson<'a>>,
    /// Checks that built-in Kubernetes does not have.
    unknown: Vec<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct CheckJson<'a> {
    name: &'a str,
    /// Null if it was not asked.
    ok: Option<bool>,
    excluded: bool,
    reason: Option<&'a str>,
    server: Option<&'static str>,
    /// Whether every server of the chain has it.
    shared: Option<bool>,
    since: Option<String>,
    phase: Option<&'static str>,
    fatal_after: Option<u16>,
    waits_for: Option<&'static str>,
    meanwhile: Option<&'static str>,
    stays_failed: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct KnownJson {
    name: &'static str,
    server: &'static str,
    shared: bool,
    since: Option<String>,
    until: Option<String>,
    needs: Option<&'static str>,
    phase: &'static str,
    fatal_after: Option<u16>,
    waits_for: &'static str,
    meanwhile: Option<&'static str>,
    stays_failed: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExpectJson {
    unknown_path: ExpectedJson,
    custom_resources: ExpectedJson,
    extension: ExpectedJson,
    rbac_users: ExpectedJson,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum ExpectedJson {
    Status(u16),
    Word(&'static str),
}

#[derive(Debug, Serialize, JsonSchema)]
struct PassedJson<'a> {
    name: &'a str,
    server: Option<&'static str>,
    seconds: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RestartJson {
    autoregister_completion: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HealthWarningJson<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    why: &'a str,
    next: Option<&'a str>,
    command: Option<&'a str>,
}

impl<'a> HealthJson<'a> {
    /// Returns the document. `seconds` is when each poll began, `commands` what to run for each
    /// finding.
    pub(in crate::render) fn new(
        health: &'a Health,
        seconds: &[u64],
        commands: &'a [Option<String>],
    ) -> Self {
        let passed = |one: &'a Passed| PassedJson {
            name: &one.name,
            server: one.known.map(|check| check.server.as_str()),
            seconds: seconds.get(one.look).copied().unwrap_or_default(),
        };
        let commands = commands.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        let warnings = health.findings.iter().zip(commands);
        Self {
            endpoints: health.answers.iter().map(EndpointJson::from).collect(),
            phase: health.phase.as_str(),
            expect: health.expect.into(),
            order: health.order.iter().map(passed).collect(),
            next_restart: RestartJson {
                autoregister_completion: match health.next_restart {
                    Some(true) => "passes",
                    Some(false) => "fails",
                    None => "unknown",
                },
            },
            warnings: warnings
                .map(|(finding, command)| HealthWarningJson {
                    code: finding.code,
                    severity: finding.severity.as_str(),
                    message: &finding.message,
                    why: &finding.why,
                    next: finding.next.as_ref().map(|(what, _)| what.as_str()),
                    command,
                })
                .collect(),
        }
    }
}

impl<'a> From<&'a Answered> for EndpointJson<'a> {
    fn from(one: &'a Answered) -> Self {
        let (verdict, why) = match &one.verdict {
            HealthVerdict::Passed => ("passed", None),
            HealthVerdict::Failed => ("failed", None),
            HealthVerdict::CutOff => ("cut-off", None),
            HealthVerdict::Unusable(Unusable::Html) => ("unusable", Some("it is HTML")),
            HealthVerdict::Unusable(Unusable::Other) => ("unusable", None),
            HealthVerdict::Unread(unread) => ("unread", Some(unread.why.as_str())),
        };
        let unknown = one.checks.iter().filter(|check| check.known.is_none());
        Self {
            path: one.endpoint.map(|endpoint| format!("/{}", endpoint.as_str())),
            status: one.verdict.status(),
            r#as: one.verdict.asked_by(),
            verdict,
            why,
            whole: one.whole,
            checks: one.checks.iter().map(CheckJson::from).collect(),
            unknown: unknown.map(|check| check.name.as_str()).collect(),
        }
    }
}

impl<'a> From<&'a CheckResult> for CheckJson<'a> {
    fn from(check: &'a CheckResult) -> Self {
        let known = check.known.map(KnownJson::from);
        let known = known.as_ref();
        Self {
            name: &check.name,
            ok: match check.state {
                HealthState::Passed => Some(true),
                HealthState::Failed(_) => Some(false),
                HealthState::Excluded => None,
            },
            excluded: check.state == HealthState::Excluded,
            reason: check.reason(),
            server: known.map(|known| known.server),
            shared: known.map(|known| known.shared),
            since: known.and_then(|known| known.since.clone()),
            phase: known.map(|known| known.phase),
            fatal_after: known.and_then(|known| known.fatal_after),
            waits_for: known.map(|known| known.waits_for),
            meanwhile: known.and_then(|known| known.meanwhile),
            stays_failed: known.and_then(|known| known.stays_failed),
        }
    }
}

impl From<&'static HealthCheck> for KnownJson {
    fn from(check: &'static HealthCheck) -> Self {
        Self {
            name: check.name,
            server: check.server.as_str(),
            shared: check.shared,
            since: check.since.map(|minor| minor.to_string()),
            until: check.until.map(|minor| minor.to_string()),
            needs: non_empty(check.with),
            phase: check.stage.as_str(),
            fatal_after: check.fatal_after,
            waits_for: check.waits_for,
            meanwhile: non_empty(check.meanwhile),
            stays_failed: non_empty(check.stuck),
        }
    }
}

impl From<Expect> for ExpectJson {
    fn from(expect: Expect) -> Self {
        let json = |expected: Expected, usual: &'static str| match expected {
            Expected::Status(status) => ExpectedJson::Status(status),
            Expected::AsUsual => ExpectedJson::Word(usual),
            Expected::Hangs => ExpectedJson::Word("hangs"),
            Expected::Unknown => ExpectedJson::Word("unknown"),
        };
        Self {
            unknown_path: json(expect.unknown_path, "unknown"),
            custom_resources: json(expect.custom_resources, "served"),
            extension: json(expect.extension, "proxied"),
            rbac_users: json(expect.rbac_users, "by-role"),
        }
    }
}
