//! Diagnoses as the JSON contract has them.

use serde_json::{Value, json};

use crate::certificate::{Certificate, date};
use crate::doctor::{Agreement, Diagnosis, Probe, Verdict};
use crate::registry::Registry;

/// All diagnoses.
pub fn diagnoses_json(registry: &Registry<'_>, diagnoses: &[Diagnosis<'_>]) -> Value {
    let count = |verdict| diagnoses.iter().filter(|d| d.verdict == verdict).count();
    json!({
        "serverVersion": registry.snapshot.version.loaded().map(|v| v.git_version.as_str()),
        "summary": {
            "broken": count(Verdict::Broken),
            "warning": count(Verdict::Warning),
            "healthy": count(Verdict::Healthy),
        },
        "items": diagnoses.iter().map(diagnosis_json).collect::<Vec<_>>(),
    })
}

/// One diagnosis.
pub fn diagnosis_json(diagnosis: &Diagnosis<'_>) -> Value {
    let service = diagnosis.service;
    let links: Vec<Value> = (diagnosis.links.iter())
        .map(|l| json!({"link": l.step.as_str(), "state": l.state.as_str(), "message": l.what, "evidence": l.evidence}))
        .collect();
    let writers: Vec<Value> = (diagnosis.writers.iter())
        .map(|w| json!({"field": (!w.field.is_empty()).then_some(&w.field), "by": w.who, "time": w.time}))
        .collect();
    let findings: Vec<Value> = (diagnosis.findings.iter())
        .map(|f| json!({"code": f.code, "severity": f.severity.as_str(), "message": f.what, "reason": f.why}))
        .collect();
    let consequences: Vec<Value> = (diagnosis.consequences.iter())
        .map(|c| json!({"certain": c.certain, "message": c.what}))
        .collect();
    let next: Vec<Value> = (diagnosis.advice.iter())
        .map(|a| json!({"message": a.what, "commands": a.commands}))
        .collect();
    let condition = diagnosis.reported.as_ref().map(|r| {
        let (agrees, contradiction) = match &r.agreement {
            Agreement::Agrees => (Some(true), None),
            Agreement::Contradicts(how) => (Some(false), Some(how)),
            Agreement::Untold => (None, None),
        };
        json!({"status": r.status, "reason": r.reason, "message": r.message, "since": r.since,
               "agrees": agrees, "contradiction": contradiction})
    });
    json!({
        "name": service.name,
        "group": service.group_version.group,
        "version": service.group_version.version,
        "service": service.service.as_ref().map(|r| json!({"namespace": r.namespace, "name": r.name, "port": r.port})),
        "verdict": diagnosis.verdict.as_str(),
        "message": diagnosis.summary,
        "brokenLink": diagnosis.broken_link().map(|l| l.step.as_str()),
        "links": links,
        "condition": condition,
        "writtenBy": writers,
        "findings": findings,
        "consequences": consequences,
        "next": next,
        "direct": diagnosis.probe.as_ref().map(direct),
    })
}

/// What a direct connection found. Times are dates: they come from certificates.
fn direct(probe: &Probe) -> Value {
    let certificate = |c: &Certificate| {
        json!({"subject": c.subject, "issuer": c.issuer, "names": c.names,
               "notBefore": date(c.not_before), "notAfter": date(c.not_after)})
    };
    let handshake = probe.handshake.as_ref();
    let verified = handshake.and_then(|h| h.verified.as_ref());
    json!({
        "address": probe.address,
        "serverName": probe.server_name,
        "failure": probe.failure.as_ref().map(|f| json!({"phase": f.phase.as_str(), "code": f.code, "message": f.what})),
        "certificates": handshake.map(|h| h.chain.iter().map(certificate).collect::<Vec<_>>()),
        "verified": verified.map(Result::is_ok),
        "verificationError": verified.and_then(|v| v.as_ref().err()),
        "status": probe.status,
        "discovery": probe.document.as_ref().map(Result::is_ok),
        "discoveryError": probe.document.as_ref().and_then(|d| d.as_ref().err()),
    })
}
