//! Bad input: one clear line, a hint, and the documented exit code.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{aggctl, finish, run, run_on, run_on_mixed};

/// Runs `route /api` on a dump that cannot be read, and checks what is complained about.
fn check(path: &Path, want: &str) {
    let run = run_on(path, &["route", "/api"]);
    let got = run.err.replace(path.to_str().unwrap(), "PATH");
    assert!(got.starts_with(&format!("error: {want}")), "{got}\nnot\n{want}");
    assert_eq!(run.code, 3, "{got}");
    assert!(got.lines().count() <= 2, "{got}");
}

fn file(dir: &tempfile::TempDir, name: &str, content: &[u8]) -> std::path::PathBuf {
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

const SERVICE: &str = r#"{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.x.y"},"spec":{"group":"x.y","version":"v1","groupPriorityMinimum":1,"versionPriority":1}}"#;

#[test]
fn sources_that_hold_nothing() {
    let dir = tempfile::tempdir().unwrap();
    check(dir.path(), "PATH is empty: there is nothing to read\nhint: a dump is");
    check(&dir.path().join("nope"), "cannot read PATH: no such file or directory\nhint: ");
    let words = file(&dir, "a.txt", b"just words");
    let nothing = "nothing in PATH contains API server data";
    check(&words, &format!("{nothing}: it is not JSON or YAML of Kubernetes"));
    let pods = br#"{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1"},{"kind":"Node","apiVersion":"v1"},{"kind":"Pod","apiVersion":"v1"}]}"#;
    check(&file(&dir, "pods.json", pods), &format!("{nothing}: it holds Pod, Node\nhint: "));
}

#[test]
fn files_that_are_broken() {
    let dir = tempfile::tempdir().unwrap();
    let check = |name: &str, content: &[u8], why: &str| {
        check(&file(&dir, name, content), &format!("cannot read PATH: {why}"));
    };
    check("cut.json", &SERVICE.as_bytes()[..100], "1:100: eof while parsing");
    let cut = b"kind: APIService\nspec: {a: [1,\n";
    check("cut.yaml", cut, "2:11: unclosed bracket '['");
    let mut latin = SERVICE.as_bytes().to_vec();
    latin[60] = 0xe9;
    check("latin.json", &latin, "is not UTF-8: byte 61 is wrong");
    let not_gzip = b"\x00\x01not gzip";
    check("x.json.gz", not_gzip, "is not gzip, although its name ends in .gz");
    let gz = gzip(SERVICE.as_bytes());
    check("cut.gz", &gz[..gz.len() - 12], "ends in the middle of its gzip data");
    let typed = SERVICE.replace("\"group\":\"x.y\"", "\"group\":[]");
    let why = "APIService v1.x.y: invalid type: sequence, expected a string";
    check("typed.json", typed.as_bytes(), why);
    // In a directory the broken ones are named, and the rest is used.
    file(&dir, "good.json", SERVICE.as_bytes());
    let run = run_on(dir.path(), &["apiservices", "v1.x.y", "-o", "name"]);
    assert_eq!((run.code, run.out.as_str()), (0, "apiservice/v1.x.y\n"));
    let skipped = run.err.lines().filter(|line| line.starts_with("warning: skipped "));
    assert_eq!(skipped.count(), 6, "{}", run.err);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    // Whoever runs the tests may read everything; a link to nowhere nobody can.
    symlink(dir.path().join("gone"), dir.path().join("link.json")).unwrap();
    check(&dir.path().join("link.json"), "cannot read PATH: no such file or directory");
}

/// What may block, or never end, is not opened.
#[cfg(unix)]
#[test]
fn only_files_are_opened() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("b.yaml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    check(&pipe, "cannot read PATH: it is a named pipe, not a file\nhint: pipe it");
    check(Path::new("/dev/zero"), "cannot read PATH: it is a device, not a file");
    let why = format!("{}: it is a named pipe, not a file\n", pipe.display());
    let lint = run(&["lint", dir.path().to_str().unwrap()]);
    assert_eq!((lint.code, lint.err), (3, format!("error: cannot read {why}")));
    let good = file(&dir, "a.json", SERVICE.as_bytes());
    let route = run_on(dir.path(), &["route", "/api"]);
    assert_eq!((route.code, route.err), (0, format!("warning: skipped {why}")));
    // What a shell opened is not like that.
    let shell = "\"$0\" route /api -o name --dump <(cat \"$1\")";
    let mut bash = std::process::Command::new("bash");
    let bash = bash.args(["-c", shell, env!("CARGO_BIN_EXE_aggctl")]).arg(good).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&bash.stdout), "kube-apiserver\n", "{bash:?}");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(vec![], Compression::fast());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(vec![]);
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

