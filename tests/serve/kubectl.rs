//! A real kubectl against a small cluster; its output is compared word for word.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Served;
use crate::harness::repository;

/// kubectl for a server, with a cache of its own.
struct Kubectl {
    program: String,
    home: tempfile::TempDir,
    served: Served,
}

impl Kubectl {
    /// None where this machine has none, which is said.
    fn new(dump: &Path, more: &[&str]) -> Option<Self> {
        let program = std::env::var("KUBECTL").unwrap_or_else(|_| "kubectl".to_owned());
        let version = Command::new(&program).args(["version", "--client"]).output();
        if !version.is_ok_and(|output| output.status.success()) {
            let how = "Debian: apt-get install kubernetes-client";
            crate::client::say(&format!("SKIPPED: no kubectl on the PATH ({how})"));
            return None;
        }
        let served = Served::start(&[&["--dump", dump.to_str().unwrap()], more].concat());
        Some(Self { program, home: tempfile::tempdir().unwrap(), served })
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("HOME", self.home.path()).env_remove("KUBECONFIG");
        command.arg("--kubeconfig").arg(&self.served.kubeconfig);
        command.args(arguments.split(' '));
        command
    }

    /// What it prints, both streams, with ages replaced and spaces squeezed.
    fn run(&self, arguments: &str) -> String {
        let output = self.command(arguments).output().unwrap();
        let text = [output.stderr, output.stdout].concat();
        String::from_utf8(text).unwrap().lines().map(plain).collect::<Vec<_>>().join("\n")
    }

    fn check(&self, arguments: &str, want: &[&str]) {
        assert_eq!(self.run(arguments), want.join("\n"), "kubectl {arguments}");
    }
}

