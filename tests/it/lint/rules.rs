//! Every lint rule against its folder in `testdata/lint`: manifests that must have a finding and
//! manifests that must not. A rule without cases or documentation fails.

use aggctl_lint::{self, Category, LintInput, LintOptions, LintReport, rules};
use kube_aggregation::baseline;
use kube_aggregation::model::{
    EndpointSlice, Input as ModelInput, Minor, Service, ServiceType, Snapshot, SourceKind,
};
use kube_aggregation::what_if::{self, Changes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{NOW, on_plain};
use crate::{assert_none, repository};

fn options() -> LintOptions {
    LintOptions { minor: 36, now: NOW, expires_within: 30 * 86_400, ..LintOptions::default() }
}

fn root() -> PathBuf {
    repository("testdata/lint")
}

/// Returns built-in Kubernetes with the objects of a case's `cluster.yaml` and no others.
fn cluster(folder: &Path) -> Snapshot {
    let manifests = aggctl_source::load_manifests(&[folder.join("cluster.yaml")]).unwrap().snapshot;
    let plain = baseline::server(Minor::new(36));
    let changes = Changes { applied: Some(&manifests), replace: false, removed: &[] };
    let mut snapshot = what_if::changed(plain, &changes).unwrap().snapshot;
    snapshot.origin.kind = SourceKind::Dump;
    let mut services = manifests.services.loaded().cloned().unwrap_or_default();
    let mut slices = manifests.endpoint_slices.loaded().cloned().unwrap_or_default();
    // Every cluster has these: a list without them would count as incomplete.
    services.push(Service {
        namespace: "default".to_owned(),
        name: "kubernetes".to_owned(),
        kind: ServiceType::ClusterIp,
        cluster_ip: Some("10.96.0.1".to_owned()),
        external_name: None,
        ports: vec![],
        selector: Default::default(),
    });
    slices.push(EndpointSlice {
        namespace: "default".to_owned(),
        name: "kubernetes".to_owned(),
        service: Some("kubernetes".to_owned()),
        ports: vec![],
        endpoints: vec![],
    });
    services.sort_by(|a, b| (&a.namespace, &a.name).cmp(&(&b.namespace, &b.name)));
    snapshot.services = ModelInput::Loaded(services);
    snapshot.endpoint_slices = ModelInput::Loaded(slices);
    (snapshot.listed.services, snapshot.listed.endpoint_slices) = (true, true);
    snapshot.crds_complete = true;
    snapshot
}

/// Reads and lints a case, on its cluster if its name says so.
pub(super) fn run(path: &Path) -> (LintInput, LintReport) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let input = LintInput::manifest(name.clone(), std::fs::read(path).unwrap());
    let report = match name.contains("cluster") {
        true => aggctl_lint::run(
            std::slice::from_ref(&input),
            &cluster(path.parent().unwrap()),
            &options(),
        ),
        false => on_plain(std::slice::from_ref(&input), &options()),
    };
    (input, report)
}

/// Returns the manifests of a rule: `fire*` must have a finding, `pass*` must not.
pub(super) fn cases(rule: &str) -> Vec<PathBuf> {
    let folder = root().join(rule);
    let listing = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("no testdata/lint/{rule}"));
    let mut paths: Vec<PathBuf> = listing.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| !path.ends_with("cluster.yaml") && !path.ends_with("example.yaml"));
    paths.sort();
    paths
}

#[test]
fn every_rule_fires_when_it_must_and_only_then() {
    let mut wrong = Vec::new();
    for rule in rules::all() {
        let (mut fired, mut passed) = (0, 0);
        for path in cases(rule.name) {
            let (_, report) = run(&path);
            let fires = report.findings.iter().any(|l| l.finding.rule.name == rule.name);
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let must = name.starts_with("fire");
            assert!(must || name.starts_with("pass"), "{}", path.display());
            fired += usize::from(must);
            passed += usize::from(!must);
            if fires != must {
                let found: Vec<_> = report.findings.iter().map(|l| l.finding.rule.name).collect();
                wrong.push(format!("{}/{name}: found {found:?}", rule.name));
            }
        }
        assert!(fired > 0 && passed > 0, "{} needs cases that fire and that pass", rule.name);
    }
    assert_none(&wrong);
}

#[test]
fn folders_and_files_belong_to_rules() {
    let rules: BTreeSet<String> = rules::all().map(|r| r.name.to_owned()).collect();
    let list = |path: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(path).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(list(&root()), rules, "folders in testdata/lint and rules differ");
    let source = repository("crates/aggctl-lint/src");
    let both = |rule: &String| [format!("{rule}.md"), format!("{rule}.yaml")];
    let texts: BTreeSet<String> = rules.iter().flat_map(both).collect();
    assert_eq!(list(&source.join("docs")), texts, "files in src/docs and rules differ");
    let folder = source.join("rules");
    for file in list(&folder).iter().filter(|name| *name != "mod.rs") {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let own = rules.iter().filter(|rule| text.contains(&format!("\"{rule}\""))).count();
        assert!(own > 0, "no rule of {file} is in the table");
    }
}

#[test]
fn the_table_is_sorted_and_each_rule_is_documented() {
    for pair in rules::all().collect::<Vec<_>>().windows(2) {
        assert!(pair[0].name < pair[1].name, "{} is listed before {}", pair[0].name, pair[1].name);
    }
    for rule in rules::all() {
        let docs = rule.docs();
        for text in [rule.summary(), &docs.what, &*rule.why(), docs.example, &docs.remedy] {
            assert!(!text.trim().is_empty(), "{} lacks documentation", rule.name);
            assert_eq!(text.trim_end_matches('\n'), text.trim(), "{}", rule.name);
        }
        assert!(!rule.summary().ends_with('.'), "{}", rule.name);
        for text in [&docs.what, &*rule.why(), &docs.remedy] {
            assert!(text.ends_with(['.', '?']), "{}: {text}", rule.name);
        }
        assert!(rules::find(rule.name).is_some_and(|found| std::ptr::eq(found, rule)));
    }
}

#[test]
fn whole_examples_make_their_rule_fire() {
    for rule in rules::all() {
        let example = rule.docs().example;
        if !example.contains("kind: APIService") || rule.category == Category::Input {
            continue;
        }
        let input = LintInput::manifest("example.yaml", example);
        let report = on_plain(&[input], &options());
        let found: Vec<_> = report.findings.iter().map(|l| l.finding.rule.name).collect();
        assert!(found.contains(&rule.name), "the example of {} finds {found:?}", rule.name);
    }
}

#[test]
fn a_good_manifest_is_clean() {
    let (_, report) = run(&repository("testdata/clean.yaml"));
    let found: Vec<_> = report.findings.iter().map(|l| l.finding.message.clone()).collect();
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(report.api_services, 1);
}