/// Whatever a cut archive still has is used, and that it was cut is said.
#[test]
fn archives_that_are_cut() {
    let dir = tempfile::tempdir().unwrap();
    let whole = tar(&[("a.json", SERVICE.as_bytes()), ("b.txt", &[b'x'; 2000])]);
    for (length, warned) in
        [(whole.len(), false), (whole.len() - 1024, true), (2000, true), (1024, true)]
    {
        let path = file(&dir, "cut.tar", &whole[..length]);
        let run = run_on(&path, &["route", "/api"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let cut = "ends in the middle of the archive: what follows is missing";
        assert_eq!(run.err.contains(cut), warned, "{length}: {}", run.err);
    }
}

#[test]
fn packings_that_are_not_read_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for (start, what) in [
        (&b"PK\x03\x04zip"[..], "a zip archive"),
        (b"\xfd7zXZ\0..", "compressed with xz"),
        (b"\x28\xb5\x2f\xfd..", "compressed with zstd"),
    ] {
        let want = format!("cannot read PATH: is {what}, which aggctl does not read");
        check(&file(&dir, "dump", start), &want);
    }
}

/// A little that becomes much, in one file and in many.
#[test]
fn what_grows_too_large_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let bomb = gzip(&vec![b'\n'; 65 << 20]);
    let why = "grows to more than 64 MiB when unpacked";
    check(&file(&dir, "bomb.gz", &bomb), &format!("cannot read PATH: {why}"));
    let part = gzip(&vec![b'\n'; 40 << 20]);
    let nested = gzip(&tar(&[("a.gz", &part), ("b.gz", &part)]));
    check(&file(&dir, "nested.tar.gz", &nested), &format!("cannot read PATH/b.gz: {why}"));
}

#[test]
fn explosions_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut bomb = "kind: List\nx0: &x0 [a,a,a,a,a,a,a,a,a]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*x{},", level - 1).repeat(9);
        bomb += &format!("x{level}: &x{level} [{alias}]\n");
    }
    check(&file(&dir, "bomb.yaml", bomb.as_bytes()), "cannot read PATH: ");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    check(&file(&dir, "deep.json", deep.as_bytes()), "");
    let deep = format!("{{\"kind\":\"List\",\"items\":{deep}}}");
    check(&file(&dir, "deep-list.json", deep.as_bytes()), "");
    let deep = format!("kind: {}", "[".repeat(100_000));
    check(&file(&dir, "deep.yaml", deep.as_bytes()), "cannot read PATH: 1:");
}

#[test]
fn objects_that_disagree_are_told_of() {
    let dir = tempfile::tempdir().unwrap();
    file(&dir, "a.json", SERVICE.as_bytes());
    let other = SERVICE.replace("\"versionPriority\":1", "\"versionPriority\":2");
    file(&dir, "b.json", other.as_bytes());
    let run = run_on(dir.path(), &["apiservices", "v1.x.y", "-o", "json"]);
    assert_eq!(run.code, 0);
    assert!(run.err.starts_with("warning: APIService v1.x.y is in "), "{}", run.err);
    assert!(run.err.contains("with different contents; using the one in"), "{}", run.err);
    assert!(run.out.contains("\"versionPriority\": 2"), "{}", run.out);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let evil = SERVICE.replace("x.y", "x\\u001b[31m\\u202e.y");
    file(&dir, "a.json", evil.as_bytes());
    for arguments in [
        &["apiservices"][..],
        &["order"],
        &["order", "-o", "name"],
        &["discovery", "--merged"],
        &["chain"],
        &["chain", "-o", "dot"],
        &["route", "/apis/x%1b%5b31m%e2%80%ae.y/v1/z"],
    ] {
        let run = run_on(dir.path(), arguments);
        assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
        for text in [&run.out, &run.err] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{arguments:?}\n{text}");
        }
    }
}

