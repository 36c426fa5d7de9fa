//! Tests of the choice of requests, and of verdicts.

use std::collections::BTreeSet;

use super::*;
use kube_aggregation::baseline;
use kube_aggregation::model::GroupVersion;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router, Target};

fn chosen(samples: usize, seed: u64) -> Choice {
    let registry = Registry::new(baseline::server(baseline::LATEST));
    choose(&registry, samples, seed)
}

#[test]
fn a_seed_chooses_the_same_requests() {
    assert_eq!(chosen(200, 7), chosen(200, 7));
    let paths = |seed| chosen(200, seed).probes.into_iter().map(|one| one.path).collect();
    let (one, other): (BTreeSet<String>, BTreeSet<String>) = (paths(1), paths(2));
    assert!(one.intersection(&other).count() < 100);
}

#[test]
fn every_group_version_gets_a_request() {
    for samples in [50, 200, 5000] {
        let choice = chosen(samples, 3);
        assert!(choice.probes.len() <= samples);
        assert_eq!(choice.covered(), choice.group_versions, "{samples}");
    }
    let few = chosen(5, 3);
    assert_eq!(few.probes.len(), 5);
    assert!(few.covered() < few.group_versions);
    let classes: BTreeSet<ProbeClass> = chosen(200, 3).probes.iter().map(|p| p.class).collect();
    assert_eq!(classes, ProbeClass::ALL.into());
}

/// The name of an object is one that cannot exist, and no request lists or watches.
#[test]
fn no_request_reads_a_users_object() {
    for seed in 0..50 {
        for probe in chosen(10_000, seed).probes {
            let target = Target::parse(Method::Get, &probe.path).unwrap();
            let Ok(info) = target.info() else { continue };
            if !info.resource_request {
                assert!(probe.is_document(), "{}", probe.path);
                continue;
            }
            let marked = |word: &str| word.to_lowercase().contains("aggctl");
            let impossible = marked(info.resource) || marked(info.version) || marked(info.group);
            let absent = info.verb == "get" && info.name.starts_with("AGGCTL_VERIFY-");
            assert!(impossible || absent, "{}: {} {}", probe.path, info.verb, info.name);
            assert!(!probe.is_document(), "{}", probe.path);
        }
    }
    let reading = |path: &str| Probe {
        path: path.to_owned(),
        form: Form::Plain,
        class: ProbeClass::OddPath,
        group_version: None,
    };
    for path in ["/api/v1/secrets", "/api/v1/watch/pods", "/api/v1/namespaces/default/pods/web"] {
        assert!(!reading(path).is_harmless(), "{path}");
    }
}

fn evidence(status: u16, body: &str) -> Evidence {
    Evidence::new(Response { status, body: Some(body) })
}

#[test]
fn an_answer_shows_who_wrote_it() {
    let status = |code: u16, details: &str| {
        let body =
            format!(r#"{{"kind":"Status","message":"m","details":{details},"code":{code}}}"#);
        evidence(code, &body)
    };
    assert_eq!(evidence(404, "404 page not found\n"), Evidence::NoHandler);
    assert_eq!(status(404, "{}"), Evidence::NoRoute);
    let object = r#"{"name":"x","group":"apps","kind":"deployments"}"#;
    assert_eq!(status(404, object), Evidence::NoObject("apps".to_owned()));
    assert_eq!(status(404, r#"{"kind":"foos"}"#), Evidence::NoObject(String::new()));
    assert_eq!(status(405, "{}"), Evidence::WrongMethod);
    assert_eq!(status(400, "{}"), Evidence::BadRequest);
    assert_eq!(status(403, "{}"), Evidence::Forbidden);
    assert_eq!(status(429, "{}"), Evidence::Busy);
    assert_eq!(evidence(404, ""), Evidence::Silence);
    assert_eq!(evidence(503, "service unavailable\n"), Evidence::Refused);
    assert_eq!(evidence(503, "error trying to reach service: EOF"), Evidence::Unreachable);
    assert_eq!(evidence(302, "<a href>"), Evidence::Redirect);
    let list = r#"{"kind":"APIResourceList","resources":[]}"#;
    assert_eq!(evidence(200, list), Evidence::Document("APIResourceList".to_owned()));
    assert_eq!(evidence(200, "ok"), Evidence::Success);
    assert_eq!(Evidence::new(Response { status: 200, body: None }), Evidence::Success);
    assert_eq!(evidence(500, "broken"), Evidence::Other);
}

fn verdict(path: &str, status: u16, body: &str) -> (Verdict, Option<Incomparable>) {
    let registry = Registry::new(baseline::server(baseline::LATEST));
    let router = Router::new(&registry);
    let plane = ControlPlane::new([("", &router)]);
    let probe = Probe {
        path: path.to_owned(),
        form: Form::Plain,
        class: ProbeClass::AbsentObject,
        group_version: Some(GroupVersion::new("apps", "v1")),
    };
    let prediction = Prediction::new(&plane, 0, &probe);
    let observed = Observed::Answer { status, evidence: evidence(status, body) };
    let judged = judge(probe, prediction, observed);
    (judged.verdict, judged.incomparable)
}

#[test]
fn status_and_responder_must_match() {
    let object = "/apis/apps/v1/namespaces/default/deployments/x";
    let missing = r#"{"kind":"Status","details":{"name":"x","group":"apps","kind":"deployments"}}"#;
    assert_eq!(verdict(object, 404, missing), (Verdict::Agrees, None));
    let other = missing.replace("apps", "extensions");
    assert_eq!(verdict(object, 404, &other), (Verdict::Differs, None));
    // The same status from another responder.
    assert_eq!(verdict(object, 404, "404 page not found"), (Verdict::Differs, None));
    assert_eq!(verdict(object, 404, r#"{"kind":"Status"}"#), (Verdict::Differs, None));
    assert_eq!(verdict(object, 200, "{}"), (Verdict::Differs, None));
    let forbidden = (Verdict::NotComparable, Some(Incomparable::Forbidden));
    assert_eq!(verdict(object, 403, "{}"), forbidden);
    // As recorded from 1.31: the scale of an object is missing in another group, and component
    // statuses are not stored.
    let scale = "/api/v1/namespaces/default/replicationcontrollers/x/scale";
    let missing = r#"{"kind":"Status","details":{"name":"x","group":"autoscaling","kind":"replicationcontrollers/scale"}}"#;
    assert_eq!(verdict(scale, 404, missing), (Verdict::Agrees, None));
    let (component, _) = verdict("/api/v1/componentstatuses/x", 500, r#"{"kind":"Status"}"#);
    assert_eq!(component, Verdict::NotComparable);
    let list = r#"{"kind":"APIResourceList"}"#;
    assert_eq!(verdict("/apis/apps/v1", 200, list), (Verdict::Agrees, None));
    assert_eq!(verdict("/apis/apps", 200, list), (Verdict::Differs, None));
    assert_eq!(verdict("/nothing", 404, "404 page not found"), (Verdict::Agrees, None));
}
