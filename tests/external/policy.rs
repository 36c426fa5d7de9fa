//! Compares `lint --policy` with a real API server: for every manifest of the lint rules, a
//! server-side dry run and lint must report the same.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use aggctl_lint::policy::{PolicyForm, form};
use aggctl_lint::rules;

use crate::harness::assert_none;
use crate::kubectl::program;

/// The kubeconfig of a throwaway API server. The test writes to it.
pub(crate) fn server() -> Option<String> {
    std::env::var("AGGCTL_POLICY_KUBECONFIG").ok().filter(|path| !path.is_empty())
}

pub(crate) fn admission_and_lint_agree() {
    let policies = text(&aggctl(&["lint", "--policy"], ""));
    // A warning per violation shows all of them; a rejection shows only one.
    kubectl(&["apply", "-f", "-"], &policies.replace("- Deny", "- Warn"));
    let probe = manifest(
        "v1.probe.example.com",
        "insecureSkipTLSVerify: true\n  service: {name: a, namespace: b}",
    );
    // The API server compiles new policies in the background.
    let compiled = (0..200).any(|_| !reported(&dry_run(&probe)).is_empty());
    assert!(compiled, "the policies have no effect");

    let checks: BTreeSet<&str> = rules::all()
        .filter(|rule| matches!(form(rule), PolicyForm::Check { .. }))
        .map(|rule| rule.name)
        .collect();
    let (mut compared, mut wrong) = (0, vec![]);
    for file in walkdir::WalkDir::new("testdata/lint").sort_by_file_name() {
        let file = file.unwrap();
        if file.path().extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let Ok(bytes) = std::fs::read_to_string(file.path()) else { continue };
        for document in bytes.split("\n---\n").filter(|text| text.contains("kind: APIService")) {
            // The API server does not see comments.
            if document.contains("# aggctl: allow") {
                continue;
            }
            let linted = aggctl(&["lint", "-", "-o", "json"], document);
            let Ok(report) = serde_json::from_slice::<serde_json::Value>(&linted.stdout) else {
                continue;
            };
            let found = report["findings"].as_array().cloned().unwrap_or_default();
            let found = found.iter().filter_map(|finding| finding["rule"].as_str());
            let want: BTreeSet<String> =
                found.filter(|rule| checks.contains(rule)).map(str::to_owned).collect();
            let answer = dry_run(document);
            let got = reported(&answer);
            if got.is_empty() && !answer.status.success() {
                // The server rejects it without a policy.
                continue;
            }
            compared += 1;
            if got != want {
                wrong.push(format!("{}: admission {got:?}, lint {want:?}", file.path().display()));
            }
        }
    }
    assert!(compared > 150, "only {compared} manifests were compared");
    assert_none(&wrong);
}

fn manifest(name: &str, spec: &str) -> String {
    let (version, group) = name.split_once('.').unwrap();
    format!(
        "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {{name: {name}}}\nspec:\n  group: {group}\n  version: {version}\n  groupPriorityMinimum: 100\n  versionPriority: 10\n  {spec}\n"
    )
}

/// Returns the rules in the warnings of an answer.
fn reported(answer: &Output) -> BTreeSet<String> {
    let errors = String::from_utf8_lossy(&answer.stderr).into_owned();
    let rules = errors.split("; aggctl explain ").skip(1);
    rules.filter_map(|rest| rest.split(']').next()).map(str::to_owned).collect()
}

fn dry_run(manifest: &str) -> Output {
    let create = ["create", "--dry-run=server", "--validate=false", "-f", "-"];
    run(Command::new(program()).arg("--kubeconfig").arg(server().unwrap()), &create, manifest)
}

fn kubectl(arguments: &[&str], input: &str) {
    let mut command = Command::new(program());
    let output = run(command.arg("--kubeconfig").arg(server().unwrap()), arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn aggctl(arguments: &[&str], input: &str) -> Output {
    run(&mut Command::new(env!("CARGO_BIN_EXE_aggctl")), arguments, input)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn run(command: &mut Command, arguments: &[&str], input: &str) -> Output {
    let streams = command.args(arguments).stdin(Stdio::piped());
    let mut child = streams.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}
