//! `aggctl lint` against the verdicts of real API servers: which manifests they refused, and for
//! which fields.

use aggctl_lint::{LintInput, LintOptions};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::on_plain;
use crate::{assert_none, json, recordings};

fn minor(recording: &Path) -> u32 {
    let text = std::fs::read_to_string(recording.join("dump/version.json")).unwrap();
    let version = json(&text);
    let minor = version["minor"].as_str().unwrap();
    minor.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

/// Returns the recorded manifests of APIServices, except those that existed already.
fn cases(recording: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(recording.join("manifests.jsonl")).unwrap();
    let all = text.lines().map(json);
    all.filter(|case| {
        let manifest = &case["manifest"];
        let version = manifest["apiVersion"].as_str().unwrap_or_default();
        case["status"] != 409
            && manifest["kind"] == "APIService"
            && version.starts_with("apiregistration.k8s.io/")
    })
    .collect()
}

/// Returns the fields that the linter says the server refuses, by document.
fn refused(text: String, minor: u32) -> BTreeMap<usize, BTreeSet<String>> {
    let options = LintOptions { minor, ..LintOptions::default() };
    let report = on_plain(&[LintInput::manifest("manifests.yaml", text)], &options);
    let mut refused: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for located in report.findings.iter().filter(|l| l.finding.rule.server_rejects()) {
        let finding = &located.finding;
        let fields = refused.entry(finding.place.document).or_default();
        fields.insert(finding.field.clone().unwrap_or_default().into_owned());
    }
    refused
}

fn check(recording: &Path, cases: &[Value], text: String) {
    let refused = refused(text, minor(recording));
    let place = recording.display();
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let name = case["case"].as_str().unwrap();
        let got = refused.get(&number).cloned().unwrap_or_default();
        let status = case["status"].as_u64().unwrap();
        if (status >= 300) == got.is_empty() {
            wrong.push(format!("{place} {name}: the server says {status}, we refuse {got:?}"));
        } else if status == 422 {
            let causes = case["causes"].as_array().unwrap();
            let fields = causes.iter().filter_map(|c| c["field"].as_str()).map(str::to_owned);
            let want: BTreeSet<String> = fields.collect();
            if want != got {
                wrong.push(format!("{place} {name}: the server refuses {want:?}, we {got:?}"));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn verdicts_are_those_of_the_server() {
    for recording in recordings() {
        let cases = cases(&recording);
        assert!(cases.len() > 250, "{}", recording.display());
        let text = cases.iter().map(|case| format!("---\n{}\n", case["manifest"])).collect();
        check(&recording, &cases, text);
    }
}

/// The same manifests in YAML's block style, in which the type of a scalar depends on its text.
#[test]
fn verdicts_do_not_depend_on_the_syntax() {
    for recording in recordings() {
        let cases = cases(&recording);
        let text = cases
            .iter()
            .map(|case| format!("---\n{}", aggctl::render::to_yaml(&case["manifest"]).unwrap()))
            .collect();
        check(&recording, &cases, text);
    }
}
