//! Every command writes its answer in every format that it offers.

use crate::{dump, repository, run};

/// A command for each kind of answer.
fn commands() -> Vec<Vec<String>> {
    let mixed = dump("v1.36-mixed");
    let mixed = mixed.to_str().unwrap();
    let shop = repository("testdata/access/shop");
    let openapi = repository("testdata/openapi/dump");
    let stuck = repository("testdata/health/stuck");
    let routes = repository("testdata/examples/routes.yaml");
    let deploy = repository("testdata/examples/deploy");
    let audit = repository("testdata/usage/audit.log.zst");
    let [shop, openapi, stuck, routes, deploy, audit] =
        [&shop, &openapi, &stuck, &routes, &deploy, &audit].map(|path| path.to_str().unwrap());
    let lines = [
        format!("route /apis/apps/v1/deployments --dump {mixed}"),
        format!("route /api /apis --dump {mixed}"),
        format!("route /api /apis --dump {mixed} --without v1.apps"),
        format!("routes --dump {mixed}"),
        format!("discovery --dump {mixed}"),
        format!("order --dump {mixed}"),
        format!("openapi --dump {openapi}"),
        "sort-versions v1 v2".to_owned(),
        format!("apiservices --dump {mixed}"),
        format!("chain --dump {mixed}"),
        format!("conflicts events --dump {mixed}"),
        format!("access /api/v1/secrets v1.stock.shop.io --dump {shop}"),
        format!("flags --dump {shop}"),
        format!("doctor --dump {mixed}"),
        format!("health --dump {stuck}"),
        "health --explain etcd".to_owned(),
        format!("diff builtin:1.33 {mixed}"),
        format!("upgrade --to 1.37 --dump {mixed}"),
        format!("usage {audit} --dump {mixed}"),
        format!("usage {audit} --to 1.37 --dump {mixed}"),
        format!("test {routes} --builtin"),
        "rules".to_owned(),
        "explain MissingEndpoints".to_owned(),
        "explain missing-ca-bundle".to_owned(),
        "version --client".to_owned(),
        "versions policy".to_owned(),
        format!("lint {deploy}"),
    ];
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

/// The formats that a command names when it refuses one.
fn offered(command: &[&str]) -> Vec<String> {
    let refused = run(&[command, &["-o", "nonsense"]].concat());
    assert_eq!(refused.code, 2, "{command:?}");
    let (_, rest) = refused.err.split_once("[possible values: ").unwrap();
    let (names, _) = rest.split_once(']').unwrap();
    names.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_offered_format_is_written() {
    for command in commands() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let formats = offered(&command);
        for common in ["table", "json", "yaml", "jsonl"] {
            assert!(formats.iter().any(|format| format == common), "{command:?}: {common}");
        }
        for format in formats {
            let outcome = run(&[&command[..], &["-o", &format]].concat());
            let at = format!("{command:?} -o {format}: {}", outcome.err);
            assert!(matches!(outcome.code, 0 | 1), "{at}");
            // There may be no rows, and nothing to annotate.
            let may_be_empty = matches!(&*format, "jsonl" | "name" | "github");
            assert!(!outcome.out.is_empty() || may_be_empty, "{at}");
        }
    }
}

/// Where a command has several kinds of answers, the answer refuses the format.
#[test]
fn a_refused_format_names_those_that_work() {
    let refused = run(&["route", "-", "-o", "yaml", "--builtin"]);
    assert_eq!(
        (refused.code, refused.err.as_str()),
        (
            2,
            "error: this cannot be written as yaml\nhint: -o takes table, wide, jsonl, name here\n"
        )
    );
}

#[test]
fn an_answer_goes_to_a_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("versions.csv");
    let path = file.to_str().unwrap();
    let written = run(&["sort-versions", "v1", "v2", "-o", "csv", "--output-file", path]);
    assert_eq!((written.code, written.out.as_str(), written.err.as_str()), (0, "", ""));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "number,version,why\n1,v2,\"stable, major 2\"\n2,v1,\"stable, major 1\"\n");
    let failed = run(&["order", "--dump", "nowhere", "--output-file", path]);
    assert_eq!(failed.code, 3);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "left as it was");
}

/// A file that only its owner may read stays so.
#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let file = tempfile::NamedTempFile::new().unwrap();
    let mode = || file.path().metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    let path = file.path().to_str().unwrap();
    let written = run(&["sort-versions", "v1", "--output-file", path]);
    assert_eq!((written.code, mode()), (0, 0o600), "{}", written.err);
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "v1\n");
}
