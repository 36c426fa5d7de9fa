//! Tests that every command writes its answer in every format that it offers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{Place, dump, json, repository, run};

/// Returns a command line for each kind of answer.
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
        format!("route --all --dump {mixed}"),
        format!("client deploy --dump {mixed}"),
        format!("discovery --dump {mixed}"),
        format!("order --dump {mixed}"),
        format!("openapi --dump {openapi}"),
        "sort-versions v1 v2".to_owned(),
        format!("apiservices --dump {mixed}"),
        format!("chain --dump {mixed}"),
        format!("client get pods --dump {mixed}"),
        format!("conflicts events --dump {mixed}"),
        format!("access /api/v1/secrets v1.stock.shop.io --dump {shop}"),
        format!("doctor --flags --dump {shop}"),
        format!("doctor --dump {mixed}"),
        format!("doctor v1.edge.net --dump {mixed}"),
        format!("doctor --security --dump {shop}"),
        format!("health --dump {stuck}"),
        "health --explain etcd".to_owned(),
        format!("diff builtin:1.33 {mixed}"),
        format!("upgrade --to 1.37 --dump {mixed}"),
        format!("usage {audit} --dump {mixed}"),
        format!("usage {audit} --without v1.coordination.k8s.io --dump {mixed}"),
        format!("test {routes} --builtin"),
        "lint --rules".to_owned(),
        "explain MissingEndpoints".to_owned(),
        "explain missing-ca-bundle".to_owned(),
        "version --client".to_owned(),
        "api-versions policy".to_owned(),
        format!("lint {deploy}"),
    ];
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

/// Returns the formats that each command declares, by its name.
fn declared() -> BTreeMap<String, Vec<String>> {
    let formats = |command: &clap::Command| {
        let takes = |arg: &&clap::Arg| arg.get_short() == Some('o');
        let arg = command.get_arguments().find(takes)?;
        let values = arg.get_possible_values();
        let names = values.iter().map(|value| value.get_name().to_owned());
        // Templates need a text: see `templates_are_filled_from_the_json`.
        Some(names.filter(|name| !name.ends_with('=')).collect())
    };
    let cli = crate::command_line();
    let commands = cli.get_subcommands().filter(|one| !one.is_hide_set());
    commands.filter_map(|one| Some((one.get_name().to_owned(), formats(one)?))).collect()
}

#[test]
fn every_declared_format_is_written() {
    let declared = declared();
    let all = declared.iter().flat_map(|(name, formats)| formats.iter().map(move |f| (name, f)));
    // `verify` needs a server; tests/live/verify.rs runs it.
    let mut left: BTreeSet<(&String, &String)> =
        all.filter(|(name, _)| *name != "verify").collect();
    for command in commands() {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let (name, formats) = declared.get_key_value(command[0]).unwrap();
        for common in ["table", "json", "yaml", "jsonl"] {
            assert!(formats.iter().any(|format| format == common), "{command:?}: {common}");
        }
        let ask = |format: &str| run(&[&command[..], &["-o", format]].concat());
        let whole = json(&ask("json").out);
        for format in formats {
            let outcome = ask(format);
            // A command with several kinds of answers declares the formats of all of them.
            if outcome.code == 2 && outcome.err.starts_with("error: this output has no format") {
                continue;
            }
            left.remove(&(name, format));
            let at = format!("{command:?} -o {format}: {}\n{}", outcome.err, outcome.out);
            assert!(matches!(outcome.code, 0 | 1), "{at}");
            assert!(is_well_formed(format, &outcome.out, &whole), "{at}");
        }
    }
    assert_eq!(left, BTreeSet::new(), "formats that no command line writes");
}

#[test]
fn templates_are_filled_from_the_json() {
    let mixed = dump("v1.36-mixed");
    let ask = |format: &str| {
        let mixed = mixed.to_str().unwrap();
        run(&["apiservices", "edge.net", "--dump", mixed, "-o", format])
    };
    assert_eq!(ask("jsonpath={.items[*].name}").out, "v1.edge.net v2.edge.net");
    assert_eq!(
        ask("jsonpath={range .items[*]}{.name}{\"\\t\"}{.service}{\"\\n\"}{end}").out,
        "v1.edge.net\text/wardle\nv2.edge.net\text/wardle\n"
    );
    assert_eq!(ask("jsonpath-as-json={.kind}").out, "[\n    \"APIServiceList\"\n]\n");
    insta::assert_snapshot!(ask("custom-columns=NAME:.name,PORT:.port,GONE:.x").out, @"
    NAME          PORT    GONE
    v1.edge.net   17453   <none>
    v2.edge.net   17453   <none>
    ");
    // Mistakes are usage errors, and name the template.
    for (format, error) in [
        ("jsonpath={.items", "error parsing jsonpath {.items, unclosed action"),
        ("jsonpath=", "template format specified but no template given"),
        ("jsonpath={.items[9].name}", "array index out of bounds: index 9, length 2"),
        ("custom-columns=NAME", "expected <header>:<json-path-expr>"),
        ("jsonpath-file=/missing", "/missing"),
    ] {
        let outcome = ask(format);
        assert_eq!(outcome.code, 2, "{}", outcome.err);
        assert!(outcome.err.contains(error), "{}", outcome.err);
    }
    assert!(ask("jsonpath=.kind").err.contains("hint: the template has no braces"));
}

/// The table in docs/output.md lists the commands of each format.
#[test]
fn the_documented_formats_are_the_declared_ones() {
    let declared = declared();
    let text = std::fs::read_to_string(repository("docs/output.md")).unwrap();
    let (_, table) = text.split_once("| `-o` |").unwrap();
    let words = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let named = words(cells[3]);
        let commands = declared.keys().filter(|command| {
            if cells[3].contains("every") {
                !named.contains(*command)
            } else {
                named.contains(*command)
            }
        });
        let commands: BTreeSet<String> = commands.cloned().collect();
        documented.extend(words(cells[1]).into_iter().map(|format| (format, commands.clone())));
    }
    let mut offered: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (command, formats) in declared {
        for format in formats {
            offered.entry(format).or_default().insert(command.clone());
        }
    }
    assert_eq!(documented, offered);
}

