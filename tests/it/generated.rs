//! Tests generated texts: completions, manual pages, help, and aggctl as a kubectl plugin.

use assert_cmd::Command;

use crate::{aggctl, assert_generated, finish, repository, run, session};

#[test]
fn completions_are_current() {
    for (shell, file) in [
        ("bash", "aggctl.bash"),
        ("zsh", "_aggctl"),
        ("fish", "aggctl.fish"),
        ("powershell", "_aggctl.ps1"),
        ("elvish", "aggctl.elv"),
    ] {
        assert_generated(&format!("completions/{file}"), &run(&["completions", shell]).out);
    }
}

/// Returns the completions that a shell offers at the end of a command line.
fn offered(words: &[&str]) -> Vec<String> {
    let mut command = aggctl(&["--", "aggctl"]);
    command.args(words).env("COMPLETE", "fish");
    finish(&mut command).out.lines().map(|l| l.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn completions_know_the_source() {
    let dump = crate::dump("v1.36-mixed");
    let dump = dump.to_str().unwrap();
    let names = offered(&["doctor", "--dump", dump, "v1.met"]);
    assert_eq!(names, ["v1.metrics.k8s.io"]);
    assert_eq!(offered(&["apiservices", "--dump", dump, "metrics.k"]), ["metrics.k8s.io"]);
    insta::assert_snapshot!(offered(&["route", "--dump", dump, "/apis/apps/v1/dep"]).join("\n"), @"/apis/apps/v1/deployments");
    insta::assert_snapshot!(offered(&["rou"]).join("\n"), @"route");
    let file = tempfile::NamedTempFile::new().unwrap();
    let config = "contexts: [{name: one, context: {cluster: c}}, {name: two, context: {cluster: c}}]\n\
                  clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n";
    std::fs::write(file.path(), config).unwrap();
    let file = file.path().to_str().unwrap();
    let contexts = offered(&["doctor", "--kubeconfig", file, "--context", ""]);
    assert_eq!(contexts, ["one", "two"]);
    // An unreachable cluster offers nothing and prints nothing.
    assert_eq!(offered(&["doctor", "--kubeconfig", file, "--context", "one", "v1.met"]), [""; 0]);
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(&["man", "--dir", dir.path().to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run}");
    let mut pages: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let mut wanted: Vec<String> =
        commands().iter().map(|command| format!("aggctl-{command}.1")).collect();
    wanted.push("aggctl.1".to_owned());
    wanted.sort();
    assert_eq!(pages, wanted);
    for page in &pages {
        // Lines between .nf and .fi are not filled, and indented by 2.
        let text = std::fs::read_to_string(dir.path().join(page)).unwrap();
        for part in text.split(".nf\n.in 2n\n").skip(1) {
            for line in part.split("\n.in\n.fi").next().unwrap().lines() {
                let marks = ["\\(aq", "\\(ga", "\\(ha", "\\(ti"];
                let shown = marks.iter().fold(line.to_owned(), |line, one| line.replace(one, "'"));
                let shown = shown.replace('\\', "");
                assert!(shown.chars().count() <= 78, "{page}: {line}");
            }
        }
    }
    let route = std::fs::read_to_string(dir.path().join("aggctl-route.1")).unwrap();
    // The rest of the page is the help text.
    let section = |name: &str| {
        let start = route.find(&format!(".SH {name}")).unwrap_or_else(|| panic!("no {name}"));
        let end = route[start + 1..].find(".SH").map_or(route.len(), |end| start + 1 + end);
        route[start..end].to_owned()
    };
    insta::assert_snapshot!(section("NAME"), @r"
    .SH NAME
    aggctl\-route \- Show which server answers a request
    .ie \n(.g .ds Aq \(aq
    .el .ds Aq '
    ");
    insta::assert_snapshot!(section("\"EXAMPLES\""), @r#"
    .SH "EXAMPLES"
    .nf
    .in 2n
    aggctl route /apis/apps/v1/deployments
    aggctl route nodes.metrics.k8s.io
    aggctl route deploy/web \-n shop
    aggctl route create pods \-n shop
    aggctl route POST /api/v1/namespaces/shop/pods \-\-caller jane
    aggctl route /apis/batch/v1/jobs \-\-control\-plane ./servers
    aggctl route \-\-fail\-on not\-found,unavailable \- < requests.txt
    aggctl route \-\-all \-o csv > routes.csv
    .in
    .fi
    "#);
    for page in pages {
        let text = std::fs::read_to_string(dir.path().join(&page)).unwrap();
        assert!(!text.contains("EXTRA"), "{page}");
        // The name of an option or argument is followed by its description.
        let lines: Vec<&str> = text.lines().collect();
        for at in lines.iter().enumerate().filter(|(_, line)| **line == ".TP").map(|(at, _)| at) {
            let [name, description] = lines[at + 1..=at + 2] else { panic!("{page}") };
            let said = !description.is_empty() && !description.starts_with('.');
            assert!(said, "{page}: {name} has no description");
            let other = name.strip_suffix("(1)").map(|other| other.replace("\\-", "-") + ".1");
            assert!(other.is_none_or(|other| dir.path().join(other).exists()), "{page}: {name}");
        }
    }
}

/// Links the binary under the name that kubectl looks for. Returns the folder and the link.
#[cfg(unix)]
fn plugin() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("kubectl-aggctl");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("aggctl"), &plugin).unwrap();
    (folder, plugin)
}

/// kubectl expects one candidate per line, and a directive at the end.
#[cfg(unix)]
#[test]
fn kubectl_completes_its_plugin() {
    let (folder, _) = plugin();
    let complete = |words: &[&str]| {
        let mut command = Command::new(repository("completions/kubectl_complete-aggctl"));
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        finish(command.args(words).env("PATH", path).current_dir(repository("")))
    };
    insta::assert_snapshot!(session(complete, [
        "doctor --dump testdata/recordings/v1.36-mixed/dump v1.met",
        "doctor --dump nowhere",
        "apis",
    ]), @"
    $ aggctl doctor --dump testdata/recordings/v1.36-mixed/dump v1.met
    v1.metrics.k8s.io
    :4

    $ aggctl doctor --dump nowhere
    :0

    $ aggctl apis
    apiservices	List APIServices, their backends and their issues
    :4
    ");
}

/// Returns all commands that the help lists.
fn commands() -> Vec<String> {
    let cli = crate::command_line();
    let visible = cli.get_subcommands().filter(|one| !one.is_hide_set());
    visible.map(|one| one.get_name().to_owned()).filter(|name| name != "help").collect()
}

/// Commands that were renamed answer under their former names, with all options, and no help or
/// completion offers them.
#[test]
fn former_names_still_work() {
    for (former, current) in [
        ("routes --builtin 1.33", "route --all --builtin 1.33"),
        (
            "routes --builtin 1.33 -o sql --without v1.apps",
            "route --all --builtin 1.33 -o sql --without v1.apps",
        ),
        ("rules", "lint --rules"),
        ("rules -o json", "lint --rules -o json"),
        ("rules -o markdown", "lint --rules -o markdown"),
        (
            "flags --dump testdata/recordings/v1.36-mixed/dump",
            "doctor --flags --dump testdata/recordings/v1.36-mixed/dump",
        ),
        ("flags --builtin -o yaml", "doctor --flags --builtin -o yaml"),
        ("versions policy -o csv", "api-versions policy -o csv"),
    ] {
        let words = |line: &'static str| run(&line.split(' ').collect::<Vec<_>>());
        let (former, current) = (words(former), words(current));
        assert_eq!((former.out, former.err, former.code), (current.out, current.err, current.code));
    }
    for name in ["routes", "rules", "flags", "versions"] {
        assert!(!commands().iter().any(|command| command == name), "{name}");
        assert!(!offered(&[""]).iter().any(|offer| offer == name), "{name}");
        assert_eq!(run(&[name, "--help"]).code, 0, "{name}");
    }
}

/// A format that only one of a command's two answers has is refused for the other.
#[test]
fn formats_belong_to_the_answer() {
    insta::assert_snapshot!(session(run, [
        "route /api/v1/pods -o sql --builtin",
        "doctor --flags -o openmetrics --builtin",
        "lint --rules -o sarif",
        "lint testdata/clean.yaml -o csv",
    ]), @"
    $ aggctl route /api/v1/pods -o sql --builtin
    2> error: this output has no format sql
    2> hint: use -o with one of table, wide, json, yaml, kyaml, jsonl, name, csv, markdown
    [exit 2]

    $ aggctl doctor --flags -o openmetrics --builtin
    2> error: this output has no format openmetrics
    2> hint: use -o with one of table, json, yaml, kyaml, jsonl, name, csv, markdown
    [exit 2]

    $ aggctl lint --rules -o sarif
    2> error: this output has no format sarif
    2> hint: use -o with one of table, wide, json, yaml, kyaml, jsonl, name, csv, markdown
    [exit 2]

    $ aggctl lint testdata/clean.yaml -o csv
    file,line,column,severity,rule,object,message
    ");
}

/// The first screen fits a small terminal and lists at most twenty commands.
#[test]
fn the_top_level_help_is_grouped() {
    insta::assert_snapshot!(run(&["-h"]).out, @"
    Show which server answers a Kubernetes API request, and why

    Usage: aggctl [OPTIONS] <COMMAND>

    Understand:
      route          Show which server answers a request
      chain          Show the server chain and what each server serves
      apiservices    List APIServices, their backends and their issues
      discovery      Show discovery documents, as served or merged
      order          Show the priority order of groups and versions
      access         Show who can send a request or control an APIService
      client         Show what kubectl would request, and why

    Diagnose:
      doctor         Diagnose broken APIServices
      explain        Explain an error message, alert, condition or lint rule
      health         Explain /livez, /readyz and /healthz
      conflicts      Find conflicting group versions and names

    Change safely:
      lint           Check APIService manifests
      test           Check that requests are routed as expected
      diff           Compare two sources, or one with manifests applied to it
      upgrade        Show what a Kubernetes upgrade would break
      usage          Show who calls which APIs

    Share:
      serve          Browse a cluster or dump in the browser or with kubectl
      report         Write a self-contained HTML report
      dump           Save a cluster's API data for offline use

    Use --help for all commands.

    Options:
      -v, --verbose  Show data sources and full detail
      -h, --help     Print help (see more with '--help')
      -V, --version  Print version

    Examples:
      aggctl route /apis/apps/v1/deployments    which server answers, and why
      aggctl doctor                             what is broken, and how to fix it
      kubectl top nodes 2>&1 | aggctl explain -
      aggctl lint deploy/                       check manifests before applying them
      aggctl doctor --dump examples/cluster     the same, without a cluster

    Exit codes:
      0 answered   1 findings or a failed check   2 usage   3 unreadable source
    ");
    let long = run(&["--help"]).out;
    for line in long.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for command in commands() {
        assert!(long.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn help_fits_a_terminal() {
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        for (option, most_lines) in [("-h", 50), ("--help", usize::MAX)] {
            let help = run(&[&command, option]);
            assert_eq!((help.code, help.err.as_str()), (0, ""), "{command} {option}");
            for line in help.out.lines() {
                assert!(line.chars().count() <= 80, "{command} {option}: {line}");
            }
            let lines = help.out.lines().count();
            assert!(lines <= most_lines, "{command} {option}: {lines} lines\n{}", help.out);
        }
    }
}

/// As a kubectl plugin, aggctl prints commands the way users type them.
#[cfg(unix)]
#[test]
fn a_plugin_shows_commands_as_they_are_typed() {
    let (_folder, plugin) = plugin();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&plugin);
        finish(command.args(arguments).env("COLUMNS", "80").current_dir(repository("")))
    };
    insta::assert_snapshot!(session(run, [
        "route -h",
        "lint --nope",
        "route /apis/apps/v1 --dump nowhere",
        "discovery ''",
    ]), @"
    $ aggctl route -h
    Show which server answers a request

    Usage: kubectl aggctl route [OPTIONS] [[METHOD] PATH]...

    Arguments:
      [[METHOD] PATH]...  Paths, URLs, or resources as for `kubectl get`

    Options:
          --all                Print the routing table instead
      -n, --namespace <NAME>   Namespace for resource arguments
          --fail-on <OUTCOME>  Exit with 1 if a request has one of these outcomes
                               [possible values: served, proxied, unavailable,
                               not-found, method-not-allowed, redirect, bad-request,
                               unauthorized, forbidden, unknown, peer-unreachable,
                               peer-address-unknown]
      -h, --help               Print help (see more with '--help')

    Output:
      -o, --output <FORMAT>  Output format [default: table] [possible values: table,
                             wide, json, yaml, kyaml, jsonl, name, csv, sql,
                             markdown, jsonpath=, go-template=, custom-columns=]
      -v, --verbose          Show data sources and full detail

    Caller:
          --caller <USER>  Check whether this user is allowed to send the request

    Source:
          --dump <PATH>        Read a dump: directory, file or - (standard input)
          --builtin[=<MINOR>]  Use the built-in data of a Kubernetes version

    What if:
      -f, --filename <FILE>  Assume that these manifests are applied
          --without <NAME>   Assume that this APIService, CRD or Service is deleted

    Cluster:
          --context <NAME>     Kubeconfig context, or a pattern such as 'prod-*'
          --kubeconfig <FILE>  Kubeconfig file [default: same as kubectl]
          --all-contexts       Run for every context of the kubeconfig

    Examples:
      kubectl aggctl route /apis/apps/v1/deployments
      kubectl aggctl route nodes.metrics.k8s.io
      kubectl aggctl route deploy/web -n shop
      kubectl aggctl route create pods -n shop
      kubectl aggctl route POST /api/v1/namespaces/shop/pods --caller jane
      kubectl aggctl route /apis/batch/v1/jobs --control-plane ./servers
      kubectl aggctl route --fail-on not-found,unavailable - < requests.txt
      kubectl aggctl route --all -o csv > routes.csv

    $ aggctl lint --nope
    2> error: unexpected argument '--nope' found
    2>
    2> Usage: kubectl aggctl lint [OPTIONS] [FILE]...
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl route /apis/apps/v1 --dump nowhere
    2> error: cannot read nowhere: no such file or directory
    2> hint: write one with `kubectl aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]

    $ aggctl discovery ''
    2> error: empty path
    2> hint: check for an unset shell variable
    [exit 2]
    ");
    let help = run(&["--help"]).out;
    assert!(!help.contains("  aggctl "), "{help}");
}
