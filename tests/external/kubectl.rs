//! Runs a real kubectl against `aggctl serve` on a small cluster. Tables are compared word for
//! word. Errors are compared only if all versions of kubectl word them alike.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::Served;
use crate::harness::repository;

/// Returns the name of the kubectl to run.
pub(crate) fn program() -> String {
    std::env::var("KUBECTL").unwrap_or_else(|_| "kubectl".to_owned())
}

/// kubectl for one server, with its own cache.
struct Kubectl {
    home: tempfile::TempDir,
    served: Served,
}

impl Kubectl {
    fn new(dump: &Path, more: &[&str]) -> Self {
        let served = Served::start(&[&["--dump", dump.to_str().unwrap()], more].concat());
        Self { home: tempfile::tempdir().unwrap(), served }
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(program());
        command.env("HOME", self.home.path()).env_remove("KUBECONFIG");
        command.arg("--kubeconfig").arg(&self.served.kubeconfig);
        command.args(arguments.split(' '));
        command
    }

    /// Runs kubectl. Returns standard error and then standard output, with ages replaced and spaces
    /// squeezed, since versions of kubectl pad columns differently.
    fn run(&self, arguments: &str) -> String {
        let output = self.command(arguments).output().unwrap();
        let text = [output.stderr, output.stdout].concat();
        String::from_utf8(text).unwrap().lines().map(plain).collect::<Vec<_>>().join("\n")
    }

