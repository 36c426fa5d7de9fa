//! Tests that configuration files and links in a foreign tree cannot affect the rest of a run.

use serde_json::json;

use super::command::{CLEAN, each, without_bundle};
use crate::Place;

const EVERYTHING: &str = "[lint]
fail-on = 'never'
ignore = ['input', 'server', 'certificates', 'references', 'priorities', 'conflicts', 'operation']
";

/// Returns a tree with a vendored folder that has a configuration which hides everything, and an
/// error outside that folder.
fn vendored() -> Place {
    let bad = CLEAN.replace("1000", "0");
    Place::with(&[
        ("00vendor/aggctl.toml", EVERYTHING),
        ("00vendor/a.yaml", &bad),
        ("b/bad.yaml", &bad.replace("gauges", "meters")),
    ])
}

#[test]
fn a_nested_configuration_counts_for_its_own_folder() {
    let place = vendored();
    insta::assert_snapshot!(place.run(&["lint", "."]), @"
    error[invalid-group-priority]: spec.groupPriorityMinimum: must be between 1 and
        20000, not 0
     --> ./b/bad.yaml:8:25
      |
    8 |   groupPriorityMinimum: 0
      |                         ^
      = in: APIService/v1.meters.example.com, which the API server refuses
      = help: use a number from 1 to 20000

    1 error in 2 APIServices in 2 files, 1 allowed
    2> warning: 00vendor/aggctl.toml: fail-on has no effect in a nested config
    2> note: config: 00vendor/aggctl.toml, for its own folder (1 finding suppressed)
    [exit 1]
    ");
    let report = place.run(&["lint", "-o", "json", "."]).json();
    assert_eq!(each(&report, "file"), ["./b/bad.yaml"]);
    // pre-commit names single files.
    let named = place.run(&["lint", "-o", "name", "00vendor/a.yaml", "b/bad.yaml"]);
    assert_eq!((named.out.as_str(), named.code), ("b/bad.yaml\n", 1));
    assert_eq!(place.run(&["lint", "00vendor"]).code, 0);
    // The user's own options take precedence.
    let selected =
        ["lint", "-o", "name", "--select=invalid-group-priority", "--ignore=operation", "."];
    assert_eq!(place.run(&selected).out, "./00vendor/a.yaml\n./b/bad.yaml\n");
    let without = place.run(&["lint", "-o", "name", "--no-config", "."]);
    assert_eq!(without.out, "./00vendor/a.yaml\n./b/bad.yaml\n");
    place.write("own.toml", "[lint]\n");
    let own = place.run(&["lint", "-o", "name", "--config", "own.toml", "."]);
    assert_eq!(own.out, "./00vendor/a.yaml\n./b/bad.yaml\n");
}

#[test]
fn the_configuration_of_the_run_is_in_the_repository() {
    let place = vendored();
    std::fs::rename(place.path("00vendor/aggctl.toml"), place.path("aggctl.toml")).unwrap();
    // The configuration is above the working directory, and there is no repository.
    assert_eq!(place.run_in("b", &["lint", "."]).code, 1);
    assert_eq!(place.run(&["lint", "b"]).code, 0);
    // The configuration is above the root of the repository. `.git` is a file in a worktree.
    place.write("b/.git", "gitdir: elsewhere\n");
    std::fs::create_dir(place.path("b/deep")).unwrap();
    assert_eq!(place.run_in("b/deep", &["lint", ".."]).code, 1);
    // The configuration is inside the repository.
    place.write("b/aggctl.toml", EVERYTHING);
    insta::assert_snapshot!(place.run_in("b/deep", &["lint", ".."]), @"
    no problems in 1 APIService in 1 file, 1 allowed
    2> note: config: ../aggctl.toml (1 finding suppressed)
    ");
    // The configuration of a foreign directory that the user names applies only to that directory.
    std::fs::create_dir_all(place.path("mine/.git")).unwrap();
    place.write("mine/c.yaml", CLEAN.replace("1000", "0").replace("gauges", "dials"));
    let both = place.run_in("mine", &["lint", "-o", "name", "../b", "c.yaml"]);
    assert_eq!((both.out.as_str(), both.code), ("c.yaml\n", 1));
    // If the user names a foreign file, configurations around it do not count.
    let file = place.run_in("mine", &["lint", "-o", "name", "../b/bad.yaml"]);
    assert_eq!((file.out.as_str(), file.code), ("../b/bad.yaml\n", 1));
}

#[test]
fn configurations_add_up() {
    let allow = |rule: &str, files: &str| {
        format!("[[lint.allow]]\nrule = '{rule}'\nfiles = '{files}'\nreason = 'known'\n")
    };
    let both = without_bundle().replace("1000", "0");
    let place = Place::with(&[
        ("aggctl.toml", &allow("missing-ca-bundle", "a/**")),
        ("a/aggctl.toml", &allow("invalid-group-priority", "b/*")),
        ("a/b/x.yaml", &both),
        ("c/b/x.yaml", &both),
    ]);
    let report = place.report(&["."]);
    assert_eq!(each(&report, "file"), ["./c/b/x.yaml", "./c/b/x.yaml"]);
    let configs = json!([
        {"file": "aggctl.toml", "ofRun": true, "suppressed": 1},
        {"file": "a/aggctl.toml", "ofRun": false, "suppressed": 1},
    ]);
    assert_eq!(report["configs"], configs);
    // `..` does not put a folder below another one.
    let above = place.run_in("a", &["lint", "-o", "name", "../c"]);
    assert_eq!(above.out, "../c/b/x.yaml\naggctl.toml\n");
}

/// Whatever hides a finding or a file is named, in every format and with `--quiet`.
#[test]
fn nothing_is_hidden_without_a_message() {
    let bad = CLEAN.replace("1000", "0");
    let allowed = format!("# aggctl: allow invalid-group-priority -- known\n{bad}");
    let place = Place::with(&[
        ("hides/aggctl.toml", EVERYTHING),
        ("hides/a.yaml", &bad),
        ("excludes/aggctl.toml", "[lint]\nexclude = ['*.yaml']\n"),
        ("excludes/b.yaml", &bad),
        ("allowed.yaml", &allowed),
    ]);
    let quiet = place.run_in("hides", &["lint", "-q", "a.yaml"]);
    insta::assert_snapshot!(quiet, @"2> note: config: aggctl.toml (1 finding suppressed)");
    insta::assert_snapshot!(place.run(&["lint", "excludes/b.yaml"]), @"
    no APIService in 0 files
    2> note: config: excludes/aggctl.toml, for its own folder (0 findings suppressed, 1 file excluded)
    ");
    let excluded = place.run_in("excludes", &["lint", "-q", "."]);
    let want = "2> note: config: aggctl.toml (0 findings suppressed, 1 file excluded)";
    assert_eq!(excluded.to_string().trim(), want);
    for format in [&["-q"][..], &["-o", "github"], &["-o", "name"]] {
        let allowed = place.run(&[&["lint", "allowed.yaml"], format].concat());
        let want = "2> note: 1 finding allowed in the files; see --show-suppressed";
        assert_eq!(allowed.to_string().trim(), want);
    }
    let table = place.run(&["lint", "allowed.yaml"]);
    assert_eq!(table.to_string().trim(), "no problems in 1 APIService in 1 file, 1 allowed");
}

/// A kustomization anywhere in the tree cannot hide an APIService that would be applied.
#[test]
fn a_complete_api_service_is_checked_even_if_it_is_listed_as_a_patch() {
    let place = Place::with(&[
        ("00vendor/kustomization.yaml", "patches: [{path: ../b/bad.yaml}]\n"),
        ("b/bad.yaml", &CLEAN.replace("1000", "0")),
    ]);
    let run = place.run(&["lint", "-o", "name", "."]);
    assert_eq!((run.out.as_str(), run.code), ("./b/bad.yaml\n", 1));
}

#[cfg(unix)]
#[test]
fn links_out_of_a_directory_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::with(&[
        ("secret", "password: [hunter2\n"),
        ("work/tree/in.yaml", CLEAN),
        ("work/tree/sub/x.txt", ""),
    ]);
    symlink("../in.yaml", place.path("work/tree/sub/in.yaml")).unwrap();
    symlink("../../secret", place.path("work/tree/out.yaml")).unwrap();
    symlink("/proc/self/environ", place.path("work/tree/environ.yaml")).unwrap();
    symlink("../../secret", place.path("work/tree/aggctl.toml")).unwrap();
    let run = |arguments: &[&str]| place.run_in("work", arguments);
    insta::assert_snapshot!(run(&["lint", "tree"]), @"
    no problems in 2 APIServices in 2 files
    2> error: cannot read tree/environ.yaml: it is a link to a file outside the directory
    2> error: cannot read tree/out.yaml: it is a link to a file outside the directory
    2> error: cannot read tree/aggctl.toml: it is a link to a file outside the directory
    2> hint: pass the file itself to read it
    [exit 3]
    ");
    insta::assert_snapshot!(run(&["lint", "--no-config", "tree/*.yaml"]), @"
    no problems in 1 APIService in 1 file
    2> error: cannot read tree/environ.yaml: it is a link to a file outside the directory
    2> error: cannot read tree/out.yaml: it is a link to a file outside the directory
    2> hint: pass the file itself to read it
    [exit 3]
    ");
    // Links in dumps are treated in the same way.
    let dump = run(&["apiservices", "--dump", "tree"]);
    assert!(!dump.to_string().contains("hunter2"), "{dump}");
}
