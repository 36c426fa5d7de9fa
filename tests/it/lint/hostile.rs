//! Tests hostile input to `aggctl lint`: each file gives findings, in time linear in its size.
//! Anything worse would not finish here. `cargo bench --bench scale` measures it.

use aggctl::render::Answer;
use aggctl_lint::{LintInput, LintOptions, LintReport};

use super::{NOW, answer, on_plain, shown};

fn options() -> LintOptions {
    LintOptions { minor: 36, now: NOW, ..LintOptions::default() }
}

fn run(bytes: impl Into<Vec<u8>>) -> LintReport {
    on_plain(&[LintInput::manifest("hostile.yaml", bytes)], &options())
}

/// Returns the only finding, as `line:column: [rule] message`.
fn sole(bytes: impl Into<Vec<u8>>) -> String {
    let report = run(bytes);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    let located = &report.findings[0];
    let (start, finding) = (located.start, &located.finding);
    format!("{}:{}: [{}] {}", start.line, start.column, finding.rule.name, finding.message)
}

const MANIFEST: &str = include_str!("../../../testdata/clean.yaml");

#[test]
fn an_alias_bomb() {
    let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..20 {
        let refs = vec![format!("*a{}", level - 1); 10].join(",");
        text.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    insta::assert_snapshot!(sole(text), @"3:18: [syntax-error] this cannot be parsed: the aliases of this document make it more than 16 times as large as it is");
}

#[test]
fn what_is_neither_text_nor_yaml() {
    insta::assert_snapshot!(sole("[".repeat(100_000)), @"1:501: [syntax-error] this cannot be parsed: values are nested more than 500 deep");
    insta::assert_snapshot!(sole(*b"a: \0"), @"1:4: [syntax-error] this cannot be parsed: a NUL byte: this is not a text file");
    insta::assert_snapshot!(sole(*b"a: 1\nb: \xff"), @"2:4: [syntax-error] this cannot be parsed: a byte that is not UTF-8");
    insta::assert_snapshot!(sole("spec:\n\tgroup: a\n"), @"2:1: [syntax-error] this cannot be parsed: a tab cannot indent YAML; use spaces");
}

#[test]
fn line_endings_and_byte_order_marks_change_nothing() {
    for text in [MANIFEST.replace('\n', "\r\n"), format!("\u{feff}{MANIFEST}")] {
        let report = run(text);
        assert_eq!(report.api_services, 1);
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
    let text = MANIFEST.replace("1000", "0").replace('\n', "\r\n");
    insta::assert_snapshot!(sole(text), @"8:25: [invalid-group-priority] spec.groupPriorityMinimum: must be between 1 and 20000, not 0");
}

#[test]
fn duplicate_keys() {
    insta::assert_snapshot!(sole(format!("{MANIFEST}  version: v1\n")), @"14:3: [duplicate-field] spec.version: duplicate key `version`");
}

#[test]
fn one_long_line() {
    // 10 MB is enough for a debug build to show quadratic time.
    let value = "x".repeat(10_000_000);
    let text = format!(
        "{{\"apiVersion\": \"apiregistration.k8s.io/v1\", \"kind\": \"APIService\", \"x\": \"{value}\"}}"
    );
    let report = run(text);
    assert!(report.findings.len() > 1);
    let inputs = [LintInput::manifest("x", format!("{{{value}}}"))];
    let shown = shown(&report, &inputs);
    assert!(shown.lines().all(|line| line.chars().count() < 200), "a line was not cut");
}

#[test]
fn many_documents_take_linear_time() {
    let one = MANIFEST.replace("1000", "0");
    let text = format!("---\n{one}").repeat(20_000);
    let report = run(text);
    assert_eq!(report.documents, 20_000);
    assert_eq!(report.findings.len(), 20_000);
    assert_eq!(report.findings[19_999].finding.place.document, 19_999);
}

#[test]
fn many_labels_take_linear_time() {
    let labels: String = (0..50_000).map(|i| format!("    k{i}: v\n")).collect();
    let text = MANIFEST.replace("spec:\n", &format!("  labels:\n{labels}spec:\n"));
    let report = run(text);
    assert!(report.findings.is_empty());
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let text = MANIFEST.replace("name: metrics\n", "name: \"\\e[31mred\"\n");
    let inputs = [LintInput::manifest("a\u{1b}[2J.yaml", text)];
    let report = on_plain(&inputs, &options());
    assert!(!report.findings.is_empty());
    let answer = answer(&report, &inputs);
    for text in [
        shown(&report, &inputs),
        answer.github().unwrap(),
        answer.junit().unwrap(),
        serde_json::to_string(&answer.json()).unwrap(),
        answer.sarif().unwrap(),
    ] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
