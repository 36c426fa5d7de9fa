//! Tests `aggctl lint`: its formats, exit codes, suppressions, configuration and fixes.

use serde_json::{Value, json};

use crate::{Place, assert_generated, dump, run, session};

pub(super) const CLEAN: &str = include_str!("../../../testdata/clean.yaml");

/// Returns a manifest with one error.
fn bad() -> String {
    CLEAN.replace("1000", "0")
}

/// Returns a manifest with an error that can be fixed.
fn old() -> String {
    CLEAN.replace("k8s.io/v1\n", "k8s.io/v1beta1\n")
}

/// Returns a manifest with a warning.
pub(super) fn without_bundle() -> String {
    CLEAN.lines().filter(|l| !l.contains("caBundle")).map(|line| format!("{line}\n")).collect()
}

impl Place {
    /// Lints files of the folder and returns the JSON report.
    pub(super) fn report(&self, arguments: &[&str]) -> Value {
        self.run(&[&["lint", "-o", "json"], arguments].concat()).json()
    }
}

/// Returns line, column and rule of each finding in a JSON report.
fn places(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|f| format!("{}:{}: {}", f["line"], f["column"], f["rule"].as_str().unwrap()))
        .collect()
}

/// Returns one field of each finding in a JSON report.
pub(super) fn each(report: &Value, field: &str) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|f| f[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn text_shows_the_line_with_a_marker() {
    let manifest = CLEAN
        .replace("1000", "0")
        .replace("    name: metrics\n", "    name: metrics\n    prot: 443\n");
    let unix = Place::with(&[("a.yaml", &manifest)]).run(&["lint", "a.yaml"]);
    insta::assert_snapshot!(unix, @"
    error[invalid-group-priority]: spec.groupPriorityMinimum: must be between 1 and
        20000, not 0
     --> a.yaml:8:25
      |
    8 |   groupPriorityMinimum: 0
      |                         ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000

    error[unknown-field]: spec.service.prot: unknown field `prot`
      --> a.yaml:13:5
       |
    13 |     prot: 443
       |     ^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: did you mean `port`?

    2 errors in 1 APIService in 1 file
    [exit 1]
    ");
    let windows = Place::with(&[("a.yaml", &manifest.replace('\n', "\r\n"))]);
    assert_eq!(windows.run(&["lint", "a.yaml"]), unix);
}

#[test]
fn exit_codes() {
    let place = Place::with(&[
        ("clean.yaml", CLEAN),
        ("warning.yaml", &without_bundle()),
        ("error.yaml", &bad()),
        ("other.yaml", "kind: ConfigMap\n"),
        ("broken.yaml", "a: [\n"),
    ]);
    let check = |arguments: &[&str], code: i32| {
        let outcome = place.run(arguments);
        assert_eq!(outcome.code, code, "{arguments:?}: {}{}", outcome.out, outcome.err);
    };
    check(&["lint", "clean.yaml"], 0);
    check(&["lint", "warning.yaml"], 0);
    check(&["lint", "--fail-on", "warning", "warning.yaml"], 1);
    check(&["lint", "error.yaml"], 1);
    check(&["lint", "--fail-on", "never", "error.yaml"], 0);
    check(&["lint", "other.yaml"], 0);
    check(&["lint", "--fail-if-empty", "other.yaml"], 1);
    check(&["lint", "broken.yaml"], 1);
    // An unreadable file is not clean, whichever rules are selected.
    check(&["lint", "--select", "priorities", "broken.yaml"], 1);
    check(&["lint", "missing.yaml"], 3);
    check(&["lint", "clean.yaml", "missing.yaml"], 3);
    check(&["lint", "*.nothing"], 3);
    check(&["lint"], 2);
    check(&["lint", "--select", "no-such-rule", "clean.yaml"], 2);
    check(&["lint", "--kubernetes-version", "x", "clean.yaml"], 2);
    check(&["lint", "--expires-within", "soon", "clean.yaml"], 2);
    check(&["lint", "--format", "json", "--format", "sarif", "clean.yaml"], 2);
    check(&["lint", "--output", "a", "--output", "b", "clean.yaml"], 2);
}

#[test]
fn errors_say_what_to_do() {
    let place = Place::with(&[("clean.yaml", CLEAN)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint nope.yaml",
        "lint --ignore missing-ca-bundel clean.yaml",
        "lint --output a --output b clean.yaml",
        "lint --cluster prod clean.yaml",
    ]), @r#"
    $ aggctl lint nope.yaml
    2> error: cannot read nope.yaml: no such file or directory
    [exit 3]

    $ aggctl lint --ignore missing-ca-bundel clean.yaml
    2> error: unknown rule or category "missing-ca-bundel"
    2> hint: did you mean missing-ca-bundle?
    [exit 2]

    $ aggctl lint --output a --output b clean.yaml
    2> error: there are more --output-file than -o options
    2> hint: give one -o per --output-file, in the same order
    [exit 2]

    $ aggctl lint --cluster prod clean.yaml
    2> error: no such file: prod
    2> hint: to name a cluster, write --cluster=prod
    [exit 2]
    "#);
}

#[test]
fn directories_patterns_and_standard_input() {
    let bad = bad();
    let place = Place::with(&[
        ("d/a.yaml", &bad),
        ("d/sub/b.yml", &bad),
        ("d/sub/c.json", "{\"kind\": \"APIService\"}"),
        ("d/notes.txt", "not: [yaml"),
        ("d/.git/x.yaml", "not: [yaml"),
    ]);
    let check = |argument: &str, want: &[&str]| {
        let mut files = each(&place.report(&[argument]), "file");
        files.dedup();
        assert_eq!(files, want);
    };
    check("d", &["d/a.yaml", "d/sub/b.yml", "d/sub/c.json"]);
    check("d/**/*.yml", &["d/sub/b.yml"]);
    check("d/*.yaml", &["d/a.yaml"]);
    let piped = place.run_with(&["lint", "-o", "json", "-"], &bad).json();
    assert_eq!(piped["findings"][0]["file"], "<stdin>");
}

#[test]
fn json_is_the_contract() {
    let place = Place::with(&[("a.yaml", &format!("---\nkind: Other\n---\n{}", bad()))]);
    let report = place.report(&["a.yaml"]);
    assert_eq!(report["apiVersion"], "aggctl/v1");
    assert_eq!(report["kind"], "LintReport");
    assert_eq!(
        report["findings"][0],
        json!({
            "rule": "invalid-group-priority", "severity": "error", "confidence": "high",
            "message": "spec.groupPriorityMinimum: must be between 1 and 20000, not 0",
            "field": "spec.groupPriorityMinimum", "file": "a.yaml", "line": 11, "column": 25,
            "endLine": 11, "endColumn": 26, "document": 1,
            "object": "APIService/v1.gauges.example.com", "serverRejects": true, "help": "use a number from 1 to 20000",
            "fixable": false,
        })
    );
    assert_eq!(
        report["summary"],
        json!({"files": 1, "documents": 2, "apiServices": 1, "errors": 1, "warnings": 0, "infos": 0, "suppressed": 0, "fixable": 0, "templates": 0, "patches": 0})
    );
}

#[test]
fn places_go_through_lists_and_anchors() {
    let list = "\
apiVersion: v1
kind: List
items:
- apiVersion: apiregistration.k8s.io/v1
  kind: APIService
  metadata:
    name: v1.a.example.com
  spec: &spec
    group: a.example.com
    version: v1
    groupPriorityMinimum: &priority 0
    versionPriority: 15
- apiVersion: apiregistration.k8s.io/v1
  kind: APIService
  metadata:
    name: v1.b.example.com
  spec:
    <<: *spec
    group: b.example.com
    versionPriority: 2000
";
    let place = Place::with(&[("a.yaml", list)]);
    let report = place.report(&["--select", "server", "a.yaml"]);
    assert_eq!(
        places(&report),
        [
            "11:37: invalid-group-priority",
            "11:37: invalid-group-priority",
            "20:22: invalid-version-priority"
        ]
    );
}

#[test]
fn several_formats_go_to_several_files() {
    let place = Place::with(&[("a.yaml", &bad())]);
    let formats = ["--format", "text", "--format", "sarif", "--format", "junit"];
    let files = ["--output", "-", "--output", "out.sarif", "--output", "out.xml"];
    let outcome = place.run(&[&["lint", "a.yaml"], &formats[..], &files].concat());
    insta::assert_snapshot!(outcome, @"
    error[invalid-group-priority]: spec.groupPriorityMinimum: must be between 1 and
        20000, not 0
     --> a.yaml:8:25
      |
    8 |   groupPriorityMinimum: 0
      |                         ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000

    1 error in 1 APIService in 1 file
    [exit 1]
    ");
    check_sarif(&crate::json(&place.read("out.sarif")));
    insta::assert_snapshot!(crate::without_times(&place.read("out.xml")), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
        <testsuite name="a.yaml" package="aggctl" id="0" timestamp="TIME" hostname="localhost" tests="1" failures="1" errors="0" skipped="0" time="0">
            <properties/>
            <testcase name="invalid-group-priority APIService/v1.gauges.example.com 8:25" classname="a.yaml" time="0">
                <failure type="error" message="error: spec.groupPriorityMinimum: must be between 1 and 20000, not 0">a.yaml:8:25: error: spec.groupPriorityMinimum: must be between 1 and 20000, not 0
    help: use a number from 1 to 20000</failure>
            </testcase>
            <system-out></system-out>
            <system-err/>
        </testsuite>
    </testsuites>
    "#);
}

/// JUnit reports a failure exactly if the command fails.
#[test]
fn junit_and_the_exit_code_agree() {
    let place = Place::with(&[("a.yaml", &without_bundle())]);
    insta::assert_snapshot!(session(|arguments| crate::timeless(place.run(arguments)), [
        "lint -o junit --fail-on error a.yaml",
        "lint -o junit --fail-on warning a.yaml",
    ]), @r#"
    $ aggctl lint -o junit --fail-on error a.yaml
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
        <testsuite name="a.yaml" package="aggctl" id="0" timestamp="TIME" hostname="localhost" tests="1" failures="0" errors="0" skipped="0" time="0">
            <properties/>
            <testcase name="missing-ca-bundle APIService/v1.gauges.example.com 5:1" classname="a.yaml" time="0"/>
            <system-out>a.yaml:5:1: warning: without a caBundle the API server cannot verify metrics.monitoring.svc
    help: add it, or have it injected with `cert-manager.io/inject-ca-from`
    </system-out>
            <system-err/>
        </testsuite>
    </testsuites>

    $ aggctl lint -o junit --fail-on warning a.yaml
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
        <testsuite name="a.yaml" package="aggctl" id="0" timestamp="TIME" hostname="localhost" tests="1" failures="1" errors="0" skipped="0" time="0">
            <properties/>
            <testcase name="missing-ca-bundle APIService/v1.gauges.example.com 5:1" classname="a.yaml" time="0">
                <failure type="warning" message="warning: without a caBundle the API server cannot verify metrics.monitoring.svc">a.yaml:5:1: warning: without a caBundle the API server cannot verify metrics.monitoring.svc
    help: add it, or have it injected with `cert-manager.io/inject-ca-from`</failure>
            </testcase>
            <system-out></system-out>
            <system-err/>
        </testsuite>
    </testsuites>
    [exit 1]
    "#);
}

/// Checks the rules of SARIF 2.1.0 and of GitHub that readers rely on.
fn check_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "aggctl");
    let rules = driver["rules"].as_array().unwrap();
    let check_level = |level: &Value| {
        assert!(matches!(level.as_str().unwrap(), "none" | "note" | "warning" | "error"));
    };
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        assert!(rule["helpUri"].as_str().unwrap().starts_with("https://"), "{id}");
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[text]["text"].as_str().unwrap().is_empty(), "{id}");
        }
        assert!(!rule["help"]["markdown"].as_str().unwrap().is_empty(), "{id}");
        check_level(&rule["defaultConfiguration"]["level"]);
        let precision = rule["properties"]["precision"].as_str().unwrap();
        assert!(matches!(precision, "very-high" | "high" | "medium" | "low"), "{id}");
        let severity = rule["properties"]["problem.severity"].as_str().unwrap();
        assert!(matches!(severity, "error" | "warning" | "recommendation"), "{id}");
    }
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        check_level(&result["level"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let location = &result["locations"][0]["physicalLocation"];
        let uri = location["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.contains([' ', '\\', '<']) && !uri.starts_with('/'), "{uri}");
        let region = &location["region"];
        for key in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[key].as_u64().unwrap() >= 1);
        }
        let print = result["partialFingerprints"]["primaryLocationLineHash"].as_str().unwrap();
        assert!(print.split_once(':').is_some(), "{print}");
    }
}

