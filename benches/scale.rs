//! Measures every command on dumps of 1,000, 10,000 and 100,000 APIServices, with the real binary.
//!
//! Prints the time of each, the factor for ten times as many (10 is linear), and the peak memory at
//! 100,000 as a multiple of the input. There are two shapes: five versions per group, and all
//! versions in one group.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, print, write files and read the clock"
)]

mod process;

use std::path::Path;

use kube_aggregation::baseline;
use kube_aggregation::model::Automanaged;
use serde_json::{Value, json};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

const COMMANDS: [&[&str]; 14] = [
    &["route", "/apis/g5.example.com/v1/things"],
    &["apiservices"],
    &["order"],
    &["order", "--form", "aggregated"],
    &["chain"],
    &["conflicts"],
    &["doctor"],
    &["discovery", "--merged"],
    &["test", "--record", "-"],
    &["diff", "--without", "v1.apps"],
    &["routes"],
    &["openapi"],
    &["report", "-"],
    &["lint"],
];

fn main() {
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (shape, versions) in [("five versions a group", 5), ("one group", usize::MAX)] {
        let [few, more, many] = SIZES;
        println!("\n{shape:<34}{few:>9}{more:>9}{many:>9}  x10  x10  memory");
        let dumps = SIZES.map(|size| {
            let dump = folder.path().join(format!("{}-{size}", versions.min(9)));
            write(&dump, size, versions);
            dump
        });
        let input = dumps.each_ref().map(|dump| size_of_files(dump) / 1_000_000)[2];
        for command in COMMANDS {
            let [(a, _), (b, _), (c, peak)] = dumps.each_ref().map(|dump| measure(command, dump));
            let (name, memory) = (command.join(" "), peak as f64 / input as f64);
            let factors = format!("{:>5.1}{:>5.1}{memory:>7.1}x", b / a, c / b);
            println!("{name:<34}{a:>8.3}s{b:>8.3}s{c:>8.3}s{factors}");
        }
    }
}

/// Returns the time in seconds that a command takes on a dump, and its peak memory in megabytes.
/// `lint` reads the dump as manifests.
fn measure(command: &[&str], dump: &Path) -> (f64, u64) {
    let flag = if command == ["lint"] { None } else { Some("--dump") };
    let program = [env!("CARGO_BIN_EXE_aggctl")];
    let dump = dump.to_str().unwrap();
    let line: Vec<&str> =
        program.iter().chain(command).copied().chain(flag).chain([dump]).collect();
    process::run(&line).unwrap()
}

fn size_of_files(folder: &Path) -> u64 {
    std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

/// Writes the baseline with this number of APIServices on top, and every second group with a
/// Service.
fn write(dump: &Path, size: usize, versions: usize) {
    std::fs::create_dir(dump).unwrap();
    let mut services = vec![];
    for plain in baseline::server(baseline::LATEST).api_services.loaded().unwrap() {
        services.push(api_service(
            &plain.group_version.group,
            &plain.group_version.version,
            (plain.group_priority, plain.version_priority),
            None,
        ));
    }
    let (mut behind, mut slices) = (vec![], vec![]);
    for index in 0..size {
        let group = format!("g{}.example.com", index / versions);
        let version = format!("v{}", index % versions + 1);
        let number = i32::try_from(index).unwrap();
        let priorities = (1000 + number % 500, 10 + number % 7);
        let name = format!("s{}", index / 5);
        let remote = (index / 5) % 2 == 0;
        services.push(api_service(&group, &version, priorities, remote.then_some(&*name)));
        if remote && index % 5 == 0 {
            behind.push(json!({"metadata": {"namespace": "ext", "name": name},
                "spec": {"clusterIP": "10.0.0.9", "ports": [{"port": 443}]}}));
            slices.push(json!({
                "metadata": {"namespace": "ext", "name": format!("{name}-x"),
                    "labels": {"kubernetes.io/service-name": name}},
                "ports": [{"port": 443}],
                "endpoints": [{"addresses": ["10.1.0.9"], "conditions": {"ready": true}}]}));
        }
    }
    let list = |file: &str, kind: &str, version: &str, items: Vec<Value>| {
        let list = json!({"kind": kind, "apiVersion": version, "items": items});
        std::fs::write(dump.join(file), list.to_string()).unwrap();
    };
    list("apiservices.json", "APIServiceList", "apiregistration.k8s.io/v1", services);
    list("services.json", "ServiceList", "v1", behind);
    list("endpointslices.json", "EndpointSliceList", "discovery.k8s.io/v1", slices);
}

fn api_service(
    group: &str,
    version: &str,
    (group_priority, version_priority): (i32, i32),
    service: Option<&str>,
) -> Value {
    let mut object = json!({
        "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
        "metadata": {"name": format!("{version}.{group}")},
        "spec": {"group": group, "version": version,
            "groupPriorityMinimum": group_priority, "versionPriority": version_priority},
        "status": {"conditions": [{"type": "Available", "status": "True", "reason": "Passed"}]}});
    match service {
        Some(name) => {
            object["spec"]["service"] = json!({"namespace": "ext", "name": name, "port": 443});
            object["spec"]["insecureSkipTLSVerify"] = true.into();
        }
        None => object["metadata"]["labels"] = json!({(Automanaged::LABEL): "onstart"}),
    }
    object
}
