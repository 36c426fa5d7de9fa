//! Measures routing, ordering and merging, at the sizes of small and absurd clusters, and the rate
//! of `route -` with the real binary.
//!
//! The server's quadratic grouping is included as a straightforward reimplementation.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, print and read the clock"
)]

use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use divan::Bencher;
use divan::counter::ItemsCount;
use kube_aggregation::baseline;
use kube_aggregation::discovery;
use kube_aggregation::model::{
    ApiResource, ApiService, Condition, GroupVersion, Input, ServiceReference, Snapshot,
    compare_versions,
};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::priority::{self, Registered};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router, Target};
use serde_json::json;

fn main() {
    streams();
    divan::main();
}

/// Returns the baseline with this number of APIServices on top: five versions per group, and every
/// second group with a Service.
fn cluster(size: usize) -> Snapshot {
    let mut snapshot = baseline::server(baseline::LATEST).clone();
    let Input::Loaded(services) = &mut snapshot.api_services else { return snapshot };
    for index in 0..size {
        let gv =
            GroupVersion::new(format!("g{}.example.com", index / 5), format!("v{}", index % 5 + 1));
        let reference = ServiceReference {
            namespace: "ext".into(),
            name: format!("s{}", index / 5),
            port: 443,
        };
        let remote = (index / 5) % 2 == 0;
        services.push(ApiService {
            name: gv.api_service_name(),
            group_version: gv.clone(),
            service: remote.then_some(reference),
            group_priority: 1000 + (index as i32 * 7919) % 500,
            version_priority: 10 + (index as i32 * 31) % 7,
            ca_bundle: None,
            insecure_skip_tls_verify: true,
            automanaged: None,
            available: Some(Condition {
                status: "True".into(),
                reason: "Passed".into(),
                message: String::new(),
                since: None,
            }),
            created: None,
            provenance: Default::default(),
            inferred: false,
        });
        let resource = |name: &str| ApiResource {
            name: name.into(),
            singular: String::new(),
            namespaced: true,
            group: String::new(),
            version: String::new(),
            kind: "Thing".into(),
            verbs: ["get", "list", "watch"].map(Into::into).to_vec(),
            short_names: vec![],
            categories: vec![],
        };
        snapshot.resource_lists.insert(gv, vec![resource("things"), resource("things/status")]);
    }
    services.sort_by(|a, b| a.name.cmp(&b.name));
    snapshot
}

/// Returns 64 requests for custom and built-in group versions of that cluster.
fn paths(size: usize) -> Vec<String> {
    (0..64)
        .map(|i| match i % 4 {
            0 => format!(
                "/apis/g{}.example.com/v1/namespaces/default/things/x",
                (i * 37) % (size / 5)
            ),
            1 => "/apis/apps/v1/namespaces/default/deployments/x/scale".to_owned(),
            2 => "/api/v1/namespaces/default/pods/x/log".to_owned(),
            _ => format!("/apis/g{}.example.com/v5", (i * 53) % (size / 5)),
        })
        .collect()
}

/// Routes 64 requests, from text to hops and outcome, in a cluster with this number of APIServices.
#[divan::bench(args = [100, 1_000, 10_000])]
fn route(bencher: Bencher<'_, '_>, size: usize) {
    let snapshot = cluster(size);
    let registry = Registry::new(&snapshot);
    let router = Router::new(&registry);
    let paths = paths(size);
    bencher.counter(ItemsCount::new(paths.len())).bench_local(|| {
        for path in &paths {
            let target = Target::parse(Method::Get, black_box(path)).unwrap();
            black_box(router.route(&target).outcome);
        }
    });
}

/// Routes 64 requests through each of three API servers, with the peer proxy before the chain. Shows
/// the time per request and server.
#[divan::bench(args = [100, 1_000, 10_000])]
fn route_among_three_servers(bencher: Bencher<'_, '_>, size: usize) {
    let snapshots: Vec<Snapshot> = (0..3).map(|_| cluster(size)).collect();
    let registries: Vec<Registry<'_>> = snapshots.iter().map(Registry::new).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    let plane = ControlPlane::new(["a", "b", "c"].into_iter().zip(&routers));
    let paths = paths(size);
    bencher.counter(ItemsCount::new(paths.len() * plane.len())).bench_local(|| {
        for path in &paths {
            let target = Target::parse(Method::Get, black_box(path)).unwrap();
            for asked in 0..plane.len() {
                black_box(plane.route(asked, &target).unwrap().route.outcome);
            }
        }
    });
}

/// The part of `route` that parses 64 requests.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let path = "/apis/apps/v1/namespaces/default/deployments/x/scale";
    bencher.counter(ItemsCount::new(64usize)).bench_local(|| {
        for _ in 0..64 {
            black_box(&Target::parse(Method::Get, black_box(path)).unwrap());
        }
    });
}

fn registered(snapshot: &Snapshot) -> Vec<Registered<'_>> {
    let services = snapshot.api_services.loaded().unwrap();
    services
        .iter()
        .map(|s| Registered {
            name: &s.name,
            group: &s.group_version.group,
            version: &s.group_version.version,
            group_priority: s.group_priority,
            version_priority: s.version_priority,
            inferred: s.inferred,
        })
        .collect()
}