/// Returns whether a text is valid in its format. `whole` is the same answer as JSON.
fn is_well_formed(format: &str, text: &str, whole: &Value) -> bool {
    let ends = text.is_empty() || text.ends_with('\n');
    ends && match format {
        "table" | "wide" => !text.trim().is_empty(),
        "json" => json(text) == *whole,
        "yaml" | "kyaml" => {
            let documents = located_document::parse(text.as_bytes());
            matches!(documents.as_slice(), [Ok(one)] if one.to_json_value() == *whole)
        }
        // There may be no parts, no names and nothing to annotate.
        "jsonl" => text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
        "name" => text.lines().all(|line| !line.is_empty()),
        "svg" => text.starts_with("<svg ") && text.ends_with("</svg>\n"),
        "github" => text.lines().all(|line| line.starts_with("::")),
        "csv" => {
            let rows = rows_of(text);
            rows.len() > 1 && rows.iter().all(|fields| *fields == rows[0])
        }
        "sql" => text.trim_end().ends_with(';'),
        "markdown" => {
            let cells = |line: &str| line.replace("\\|", "").matches('|').count();
            let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
            text.starts_with('#')
                || table.len() > 2 && table.windows(2).all(|two| cells(two[0]) == cells(two[1]))
        }
        "mermaid" => text.starts_with("flowchart "),
        "dot" => text.starts_with("digraph ") && text.trim_end().ends_with('}'),
        "sarif" => json(text)["version"] == "2.1.0",
        "junit" => text.starts_with("<?xml ") && text.ends_with("</testsuites>\n"),
        "openmetrics" => text.ends_with("# EOF\n"),
        _ => false,
    }
}

/// Returns the number of fields in each record of comma-separated values.
fn rows_of(csv: &str) -> Vec<usize> {
    let (mut rows, mut fields, mut quoted) = (vec![], 1, false);
    for c in csv.chars() {
        match c {
            // A doubled quote ends and restarts a quoted part, which changes nothing.
            '"' => quoted = !quoted,
            ',' if !quoted => fields += 1,
            '\n' if !quoted => rows.push(std::mem::replace(&mut fields, 1)),
            _ => {}
        }
    }
    assert!(!quoted, "{csv}");
    rows
}

/// If a command has several kinds of answers, one that does not support the format rejects it.
#[test]
fn a_refused_format_names_those_that_work() {
    let refused = run(&["route", "-", "-o", "yaml", "--builtin"]);
    assert_eq!(
        (refused.code, refused.err.as_str()),
        (
            2,
            "error: this output has no format yaml\nhint: use -o with one of table, wide, jsonl, name\n"
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

/// A file that only its owner may read keeps its permissions.
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

/// Commands with their own argument for the file accept `--output-file` as well.
#[test]
fn every_command_takes_an_output_file() {
    let cli = crate::command_line();
    for command in cli.get_subcommands() {
        // `dump` writes a directory; `serve` and `mcp` write a response per request.
        if !matches!(command.get_name(), "dump" | "serve" | "mcp" | "help") {
            let takes = command.get_arguments().any(|arg| arg.get_long() == Some("output-file"));
            assert!(takes, "{}", command.get_name());
        }
    }
    let place = Place::with(&[("api.yaml", "kind: APIService")]);
    for (arguments, file, begins) in [
        (&["report", "--builtin"][..], "page.html", "<!doctype html>"),
        (&["test", "--record", "/api", "--builtin"], "routes.yaml", "requests:\n"),
        (&["lint", "api.yaml", "-o", "sarif"], "lint.sarif", "{"),
        (&["schema", "Route"], "route.json", "{"),
        (&["completions", "bash"], "aggctl.bash", "#"),
        (&["man"], "aggctl.1", ".ie"),
    ] {
        let written = place.run(&[arguments, &["--output-file", file]].concat());
        assert!(matches!(written.code, 0 | 1), "{arguments:?}: {written}");
        assert_eq!(written.out, "", "{arguments:?}");
        assert!(place.read(file).starts_with(begins), "{arguments:?}: {}", place.read(file));
    }
    insta::assert_snapshot!(place.run(&["test", "--record", "--output-file", "routes.yaml"]), @"
    2> error: routes.yaml already exists
    2> hint: replace it with --force, or write to standard output with -
    [exit 2]
    ");
}