/// A question that is refused: what is said, and that nothing else is.
fn refuses(arguments: &[&str], want: &str) {
    let run = run(arguments);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
    assert!(run.err.starts_with(&format!("error: {want}")), "{arguments:?}\n{}", run.err);
}

#[test]
fn questions_that_cannot_be_asked() {
    let slash = "path \"apis/apps/v1\" does not begin with a slash\nhint: /apis/apps/v1\n";
    refuses(&["route", "apis/apps/v1"], slash);
    refuses(&["route", "apis/apps/v1", "FETCH"], slash);
    let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT, TRACE";
    let method = format!("unknown method \"FETCH\"\nhint: one of {methods}\n");
    refuses(&["route", "FETCH", "/api"], &method);
    let method = "GET is not followed by a path\nhint: aggctl route GET /api/v1/pods\n";
    refuses(&["route", "GET"], method);
    let escape =
        "path \"/a%zz\" has a % without two hexadecimal digits after it\nhint: the API server";
    refuses(&["route", "/a%zz"], escape);
    let unset = "hint: is a variable not set?";
    let empty = format!("a request is empty: it has neither a method nor a path\n{unset}");
    refuses(&["route", ""], &empty);
    refuses(&["discovery", ""], &format!("the path is empty\n{unset}"));
    refuses(&["sort-versions", "v1", ""], &format!("a version is empty\n{unset}"));
    let slash = "path \"apis\" does not begin with a slash\nhint: /apis\n";
    refuses(&["discovery", "apis"], slash);
    let minor = "\"1.x\" is not a minor version of Kubernetes\nhint: write it as 1.36\n";
    refuses(&["route", "--builtin", "1.x", "/api"], minor);
    refuses(&["route", "--fail-on", "nope", "/api"], "invalid value 'nope' for '--fail-on");
    refuses(&["nope"], "unrecognized subcommand 'nope'");
}

#[test]
fn places_that_cannot_be_written() {
    let run = run(&["man", "--dir", "/nonexistent/dir"]);
    assert_eq!(
        run.err,
        "error: cannot write /nonexistent/dir/aggctl.1: no such file or directory\nhint: the directory must exist\n"
    );
    assert_eq!(run.code, 3);
}

#[test]
fn questions_about_what_is_not_there() {
    let check = |arguments: &[&str], code: i32, want: &str| {
        let run = run_on_mixed(arguments);
        assert!(run.err.starts_with(&format!("error: {want}")), "{arguments:?}\n{}", run.err);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{arguments:?}");
    };
    let near = "no APIService \"v1.app\" in the source\nhint: did you mean v1.apps?\n";
    check(&["apiservices", "v1.app"], 2, near);
    let near = "no group \"aps\" in this order\nhint: did you mean apps?\n";
    check(&["order", "--explain", "aps", "batch"], 2, near);
    let nowhere = "there is no discovery document at /apis/nope/v1\nhint: ";
    check(&["discovery", "/apis/nope/v1"], 2, nowhere);
    let silent = "APIService v1.metrics.k8s.io is not available: its server has no document to show\nhint: aggctl doctor v1.metrics.k8s.io";
    check(&["discovery", "/apis/metrics.k8s.io/v1"], 3, silent);
}

#[test]
fn a_stream_goes_on_behind_a_bad_line() {
    let mut command = aggctl(&["route", "--builtin", "-o", "name", "-"]);
    let run =
        finish(command.write_stdin("/api\nFETCH /api\n\n# comment\nnope\nPOST /api/v1/nodes\n"));
    assert_eq!(run.out, "kube-apiserver\nkube-apiserver\n");
    assert_eq!(
        run.err,
        "error: line 2: unknown method \"FETCH\"\nerror: line 5: path \"nope\" does not begin with a slash\n\
         error: 2 of 6 lines are not requests\nhint: a line is a path, or a method and a path\n"
    );
    assert_eq!(run.code, 2);
}

