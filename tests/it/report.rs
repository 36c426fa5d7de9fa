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
    2> error: page.html already exists
    2> hint: replace it with --force, or write to standard output with -
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

/// Returns a dump of a cluster whose extension server has resources with these names.
fn with_resources(names: &[&str]) -> Place {
    let resources: Vec<serde_json::Value> = names
        .iter()
        .map(|name| {
            let name = serde_json::Value::from(*name);
            serde_json::json!({"name": name, "namespaced": false, "kind": "Odd", "verbs": ["list"]})
        })
        .collect();
    let list = serde_json::json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "odd.example.com/v1",
        "resources": resources,
    });
    let service = serde_json::json!({
        "kind": "APIService", "apiVersion": "apiregistration.k8s.io/v1",
        "metadata": {"name": "v1.odd.example.com"},
        "spec": {"group": "odd.example.com", "version": "v1", "groupPriorityMinimum": 100,
            "versionPriority": 10, "service": {"namespace": "a", "name": "b"}},
        "status": {"conditions": [{"type": "Available", "status": "True"}]},
    });
    let (list, service) = (list.to_string(), service.to_string());
    Place::with(&[("list.json", &list), ("service.json", &service)])
}

/// An extension server chooses the names of its resources.
#[test]
fn an_odd_name_takes_nothing_else_away() {
    let place = with_resources(&["q%zz", "good"]);
    let run = place.ask(&["report", "-"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("odd.example.com/v1/good"));
    assert!(run.err.contains("the report leaves out 1 odd name, such as "), "{}", run.err);
    assert!(run.err.contains("q%zz"), "{}", run.err);
}

#[test]
fn a_report_has_no_character_that_controls_a_terminal() {
    let place = with_resources(&["a\u{9b}31mb\u{202e}c\u{2028}d", "good"]);
    let run = place.ask(&["report", "-"]);
    assert!(run.out.contains("odd.example.com/v1/good"), "{run}");
    let raw = ['\u{9b}', '\u{202e}', '\u{2028}', '\u{1b}'];
    assert!(!run.out.contains(raw));
    assert!(run.out.contains("a\\u009b31mb\\u202ec\\u2028d"));
}

#[test]
fn a_recording_has_no_character_that_a_reader_would_not_see() {
    let place = with_resources(&["a\u{9b}31mb\u{202e}c\u{2028}d", "good"]);
    let run = place.ask(&["test", "--record", "-"]);
    assert!(run.out.contains("odd.example.com/v1/good"), "{run}");
    let raw = ['\u{9b}', '\u{202e}', '\u{2028}', '\u{1b}'];
    assert!(!run.out.contains(raw), "{:?}", run.out);
    let places = place.ask(&["test", "--record", "recorded.yaml"]);
    assert_eq!(places.code, 0, "{places}");
    assert!(!place.read("recorded.yaml").contains(raw));
    let again =
        place.run(&["test", "recorded.yaml", "--dump", "list.json", "--dump", "service.json"]);
    assert_eq!(again.code, 0, "{again}");
}
