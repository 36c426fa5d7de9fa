//! Tests the output of every command: text, tables, the JSON contract, exit codes, hints, colors.

use serde_json::Value;

use crate::{Place, aggctl, dump, finish, json, run, run_on, run_on_mixed, session};

#[test]
fn pictures_of_routes() {
    let mut text = String::new();
    for request in [
        &["/apis/apps/v1/deployments"][..],
        &["/apis/metrics.k8s.io/v1/nodes"],
        &["POST", "/apis/edge.net/v1/namespaces/a/routers"],
        &["/apis/foo/v1/bars"],
        &["/apis/apps/v7/x"],
        &["/apis/stable.example.com/v1/namespaces/x/crontabs/y"],
        &["DELETE", "/version"],
        &["/debug/pprof"],
        &["/api/v1/watch"],
    ] {
        let run = run_on_mixed(&[&["route"], request].concat());
        assert_eq!(run.code, 0);
        // Commands to copy are never wrapped.
        let too_long = |line: &&str| line.chars().count() > 80 && !line.starts_with("next: ");
        assert_eq!(run.out.lines().find(too_long), None);
        text += &run.out;
        text += "----\n";
    }
    insta::assert_snapshot!(text);
}

#[test]
fn narrow_terminals() {
    let mut text = String::new();
    for arguments in [
        &["route", "/apis/apps/v9/x"][..],
        &["route", "/apis/stable.example.com/v1/namespaces/x/crontabs/y"],
        &["chain"],
        &["diff", "--without", "v1.edge.net"],
    ] {
        let all = [arguments, &["--dump", "testdata/recordings/v1.36-mixed/dump"]].concat();
        let run = finish(aggctl(&all).env("COLUMNS", "40"));
        text += &run.out;
        text += "----\n";
    }
    insta::assert_snapshot!(text);
}

