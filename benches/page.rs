//! Measures the first requests of the page, on a cluster with 1,000 extension APIServices, a fifth
//! of them broken.
//!
//! `cargo bench --bench page` prints times of this machine.

#![expect(clippy::unwrap_used, reason = "benchmarks fail loudly")]

use std::hint::black_box;

use aggctl::page::{self, Site};
use aggctl::render::SourceFlags;
use aggctl_source::load_bytes;
use divan::Bencher;
use jiff::Timestamp;
use kube_aggregation::model::Snapshot;
use serde_json::json;

fn main() {
    divan::main();
}

fn cluster(size: usize) -> Snapshot {
    let items = (0..size).map(|index| {
        let group = format!("g{index}.example.com");
        let available = if index % 5 == 0 { "False" } else { "True" };
        json!({
            "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
            "metadata": {"name": format!("v1.{group}")},
            "spec": {"group": group, "version": "v1", "groupPriorityMinimum": 1000, "versionPriority": 10,
                "service": {"namespace": "ext", "name": format!("s{}", index / 4)}},
            "status": {"conditions": [{"type": "Available", "status": available,
                "reason": "FailedDiscoveryCheck", "message": "no response"}]},
        })
    });
    let items: Vec<_> = items.collect();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string();
    load_bytes("apiservices.json", list.as_bytes()).unwrap().snapshot
}

fn ask(bencher: Bencher<'_, '_>, questions: &[(&str, &str)]) {
    let snapshot = cluster(1_000);
    let same = SourceFlags::default();
    let now = Timestamp::UNIX_EPOCH;
    let site = Site {
        snapshot: &snapshot,
        other: None,
        notes: &[],
        servers: None,
        peers: &[],
        applied: &[],
        removed: &[],
        effects: &[],
        same: &same,
        now,
    };
    bencher.bench_local(|| {
        for (question, query) in questions {
            let answer = page::respond(&site, &format!("/aggctl/api/{question}"), query);
            assert_eq!(black_box(answer).status, 200);
        }
    });
}

/// All requests that the page needs to show everything.
#[divan::bench]
fn first_answers(bencher: Bencher<'_, '_>) {
    let questions = ["site", "chain", "apiservices", "doctor", "paths"].map(|one| (one, ""));
    ask(bencher, &questions);
}

/// Routing a path, which happens at every keystroke.
#[divan::bench]
fn route(bencher: Bencher<'_, '_>) {
    ask(bencher, &[("route", "request=/apis/g5.example.com/v1/things")]);
}

/// Removing an APIService in a what-if.
#[divan::bench]
fn what_changes(bencher: Bencher<'_, '_>) {
    ask(bencher, &[("diff", "without=v1.g5.example.com")]);
}
