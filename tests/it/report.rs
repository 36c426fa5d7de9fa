//! `aggctl report`: one file that holds everything.

use crate::{run, run_on_mixed};

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
    let why = "cannot write /nowhere/page.html: no such file";
    assert!(nowhere.err.contains(why), "{}", nowhere.err);
}

#[test]
fn a_page_loads_nothing() {
    let page = run_on_mixed(&["report", "-"]).out;
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
