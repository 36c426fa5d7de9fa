//! Fuzz targets, one function per kind of input: no input may panic or run forever, and every
//! answer must satisfy the asserted properties. `fuzz/` runs them without end, and tests run each
//! on a limited number of mutated seeds.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::expectation;
use crate::render::{CustomColumns, JsonPath};
use aggctl_client::HttpEntry;
use aggctl_diagnose::conflict;
use aggctl_diagnose::doctor::{self, Probes};
use aggctl_diagnose::explain::{self, ExplainReport};
use aggctl_diagnose::health;
use aggctl_lint::{self, Config, LintInput, LintOptions};
use aggctl_source::live;
use aggctl_usage::{Counter, UsageQuestion};
use kube_aggregation::model::{HealthSample, Snapshot, compare_versions};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router, Target};
use kube_aggregation::what_if::{self, Changes};
use kube_aggregation::{baseline, discovery, names};

static REGISTRY: LazyLock<Registry<'static>> =
    LazyLock::new(|| Registry::new(baseline::server(baseline::LATEST)));
thread_local! {
    static ROUTER: Router<'static> = Router::new(&REGISTRY);
}

/// The current time for certificates and ages.
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// Parses any bytes as YAML or JSON.
pub fn document(bytes: &[u8]) {
    for document in located_document::parse(bytes).into_iter().flatten() {
        let _ = document.to_json_value();
    }
}

/// Reads any bytes as a file of a dump, and computes every answer from it.
pub fn dump(bytes: &[u8]) {
    let Ok(loaded) = aggctl_source::load_bytes("dump", bytes) else { return };
    ask(&loaded.snapshot);
}

/// Computes every answer that needs only a snapshot.
fn ask(snapshot: &Snapshot) {
    let registry = Registry::new(snapshot);
    let router = Router::new(&registry);
    for path in ["/apis/apps/v1/deployments", "/apis/x/v1/y", "/apis", "/healthz", "/openapi/v3"] {
        let Ok(target) = Target::parse(Method::Get, path) else { continue };
        let route = router.route(&target);
        let _ = (router.warnings(&route), router.assumptions(&route));
        let _ = router.suggest(Method::Get, path);
    }
    let _ = (discovery::aggregated(&registry), discovery::legacy(&registry));
    let _ = (registry.chain(), registry.review());
    let _ = (conflict::conflicts(&registry), names::name_conflicts(&registry, true));
    let _ = doctor::diagnose_all(&registry, NOW, &Probes::new());
    let _ =
        health::judge(std::slice::from_ref(&snapshot.health), snapshot.minor(), Some(&registry));
}

/// Reads any bytes as a manifest: lints, fixes and lints it again, and applies it to the baseline.
pub fn manifests(bytes: &[u8]) {
    let options = LintOptions { minor: baseline::LATEST.minor, ..LintOptions::default() };
    let cluster = baseline::server(baseline::LATEST);
    let lint =
        |bytes: &[u8]| aggctl_lint::run(&[LintInput::manifest("m.yaml", bytes)], cluster, &options);
    let report = lint(bytes);
    let fixes: Vec<_> = report.findings.iter().filter_map(|l| l.finding.fix.as_deref()).collect();
    if let Ok(edits) = aggctl_lint::edits(bytes, &fixes)
        && !edits.is_empty()
    {
        let mended = aggctl_lint::apply(bytes, &edits);
        assert_ne!(mended, bytes, "a fix that changes nothing");
        lint(&mended);
    }
    if let Ok(manifests) = aggctl_source::load_bytes("m.yaml", bytes) {
        let changes = Changes { applied: Some(&manifests.snapshot), replace: false, removed: &[] };
        if let Ok(changed) = what_if::changed(cluster, &changes) {
            ask(&changed.snapshot);
        }
    }
}

