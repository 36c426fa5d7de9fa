//! Tests `aggctl doctor -o openmetrics`, for Prometheus.

use std::collections::BTreeSet;

use super::command::doctor;
use super::world::World;
use crate::{dump, run, run_on, run_on_mixed, session};

/// Checks the rules of OpenMetrics for gauges: one block per family, described before its samples,
/// units in names, each series once, numbers without a time, and `# EOF` at the end.
fn check(text: &str) {
    let body = text.strip_suffix("# EOF\n").unwrap();
    let (mut families, mut series) = (BTreeSet::new(), BTreeSet::new());
    let mut lines = body.lines().peekable();
    while let Some(line) = lines.next() {
        let family = line.strip_prefix("# TYPE ").and_then(|l| l.strip_suffix(" gauge")).unwrap();
        assert!(family.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{family}");
        assert!(families.insert(family), "{family} in two places");
        if family.ends_with("_seconds") {
            assert_eq!(lines.next().unwrap(), format!("# UNIT {family} seconds"));
        }
        assert!(lines.next().unwrap().starts_with(&format!("# HELP {family} ")));
        while let Some(sample) = lines.next_if(|line| !line.starts_with('#')) {
            let (name, value) = sample.rsplit_once(' ').unwrap();
            assert!(value.parse::<i64>().is_ok(), "{sample}");
            assert!(name.split('{').next() == Some(family), "{sample}");
            assert!(series.insert(name), "{sample} twice");
            if let Some(labels) = name.strip_prefix(&format!("{family}{{")) {
                labels_are_sound(labels.strip_suffix('}').unwrap());
            }
        }
    }
}

/// Checks labels: `key="value"`, separated by commas, with only the escapes `\\`, `\"` and `\n`.
fn labels_are_sound(mut labels: &str) {
    loop {
        let (key, rest) = labels.split_once("=\"").unwrap();
        assert!(key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{key}");
        let mut at = 0;
        while rest.as_bytes()[at] != b'"' {
            at += match rest.as_bytes()[at] {
                b'\\' => {
                    assert!(matches!(rest.as_bytes()[at + 1], b'\\' | b'"' | b'n'), "{rest}");
                    2
                }
                _ => 1,
            };
        }
        match rest[at + 1..].strip_prefix(',') {
            Some(more) => labels = more,
            None => return assert_eq!(&rest[at + 1..], ""),
        }
    }
}

#[test]
fn metrics_say_what_the_diagnosis_says() {
    let mut world = World::healthy();
    world.failed_discovery("dial tcp 10.0.0.7:443: i/o timeout");
    world.crds = serde_json::Value::Null;
    let run = doctor(&world, &["-o", "openmetrics"]);
    assert_eq!(run.code, 1, "{}", run.err);
    check(&run.out);
    insta::assert_snapshot!(run.out);
}

#[test]
fn metrics_of_real_clusters_keep_to_the_format() {
    for name in ["v1.36-mixed", "v1.25-mixed"] {
        let ask = |format: &str| run_on(&dump(name), &["doctor", "-o", format]);
        let metrics = ask("openmetrics");
        check(&metrics.out);
        let json = ask("json").json();
        for verdict in ["healthy", "warning", "broken"] {
            let sample = format!("verdict=\"{verdict}\"}} 1");
            let count = metrics.out.lines().filter(|line| line.ends_with(&sample)).count();
            assert_eq!(json["summary"][verdict], count, "{name}");
        }
    }
}

#[test]
fn what_metrics_cannot_express_is_refused() {
    insta::assert_snapshot!(session(run, [
        "doctor -o openmetrics --security",
        "doctor -o openmetrics --all-contexts",
        "doctor -o openmetrics --watch",
    ]), @"
    $ aggctl doctor -o openmetrics --security
    2> error: this output has no format openmetrics
    2> hint: use -o with one of table, wide, json, yaml, jsonl, name, csv, markdown
    [exit 2]

    $ aggctl doctor -o openmetrics --all-contexts
    2> error: -o openmetrics supports one cluster at a time
    2> hint: select one with --context
    [exit 2]

    $ aggctl doctor -o openmetrics --watch
    2> error: --watch prints changes line by line; it needs -o table or -o wide
    [exit 2]
    ");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("aggctl.prom");
    std::fs::write(&file, "before").unwrap();
    let path = file.to_str().unwrap();
    let question = ["doctor", "-o", "openmetrics", "--output-file", path];
    let none = run_on("/nonexistent".as_ref(), &question);
    assert_eq!(none.code, 3, "{}", none.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    let good = run_on_mixed(&question);
    assert_eq!((good.code, good.out.as_str()), (1, ""), "{}", good.err);
    check(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
