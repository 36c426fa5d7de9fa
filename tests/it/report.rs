//! Tests `aggctl report`, which writes one self-contained HTML file.

use crate::{Place, run, run_on_mixed, session};

#[test]
fn an_existing_file_is_kept() {
    let place = Place::with(&[]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "report page.html --builtin",
        "report page.html --builtin",
        "report page.html --builtin --force",
        "report nowhere/page.html --builtin",
    ]), @"
    $ aggctl report page.html --builtin
    2> wrote page.html

    $ aggctl report page.html --builtin
    2> error: page.html is there already
    2> hint: --force replaces it, and - writes to standard output
    [exit 2]

    $ aggctl report page.html --builtin --force
    2> wrote page.html

    $ aggctl report nowhere/page.html --builtin
    2> error: cannot write nowhere/page.html: no such file or directory
    [exit 3]
    ");
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
fn what_if_is_compared_side_by_side() {
    let run = run(&["report", "-", "--builtin", "--without", "v1.apps"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"diff?other=1\":"));
}
