//! Judges what recorded servers answered.

use serde_json::Value;

use aggctl_verify::{
    Evidence, Form, Observed, Prediction, Probe, ProbeClass, Response, Verdict, judge,
};
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

use crate::harness::unpacked;
use crate::{assert_none, load, recordings, repository};

/// Returns the body that a recording describes, as far as it is evidence; `None` for a success.
fn body(recorded: &Value) -> Option<String> {
    let answer = recorded["answer"].as_str().unwrap_or_default();
    match answer.strip_prefix("text:") {
        Some(text) => Some(text.to_owned()),
        None if answer == "Status" => {
            let message = recorded["message"].as_str().unwrap_or_default();
            let names_object = message.ends_with("not found");
            let details = if names_object { r#"{"kind":"x"}"# } else { "{}" };
            Some(format!(r#"{{"kind":"Status","message":{:?},"details":{details}}}"#, message))
        }
        None if answer.starts_with(char::is_uppercase) => Some(format!(r#"{{"kind":"{answer}"}}"#)),
        None => None,
    }
}

/// Answers of plain servers to the requests that `verify` sends with the seeds 1 to 3.
#[test]
fn answers_to_probes_agree() {
    for minor in [36, 37] {
        let file = repository(&format!("testdata/verify/answers-1.{minor}.jsonl.gz"));
        let registry = Registry::new(baseline::server(Minor::new(minor)));
        let router = Router::new(&registry);
        let plane = ControlPlane::new([("", &router)]);
        let (mut agree, mut wrong) = (0, vec![]);
        for line in unpacked(&file).lines() {
            let recorded: Value = serde_json::from_str(line).unwrap();
            let Some(status) = recorded["status"].as_u64() else { continue };
            let status = u16::try_from(status).unwrap();
            let body = recorded
                .get("text")
                .map_or_else(|| recorded.to_string(), |text| text.as_str().unwrap().to_owned());
            let probe = Probe {
                path: recorded["path"].as_str().unwrap().to_owned(),
                form: Form::Plain,
                class: ProbeClass::OddPath,
                group_version: None,
            };
            let evidence = Evidence::new(Response { status, body: Some(&body) });
            let prediction = Prediction::new(&plane, 0, &probe);
            let judged = judge(probe, prediction, Observed::Answer { status, evidence });
            match judged.verdict {
                Verdict::Agrees => agree += 1,
                _ => wrong.push(format!("1.{minor}: {judged:?}, {recorded}")),
            }
        }
        assert_none(&wrong);
        assert!(agree > 1500, "{agree}");
    }
}

/// No recorded answer contradicts its prediction, except where an object was found.
#[test]
fn recorded_answers_agree() {
    let (mut agree, mut wrong) = (0, vec![]);
    for recording in recordings() {
        let snapshot = load(&recording);
        let registry = Registry::new(&snapshot);
        let router = Router::new(&registry);
        let plane = ControlPlane::new([("", &router)]);
        let text = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
        for line in text.lines() {
            let recorded: Value = serde_json::from_str(line).unwrap();
            let path = recorded["path"].as_str().unwrap();
            let Some(status) = recorded["status"].as_u64() else { continue };
            let status = u16::try_from(status).unwrap();
            if recorded["method"] != "GET" || path.contains(['?', '\0']) {
                continue;
            }
            let probe = Probe {
                path: path.to_owned(),
                form: Form::Plain,
                class: ProbeClass::OddPath,
                group_version: None,
            };
            // An object or a list that exists.
            if status < 300 && !probe.is_document() {
                continue;
            }
            let body = body(&recorded);
            // Older recordings have no bodies, and cut long texts.
            let is_cut = body.as_ref().is_some_and(|body| body.starts_with("Internal Server"));
            // The recorder accepted JSON alone, which `verify` does not.
            // Servers before 1.29 report an unknown component as an internal error.
            let component = path.contains("/componentstatuses/");
            if component || status == 406 || status >= 400 && (body.is_none() || is_cut) {
                continue;
            }
            let evidence = Evidence::new(Response { status, body: body.as_deref() });
            let prediction = Prediction::new(&plane, 0, &probe);
            let judged = judge(probe, prediction, Observed::Answer { status, evidence });
            match judged.verdict {
                Verdict::Agrees => agree += 1,
                Verdict::Differs => wrong.push(format!(
                    "{}: {:?}, {recorded}",
                    recording.display(),
                    judged.prediction.expected
                )),
                Verdict::NotComparable => {}
            }
        }
    }
    assert_none(&wrong);
    assert!(agree > 5000, "{agree}");
}