#[test]
fn any_bytes_on_standard_input() {
    for bytes in [&b"\xff\xfe\x00"[..], b"\x00\x00\x00", b"{", b"[", b"\x1f\x8b", b"kind: [", b""] {
        let run = finish(aggctl(&["apiservices", "--dump", "-"]).write_stdin(bytes));
        assert_eq!(run.code, 3, "{bytes:?}: {}", run.err);
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

#[test]
fn questions_that_would_be_answered_by_silence() {
    let same = "apps is one group: nothing comes before itself\nhint: two of its versions";
    refuses(&["order", "--explain", "apps", "apps", "--builtin"], same);
    let explain = "the argument '--explain <A> <B>' cannot be used with '--output";
    refuses(&["order", "--explain", "apps", "batch", "-o", "json"], explain);
    let check = "the argument '--check' cannot be used with '--output";
    refuses(&["sort-versions", "--check", "v1", "-o", "json"], check);
    let which = "which namespace?\nhint: aggctl explain namespace NAME\n";
    refuses(&["explain", "namespace"], which);
    let format = "--output is a file, and json is a format\nhint: --format json";
    refuses(&["lint", "--output", "json", "x.yaml"], format);
    let dir = tempfile::tempdir().unwrap();
    let pod = file(&dir, "pod.yaml", b"kind: Pod\napiVersion: v1\n");
    let run = run(&["lint", pod.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str()), (0, "no APIService in 1 file\n"));
    // What was inferred is not passed off as seen.
    let one = file(&dir, "one.json", SERVICE.as_bytes());
    let told =
        "warning: APIServices are not all in the source: those that must exist were inferred";
    for command in ["apiservices", "order", "chain", "conflicts"] {
        let run = run_on(&one, &[command]);
        assert!(run.err.contains(told), "{command}: {}", run.err);
    }
}

/// A hint leads to something that works, or says that nothing does.
#[test]
fn hints_lead_somewhere() {
    let check = |arguments: &[&str], expected: &str| {
        let run = run_on_mixed(arguments);
        let told = run.out + &run.err;
        assert!(told.contains(expected), "{arguments:?}: {told}");
    };
    check(&["route", "po"], "GET /api/v1/pods\n");
    check(&["route", "deploy/web", "-n", "x"], "GET /apis/apps/v1/namespaces/x/deployments/web\n");
    check(&["route", "deployments.v1.apps"], "GET /apis/apps/v1/deployments\n");
    check(&["route", "POST", "nodes.metrics.k8s.io"], "POST /apis/metrics.k8s.io/v1/nodes\n");
    check(&["route", "podz"], "hint: did you mean pod?\n");
    check(&["route", "pod.apps.example"], "hint: no group or version is called \"apps.example\"\n");
    check(&["discovery", "apps/v1"], "hint: /apis/apps/v1\n");
    check(&["discovery", "v1"], "hint: /api/v1\n");
    let next = "hint: aggctl doctor v1.metrics.k8s.io --dump ";
    check(&["discovery", "/apis/metrics.k8s.io/v1"], next);
    check(&["route", "/apis/foo"], "no CRD serves this group\n");
}

#[test]
fn other_things_of_kubernetes_are_named() {
    let check = |input: &str, expected: &str| {
        let run = finish(aggctl(&["chain", "--dump", "-"]).write_stdin(input));
        assert_eq!(run.code, 3);
        assert!(run.err.contains(expected), "{}", run.err);
    };
    check(r#"{"kind": "PodList", "apiVersion": "v1", "items": []}"#, "it holds PodList");
    check(r#"{"kind": "PodList", "apiVersion": "v1", "items": [{}]}"#, "it holds Pod\n");
    check("{\"kind\": \"APIService\",\n", " 1:22: eof while parsing an object");
}
