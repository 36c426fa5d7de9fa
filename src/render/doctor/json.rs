//! Diagnoses as JSON. The names are a contract: a check is a `link` here.

use schemars::JsonSchema;
use serde::Serialize;

use super::cache::{CacheNote, CacheNoteJson};
use super::plane::PlaneFindingJson;
use super::{DoctorAnswer, command_line};
use crate::render::SourceFlags;
use crate::render::json::OwnerJson;
use aggctl_certificate::{Certificate, date};
use aggctl_diagnose::doctor::{Agreement, Diagnosis, DoctorVerdict, Probe, Reported};

/// All diagnoses.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DiagnosesJson<'a> {
    server_version: Option<&'a str>,
    summary: SummaryJson,
    /// The issues of the control plane, if more than one server was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    control_plane: Option<Vec<PlaneFindingJson<'a>>>,
    /// What kubectl's cache of this cluster gets wrong; absent if nothing, or if there is no cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_cache: Option<CacheNoteJson<'a>>,
    items: Vec<DiagnosisJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SummaryJson {
    broken: usize,
    warning: usize,
    healthy: usize,
    /// Healthy ones with a certificate that was not verified.
    not_verified: usize,
}

/// One diagnosis.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DiagnosisJson<'a> {
    name: &'a str,
    group: &'a str,
    version: &'a str,
    /// `namespace/name`
    service: Option<String>,
    port: Option<i32>,
    /// The distribution that it belongs to.
    belongs_to: Option<OwnerJson>,
    verdict: &'static str,
    /// False if it seems healthy, but its certificate was not verified.
    verified: bool,
    message: String,
    broken_link: Option<&'static str>,
    links: Vec<LinkJson>,
    condition: Option<ConditionJson<'a>>,
    written_by: Vec<WriterJson<'a>>,
    findings: Vec<FindingJson<'a>>,
    consequences: Vec<ConsequenceJson>,
    next: Vec<AdviceJson>,
    direct: Option<DirectJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LinkJson {
    link: &'static str,
    state: &'static str,
    message: String,
    evidence: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ConditionJson<'a> {
    status: &'a str,
    reason: &'a str,
    message: &'a str,
    since: Option<&'a str>,
    agrees: Option<bool>,
    contradiction: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct WriterJson<'a> {
    field: Option<&'a str>,
    by: String,
    time: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FindingJson<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    reason: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ConsequenceJson {
    certain: bool,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AdviceJson {
    message: String,
    commands: Vec<String>,
}

/// The result of a direct connection. The times of certificates are dates.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DirectJson<'a> {
    address: &'a str,
    server_name: &'a str,
    failure: Option<FailureJson<'a>>,
    certificates: Option<Vec<CertificateJson<'a>>>,
    verified: Option<bool>,
    verification_error: Option<&'a str>,
    status: Option<u16>,
    discovery: Option<bool>,
    discovery_error: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailureJson<'a> {
    phase: &'static str,
    code: &'a str,
    message: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CertificateJson<'a> {
    subject: &'a str,
    issuer: &'a str,
    names: &'a [String],
    not_before: String,
    not_after: String,
}

impl<'a> DiagnosesJson<'a> {
    pub(in crate::render) fn new(answer: &DoctorAnswer<'a, '_>) -> Self {
        let DoctorAnswer { snapshot, diagnoses, same, plane, .. } = answer;
        let count = |verdict| diagnoses.iter().filter(|d| d.verdict == verdict).count();
        Self {
            server_version: snapshot.version.loaded().map(|v| v.git_version.as_str()),
            summary: SummaryJson {
                broken: count(DoctorVerdict::Broken),
                warning: count(DoctorVerdict::Warning),
                healthy: count(DoctorVerdict::Healthy),
                not_verified: diagnoses.iter().filter(|d| !d.is_verified()).count(),
            },
            control_plane: plane.map(|all| all.iter().map(Into::into).collect()),
            client_cache: answer.cache.map(CacheNote::json),
            items: diagnoses.iter().map(|one| DiagnosisJson::new(one, same)).collect(),
        }
    }
}

impl<'a> DiagnosisJson<'a> {
    pub(super) fn new(d: &'a Diagnosis<'_>, same: &SourceFlags) -> Self {
        let links = d.checks.iter().map(|check| LinkJson {
            link: check.step.as_str(),
            state: check.state.as_str(),
            message: check.fact.to_string(),
            evidence: check.notes.iter().map(ToString::to_string).collect(),
        });
        let writers = d.writers.iter().map(|w| WriterJson {
            field: w.field,
            by: w.by.to_string(),
            time: w.time,
        });
        let findings = d.findings.iter().map(|f| FindingJson {
            code: f.code.as_str(),
            severity: f.severity.as_str(),
            message: &f.what,
            reason: &f.why,
        });
        let consequences = (d.consequences.iter())
            .map(|c| ConsequenceJson { certain: c.certain, message: c.effect.to_string() });
        let advice = d.advice.iter().map(|a| AdviceJson {
            message: a.action.to_string(),
            commands: a.commands.iter().map(|command| command_line(command, same)).collect(),
        });
        let service = d.service;
        Self {
            name: &service.name,
            group: &service.group_version.group,
            version: &service.group_version.version,
            service: service.service.as_ref().map(|r| r.id()),
            port: service.service.as_ref().map(|r| r.port),
            belongs_to: d.owner().map(OwnerJson::from),
            verdict: d.verdict.as_str(),
            verified: d.is_verified(),
            message: d.summary.to_string(),
            broken_link: d.broken_check().map(|check| check.step.as_str()),
            links: links.collect(),
            condition: d.reported.as_ref().map(ConditionJson::from),
            written_by: writers.collect(),
            findings: findings.collect(),
            consequences: consequences.collect(),
            next: advice.collect(),
            direct: d.probe.map(DirectJson::from),
        }
    }
}

impl<'a> From<&'a Reported<'a>> for ConditionJson<'a> {
    fn from(r: &'a Reported<'a>) -> Self {
        let (agrees, contradiction) = match &r.agreement {
            Agreement::Agrees => (Some(true), None),
            Agreement::Contradicts(how) => (Some(false), Some(how.to_string())),
            Agreement::Unknown => (None, None),
        };
        Self {
            status: &r.condition.status,
            reason: &r.condition.reason,
            message: &r.condition.message,
            since: r.condition.since.as_deref(),
            agrees,
            contradiction,
        }
    }
}

impl<'a> From<&'a Probe> for DirectJson<'a> {
    fn from(probe: &'a Probe) -> Self {
        let certificate = |c: &'a Certificate| CertificateJson {
            subject: &c.subject,
            issuer: &c.issuer,
            names: &c.names,
            not_before: date(c.not_before),
            not_after: date(c.not_after),
        };
        let handshake = probe.handshake.as_ref();
        let verified = handshake.and_then(|h| h.verified.as_ref());
        let document = probe.document.as_ref();
        Self {
            address: &probe.address,
            server_name: &probe.server_name,
            failure: probe.failure.as_ref().map(|f| FailureJson {
                phase: f.phase.as_str(),
                code: f.code,
                message: &f.what,
            }),
            certificates: handshake.map(|h| h.chain.iter().map(certificate).collect()),
            verified: verified.map(Result::is_ok),
            verification_error: verified.and_then(|v| v.as_ref().err()).map(|why| why.0.as_str()),
            status: probe.status,
            discovery: document.map(Result::is_ok),
            discovery_error: document.and_then(|d| d.as_ref().err()).map(|why| why.0.as_str()),
        }
    }
}
