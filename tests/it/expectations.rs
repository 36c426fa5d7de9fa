//! `aggctl test`, as CI meets it.
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

fn aggctl(arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("aggctl").unwrap();
    command.env_remove("AGGCTL_DUMP").current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

const MIXED: &str = "testdata/recordings/v1.36-mixed/dump";

fn written(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

#[test]
fn what_was_recorded_holds() {
    for dump in
        [MIXED, "testdata/recordings/v1.25-mixed/dump", "testdata/recordings/v1.36-crds/dump"]
    {
        let recorded = aggctl(&["test", "--record", "-", "--dump", dump]);
        assert_eq!(recorded.status.code(), Some(0));
        let file = written(&out(&recorded));
        let judged = aggctl(&["test", path(file.path()), "--dump", dump, "--odd"]);
        assert_eq!((judged.status.code(), out(&judged).as_str()), (Some(0), ""), "{dump}");
    }
}

#[test]
fn a_request_that_goes_elsewhere_fails_with_the_reason() {
    let recorded = aggctl(&[
        "test",
        "--record",
        "-",
        "GET",
        "/apis/edge.net/v1/routers",
        "/version",
        "--dump",
        MIXED,
    ]);
    let file = written(&out(&recorded));
    let judged =
        aggctl(&["test", path(file.path()), "--dump", MIXED, "--without", "v1.edge.net", "--odd"]);
    let place = format!("at {}:2:3", path(file.path()));
    let want = format!(
        "FAIL  GET /apis/edge.net/v1/routers\n      {place}\n      outcome: expected proxied, got served\n      handler: expected ext/wardle, got crd/routers.edge.net\n      service: expected ext/wardle, got none\n      because: CRD routers.edge.net serves it\n"
    );
    assert_eq!((judged.status.code(), out(&judged)), (Some(1), want));
    let junit = out(&aggctl(&[
        "test",
        path(file.path()),
        "--dump",
        MIXED,
        "--without",
        "v1.edge.net",
        "-o",
        "junit",
    ]));
    assert!(junit.contains("tests=\"2\" skipped=\"0\" failures=\"1\""), "{junit}");
    assert!(
        junit.contains("<failure message=\"outcome: expected proxied, got served; "),
        "{junit}"
    );
}

#[test]
fn bad_files_are_named_with_their_place() {
    let file = written("requests:\n- request: GET /a\n  expect: {outcom: served}\n");
    let output = aggctl(&["test", path(file.path())]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    let want = format!(
        "error: {}:3:12: unknown field \"outcom\"\nhint: did you mean outcome?\n",
        path(file.path())
    );
    assert_eq!(error, want);
    assert_eq!(aggctl(&["test", "testdata/no-such-file.yaml"]).status.code(), Some(3));
    // What cannot be read ends alike, be it no text or no YAML.
    for (text, want) in [("requests: [", "1:11: unclosed bracket"), ("\0\u{1}", "1:1: a NUL byte")]
    {
        let file = written(text);
        let output = aggctl(&["test", path(file.path())]);
        let error = String::from_utf8(output.stderr).unwrap();
        let want = format!("error: cannot read {}: {want}", path(file.path()));
        assert!(error.starts_with(&want), "{error}");
        assert_eq!(output.status.code(), Some(3));
    }
    let existing = aggctl(&["test", "--record", path(file.path())]);
    assert_eq!(existing.status.code(), Some(2));
    assert!(
        std::fs::read_to_string(file.path()).unwrap().contains("outcom"),
        "what exists is left alone"
    );
}

#[test]
fn a_file_is_replaced_only_when_forced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("routes.yaml");
    let record = |more: &[&str]| {
        let words = ["test", "--record", path(&file), "/api", "--dump", MIXED];
        aggctl(&[&words, more].concat()).status.code()
    };
    std::fs::write(&file, "mine").unwrap();
    assert_eq!(record(&[]), Some(2));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(record(&["--force"]), Some(0));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("requests:"));
}