#[test]
fn tables() {
    insta::assert_snapshot!("apiservices", run_on_mixed(&["apiservices"]).out);
    let now = "2026-11-20T12:00:00Z";
    let wide = finish(
        aggctl(&["apiservices", "v1.apps", "--now", now, "--dump"])
            .arg(dump("v1.36-mixed"))
            .env("COLUMNS", "120"),
    );
    insta::assert_snapshot!(wide, @"
    NAME      SERVED BY        AVAILABLE   AGE   ISSUES
    v1.apps   kube-apiserver   True        4d    -
    ");
    insta::assert_snapshot!("order", run_on_mixed(&["order", "-o", "wide"]).out);
    insta::assert_snapshot!("chain", run_on_mixed(&["chain"]).out);
    insta::assert_snapshot!("mermaid", run_on_mixed(&["chain", "-o", "mermaid"]).out);
    insta::assert_snapshot!("discovery", run_on_mixed(&["discovery", "--merged"]).out);
    insta::assert_snapshot!(
        "resources",
        run(&["discovery", "/apis/apps/v1", "--builtin", "-o", "wide"]).out
    );
}

/// Rows are one line each, and fit the terminal. Commands to copy are never wrapped.
#[test]
fn tables_fit_the_terminal() {
    let mut text = String::new();
    for width in ["80", "120"] {
        for line in [
            "apiservices --issues --now 2026-11-20T12:00:00Z",
            "apiservices v1.edge.net --now 2026-11-20T12:00:00Z",
            "order apps edge.net",
            "discovery edge.net",
            "route /api/v1/pods /apis/metrics.k8s.io/v1/nodes /nope",
            "doctor v1.edge.net --now 2026-11-20T12:00:00Z",
            "route --all edge.net",
            "conflicts things",
        ] {
            let arguments: Vec<&str> = line.split(' ').collect();
            let all =
                [&arguments[..], &["--dump", "testdata/recordings/v1.36-mixed/dump"]].concat();
            let run = finish(aggctl(&all).env("COLUMNS", width));
            let limit: usize = width.parse().unwrap();
            let is_command = |line: &&str| line.contains("--dump ");
            let too_long = |line: &&str| line.chars().count() > limit && !is_command(line);
            assert_eq!(run.out.lines().find(too_long), None, "{line} at {width}");
            text += &format!("$ aggctl {line}    # {width} columns\n{}\n", run.out);
        }
    }
    insta::assert_snapshot!(text);
}

/// A locale without these characters gets ASCII, in the same columns.
#[test]
fn marks_are_ascii_in_other_locales() {
    let path = "/apis/stable.example.com/v1/crontabs";
    let dump = "testdata/recordings/v1.36-mixed/dump";
    let run = finish(aggctl(&["route", path, "--dump", dump]).env("LC_ALL", "C"));
    insta::assert_snapshot!(run.out, @"
    GET /apis/stable.example.com/v1/crontabs
    list crontabs (stable.example.com/v1)

      | kube-aggregator           APIService v1.stable.example.com is local
      | kube-apiserver            no match
     ok apiextensions-apiserver   CRD crontabs.stable.example.com

    200 from apiextensions-apiserver.
    ");
}

#[test]
fn empty_results_say_so() {
    insta::assert_snapshot!(session(run, [
        "apiservices --issues --builtin",
        "conflicts --builtin",
        "diff builtin:1.36 builtin:1.36",
        "route --all nothing.example.com --builtin",
        "api-versions Ingress",
        "api-versions Ingres",
        "explain v1beta1.metrics.k8s.io",
        "lint --rules missing-ca-bundle",
        "lint --rules missing-ca",
    ]), @r#"
    $ aggctl apiservices --issues --builtin
    All APIServices are available and have no issues.

    $ aggctl conflicts --builtin
    No conflicting group versions or names.

    $ aggctl diff builtin:1.36 builtin:1.36
    from built-in Kubernetes 1.36
    to   built-in Kubernetes 1.36

    No differences.

    $ aggctl route --all nothing.example.com --builtin
    2> error: no row of the routing table matches nothing.example.com
    2> hint: name a group, a resource, a server, an APIService, or the start of a path
    [exit 2]

    $ aggctl api-versions Ingress
    KUBERNETES 1.                       25 28 29 30 31 32 33 34 35 36 37 SERVED
    extensions/v1beta1/ingresses         ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 1.1-1.21
    networking.k8s.io/v1/ingresses       ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  ● 1.19+
    networking.k8s.io/v1beta1/ingresses  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 1.14-1.21

    ingresses of extensions/v1beta1: last served by Kubernetes 1.21; use
      networking.k8s.io/v1 (since 1.19)
    ingresses of networking.k8s.io/v1beta1: last served by Kubernetes 1.21; use
      networking.k8s.io/v1 (since 1.19)

    $ aggctl api-versions Ingres
    2> error: unknown API group or resource "Ingres"
    2> hint: did you mean ingresses?
    [exit 2]

    $ aggctl explain v1beta1.metrics.k8s.io
    2> error: cannot look up APIService "v1beta1.metrics.k8s.io" without a source
    2> hint: name a cluster with --context, or a dump with --dump
    [exit 2]

    $ aggctl lint --rules missing-ca-bundle
    missing-ca-bundle (warning): Nothing defines how to verify the Service's
        certificate
        details: aggctl explain missing-ca-bundle

    $ aggctl lint --rules missing-ca
    2> error: unknown lint rule "missing-ca"
    2> hint: did you mean missing-ca-bundle?
    [exit 2]
    "#);
}

#[test]
fn explanations_of_order() {
    insta::assert_snapshot!(session(run_on_mixed, [
        "order --explain crew.acme.io demo.kcp.test",
        "order --explain apps/v1 apps/v9",
        "order --explain crew.acme.io broken.example.net --form aggregated",
    ]), @"
    $ aggctl order --explain crew.acme.io demo.kcp.test
    crew.acme.io (#22) comes before demo.kcp.test (#33): both have
    groupPriorityMinimum 1000; the name of the APIService breaks the tie, and
    foo1.crew.acme.io sorts before v2.demo.kcp.test.

    $ aggctl order --explain apps/v1 apps/v9
    apps/v9 comes before apps/v1: its versionPriority is 99, and that of v1 is 15.

    $ aggctl order --explain crew.acme.io broken.example.net --form aggregated
    broken.example.net (#22) comes before crew.acme.io (#23): both have
    groupPriorityMinimum 1000; the name of the group breaks the tie.
    ");
}

#[test]
fn the_json_of_a_route() {
    let path = "/apis/edge.net/v1/namespaces/a/routers/b/status";
    let value = run_on_mixed(&["route", "-o", "json", path]).json();
    let expected = serde_json::json!({
        "method": "GET", "path": path, "resource": true, "verb": "get",
        "group": "edge.net", "version": "v1", "namespace": "a", "name": "b", "resourceName": "routers", "subresource": "status"
    });
    assert_eq!(value["request"], expected);
    assert_eq!(value["apiVersion"], "aggctl/v1");
    assert_eq!(value["kind"], "Route");
    assert_eq!(value["source"]["kind"], "dump");
    assert_eq!(value["outcome"], "proxied");
    assert_eq!(value["service"], "ext/wardle");
    assert_eq!(value["handler"]["server"], "extension");
    assert_eq!(value["handler"]["name"], "ext/wardle");
    assert_eq!(value["handler"]["url"], format!("https://wardle.ext.svc:17453{path}"));
    assert_eq!(value["hops"][0]["server"], "kube-aggregator");
    assert_eq!(value["hops"][0]["match"], "prefix");
    assert_eq!(value["hops"][0]["pattern"], "/apis/edge.net/v1/");
    assert_eq!(value["hops"][0]["apiService"], "v1.edge.net");
    assert_eq!(value["hops"][0]["decision"], "proxy");
    assert_eq!(value["warnings"][0]["code"], "shadows-crd");
    assert_eq!(value["assumptions"], serde_json::json!([]));
}

#[test]
fn several_routes_and_their_forms() {
    let ask = |form: &str| run(&["route", "/api", "DELETE", "/version", "--builtin", "-o", form]);
    let list = ask("json").json();
    assert_eq!(list["kind"], "RouteList");
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    let lines = ask("jsonl").out;
    let outcomes: Vec<Value> = lines.lines().map(|line| json(line)["outcome"].clone()).collect();
    assert_eq!(outcomes, ["served", "method-not-allowed"]);
    assert_eq!(ask("name").out, "kube-apiserver\nkube-aggregator\n");
    let yaml = ask("yaml").out;
    assert_eq!(yaml.matches("outcome: ").count(), 2);
    assert_eq!(yaml.matches("kind: RouteList\n").count(), 1);
}

/// Every command with JSON output, and the kinds of its document and of its lines.
pub(crate) const ANSWERS: [(&[&str], &str, &str); 14] = [
    (&["route", "/api"], "Route", "Route"),
    (&["route", "/api", "/apis"], "RouteList", "Route"),
    (&["apiservices"], "APIServiceList", "APIService"),
    (&["order"], "Order", "OrderedGroup"),
    (&["order", "--form", "aggregated"], "Order", "OrderedGroup"),
    (&["chain"], "Chain", "Server"),
    (&["conflicts", "--all", "things"], "ConflictList", "NameConflict"),
    (&["discovery", "--merged"], "APIGroupDiscoveryList", "APIGroupDiscovery"),
    (&["discovery", "--form", "legacy"], "APIGroupList", "APIGroup"),
    (&["discovery", "/apis/apps/v1"], "APIResourceList", "APIResourceList"),
    (&["doctor", "--fail-on", "never"], "DiagnosisList", "Diagnosis"),
    (
        &["explain", "edge.net/v1: the server is currently unable to handle the request"],
        "Explanation",
        "Match",
    ),
    (&["lint", "--fail-on", "never", "testdata/examples/deploy"], "LintReport", "Finding"),
    (&["test", "testdata/examples/routes.yaml"], "RouteTest", "RouteTestResult"),
];

#[test]
fn every_document_names_its_source_and_assumptions() {
    let check = |value: &Value, kind: &str, arguments: &[&str]| {
        assert_eq!(value["kind"], kind, "{arguments:?}");
        assert!(value["apiVersion"].is_string(), "{arguments:?}");
        assert_eq!(value["source"]["kind"], "dump", "{arguments:?}");
        assert!(value["assumptions"].is_array(), "{arguments:?}");
    };
    let dump = dump("v1.36-mixed");
    for (arguments, document, line) in ANSWERS {
        let ask = |format: &str| {
            let all = [arguments, &["-o", format, "--dump", dump.to_str().unwrap()]].concat();
            let run = finish(&mut aggctl(&all));
            assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
            run.out
        };
        let whole = json(&ask("json"));
        check(&whole, document, arguments);
        let lines = ask("jsonl");
        assert!(!lines.is_empty());
        lines.lines().for_each(|one| check(&json(one), line, arguments));
        let yaml = ask("yaml");
        let read = located_document::parse(yaml.as_bytes());
        let [Ok(read)] = read.as_slice() else { panic!("{arguments:?}\n{yaml}") };
        assert_eq!(read.to_json_value(), whole, "{arguments:?}");
        assert_eq!(ask("text"), ask("table"), "{arguments:?}");
    }
}

#[test]
fn documents_without_a_source_name_none() {
    for (arguments, document, line) in [
        (&["rules"][..], "RuleList", "Rule"),
        (&["sort-versions", "v1", "v2"], "VersionOrder", "Version"),
        (&["explain", "stale"], "Explanation", "Match"),
        (&["explain", "invalid-port"], "Rule", "Rule"),
    ] {
        let ask = |format: &str| run(&[arguments, &["-o", format]].concat()).out;
        let whole = json(&ask("json"));
        assert_eq!(whole["kind"], document, "{arguments:?}");
        assert_eq!(whole.get("source"), None, "{arguments:?}");
        for one in ask("jsonl").lines().map(json) {
            assert_eq!((&one["kind"], &one["apiVersion"]), (&line.into(), &"aggctl/v1".into()));
        }
    }
}

#[test]
fn missing_data_is_reported_as_text_and_as_json() {
    let place = Place::with(&[]);
    std::fs::copy(dump("v1.36-mixed").join("apiservices.json"), place.path("a.json")).unwrap();
    for arguments in [
        &["apiservices"][..],
        &["chain"],
        &["conflicts"],
        &["order", "--form", "aggregated"],
        &["discovery", "--merged"],
    ] {
        let run = place.ask(&[arguments, &["-o", "json"]].concat());
        let value = run.json();
        let assumptions = value["assumptions"].as_array().unwrap();
        assert!(!assumptions.is_empty(), "{arguments:?}");
        // Warnings are shortened for people. Assumptions in JSON are not.
        for assumption in assumptions.iter().map(|a| a.as_str().unwrap()) {
            assert!(!assumption.contains(" more"), "{assumption}");
            let start = assumption.split_once([':', ';']).unwrap().0.get(..20).unwrap_or_default();
            assert!(run.err.contains(start), "{assumption}\n{}", run.err);
        }
        assert!(run.err.lines().all(|line| line.len() < 400), "{}", run.err);
    }
    let warnings = |arguments: &[&str]| place.ask(arguments).err;
    insta::assert_snapshot!(warnings(&["conflicts"]), @"
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source, but it is 1.34 to 1.36; assuming 1.36
    warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    warning: the APIResourceList of apps/v9, wardle.example.com/v1alpha1, wardle.example.com/v2, wardle.example.com/v1beta1, crew.acme.io/v10, crew.acme.io/v2, crew.acme.io/v1, crew.acme.io/v11beta2 and 17 more is not in the source; its names were not checked
    ");
    insta::assert_snapshot!(warnings(&["-v", "conflicts"]), @"
    note: source: dump .
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source, but it is 1.34 to 1.36; assuming 1.36
    warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    warning: the APIResourceList of apps/v9, wardle.example.com/v1alpha1, wardle.example.com/v2, wardle.example.com/v1beta1, crew.acme.io/v10, crew.acme.io/v2, crew.acme.io/v1, crew.acme.io/v11beta2, crew.acme.io/v10beta3, crew.acme.io/v3beta1, crew.acme.io/v12alpha1, crew.acme.io/v11alpha2, crew.acme.io/foo1, crew.acme.io/foo10, demo.kcp.test/v2, edge.net/v2, edge.net/v1, json.broken.example.net/v1, shop.acme.io/v1, stable.example.com/v1, stable.example.com/v1beta1, zoo.dev/v1, zoo.dev/v1alpha1, legacy.example.org/v1, legacy.example.org/v1beta1 is not in the source; its names were not checked
    ");
}

#[test]
fn names_can_be_piped_into_other_commands() {
    let names = run_on_mixed(&["apiservices", "--odd", "-o", "name"]).out;
    let names: Vec<&str> = names.lines().collect();
    assert!(names.len() > 5 && names.iter().all(|name| name.starts_with("apiservice/")));
    for command in ["apiservices", "doctor"] {
        let all = [&[command, "-o", "name"], names.as_slice()].concat();
        assert_eq!(run_on_mixed(&all).out.lines().collect::<Vec<_>>(), names);
    }
    let paths = run_on_mixed(&["discovery", "/apis/apps/v1", "-o", "name"]).out;
    let mut route = aggctl(&["route", "-", "--builtin", "--fail-on", "not-found"]);
    assert_eq!(finish(route.write_stdin(paths)).code, 0);
    let rules = run(&["rules", "-o", "name"]).out;
    assert_eq!(run(&["explain", rules.lines().next().unwrap()]).code, 0);
}

/// Commands to copy contain the options of the source.
#[test]
fn commands_to_copy_name_the_source() {
    // The lines with a command, in lists and texts.
    let commands = |run: crate::Run| {
        let command = |line: &&str| line.trim_start_matches(['$', ' ']).starts_with("aggctl ");
        run.out.lines().filter(command).map(|line| format!("{line}\n")).collect::<String>()
    };
    let mixed = |arguments: &[&str]| commands(run_on_mixed(arguments));
    insta::assert_snapshot!(mixed(&["doctor", "v3.broken.example.net"]), @"           aggctl doctor v3.broken.example.net --direct --dump testdata/recordings/v1.36-mixed/dump");
    insta::assert_snapshot!(mixed(&["conflicts"]), @"
    aggctl diff --without v1.edge.net --dump testdata/recordings/v1.36-mixed/dump
    aggctl openapi --dump testdata/recordings/v1.36-mixed/dump
    ");
    let unable = "a.b/v1: the server is currently unable to handle the request";
    insta::assert_snapshot!(mixed(&["explain", unable]), @"");
    insta::assert_snapshot!(mixed(&["explain", "stale", "--without", "v1.edge.net"]), @"");
    insta::assert_snapshot!(commands(run(&["explain", "stale", "--builtin", "1.33"])), @"  aggctl doctor --builtin 1.33");
    let live = run(&["explain", "timeout", "--context", "my prod", "--token", "s3cret"]);
    assert!(!live.out.contains("s3cret"), "{}", live.out);
    insta::assert_snapshot!(commands(live), @r#"  aggctl doctor --context 'my prod' --token "$TOKEN""#);
}

#[test]
fn no_line_ends_in_blanks() {
    for arguments in [
        &["apiservices", "-o", "wide"][..],
        &["order", "-o", "wide"],
        &["discovery", "--merged"],
        &["route", "/api", "/nope"],
        &["chain"],
        &["conflicts"],
        &["doctor", "--all"],
        &["diff", "--without", "v1.apps"],
    ] {
        let text = run_on_mixed(&[arguments, &["--color", "always"]].concat()).out;
        for line in text.lines() {
            let line = line.replace("\u{1b}[0m", "");
            assert_eq!(line, line.trim_end(), "{arguments:?}");
        }
    }
}

#[cfg_attr(not(target_os = "linux"), ignore = "needs /dev/full")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    for (arguments, want) in [
        (&["order", "--builtin"][..], "error: cannot write the answer: no space left on device\n"),
        (&["rules"], "error: cannot write the answer: no space left on device\n"),
        (&["--help"], "error: cannot write the help: no space left on device\n"),
    ] {
        let output = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let program = assert_cmd::cargo::cargo_bin("aggctl");
        let run =
            std::process::Command::new(program).args(arguments).stdout(output).output().unwrap();
        assert_eq!(String::from_utf8(run.stderr).unwrap(), want, "{arguments:?}");
        assert_eq!(run.status.code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn exit_codes_of_checks() {
    assert_eq!(run(&["route", "/nope", "--builtin"]).code, 0);
    assert_eq!(run(&["route", "/nope", "--builtin", "--fail-on", "not-found,unavailable"]).code, 1);
    assert_eq!(run(&["route", "/api", "--builtin", "--fail-on", "not-found"]).code, 0);
    let mut stream = aggctl(&["route", "--builtin", "--fail-on", "not-found", "-"]);
    assert_eq!(finish(stream.write_stdin("/api\n/nope\n")).code, 1);
    assert_eq!(run(&["sort-versions", "--check", "v2", "v1"]).code, 0);
    let unsorted = run(&["sort-versions", "--check", "v1", "v2"]);
    insta::assert_snapshot!(unsorted, @"
    not sorted: v2 (stable, major 2) comes before v1 (stable, major 1)
    [exit 1]
    ");
    assert_eq!(run(&["sort-versions", "--check", "--reverse", "v1", "v2"]).code, 0);
}

#[test]
fn versions_from_arguments_and_standard_input() {
    let sorted = run(&["sort-versions", "v1", "foo", "v10", "v2beta1"]);
    assert_eq!(sorted.out, "v10\nv1\nv2beta1\nfoo\n");
    let piped = finish(aggctl(&["sort-versions", "--reverse"]).write_stdin("v1 v2\n\nv3\n"));
    assert_eq!(piped.out, "v1\nv2\nv3\n");
    let explained = run(&["sort-versions", "--explain", "v1beta", "v1beta1"]);
    insta::assert_snapshot!(explained, @"
    #   VERSION   WHY
    1   v1beta1   beta 1 of major 1
    2   v1beta    not a Kubernetes version: sorted last, by bytes
    ");
}

#[test]
fn the_source_is_named() {
    insta::assert_snapshot!(session(run, [
        "route /api",
        "route /api --builtin 1.30",
        "route /api --builtin 1.27",
        "-v route /api --builtin",
    ]), @"
    $ aggctl route /api
    GET /api

      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    exact match; this server writes the document itself

    200 from kube-apiserver.
    2> note: no cluster found; using built-in Kubernetes 1.37

    $ aggctl route /api --builtin 1.30
    GET /api

      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    exact match; this server writes the document itself

    200 from kube-apiserver.

    $ aggctl route /api --builtin 1.27
    GET /api

      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    exact match; this server writes the document itself

    200 from kube-apiserver.
    assumed: Kubernetes 1.27 is not built in; using 1.25 with the changes in `aggctl
             api-versions`
    2> note: Kubernetes 1.27 is not built in; using 1.25 with the changes in `aggctl api-versions`

    $ aggctl -v route /api --builtin
    GET /api

      │ kube-aggregator   APIService v1. is local
      │                   exact match
      ✓ kube-apiserver    exact match; this server writes the document itself
                          matched web service /api

    200 from kube-apiserver.
    2> note: source: built-in Kubernetes 1.37
    ");
    let answer = run(&["route", "/api", "--builtin", "1.27", "-o", "json"]).json();
    assert_eq!(answer["source"]["name"], "1.27");
    insta::assert_snapshot!(answer["assumptions"], @r#"["Kubernetes 1.27 is not built in; using 1.25 with the changes in `aggctl api-versions`"]"#);
    let dump = dump("v1.33-vanilla");
    let from_environment =
        finish(aggctl(&["route", "-o", "json", "/api"]).env("AGGCTL_DUMP", &dump));
    assert_eq!(from_environment.json()["source"]["name"], dump.to_str().unwrap());
}

#[test]
fn suggestions() {
    insta::assert_snapshot!(session(run_on_mixed, [
        "route /apis/apps/v1/deployment",
        "route /apis/stable.example.com/v1/crontab",
        "route /apis/apps/v7/x",
    ]), @"
    $ aggctl route /apis/apps/v1/deployment
    GET /apis/apps/v1/deployment    list deployment (apps/v1)

      │ kube-aggregator   APIService v1.apps is local
      ✗ kube-apiserver    built-in apps/v1 has nothing at this path

    404 Not Found.
    2> hint: did you mean /apis/apps/v1/deployments?

    $ aggctl route /apis/stable.example.com/v1/crontab
    GET /apis/stable.example.com/v1/crontab    list crontab (stable.example.com/v1)

      │ kube-aggregator           APIService v1.stable.example.com is local
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   CRDs serve this group, but not this resource

    404 Not Found.
    2> hint: did you mean /apis/stable.example.com/v1/crontabs?

    $ aggctl route /apis/apps/v7/x
    GET /apis/apps/v7/x    list x (apps/v7)

      │ kube-aggregator   APIService v7.apps is local
      ✗ kube-apiserver    claims all paths below this one, but has nothing here

    404 Not Found.
    warning[ghost]: APIService v7.apps: is available, but neither kube-apiserver nor
                    a CRD serves it: requests get 404
    warning[joins-built-in-group]: APIService v7.apps: adds apps/v7 to a built-in
                                   group
    warning[built-in-group]: the group apps: kube-apiserver handles every version of
                             the built-in group apps, so no CRD can serve it
    ");
    let run = run_on_mixed(&["route", "/apis/stable.example.com/v1/crontab", "-o", "json"]);
    assert_eq!(run.json()["suggestion"], "/apis/stable.example.com/v1/crontabs");
}

#[test]
fn colors_are_for_terminals_or_on_request() {
    let is_colored = |text: &str| text.contains("\u{1b}[");
    let plain = run_on_mixed(&["apiservices"]).out;
    assert!(!is_colored(&plain));
    let forced = run_on_mixed(&["apiservices", "--color", "always"]).out;
    assert!(is_colored(&forced));
    let mut command = aggctl(&["route", "/api", "--builtin"]);
    assert!(is_colored(&finish(command.env("CLICOLOR_FORCE", "1")).out));
    assert!(!is_colored(&finish(command.env("NO_COLOR", "1")).out));
    // Color changes neither text nor columns.
    let mut stripped = forced.clone();
    while let Some(start) = stripped.find('\u{1b}') {
        let end = start + stripped[start..].find('m').unwrap();
        stripped.replace_range(start..=end, "");
    }
    let lines = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&stripped), lines(&plain));
}

#[test]
fn discovery_documents_have_the_servers_form() {
    let legacy = run_on_mixed(&["discovery", "--merged", "--form", "legacy", "-o", "json"]).json();
    let kind = (&legacy["kind"], &legacy["apiVersion"]);
    assert_eq!(kind, (&"APIGroupList".into(), &"v1".into()));
    let core = run(&["discovery", "/api", "--builtin", "-o", "json"]).json();
    assert_eq!(core["kind"], "APIGroupDiscoveryList");
    assert_eq!(core["items"][0]["versions"][0]["version"], "v1");
    let group = run_on_mixed(&["discovery", "/apis/edge.net", "-o", "json"]).json();
    assert_eq!(group["kind"], "APIGroup");
    assert_eq!(group["preferredVersion"]["version"], "v2");
    let list = run_on_mixed(&["discovery", "/apis/zoo.dev/v1alpha1", "-o", "json"]).json();
    assert_eq!(list["kind"], "APIResourceList");
}

/// kubectl does not see a stale group version and so never picks it. Names with the same result
/// share a paragraph.
#[test]
fn conflicts_pick_nothing_that_is_stale() {
    insta::assert_snapshot!("conflicts", run_on_mixed(&["conflicts"]));
}

/// Every command reports an APIService in one of the API server's own groups.
#[test]
fn all_commands_agree_about_groups_of_the_api_server() {
    let on_odd = |arguments: &[&str]| run_on(&dump("v1.20-odd"), arguments).out;
    for (group, code, in_conflicts) in [
        ("apiregistration.k8s.io", "aggregator-own-group", true),
        ("apiextensions.k8s.io", "joins-built-in-group", false),
    ] {
        let name = format!("v9.{group}");
        let listed = on_odd(&["apiservices", "-o", "jsonl"]);
        let row = listed.lines().find(|line| json(line)["name"] == name.as_str()).unwrap();
        assert!(row.contains(code), "{row}");
        let path = format!("/apis/{group}/v9/things");
        let route = on_odd(&["route", &path, "-o", "json"]);
        assert!(route.contains(code), "{route}");
        let doctor = on_odd(&["doctor", &name, "-o", "json"]);
        assert!(doctor.contains(code), "{doctor}");
        let conflicts = on_odd(&["conflicts"]);
        assert_eq!(conflicts.contains(&format!("{code}  {group}/v9")), in_conflicts);
    }
}