    /// Runs several commands, for one snapshot.
    fn session<const N: usize>(&self, commands: [&str; N]) -> String {
        let show = |command: &str| format!("$ kubectl {command}\n{}\n", self.run(command));
        commands.map(show).join("\n")
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

pub(crate) fn prints_objects_as_the_server_does() {
    let kubectl = Kubectl::new(&cluster(), &[]);
    insta::assert_snapshot!(kubectl.session([
        "get roses -A",
        "get ro -n beds -o wide",
        "get roses -A --chunk-size=1 -l season!=summer -o name",
        "get roses -n beds -l season=summer --no-headers",
        "get roses -A --field-selector metadata.namespace=fence --no-headers",
        "get rose damask -n beds --no-headers",
        "get roses.v1beta1.garden.example.org -n fence -o jsonpath={.items[*].apiVersion}",
        "get pods -n beds -o wide",
        "get pods -A --field-selector spec.nodeName=shed -o name",
        "get crd",
        "get forecasts",
        "get rose gone -n beds",
        "get secrets -A",
        "get nodes",
        "delete rose damask -n beds",
        "auth can-i list pods",
    ]), @r#"
    $ kubectl get roses -A
    NAMESPACE NAME COLOUR HEIGHT READY AGE
    beds damask pink 120 True AGO
    beds iceberg white 90 AGO
    fence iceberg white 200 AGO

    $ kubectl get ro -n beds -o wide
    NAME COLOUR HEIGHT READY SOIL AGE
    damask pink 120 True loam AGO
    iceberg white 90 AGO

    $ kubectl get roses -A --chunk-size=1 -l season!=summer -o name
    rose.garden.example.org/iceberg
    rose.garden.example.org/iceberg

    $ kubectl get roses -n beds -l season=summer --no-headers
    damask pink 120 True AGO

    $ kubectl get roses -A --field-selector metadata.namespace=fence --no-headers
    fence iceberg white 200 AGO

    $ kubectl get rose damask -n beds --no-headers
    damask pink 120 True AGO

    $ kubectl get roses.v1beta1.garden.example.org -n fence -o jsonpath={.items[*].apiVersion}
    garden.example.org/v1beta1

    $ kubectl get pods -n beds -o wide
    Warning: only some pods are in the source
    NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE
    pump 0/1 CrashLoopBackOff 4 AGO 10.0.0.7 shed <none>

    $ kubectl get pods -A --field-selector spec.nodeName=shed -o name
    Warning: only some pods are in the source
    pod/pump

    $ kubectl get crd
    Warning: only some customresourcedefinitions are in the source
    NAME CREATED AT
    roses.garden.example.org 2020-02-03T04:05:06Z

    $ kubectl get forecasts
    Warning: only some forecasts are in the source
    NAME AGE
    monday AGO

    $ kubectl get rose gone -n beds
    Warning: no namespaces in the source; inferred from other objects
    Error from server (NotFound): roses.garden.example.org "gone" not found

    $ kubectl get secrets -A
    Warning: aggctl does not serve Secrets
    No resources found

    $ kubectl get nodes
    Warning: no nodes in the source: they were not collected
    No resources found

    $ kubectl delete rose damask -n beds
    Error from server (MethodNotAllowed): aggctl serve is read-only: DELETE is not answered here

    $ kubectl auth can-i list pods
    Error from server (MethodNotAllowed): aggctl serve is read-only and answers no selfsubjectaccessreviews: `aggctl access` says who may do what
    "#);
    let all = kubectl.run("get apiservices");
    let of_services = |line: &&str| !line.contains(" Local ");
    insta::assert_snapshot!(all.lines().filter(of_services).collect::<Vec<_>>().join("\n"), @"
    Warning: only some apiservices are in the source
    NAME SERVICE AVAILABLE AGE
    v1.tides.example.org weather/tides False (MissingEndpoints) AGO
    v1.weather.example.org weather/station True AGO
    ");
}

pub(crate) fn gets_the_routing_of_the_cluster() {
    let kubectl = Kubectl::new(&cluster(), &[]);
    insta::assert_snapshot!(kubectl.session([
        "api-resources --api-group=garden.example.org",
        "wait --for=jsonpath={.spec.colour}=pink rose/damask -n beds --timeout=20s",
    ]), @"
    $ kubectl api-resources --api-group=garden.example.org
    NAME SHORTNAMES APIVERSION NAMESPACED KIND
    roses ro garden.example.org/v1 true Rose

    $ kubectl wait --for=jsonpath={.spec.colour}=pink rose/damask -n beds --timeout=20s
    rose.garden.example.org/damask condition met
    ");
    let check = |arguments: &str, want: &str| {
        let text = kubectl.run(arguments);
        assert!(text.contains(want), "kubectl {arguments}: {text}");
    };
    check("get --raw /apis/tides.example.org/v1", "ServiceUnavailable");
    check("get storms", "aggctl does not ask weather/station");
    check("get --raw /api/v1/gone", "NotFound");
    check("get --raw /apis/gone.example.org/v1", "aggctl cannot tell from the source");
    check("explain roses.spec.colour", "As in the catalogue.");
}

/// A watch shows the current objects, and then the changes of the files.
pub(crate) fn watches_files_change() {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(cluster()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let kubectl = Kubectl::new(copy.path(), &["--watch-dump"]);
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

pub(crate) fn connects_over_tls() {
    let kubectl = Kubectl::new(&cluster(), &["--tls"]);
    let shown = kubectl.run("get forecasts --no-headers");
    assert_eq!(shown, "Warning: only some forecasts are in the source\nmonday AGO");
}

pub(crate) fn sees_injected_faults() {
    let faults = [
        "--fault",
        "v1.weather.example.org=unavailable",
        "--fault",
        "v1.tides.example.org=available",
    ];
    let kubectl = Kubectl::new(&cluster(), &faults);
    insta::assert_snapshot!(
        kubectl.run("get apiservice v1.weather.example.org v1.tides.example.org --no-headers"),
        @"
    v1.weather.example.org weather/station False (FailedDiscoveryCheck) AGO
    v1.tides.example.org weather/tides True AGO
    "
    );
    let raw = kubectl.run("get --raw /apis/weather.example.org/v1");
    assert!(raw.contains("ServiceUnavailable"), "{raw}");
}
