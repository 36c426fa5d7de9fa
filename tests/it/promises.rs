//! Tests the promises of SECURITY.md about files: a run writes what its arguments name, and nothing
//! else.

#[path = "../harness/sandbox.rs"]
mod sandbox;

use std::collections::BTreeSet;
use std::path::Path;

use crate::{repository, run};
use sandbox::{Sandbox, changes};

/// Command lines that need no cluster: each command, and each argument that names an output.
const COMMANDS: [&str; 46] = [
    "route /apis/apps/v1/deployments --dump dump",
    "routes --dump dump",
    "discovery --merged --dump dump",
    "order --dump dump",
    "openapi --dump dump",
    "sort-versions v1 v2beta1",
    "apiservices --dump dump",
    "chain --dump dump",
    "conflicts --dump dump",
    "access /api/v1/pods --dump shop",
    "flags --dump dump",
    "doctor --dump dump",
    "doctor --dump dump -o openmetrics --output-file metrics.prom",
    "doctor --security --dump shop",
    "health --dump stuck",
    "health --explain etcd",
    "diff dump builtin",
    "upgrade --to 1.37 --dump dump",
    "usage audit.log --dump dump",
    "usage audit.log --partial --dump dump",
    "test routes.yaml --dump dump",
    "test --record recorded.yaml --dump dump",
    "test --record - --dump dump",
    "lint deploy",
    "lint fixable.yaml --fix",
    "lint fixable.yaml --diff",
    "lint deploy -o sarif --output findings.sarif -o json --output findings.json",
    "rules",
    "explain v1.metrics.k8s.io --dump dump",
    "explain ServiceNotFound",
    "report page.html --dump dump",
    "dump copy",
    "schema",
    "version",
    "versions apps",
    "completions bash",
    "man",
    "man --dir pages",
    "help",
    "no-such-command",
    "COMPLETE=bash rou",
    "COMPLETE=bash doctor --dump dump v1.",
    "COMPLETE=zsh route --dump dump /apis/",
    "COMPLETE=fish doctor --context ",
    "COMPLETE=fish lint dep",
    "COMPLETE=fish route /apis/",
];