/// The order of `/apis` for this number of APIServices.
#[divan::bench(args = [1_000, 10_000, 100_000])]
fn order(bencher: Bencher<'_, '_>, size: usize) {
    let snapshot = cluster(size);
    let all = registered(&snapshot);
    bencher.bench_local(|| black_box(priority::legacy([], black_box(&all).iter().copied())).len());
}

/// The same order, computed like the server: for each APIService, search all groups so far, and
/// sort its group.
#[divan::bench(args = [1_000, 10_000, 100_000], max_time = 5)]
fn order_as_the_server_does(bencher: Bencher<'_, '_>, size: usize) {
    let snapshot = cluster(size);
    let all = registered(&snapshot);
    bencher.bench_local(|| {
        let mut services = black_box(all.clone());
        services.sort_by(|a, b| {
            b.group_priority.cmp(&a.group_priority).then_with(|| a.name.cmp(b.name))
        });
        let mut groups: Vec<Vec<Registered<'_>>> = vec![];
        for service in services {
            match groups.iter_mut().find(|group| group[0].group == service.group) {
                Some(group) => {
                    group.push(service);
                    group.sort_by(|a, b| {
                        let priority = b.version_priority.cmp(&a.version_priority);
                        priority.then_with(|| compare_versions(a.version, b.version))
                    });
                }
                None => groups.push(vec![service]),
            }
        }
        black_box(groups.len())
    });
}

/// The aggregated document of this number of group versions.
#[divan::bench(args = [1_000, 10_000])]
fn merge(bencher: Bencher<'_, '_>, size: usize) {
    let snapshot = cluster(size);
    let registry = Registry::new(&snapshot);
    bencher.bench_local(|| black_box(discovery::aggregated(&registry)).groups.len());
}

/// Measures `route -` to JSON lines with the real binary: on built-in data, and on dumps whose
/// APIServices have a Service. Prints single runs, so these are not divan benchmarks.
fn streams() {
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let built_in = |index| format!("/apis/apps/v1/namespaces/ns-{}/deployments/x", index % 1000);
    stream("built-in data", &["--builtin"], built_in);
    for size in [100, 10_000] {
        let dump = tempfile::tempdir().unwrap();
        write_dump(dump.path(), size);
        let dump = dump.path().to_str().unwrap();
        let path = |index| format!("/apis/g{}.example.com/v1/things/x", index * 37 % size);
        stream(&format!("{size} Services"), &["--dump", dump], path);
    }
}

/// Writes a dump with this number of APIServices, each with a Service.
fn write_dump(dump: &Path, size: usize) {
    let mut lists = [
        ("apiservices.json", "APIServiceList", "apiregistration.k8s.io/v1", vec![]),
        ("services.json", "ServiceList", "v1", vec![]),
    ];
    for index in 0..size {
        lists[0].3.push(json!({
            "metadata": {"name": format!("v1.g{index}.example.com")},
            "spec": {"group": format!("g{index}.example.com"), "version": "v1",
                "groupPriorityMinimum": 1000, "versionPriority": 10, "insecureSkipTLSVerify": true,
                "service": {"namespace": "ext", "name": format!("s{index}"), "port": 443}},
            "status": {"conditions": [
                {"type": "Available", "status": "True", "reason": "Passed"}]}}));
        lists[1].3.push(json!({
            "metadata": {"namespace": "ext", "name": format!("s{index}")},
            "spec": {"clusterIP": "10.0.0.9", "ports": [{"port": 443}]}}));
    }
    for (file, kind, version, items) in lists {
        let list = json!({"kind": kind, "apiVersion": version, "items": items});
        std::fs::write(dump.join(file), list.to_string()).unwrap();
    }
}

/// Sends a million requests, and prints how many are answered per second.
fn stream(name: &str, source: &[&str], path: impl Fn(usize) -> String + Send) {
    const LINES: usize = 1_000_000;
    let mut child = Command::new(env!("CARGO_BIN_EXE_aggctl"))
        .args(["route", "-", "-o", "jsonl"])
        .args(source)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let start = std::time::Instant::now();
    let lines = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut text = vec![];
            for index in 0..LINES {
                writeln!(text, "GET {}", path(index)).unwrap();
                if text.len() > 1 << 16 || index == LINES - 1 {
                    input.write_all(&text).unwrap();
                    text.clear();
                }
            }
        });
        let (mut buffer, mut lines) = (vec![0; 1 << 16], 0);
        loop {
            match output.read(&mut buffer).unwrap() {
                0 => break lines,
                read => lines += buffer[..read].iter().filter(|b| **b == b'\n').count(),
            }
        }
    });
    let rate = LINES as f64 / start.elapsed().as_secs_f64();
    assert_eq!(lines, LINES);
    assert!(child.wait().unwrap().success());
    println!("route -, {name:<16}{rate:>10.0} lines per second");
}
