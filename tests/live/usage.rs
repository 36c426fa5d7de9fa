//! Tests `aggctl usage` with the metrics of a live cluster.

use serde_json::Value;

use crate::server::Breakage;
use crate::world::{World, recording};

const METRICS: &str = r#"# HELP apiserver_request_total [STABLE] Counter of apiserver requests.
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"} 5
apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"} 2
apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="namespaces",scope="resource",subresource="",verb="POST",version="v1"} 3
apiserver_request_total{code="200",component="apiserver",dry_run="",group="apps",resource="deployments",scope="namespace",subresource="",verb="WATCH",version="v1"} 4
apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/livez",verb="GET",version=""} 7
apiserver_requested_deprecated_apis{group="",removed_release="1.40",resource="endpoints",subresource="",version="v1"} 1
aggregator_unavailable_apiservice{name="v1.metrics.k8s.io"} 1
aggregator_unavailable_apiservice_total{name="v1.metrics.k8s.io",reason="EndpointsNotFound"} 6
go_goroutines 900
"#;

fn json(out: &str) -> Value {
    serde_json::from_str(out).unwrap()
}

#[test]
fn without_a_log_the_metrics_are_counted() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/metrics", Breakage::Plain(200, METRICS));
    let run = world.live(&["usage", "--by", "apiservice,verb,outcome", "-o", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let asked = world.server.seen();
    assert_eq!(asked.iter().filter(|request| request.path == "/metrics").count(), 1);
    let answer = json(&run.out);
    let rows: Vec<String> = (answer["rows"].as_array().unwrap().iter())
        .map(|row| {
            format!("{} {} {} {}", row["apiService"], row["verb"], row["outcome"], row["requests"])
        })
        .map(|row| row.replace('"', ""))
        .collect();
    let want = [
        "kube-aggregator get served 7",
        "kube-apiserver list served 5",
        "kube-apiserver watch served 4",
        "kube-apiserver create served 3",
        "kube-apiserver get served 2",
    ];
    assert_eq!(rows, want);
    assert_eq!(answer["total"]["statuses"]["4xx"], 2);
    assert_eq!(
        (&answer["total"]["clients"], &answer["total"]["longRunning"]),
        (&0.into(), &4.into())
    );
    let metrics = &answer["coverage"]["metrics"];
    assert_eq!(metrics["series"], 5);
    assert_eq!(metrics["unavailable"][0]["apiService"], "v1.metrics.k8s.io");
    assert_eq!(metrics["unavailable"][0]["times"], 6);
    assert_eq!(metrics["deprecated"][0]["removedRelease"], "1.40");
    insta::assert_snapshot!(world.live(&["usage"]), @"
    APISERVICE        REQUESTS   SHARE   4XX   5XX   P99   P50   CLIENTS   LAST SEEN   OVER TIME
    kube-apiserver    14         66.7%   2     -     -     -     -         -           -
    kube-aggregator   7          33.3%   -     -     -     -     -         -           -

    Counted by the metrics of one API server since it started. Metrics have no
    clients and no times, and leave out requests that are proxied to Services.
      v1.metrics.k8s.io is not available (6 times in total)
      endpoints.v1 is requested; it is deprecated and removed in 1.40
    ");
}

/// Metrics may be in a file among the logs, or in a dump.
#[test]
fn saved_metrics_are_counted_too() {
    let world = World::new(&recording("v1.36-mixed"));
    let file = world.file("metrics.txt", METRICS);
    let file = file.to_str().unwrap();
    let of_file = world.offline(&["usage", file, "-o", "json"]);
    assert_eq!(of_file.code, 0, "{}", of_file.err);
    let of_dump = world.offline(&["usage", "--dump", file, "-o", "json"]);
    assert_eq!(of_dump.code, 0, "{}", of_dump.err);
    let (of_file, of_dump) = (json(&of_file.out), json(&of_dump.out));
    assert_eq!((&of_dump["rows"], &of_dump["coverage"]), (&of_file["rows"], &of_file["coverage"]));
    // A built-in group version is served even without its APIService.
    let hurt = world.offline(&["usage", file, "--without", "v1.apps", "-o", "json"]);
    assert_eq!(json(&hurt.out)["comparison"]["same"], 21, "{}", hurt.err);
    let none = world.offline(&["usage"]);
    assert_eq!(none.code, 3, "{}", none.err);
}

#[test]
fn metrics_that_cannot_be_read_are_an_error() {
    let world = World::new(&recording("v1.36-mixed"));
    let runs = [Breakage::Status(403), Breakage::WrongType, Breakage::Garbage].map(|breakage| {
        world.server.break_at("/metrics", breakage);
        world.shown(world.live(&["usage"])).to_string()
    });
    insta::assert_snapshot!(runs.join("\n"), @"
    2> warning: could not read /metrics: forbidden (403): as the test wants it
    2> error: cluster here has no request metrics
    2> hint: pass audit logs, or write a dump with `aggctl dump`, add the output of `kubectl get --raw /metrics` to it, and use --dump
    [exit 3]

    2> warning: could not read /metrics: not found (404)
    2> error: cluster here has no request metrics
    2> hint: pass audit logs, or write a dump with `aggctl dump`, add the output of `kubectl get --raw /metrics` to it, and use --dump
    [exit 3]

    2> warning: could not read /metrics: not found (404)
    2> error: cluster here has no request metrics
    2> hint: pass audit logs, or write a dump with `aggctl dump`, add the output of `kubectl get --raw /metrics` to it, and use --dump
    [exit 3]
    ");
}