#[test]
fn files_are_written_only_where_an_argument_names_one() {
    let mut report = String::new();
    for line in COMMANDS {
        let sandbox = Sandbox::new();
        copy(&repository("testdata/recordings/v1.36-mixed/dump"), &sandbox.work("dump"));
        copy(&repository("testdata/examples"), &sandbox.work(""));
        copy(&repository("testdata/usage/audit.log.zst"), &sandbox.work("audit.log"));
        copy(&repository("testdata/access/shop"), &sandbox.work("shop"));
        copy(&repository("testdata/health/stuck"), &sandbox.work("stuck"));
        let fixable = repository("crates/aggctl-lint/src/docs/namespace-in-manifest.yaml");
        copy(&fixable, &sandbox.work("fixable.yaml"));
        std::fs::create_dir(sandbox.work("pages")).unwrap();
        let before = sandbox.tree();
        let mut command = sandbox.aggctl();
        match line.strip_prefix("COMPLETE=").and_then(|line| line.split_once(' ')) {
            Some((shell, line)) => {
                command.env("COMPLETE", shell).args(["--", "aggctl"]).args(line.split(' '));
            }
            None => {
                command.args(line.split(' '));
            }
        }
        let output = command.output().unwrap();
        let code = output.status.code().unwrap();
        report.push_str(&format!("{line} ({code})\n"));
        for change in changes(&before, &sandbox.tree()) {
            report.push_str(&format!("    {change}\n"));
        }
    }
    insta::assert_snapshot!(report, @"
    route /apis/apps/v1/deployments --dump dump (0)
    routes --dump dump (0)
    discovery --merged --dump dump (0)
    order --dump dump (0)
    openapi --dump dump (1)
    sort-versions v1 v2beta1 (0)
    apiservices --dump dump (0)
    chain --dump dump (0)
    conflicts --dump dump (0)
    access /api/v1/pods --dump shop (0)
    flags --dump dump (3)
    doctor --dump dump (1)
    doctor --dump dump -o openmetrics --output-file metrics.prom (1)
        work/metrics.prom
    doctor --security --dump shop (1)
    health --dump stuck (1)
    health --explain etcd (0)
    diff dump builtin (0)
    upgrade --to 1.37 --dump dump (0)
    usage audit.log --dump dump (0)
    usage audit.log --partial --dump dump (0)
    test routes.yaml --dump dump (0)
    test --record recorded.yaml --dump dump (0)
        work/recorded.yaml
    test --record - --dump dump (0)
    lint deploy (1)
    lint fixable.yaml --fix (0)
        work/fixable.yaml (changed)
    lint fixable.yaml --diff (0)
    lint deploy -o sarif --output findings.sarif -o json --output findings.json (1)
        work/findings.json
        work/findings.sarif
    rules (0)
    explain v1.metrics.k8s.io --dump dump (0)
    explain ServiceNotFound (0)
    report page.html --dump dump (0)
        work/page.html
    dump copy (3)
    schema (0)
    version (0)
    versions apps (0)
    completions bash (0)
    man (0)
    man --dir pages (0)
        work/pages/aggctl-access.1
        work/pages/aggctl-api-versions.1
        work/pages/aggctl-apiservices.1
        work/pages/aggctl-chain.1
        work/pages/aggctl-client.1
        work/pages/aggctl-completions.1
        work/pages/aggctl-conflicts.1
        work/pages/aggctl-diff.1
        work/pages/aggctl-discovery.1
        work/pages/aggctl-doctor.1
        work/pages/aggctl-dump.1
        work/pages/aggctl-explain.1
        work/pages/aggctl-health.1
        work/pages/aggctl-lint.1
        work/pages/aggctl-man.1
        work/pages/aggctl-mcp.1
        work/pages/aggctl-openapi.1
        work/pages/aggctl-order.1
        work/pages/aggctl-report.1
        work/pages/aggctl-route.1
        work/pages/aggctl-schema.1
        work/pages/aggctl-serve.1
        work/pages/aggctl-sort-versions.1
        work/pages/aggctl-test.1
        work/pages/aggctl-upgrade.1
        work/pages/aggctl-usage.1
        work/pages/aggctl-verify.1
        work/pages/aggctl-version.1
        work/pages/aggctl.1
    help (0)
    no-such-command (2)
    COMPLETE=bash rou (0)
    COMPLETE=bash doctor --dump dump v1. (0)
    COMPLETE=zsh route --dump dump /apis/ (0)
    COMPLETE=fish doctor --context  (0)
    COMPLETE=fish lint dep (0)
    COMPLETE=fish route /apis/ (0)
    ");
}

/// A new command must be added to the list.
#[test]
fn every_command_is_checked_for_files() {
    let help = run(&["--help"]).out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| line.starts_with("  ")).filter_map(|line| {
        line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split(' ').next()
    });
    let checked: BTreeSet<&str> =
        COMMANDS.iter().filter_map(|line| line.split(' ').next()).chain(["serve"]).collect();
    let missing: Vec<&str> = names.filter(|name| !checked.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// `serve` is the exception: it writes a kubeconfig to a directory that other users can neither
/// enter nor guess, and removes it when the process ends, whichever signal ends it.
#[cfg(unix)]
#[test]
fn serve_removes_its_kubeconfig() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};

    let mut names = BTreeSet::new();
    for signal in ["INT", "TERM", "HUP", "QUIT", "ALRM", "USR1", "USR2"] {
        let sandbox = Sandbox::new();
        let before = sandbox.tree();
        let mut command = sandbox.aggctl();
        command.args(["serve", "--builtin", "1.36"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line =
            lines.find_map(|line| line.unwrap().strip_prefix("kubeconfig  ").map(String::from));
        let kubeconfig = line.unwrap();
        let kubeconfig = Path::new(&kubeconfig);
        let directory = kubeconfig.parent().unwrap();
        let mode = |path: &Path| path.symlink_metadata().unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode(directory), mode(kubeconfig)), (0o700, 0o600));
        let name = directory.file_name().unwrap().to_str().unwrap();
        let written = [format!("tmp/{name}"), format!("tmp/{name}/kubeconfig")];
        assert_eq!(changes(&before, &sandbox.tree()), written, "{signal}");
        assert!(!name.contains(&child.id().to_string()), "{name} can be guessed");
        assert!(names.insert(name.to_owned()), "{name} twice");
        let kill = ["-s", signal, &child.id().to_string()];
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(changes(&before, &sandbox.tree()), [""; 0], "{signal}");
    }
}

/// If the directory for temporary files is unusable, that is an error. No other directory is tried.
#[test]
fn serve_writes_its_kubeconfig_nowhere_else() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let mut command = sandbox.aggctl();
    for name in ["TMPDIR", "TMP", "TEMP"] {
        command.env(name, sandbox.work("missing"));
    }
    let output = command.args(["serve", "--builtin", "1.36"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(changes(&before, &sandbox.tree()), [""; 0]);
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        std::fs::copy(from, to).unwrap();
    }
}