/// Parses any bytes as a kubeconfig, and resolves each of its contexts.
pub fn kubeconfig(bytes: &[u8]) {
    for all_contexts in [false, true] {
        let _ = live::ClusterOptions { all_contexts, ..live::ClusterOptions::default() }
            .find_in_bytes(bytes);
    }
}

/// Parses any bytes as `aggctl.toml`.
pub fn config(bytes: &[u8]) {
    let _ = Config::parse(bytes);
}

/// Parses any text as a file of expectations, and checks them against the baseline.
pub fn expectations(text: &str) {
    if let Ok(expectations) = expectation::parse(text) {
        let verdicts = ROUTER.with(|router| expectation::judge(router, &expectations).len());
        assert_eq!(verdicts, expectations.len());
    }
}

/// Explains any pasted text.
pub fn paste(text: &str) {
    let found = explain::explain(text);
    let lookups = explain::look_up(&REGISTRY, &found.subject, NOW);
    let report = ExplainReport::new(found, lookups, None);
    assert_eq!(report.answers.len(), report.found.matches.len());
}

/// Reads any bytes as a file of kubectl's discovery cache.
pub fn kubectl_cache(bytes: &[u8]) {
    let _ = aggctl_client::decode_groups(bytes);
    let _ = aggctl_client::decode_resources(bytes);
    let _ = HttpEntry::parse(bytes);
}

/// Counts any bytes as an audit log, line by line and as a whole.
pub fn audit_log(bytes: &[u8]) {
    let question = UsageQuestion::default();
    let counter = || Counter::new(&question, Router::new(&REGISTRY), None);
    let (mut by_line, mut whole) = (counter(), counter());
    by_line.lines(bytes);
    whole.document(bytes);
    let _ = (by_line.finish(), whole.finish());
}

/// Parses any text as the template of an output format, and applies it to a document.
pub fn template(text: &str) {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(
        || json!({"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": null}], "d.e": {"f": [true, [], {}]}}),
    );
    if let Ok(path) = JsonPath::parse(text) {
        let _ = (path.text(&DOCUMENT), path.json(&DOCUMENT));
    }
    if let Ok(columns) = CustomColumns::parse(text) {
        let _ = columns.table(&DOCUMENT, true);
    }
}

/// Parses any text as a request target.
pub fn path(text: &str) {
    ROUTER.with(|router| {
        for target in Method::ALL.into_iter().flat_map(|method| Target::parse(method, text)) {
            let route = router.route(&target);
            assert!(!route.status.is_empty(), "no status for {text}");
            let _ = (router.warnings(&route), router.assumptions(&route));
            let _ = router.suggest(target.method, &target.path);
        }
    });
}

/// Compares any three texts as versions, and checks that they have a consistent order.
pub fn versions(a: &str, b: &str, c: &str) {
    assert_eq!(compare_versions(a, b), compare_versions(b, a).reverse(), "{a} {b}");
    if compare_versions(a, b).is_le() && compare_versions(b, c).is_le() {
        assert!(compare_versions(a, c).is_le(), "{a} {b} {c}");
    }
}

/// Parses any text as a health response. A truncated text never passes more checks than the whole.
pub fn health(text: &str) {
    let judged = |text: &str| {
        let sample = HealthSample { endpoint: None, body: Ok(text.to_owned()) };
        health::judge(&[vec![sample]], None, Some(&REGISTRY))
    };
    let mut whole = judged(text);
    let names: Vec<String> =
        whole.answers.iter().flat_map(|one| &one.checks).map(|check| check.name.clone()).collect();
    let kept = names.first().map_or(Ok(()), |name| whole.keep(std::slice::from_ref(name)));
    assert_eq!(kept, Ok(()), "a check that was there is not found: {text}");
    let hidden = health::withheld(text);
    let stated = health::FailureReason::Stated("because".to_owned());
    let reasons: Vec<_> = hidden.into_iter().map(|name| (name, stated.clone())).collect();
    let _ = judged(&health::with_reasons(text, &reasons));
}
