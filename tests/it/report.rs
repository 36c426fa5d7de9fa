//! `aggctl report`: one file that holds everything.

use crate::{dump, run};

#[test]
fn a_file_that_is_there_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page.html");
    let path = file.to_str().unwrap();
    let first = run(&["report", path, "--builtin"]);
    assert_eq!((first.code, first.out.as_str()), (0, ""));
    assert_eq!(first.err, format!("wrote {path}\n"));
    let again = run(&["report", path, "--builtin"]);
    assert_eq!(again.code, 2);
    assert_eq!(again.err, format!("error: {path} is there already\nhint: --force replaces it\n"));
    assert_eq!(run(&["report", path, "--builtin", "--force"]).code, 0);
    let nowhere = run(&["report", "/nowhere/page.html", "--builtin"]);
    assert_eq!(nowhere.code, 3);
    assert!(
        nowhere.err.contains("cannot write /nowhere/page.html: no such file"),
        "{}",
        nowhere.err
    );
}

#[test]
fn a_page_loads_nothing() {
    let dump = dump("v1.36-mixed");
    let page = run(&["report", "-", "--dump", dump.to_str().unwrap()]).out;
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    for loads in ["src=", "<link", "url(http", "@import", "//cdn"] {
        let markup = page.split("id=\"answers\">").next().unwrap();
        assert!(!markup.contains(loads), "{loads}");
    }
}

#[test]
fn what_manifests_change_is_side_by_side() {
    let run = run(&["report", "-", "--builtin", "--without", "v1.apps"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"diff?other=1\":"));
    assert!(run.out.contains("APIService v1.apps is built in"));
}