fn plain(line: &str) -> String {
    let word = |word: &str| {
        let age = word.starts_with(|c: char| c.is_ascii_digit())
            && word.ends_with(['y', 'd', 'h', 'm', 's'])
            && word.chars().all(|c| c.is_ascii_digit() || "ydhms".contains(c));
        if age { "AGO".to_owned() } else { word.to_owned() }
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

fn cluster() -> std::path::PathBuf {
    repository("testdata/serve")
}

#[test]
fn objects_are_shown_as_the_server_prints_them() {
    let Some(kubectl) = Kubectl::new(&cluster(), &[]) else { return };
    let check = |arguments: &str, want: &[&str]| kubectl.check(arguments, want);
    check(
        "get roses -A",
        &[
            "NAMESPACE NAME COLOUR HEIGHT READY AGE",
            "beds damask pink 120 True AGO",
            "beds iceberg white 90 AGO",
            "fence iceberg white 200 AGO",
        ],
    );
    check(
        "get ro -n beds -o wide",
        &[
            "NAME COLOUR HEIGHT READY SOIL AGE",
            "damask pink 120 True loam AGO",
            "iceberg white 90 AGO",
        ],
    );
    check(
        "get roses -A --chunk-size=1 -l season!=summer -o name",
        &["rose.garden.example.org/iceberg", "rose.garden.example.org/iceberg"],
    );
    check("get roses -n beds -l season=summer --no-headers", &["damask pink 120 True AGO"]);
    check(
        "get roses -A --field-selector metadata.namespace=fence --no-headers",
        &["fence iceberg white 200 AGO"],
    );
    check("get rose damask -n beds --no-headers", &["damask pink 120 True AGO"]);
    check(
        "get roses.v1beta1.garden.example.org -n fence -o jsonpath={.items[*].apiVersion}",
        &["garden.example.org/v1beta1"],
    );
    check(
        "get pods -n beds -o wide",
        &[
            "NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE",
            "pump 0/1 CrashLoopBackOff 4 AGO 10.0.0.7 shed <none>",
        ],
    );
    check("get pods -A --field-selector spec.nodeName=shed -o name", &["pod/pump"]);
    check("get crd", &["NAME CREATED AT", "roses.garden.example.org 2020-02-03T04:05:06Z"]);
    check("get forecasts", &["NAME AGE", "monday AGO"]);
    check(
        "get rose gone -n beds",
        &[
            "Warning: no namespaces in the source: these follow from others",
            "Error from server (NotFound): roses.garden.example.org \"gone\" not found",
        ],
    );
    check("get secrets -A", &["Warning: aggctl serves no Secrets", "No resources found"]);
    check(
        "get nodes",
        &["Warning: no nodes in the source: they were not collected", "No resources found"],
    );
    check(
        "delete rose damask -n beds",
        &[
            "Error from server (MethodNotAllowed): aggctl serve is read-only: DELETE is not answered here",
        ],
    );
    check(
        "auth can-i list pods",
        &[
            "Error from server (MethodNotAllowed): aggctl serve is read-only and answers no selfsubjectaccessreviews: `aggctl access` says who may do what",
        ],
    );
    let all = kubectl.run("get apiservices");
    assert!(all.starts_with("NAME SERVICE AVAILABLE AGE\n"), "{all}");
    for line in [
        "v1.tides.example.org weather/tides False (MissingEndpoints) AGO",
        "v1.weather.example.org weather/station True AGO",
    ] {
        assert!(all.lines().any(|one| one == line), "{all}");
    }
}

#[test]
fn the_routing_is_that_of_the_cluster() {
    let Some(kubectl) = Kubectl::new(&cluster(), &[]) else { return };
    let all = kubectl.run("api-resources --api-group=garden.example.org");
    assert_eq!(
        all,
        "NAME SHORTNAMES APIVERSION NAMESPACED KIND\nroses ro garden.example.org/v1 true Rose"
    );
    let unavailable = kubectl.run("get --raw /apis/tides.example.org/v1");
    assert!(unavailable.contains("ServiceUnavailable"), "{unavailable}");
    let proxied = kubectl.run("get storms");
    assert!(proxied.contains("aggctl does not ask weather/station"), "{proxied}");
    assert!(kubectl.run("get --raw /api/v1/gone").contains("NotFound"));
    let unknown = kubectl.run("get --raw /apis/gone.example.org/v1");
    assert!(unknown.contains("aggctl cannot tell from the source"), "{unknown}");
    let explained = kubectl.run("explain roses.spec.colour");
    assert!(explained.contains("As in the catalogue."), "{explained}");
    let met =
        kubectl.run("wait --for=jsonpath={.spec.colour}=pink rose/damask -n beds --timeout=20s");
    assert_eq!(met, "rose.garden.example.org/damask condition met");
}

/// What is there, then what the files become.
#[test]
fn a_watch_goes_on_with_the_files() {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(cluster()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let Some(kubectl) = Kubectl::new(copy.path(), &["--watch-dump"]) else { return };
    let mut command = kubectl.command("get roses -n fence -w");
    let mut watching = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut line = || plain(&lines.next().unwrap().unwrap());
    assert_eq!(line(), "NAME COLOUR HEIGHT READY AGE");
    assert_eq!(line(), "iceberg white 200 AGO");
    let file = copy.path().join("roses.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("height: 200", "height: 201")).unwrap();
    assert_eq!(line(), "iceberg white 201 AGO");
    watching.kill().unwrap();
    watching.wait().unwrap();
}

#[test]
fn tls_is_what_the_kubeconfig_says() {
    let Some(kubectl) = Kubectl::new(&cluster(), &["--tls"]) else { return };
    kubectl.check("get forecasts --no-headers", &["monday AGO"]);
}

#[test]
fn faults_break_and_mend() {
    let faults = [
        "--fault",
        "v1.weather.example.org=unavailable",
        "--fault",
        "v1.tides.example.org=available",
    ];
    let Some(kubectl) = Kubectl::new(&cluster(), &faults) else { return };
    kubectl.check(
        "get apiservice v1.weather.example.org v1.tides.example.org --no-headers",
        &[
            "v1.weather.example.org weather/station False (FailedDiscoveryCheck) AGO",
            "v1.tides.example.org weather/tides True AGO",
        ],
    );
    assert!(kubectl.run("get --raw /apis/weather.example.org/v1").contains("ServiceUnavailable"));
}