#[test]
fn sarif_fingerprints_survive_edits_elsewhere() {
    let bad = bad();
    let place = Place::with(&[("a.yaml", &bad)]);
    let prints = || {
        let log = place.run(&["lint", "--format", "sarif", "a.yaml"]).json();
        check_sarif(&log);
        let result = log["runs"][0]["results"][0].clone();
        let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        (result["partialFingerprints"].clone(), line.clone())
    };
    let (before, line) = prints();
    place.write("a.yaml", format!("# one\n# two\n{bad}"));
    let (after, moved) = prints();
    assert_eq!(before, after);
    assert_ne!(line, moved);
}

#[test]
fn github_annotations() {
    let place = Place::with(&[("a.yaml", &bad())]);
    insta::assert_snapshot!(place.run(&["lint", "--format", "github", "a.yaml"]), @"
    ::error file=a.yaml,line=8,endLine=8,col=25,endColumn=26,title=invalid-group-priority::spec.groupPriorityMinimum: must be between 1 and 20000, not 0%0Ahelp: use a number from 1 to 20000
    [exit 1]
    ");
}

#[test]
fn quiet_shows_only_what_fails() {
    let both = CLEAN.replace("1000", "17900").replace("versionPriority: 15", "versionPriority: 0");
    let place = Place::with(&[("a.yaml", &both), ("clean.yaml", CLEAN)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint -q a.yaml",
        "lint -q clean.yaml",
        "lint a.yaml clean.yaml",
    ]), @"
    $ aggctl lint -q a.yaml
    error[invalid-version-priority]: spec.versionPriority: must be between 1 and
        1000, not 0
     --> a.yaml:9:20
      |
    9 |   versionPriority: 0
      |                    ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15

    [exit 1]

    $ aggctl lint -q clean.yaml

    $ aggctl lint a.yaml clean.yaml
    warning[outranks-built-in-groups]: groupPriorityMinimum 17900 puts this group
        before `apps` and 19 more built-in groups
     --> a.yaml:8:25
      |
    8 |   groupPriorityMinimum: 17900
      |                         ^^^^^
      = in: APIService/v1.gauges.example.com

    error[invalid-version-priority]: spec.versionPriority: must be between 1 and
        1000, not 0
     --> a.yaml:9:20
      |
    9 |   versionPriority: 0
      |                    ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15

    error[duplicate-api-service]: v1.gauges.example.com is in the input twice, with
        different specs
     --> clean.yaml:4:9
      |
    4 |   name: v1.gauges.example.com
      |         ^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com
      = help: the other one is in a.yaml; keep only one

    2 errors, 1 warning in 2 APIServices in 2 files
    [exit 1]
    ");
}

#[test]
fn an_annotation_allows_its_object_only() {
    let open = without_bundle();
    let allowed = open.replace(
        "metadata:\n",
        "metadata:\n  annotations:\n    allow.aggctl/missing-ca-bundle: injected by the operator\n",
    );
    let other = open.replace("gauges", "logs");
    let place = Place::with(&[("a.yaml", &format!("{allowed}---\n{other}"))]);
    let report = place.report(&["--show-suppressed", "a.yaml"]);
    assert_eq!(places(&report), ["20:1: missing-ca-bundle"]);
    assert_eq!(report["suppressed"][0]["rule"], "missing-ca-bundle");
    let by = json!({"by": "annotation", "reason": "injected by the operator", "file": "a.yaml", "line": 5});
    assert_eq!(report["suppressed"][0]["suppression"], by);
    insta::assert_snapshot!(place.run(&["lint", "--show-suppressed", "a.yaml"]), @"
    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
      --> a.yaml:20:1
       |
    20 | spec:
       | ^^^^
       = in: APIService/v1.logs.example.com
       = help: add it, or have it injected with `cert-manager.io/inject-ca-from`

    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
     --> a.yaml:7:1
      |
    7 | spec:
      | ^^^^
      = in: APIService/v1.gauges.example.com
      = help: add it, or have it injected with `cert-manager.io/inject-ca-from`
      = allowed by a.yaml:5: injected by the operator

    1 warning in 2 APIServices in 1 file, 1 allowed
    ");
}

#[test]
fn a_comment_allows_its_line_its_field_or_its_document() {
    let bad = bad().replace("versionPriority: 15", "versionPriority: 0");
    let line =
        bad.replace("Minimum: 0", "Minimum: 0 # aggctl: allow invalid-group-priority -- a test");
    let field = bad.replace(
        "spec:\n",
        "# aggctl: allow invalid-group-priority, invalid-version-priority -- a test\nspec:\n",
    );
    let document = format!("# aggctl: allow invalid-group-priority -- a test\n---\n{bad}");
    let place =
        Place::with(&[("line.yaml", &line), ("field.yaml", &field), ("document.yaml", &document)]);
    let check = |file: &str, left: &[&str], allowed: usize| {
        let report = place.report(&["--show-suppressed", file]);
        assert_eq!(places(&report), left);
        assert_eq!(report["suppressed"].as_array().unwrap().len(), allowed);
    };
    check("line.yaml", &["9:20: invalid-version-priority"], 1);
    check("field.yaml", &[], 2);
    check("document.yaml", &["11:20: invalid-version-priority"], 1);
}

#[test]
fn the_configuration_file_is_found_upwards() {
    let open = without_bundle();
    let config = "\
[lint]
fail-on = \"warning\"

[[lint.allow]]
rule = \"missing-ca-bundle\"
files = \"vendor/**\"
reason = \"not ours\"

[[lint.allow]]
rule = \"service-headless\"
reason = \"was once needed\"
";
    let place = Place::with(&[
        ("repo/aggctl.toml", config),
        ("repo/vendor/x/a.yaml", &open),
        ("repo/b.yaml", &open),
    ]);
    std::fs::create_dir(place.path("repo/.git")).unwrap();
    let run = |arguments: &[&str]| place.run_in("repo/vendor", arguments);
    let outcome = run(&["lint", "-o", "json", "--show-suppressed", ".", "../b.yaml"]);
    let report = outcome.json();
    assert_eq!(outcome.code, 1);
    assert_eq!(places(&report), ["5:1: missing-ca-bundle", "9:1: unused-suppression"]);
    assert_eq!(report["findings"][0]["file"], "../b.yaml");
    assert_eq!(report["findings"][1]["file"], "../aggctl.toml");
    assert_eq!(report["suppressed"][0]["suppression"]["by"], "config");
    assert_eq!(
        report["configs"],
        json!([{"file": "../aggctl.toml", "ofRun": true, "suppressed": 1}])
    );
    assert_eq!(run(&["lint", "--no-config", "../b.yaml"]).code, 0);
    assert_eq!(run(&["lint", "--fail-on", "error", "../b.yaml"]).code, 0);
    place.write("repo/aggctl.toml", "[lint]\nfail-on = 1\n");
    insta::assert_snapshot!(run(&["lint", "../b.yaml"]), @"
    2> error: ../aggctl.toml:2:11: invalid type: integer `1`, expected a string
    2> hint: fix the file, or ignore it with --no-config
    [exit 2]
    ");
}

#[test]
fn the_kubernetes_version_decides_what_is_removed() {
    let place = Place::with(&[("a.yaml", &old())]);
    assert_eq!(place.run(&["lint", "--kubernetes-version", "1.21", "a.yaml"]).code, 0);
    assert_eq!(place.run(&["lint", "--kubernetes-version", "1.22", "a.yaml"]).code, 1);
}

#[test]
fn a_dump_is_what_manifests_are_applied_to() {
    let place = Place::with(&[("a.yaml", CLEAN)]);
    let report = place.report(&["--dump", dump("v1.36-mixed").to_str().unwrap(), "a.yaml"]);
    assert_eq!(places(&report), ["12:11: service-not-found"]);
    assert_eq!(report["findings"][0]["confidence"], "high");
}

#[test]
fn fix_keeps_comments_and_formatting() {
    let before = "\
# what this is for
apiVersion: apiregistration.k8s.io/v1beta1 # old
kind: APIService
metadata:
    name:   'wrong' # why
    namespace: monitoring
    labels: { a: b }   # odd spaces stay
spec:
  group: gauges.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {namespace: monitoring, name: metrics}
status:
  conditions: []  # gone
# the end
";
    let after = "\
# what this is for
apiVersion: apiregistration.k8s.io/v1 # old
kind: APIService
metadata:
    name:   'v1.gauges.example.com' # why
    labels: { a: b }   # odd spaces stay
spec:
  group: gauges.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {namespace: monitoring, name: metrics}
# the end
";
    let mut shown = vec![];
    for ending in ["\n", "\r\n"] {
        let place = Place::with(&[("a.yaml", &before.replace('\n', ending))]);
        let diff = place.run(&["lint", "--fix", "--diff", "a.yaml"]);
        assert_eq!(place.read("a.yaml"), before.replace('\n', ending), "--diff changes nothing");
        let fix = place.run(&["lint", "--fix", "a.yaml"]);
        assert_eq!(place.read("a.yaml"), after.replace('\n', ending));
        shown.push(format!("{}\n{fix}", diff.showing("\r", "")));
    }
    insta::assert_snapshot!(shown[0], @"
    --- a.yaml
    +++ a.yaml
    @@ -1,9 +1,8 @@
     # what this is for
    -apiVersion: apiregistration.k8s.io/v1beta1 # old
    +apiVersion: apiregistration.k8s.io/v1 # old
     kind: APIService
     metadata:
    -    name:   'wrong' # why
    +    name:   'v1.gauges.example.com' # why
    -    namespace: monitoring
         labels: { a: b }   # odd spaces stay
     spec:
       group: gauges.example.com
    @@ -12,6 +11,4 @@
       versionPriority: 15
       insecureSkipTLSVerify: true
       service: {namespace: monitoring, name: metrics}
    -status:
    -  conditions: []  # gone
     # the end
    [exit 1]

    warning[insecure-skip-tls-verify]: the certificate of the Service is not
        verified
      --> a.yaml:12:26
       |
    12 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com
       = help: set a caBundle instead

    1 warning in 1 APIService in 1 file
    2> fixed: a.yaml: use apiregistration.k8s.io/v1
    2> fixed: a.yaml: name it v1.gauges.example.com
    2> fixed: a.yaml: remove the namespace
    2> fixed: a.yaml: remove status
    ");
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn what_can_be_fixed_is_counted_and_in_sarif() {
    let place = Place::with(&[("a.yaml", &old())]);
    insta::assert_snapshot!(place.run(&["lint", "a.yaml"]), @"
    error[removed-api-version]: apiVersion: apiregistration.k8s.io/v1beta1 was
        removed in Kubernetes 1.22; v1 is available since 1.10
     --> a.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v1beta1
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`

    1 error in 1 APIService in 1 file, 1 fixable with --fix
    [exit 1]
    ");
    let log = place.run(&["lint", "-o", "sarif", "a.yaml"]).json();
    check_sarif(&log);
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "a.yaml");
    assert_eq!(
        change["replacements"][0],
        json!({
            "deletedRegion": {"startLine": 1, "startColumn": 13, "endLine": 1, "endColumn": 43},
            "insertedContent": {"text": "apiregistration.k8s.io/v1"},
        })
    );
}

/// Two names that are not UTF-8 and print the same are two files.
#[cfg(unix)]
#[test]
fn fix_writes_to_the_very_file() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::with(&[]);
    let old = old();
    let name = |byte: u8| {
        place.path("").join(std::ffi::OsStr::from_bytes(&[byte, b'.', b'y', b'm', b'l']))
    };
    std::fs::write(name(0xfe), &old).unwrap();
    std::fs::write(name(0xff), old.replace("gauges", "logs")).unwrap();
    let outcome = place.run(&["lint", "--fix", "."]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert_eq!(std::fs::read_to_string(name(0xfe)).unwrap(), CLEAN);
    assert_eq!(std::fs::read_to_string(name(0xff)).unwrap(), CLEAN.replace("gauges", "logs"));
    let again = place.run(&["lint", "--fix", "."]);
    assert_eq!((again.code, again.err.as_str()), (0, ""));
}

/// A file that cannot be written is reported, and the others are fixed.
#[cfg(unix)]
#[test]
fn fix_reports_what_it_could_not_write() {
    let old = old();
    let place = Place::with(&[("a.yaml", &old), ("b.yaml", &old.replace("gauges", "logs"))]);
    std::fs::hard_link(place.path("a.yaml"), place.path("a.txt")).unwrap();
    insta::assert_snapshot!(place.run(&["lint", "--fix", "a.yaml", "b.yaml"]), @"
    error[removed-api-version]: apiVersion: apiregistration.k8s.io/v1beta1 was
        removed in Kubernetes 1.22; v1 is available since 1.10
     --> a.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v1beta1
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`

    1 error in 2 APIServices in 2 files, 1 fixable with --fix
    2> warning: a.yaml: not fixed: it has several names (hard links)
    2> fixed: b.yaml: use apiregistration.k8s.io/v1
    [exit 1]
    ");
    assert_eq!(place.read("a.yaml"), old);
}

#[test]
fn utf_16_is_read() {
    let place = Place::with(&[]);
    let text = format!("\u{feff}{}", bad());
    place.write("a.yaml", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    let report = place.report(&["a.yaml"]);
    assert_eq!(places(&report), ["8:25: invalid-group-priority"]);
}

/// Folders for staging and production, or one file per release, are not applied together.
#[test]
fn variants_do_not_conflict() {
    let other = CLEAN.replace("versionPriority: 15", "versionPriority: 20");
    let crd = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.gauges.example.com}\nspec:\n  group: gauges.example.com\n  names: {plural: as, kind: A}\n  scope: Cluster\n  versions: [{name: v1, served: true, storage: true}]\n";
    let check = |files: &[(&str, &str)], want: &[&str]| {
        assert_eq!(each(&Place::with(files).report(&["."]), "rule"), want);
    };
    check(&[("a/x.yaml", CLEAN), ("b/x.yaml", &other)], &[]);
    check(&[("a.yaml", CLEAN), ("b.yaml", &other)], &["duplicate-api-service"]);
    let two = format!("{CLEAN}---\n{other}");
    check(&[("a.yaml", &two)], &["duplicate-api-service"]);
    let full = format!("{other}---\nkind: ConfigMap\nmetadata: {{name: x}}\n");
    check(&[("a.yaml", CLEAN), ("b.yaml", &full)], &[]);
    check(&[("a.yaml", CLEAN), ("crd.yaml", crd)], &["duplicated-path", "shadows-crd"]);
    // A CRD of the same group version elsewhere in the tree is worth a look.
    check(&[("new/a.yaml", CLEAN), ("old/crd.yaml", crd)], &["shadows-crd"]);
}

#[test]
fn patches_and_incomplete_resources_of_kustomize_are_accepted() {
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.gauges.example.com}\nspec: {insecureSkipTLSVerify: false}\n";
    let partial = CLEAN.replace("    namespace: monitoring\n", "");
    let place = Place::with(&[
        ("kustomization.yaml", "resources: [a.yaml]\npatches: [{path: patch.yaml}]\n"),
        ("a.yaml", &partial),
        ("patch.yaml", &CLEAN.replace("versionPriority: 15", "").replace("1000", "0")),
        ("elsewhere/patch.yaml", patch),
    ]);
    insta::assert_snapshot!(place.run(&["lint", "."]), @"no problems in 1 APIService in 4 files, 2 patches skipped");
}

#[test]
fn fix_writes_nothing_that_would_mean_something_else() {
    // The name has an anchor that is used elsewhere, so replacing it would change both.
    let anchored =
        CLEAN.replace("name: v1.gauges.example.com", "name: &n wrong\n  labels: {app: *n}");
    // The only field of its object. Without it the object would be null.
    let sole =
        "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  namespace: x\n";
    let place = Place::with(&[("anchored.yaml", &anchored), ("sole.yaml", sole)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint --fix anchored.yaml",
        "lint --fix sole.yaml",
    ]), @"
    $ aggctl lint --fix anchored.yaml
    error[invalid-name]: metadata.name: must be `<spec.version>.<spec.group>`, here
        `v1.gauges.example.com`
     --> anchored.yaml:4:12
      |
    4 |   name: &n wrong
      |            ^^^^^
      = in: APIService/wrong, which the API server refuses
      = help: write `name: v1.gauges.example.com`

    1 error in 1 APIService in 1 file, 1 fixable with --fix
    2> warning: anchored.yaml: not fixed: the result would have another meaning
    [exit 1]

    $ aggctl lint --fix sole.yaml
    error[invalid-group]: spec.group: a group is required: only the core group's
        `v1` has none
     --> sole.yaml:2:7
      |
    2 | kind: APIService
      |       ^^^^^^^^^^
      = in: APIService, which the API server refuses
      = help: use at most 253 lowercase letters, digits, `-` and `.`, such as
        `gauges.example.com`

    error[invalid-group-priority]: spec.groupPriorityMinimum: is required, a number
        between 1 and 20000
     --> sole.yaml:2:7
      |
    2 | kind: APIService
      |       ^^^^^^^^^^
      = in: APIService, which the API server refuses
      = help: use a number from 1 to 20000

    error[invalid-version]: spec.version: a version is required
     --> sole.yaml:2:7
      |
    2 | kind: APIService
      |       ^^^^^^^^^^
      = in: APIService, which the API server refuses
      = help: use a version such as `v1`, `v1beta1` or `v2alpha3`

    error[invalid-version-priority]: spec.versionPriority: is required, a number
        between 1 and 1000
     --> sole.yaml:2:7
      |
    2 | kind: APIService
      |       ^^^^^^^^^^
      = in: APIService, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15

    error[invalid-name]: metadata.name: a name is required, here `.`
     --> sole.yaml:3:1
      |
    3 | metadata:
      | ^^^^^^^^
      = in: APIService, which the API server refuses
      = help: name it `<spec.version>.<spec.group>`

    warning[namespace-in-manifest]: an APIService is cluster-wide: the server drops
        the namespace
     --> sole.yaml:4:14
      |
    4 |   namespace: x
      |              ^
      = in: APIService

    5 errors, 1 warning in 1 APIService in 1 file, 1 fixable with --fix
    2> warning: sole.yaml: not fixed: the result would have another meaning
    [exit 1]
    ");
    assert_eq!(place.read("anchored.yaml"), anchored);
    assert_eq!(place.read("sole.yaml"), sole);
}

#[test]
fn fix_works_in_json() {
    let json = "{\"apiVersion\": \"apiregistration.k8s.io/v1beta1\", \"kind\": \"APIService\",\n \"metadata\": {\"namespace\": \"x\", \"name\": \"wrong\"},\n \"spec\": {\"group\": \"a.b\", \"version\": \"v1\", \"groupPriorityMinimum\": 1, \"versionPriority\": 1},\n \"status\": {}}\n";
    let place = Place::with(&[("a.json", json)]);
    place.run(&["lint", "--fix", "a.json"]);
    assert_eq!(
        place.read("a.json"),
        "{\"apiVersion\": \"apiregistration.k8s.io/v1\", \"kind\": \"APIService\",\n \"metadata\": {\"name\": \"v1.a.b\"},\n \"spec\": {\"group\": \"a.b\", \"version\": \"v1\", \"groupPriorityMinimum\": 1, \"versionPriority\": 1}}\n"
    );
}

#[test]
fn a_template_is_one_finding() {
    let place = Place::with(&[(
        "a.yaml",
        "kind: APIService\nname: {{ include \"x\" . }}\n---\n{{- end }}\n",
    )]);
    insta::assert_snapshot!(place.run(&["lint", "a.yaml"]), @r#"
    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> a.yaml:2:7
      |
    2 | name: {{ include "x" . }}
      |       ^
      = help: render it first: `helm template CHART | aggctl lint -`

    1 error, and no APIService checked in 1 file
    [exit 1]
    "#);
}

/// Files found in a folder, rather than named, get milder findings.
#[test]
fn files_found_in_a_folder() {
    let sample = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.a.example}\nspec: {group: a.example, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {name: <name>, namespace: <namespace>}}\n";
    let place = Place::with(&[
        ("broken.yaml", "apiVersion: v1\nkind: ConfigMap\na: [\n"),
        ("sample.yaml", sample),
    ]);
    let report = place.report(&["."]);
    assert_eq!(each(&report, "rule"), ["syntax-error", "unrendered-template"]);
    assert_eq!(each(&report, "severity"), ["info", "warning"]);
    assert_eq!(place.run(&["lint", "broken.yaml"]).code, 1);
}

#[test]
fn the_rule_reference_is_current() {
    assert_generated("docs/rules.md", &run(&["lint", "--rules", "-o", "markdown"]).out);
}

#[test]
fn rules_are_listed_and_explained() {
    insta::assert_snapshot!(run(&["explain", "invalid-port"]), @"
    invalid-port: The port of the Service is out of range
    error (high confidence), the API server refuses it

    What it does
      Reports a `spec.service.port` outside the range 1 to 65535. Zero does not mean
      the default: omit the port for 443.

    Why it is bad
      The server answers 422.

    Example
      spec:
        service:
          namespace: monitoring
          name: metrics
          port: 0

    What to do
      Use the port of the Service (not of the Pod), or omit it for 443.
    ");
    assert!(run(&["rules"]).out.starts_with("RULE "));
    let list = run(&["rules", "-o", "json"]).json();
    assert!(list["rules"].as_array().unwrap().len() > 50);
}

#[test]
fn nothing_checked_is_not_clean() {
    let place = Place::with(&[("notes/a.txt", "x"), ("broken.yaml", "a: [b\n"), ("a.yaml", CLEAN)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint notes",
        "lint --ignore input broken.yaml",
        "lint --ignore syntax-error broken.yaml",
        "lint -f a.yaml",
    ]), @"
    $ aggctl lint notes
    2> error: notes has no .yaml, .yml or .json file
    2> hint: name the files, or pipe them into `aggctl lint -`
    [exit 3]

    $ aggctl lint --ignore input broken.yaml
    error[syntax-error]: this cannot be parsed: unclosed bracket '['
     --> broken.yaml:1:4
      |
    1 | a: [b
      |    ^
      = help: correct the text at that place

    1 error, and no APIService checked in 1 file
    [exit 1]

    $ aggctl lint --ignore syntax-error broken.yaml
    no APIService in 1 file

    $ aggctl lint -f a.yaml
    2> error: no file to check (-f only changes the source to check against)
    2> hint: run `aggctl lint a.yaml`
    [exit 2]
    ");
}

/// At exit 3 no report may look clean.
#[test]
fn reports_say_that_something_was_not_checked() {
    let helm = "{{- if .Values.on }}\nkind: APIService\n{{- end }}\n";
    let place = Place::with(&[("a.yaml", CLEAN), ("t/templates/a.yaml", helm)]);
    let log = |arguments: &[&str]| place.run(&[&["lint", "-o", "sarif"], arguments].concat());
    let invocation =
        |arguments: &[&str]| log(arguments).json()["runs"][0]["invocations"][0].clone();
    assert_eq!(invocation(&["a.yaml"]), json!({ "executionSuccessful": true }));
    for (arguments, text) in [
        (["a.yaml", "gone.yaml"], "cannot read gone.yaml: no such file or directory"),
        (["t", "t"], "nothing was checked: every APIService is in an unrendered template"),
    ] {
        assert_eq!(log(&arguments).code, 3);
        let found = invocation(&arguments);
        assert_eq!(found["executionSuccessful"], false);
        assert_eq!(found["toolExecutionNotifications"][0]["message"]["text"], text);
        let report = place.report(&arguments);
        assert_eq!(report["unread"], json!([text]));
        let xml = place.run(&[&["lint", "-o", "junit"], &arguments[..]].concat()).out;
        assert!(xml.contains("<error type=\"unread\""), "{xml}");
    }
    let report = place.report(&["a.yaml", "t"]);
    assert_eq!(report["skipped"], json!([{ "file": "t/templates/a.yaml", "reason": "template" }]));
}

#[test]
fn never_means_never() {
    let place = Place::with(&[("a.yaml", &bad()), ("b.yaml", "a: b\n")]);
    let code = |arguments: &str| place.run(&arguments.split(' ').collect::<Vec<_>>()).code;
    assert_eq!(code("lint --fail-on never a.yaml"), 0);
    assert_eq!(code("lint --fail-on never --fail-if-empty b.yaml"), 0);
    assert_eq!(code("lint --fail-if-empty b.yaml"), 1);
}

#[test]
fn an_allowed_finding_says_where_it_is_allowed() {
    let config = "[lint]\n\n[[lint.allow]]\nrule = 'missing-ca-bundle'\nreason = 'injected'\n";
    let place = Place::with(&[("a.yaml", &without_bundle()), ("aggctl.toml", config)]);
    let shown = place.run(&["lint", "--show-suppressed", "a.yaml"]).out;
    assert!(shown.contains("= allowed by aggctl.toml:3: injected"), "{shown}");
    for (config, want) in [
        ("[lint]\nfail-on = 'x'\n", "aggctl.toml:2: invalid fail-on \"x\""),
        ("[lint]\nselect = ['ghost',\n'x']\n", "aggctl.toml:3: unknown rule or category \"x\""),
        ("[lint]\nexpires-within = 'x'\n", "aggctl.toml:2: \"x\" is not a valid duration"),
    ] {
        let place = Place::with(&[("a.yaml", CLEAN), ("aggctl.toml", config)]);
        let failed = place.run(&["lint", "a.yaml"]);
        assert_eq!(failed.code, 2);
        assert!(failed.err.contains(want), "{}", failed.err);
    }
    let config = "[[lint.allow]]\nrule = 'missing-ca-bundle'\n";
    let place = Place::with(&[("a.yaml", &without_bundle()), ("aggctl.toml", config)]);
    let report = place.report(&["a.yaml"]);
    assert_eq!(each(&report, "help"), ["write `reason = \"<reason>\"` into this entry"]);
}

/// Only options of the command are suggested, and only close ones.
#[test]
fn suggestions_are_options_of_the_command() {
    let wrong = |option: &str| run(&["lint", option, "x"]).err;
    assert!(!wrong("--nope").contains("similar"), "{}", wrong("--nope"));
    assert!(wrong("--fail-onn").contains("'--fail-on'"), "{}", wrong("--fail-onn"));
}

/// The priorities of groups that only old versions have are not known, and do not count.
#[test]
fn old_versions_are_not_outranked_by_chance() {
    let place = Place::with(&[("a.yaml", CLEAN)]);
    for minor in ["1.7", "1.10", "1.15", "1.20", "1.24"] {
        let report = place.report(&["--kubernetes-version", minor, "a.yaml"]);
        assert_eq!(each(&report, "rule"), [""; 0], "{minor}");
    }
}
