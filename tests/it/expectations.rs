//! `aggctl test`, as CI meets it.
use std::path::Path;

use crate::{Run, aggctl_at_root, finish};

fn aggctl(arguments: &[&str]) -> Run {
    finish(&mut aggctl_at_root(arguments))
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
        assert_eq!(recorded.code, 0);
        let file = written(&recorded.out);
        let judged = aggctl(&["test", path(file.path()), "--dump", dump, "--odd"]);
        assert_eq!((judged.code, judged.out.as_str()), (0, ""), "{dump}");
    }
}

#[test]
fn a_request_that_goes_elsewhere_fails_with_the_reason() {
    let requests = ["GET", "/apis/edge.net/v1/routers", "/version"];
    let recorded = aggctl(&[&["test", "--record", "-", "--dump", MIXED], &requests[..]].concat());
    let file = written(&recorded.out);
    let judge = |more: &[&str]| {
        let then = ["test", path(file.path()), "--dump", MIXED, "--without", "v1.edge.net"];
        aggctl(&[&then, more].concat())
    };
    let judged = judge(&["--odd"]);
    let place = format!("at {}:2:3", path(file.path()));
    let want = format!(
        "FAIL  GET /apis/edge.net/v1/routers\n      {place}\n      outcome: expected proxied, got served\n      handler: expected ext/wardle, got crd/routers.edge.net\n      service: expected ext/wardle, got none\n      because: CRD routers.edge.net serves it\n"
    );
    assert_eq!((judged.code, judged.out), (1, want));
    let junit = judge(&["-o", "junit"]).out;
    assert!(junit.contains("tests=\"2\" skipped=\"0\" failures=\"1\""), "{junit}");
    let failure = "<failure message=\"outcome: expected proxied, got served; ";
    assert!(junit.contains(failure), "{junit}");
}

#[test]
fn bad_files_are_named_with_their_place() {
    let file = written("requests:\n- request: GET /a\n  expect: {outcom: served}\n");
    let run = aggctl(&["test", path(file.path())]);
    let why = "3:12: unknown field \"outcom\"\nhint: did you mean outcome?\n";
    assert_eq!((run.code, run.err), (2, format!("error: {}:{why}", path(file.path()))));
    assert_eq!(aggctl(&["test", "testdata/no-such-file.yaml"]).code, 3);
    // What cannot be read ends alike, be it no text or no YAML.
    for (text, want) in [("requests: [", "1:11: unclosed bracket"), ("\0\u{1}", "1:1: a NUL byte")]
    {
        let file = written(text);
        let run = aggctl(&["test", path(file.path())]);
        let want = format!("error: cannot read {}: {want}", path(file.path()));
        assert!(run.err.starts_with(&want), "{}", run.err);
        assert_eq!(run.code, 3);
    }
    let existing = aggctl(&["test", "--record", path(file.path())]);
    assert_eq!(existing.code, 2);
    let text = std::fs::read_to_string(file.path()).unwrap();
    assert!(text.contains("outcom"), "what exists is left alone");
}

#[test]
fn a_file_is_replaced_only_when_forced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("routes.yaml");
    let record = |more: &[&str]| {
        let words = ["test", "--record", path(&file), "/api", "--dump", MIXED];
        aggctl(&[&words, more].concat()).code
    };
    std::fs::write(&file, "mine").unwrap();
    assert_eq!(record(&[]), 2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(record(&["--force"]), 0);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("requests:"));
}
