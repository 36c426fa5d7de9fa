//! Tests incomplete dumps: what follows from the rest is right, and everything else is reported as
//! assumed.

use std::path::{Path, PathBuf};

use aggctl_source::{self, Source};
use kube_aggregation::model::{ApiService, GroupVersion, Input, Snapshot};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Match, Method, Outcome, Route, Router, Target};

use crate::{aggctl, assert_none, dump, finish, load, recording, recordings, requests};

fn mixed() -> Snapshot {
    load(&recording("v1.36-mixed"))
}

/// Routes a GET. Returns hops as `server pattern`, the outcome, and the assumptions.
fn ask(snapshot: &Snapshot, path: &str) -> (Vec<String>, Outcome, Vec<String>) {
    let registry = Registry::new(snapshot);
    let router = Router::new(&registry);
    let target = Target::parse(Method::Get, path).unwrap();
    let route = router.route(&target);
    let hops = route.hops().map(|hop| match hop.matched {
        Match::WebService(p) | Match::Prefix(p) => format!("{} {p}", hop.server.as_str()),
        Match::Exact => format!("{} exact", hop.server.as_str()),
        Match::None => format!("{} -", hop.server.as_str()),
    });
    let assumed = router.assumptions(&route).iter().map(ToString::to_string).collect();
    (hops.collect(), route.outcome, assumed)
}

/// A recording: the files of its dump, and the answers of the whole dump to recorded requests.
struct Recorded {
    name: String,
    files: Vec<PathBuf>,
    requests: Vec<crate::Recorded>,
    answers: Vec<Answer>,
}

/// The servers, each with what matched there, and the outcome.
type Answer = (Vec<String>, Outcome);

fn answer(route: &Route<'_>) -> Answer {
    let hops = route.hops().map(|hop| format!("{} {:?}", hop.server.as_str(), hop.matched));
    (hops.collect(), route.outcome)
}

impl Recorded {
    fn new(recording: &Path, every: usize) -> Self {
        let requests: Vec<_> = requests(recording).into_iter().step_by(every).collect();
        let dump = std::fs::read_dir(recording.join("dump")).unwrap();
        let mut files: Vec<PathBuf> = dump.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let whole = load(recording);
        let registry = Registry::new(&whole);
        let router = Router::new(&registry);
        let answers = requests.iter().map(|r| answer(&router.route(&r.target()))).collect();
        let name = recording.file_name().unwrap().to_str().unwrap().to_owned();
        Self { name, files, requests, answers }
    }

    fn mixed() -> Self {
        Self::new(&recording("v1.36-mixed"), 1)
    }

    /// Compares all answers with those of the whole dump. Returns the number of unknown answers,
    /// and the answers that differ without an assumption.
    fn compare(&self, partial: &Snapshot) -> (usize, Vec<String>) {
        let registry = Registry::new(partial);
        let router = Router::new(&registry);
        let (mut unknown, mut wrong) = (0, vec![]);
        for (request, want) in self.requests.iter().zip(&self.answers) {
            let target = request.target();
            let route = router.route(&target);
            unknown += usize::from(route.outcome == Outcome::Unknown);
            if answer(&route) != *want && router.assumptions(&route).is_empty() {
                let (got, want) = (route.outcome.as_str(), want.1.as_str());
                wrong.push(format!("{} {}: {got} not {want}", request.method, request.path));
            }
        }
        (unknown, wrong)
    }

    /// Returns the answers that contradict the whole dump if these files are missing.
    fn without(&self, left_out: &[&PathBuf]) -> Vec<String> {
        let rest = self.files.iter().filter(|file| !left_out.contains(file)).cloned().collect();
        let partial = aggctl_source::load(&Source::Dump(rest)).unwrap().snapshot;
        let names = left_out.iter().map(|file| file.file_name().unwrap().to_str().unwrap());
        let names: Vec<_> = names.collect();
        let (_, wrong) = self.compare(&partial);
        let told = |line| format!("{} without {}: {line}", self.name, names.join(", "));
        wrong.into_iter().map(told).collect()
    }
}

/// Removes files from dumps. No answer may contradict the whole dump without an assumption. Tries
/// one of `every` requests.
fn check(
    recordings: &[PathBuf],
    every: usize,
    left_out: impl Fn(&Recorded) -> Vec<Vec<&PathBuf>> + Sync,
) {
    let wrong = std::sync::Mutex::new(vec![]);
    std::thread::scope(|scope| {
        for recording in recordings {
            let (wrong, left_out) = (&wrong, &left_out);
            scope.spawn(move || {
                let recorded = Recorded::new(recording, every);
                for files in left_out(&recorded) {
                    wrong.lock().unwrap().extend(recorded.without(&files));
                }
            });
        }
    });
    assert_none(&wrong.into_inner().unwrap());
}

#[test]
fn any_file_may_be_missing() {
    check(&recordings(), 3, |recorded| recorded.files.iter().map(|file| vec![file]).collect());
}

/// Tries pairs of files about the whole cluster. One file per group is enough.
#[test]
fn any_two_files_may_be_missing() {
    let recordings = ["v1.20-odd", "v1.25-mixed", "v1.33-vanilla", "v1.36-crds", "v1.36-mixed"];
    check(&recordings.map(recording), 7, |recorded| {
        let about_all = |file: &&PathBuf| {
            let name = file.file_name().unwrap().to_str().unwrap();
            !name.starts_with("apis_") || name == "apis_apps_v1.json"
        };
        let files: Vec<&PathBuf> = recorded.files.iter().filter(about_all).collect();
        let mut pairs = vec![];
        for (index, a) in files.iter().enumerate() {
            pairs.extend(files[..index].iter().map(|b| vec![*a, *b]));
        }
        pairs
    });
}

#[test]
fn only_apiservices() {
    let mut snapshot = mixed();
    let services = std::mem::replace(&mut snapshot.api_services, Input::Absent);
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.api_services = services;
    let (unknown, wrong) = Recorded::mixed().compare(&partial);
    // Only the resources of CRDs and extension servers are unknown.
    assert!(unknown > 0 && unknown < 700, "{unknown}");
    assert_eq!(wrong, Vec::<String>::new());
    let (hops, outcome, assumed) = ask(&partial, "/api/v1/pods");
    assert_eq!(hops, ["kube-aggregator /api/", "kube-apiserver /api/v1"]);
    assert_eq!(outcome, Outcome::Served);
    insta::assert_snapshot!(assumed.join("\n"), @"
    the APIResourceList of v1 is not in the source; using built-in Kubernetes 1.36
    the server's version is not in the source, but it is 1.34 to 1.36; assuming 1.36
    ");
}

#[test]
fn no_path_list() {
    let mut snapshot = mixed();
    snapshot.root_paths = Input::Absent;
    let (unknown, wrong) = Recorded::mixed().compare(&snapshot);
    assert_eq!((unknown, wrong), (0, vec![]));
    let (_, _, assumed) = ask(&snapshot, "/healthz");
    insta::assert_snapshot!(assumed.join("\n"), @"the path list / is not in the source; using built-in Kubernetes 1.36");
    assert_eq!(ask(&snapshot, "/api/v1/pods").2, Vec::<String>::new());
}

#[test]
fn no_crds() {
    let mut snapshot = mixed();
    snapshot.crds = Input::Absent;
    snapshot.crds_complete = false;
    let (unknown, wrong) = Recorded::mixed().compare(&snapshot);
    // A CRD might serve the local APIServices that no server serves.
    assert!(unknown < 100, "{unknown}");
    let unserved = |line: &&String| !line.contains("not-found not");
    assert_eq!(wrong.iter().filter(unserved).count(), 0, "{wrong:?}");
    let (hops, outcome, assumed) = ask(&snapshot, "/apis/stable.example.com/v1/crontabs");
    assert_eq!(
        hops,
        [
            "kube-aggregator /apis/stable.example.com/v1/",
            "kube-apiserver -",
            "apiextensions-apiserver /apis/"
        ]
    );
    assert_eq!(outcome, Outcome::Served);
    insta::assert_snapshot!(assumed.join("\n"), @"CRDs are not in the source; inferred crontabs.stable.example.com from an APIResourceList");
}

#[test]
fn only_discovery_documents() {
    let snapshot = mixed();
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.aggregated_groups = snapshot.aggregated_groups.clone();
    partial.aggregated_core = snapshot.aggregated_core.clone();
    partial.resource_lists = snapshot.resource_lists.clone();
    // For a built-in group version, everything follows.
    let (hops, outcome, _) = ask(&partial, "/apis/apps/v1/deployments");
    assert_eq!(hops, ["kube-aggregator /apis/apps/v1/", "kube-apiserver /apis/apps/v1"]);
    assert_eq!(outcome, Outcome::Served);
    // For any other, it follows that it is registered, but not which server serves it.
    let (hops, outcome, assumed) = ask(&partial, "/apis/stable.example.com/v1/crontabs");
    assert_eq!(hops[0], "kube-aggregator /apis/stable.example.com/v1/");
    assert_eq!(outcome, Outcome::Unknown);
    insta::assert_snapshot!(assumed.join("\n"), @"
    APIServices are not in the source; using built-in Kubernetes 1.36
    CRDs are not in the source; cannot tell whether a CRD or a Service answers
    the server's version is not in the source, but it is 1.34 to 1.36; assuming 1.36
    ");
    // With CRDs that follows too: a group version without a CRD belongs to a Service.
    partial.crds = snapshot.crds.clone();
    partial.crds_complete = true;
    assert_eq!(ask(&partial, "/apis/stable.example.com/v1/crontabs").1, Outcome::Served);
    let (hops, outcome, assumed) = ask(&partial, "/apis/wardle.example.com/v2/flunders");
    assert_eq!((hops.len(), outcome), (1, Outcome::Proxied));
    insta::assert_snapshot!(assumed.join("\n"), @"
    APIServices are not in the source; using built-in Kubernetes 1.36
    APIServices are not in the source; cannot tell which Service answers and whether it is available
    the server's version is not in the source, but it is 1.34 to 1.36; assuming 1.36
    ");
}

#[test]
fn a_selection_of_apiservices_is_completed() {
    let mut snapshot = mixed();
    if let Input::Loaded(services) = &mut snapshot.api_services {
        services.retain(|s| s.service.is_some());
    }
    let (hops, outcome, assumed) = ask(&snapshot, "/apis/apps/v1/deployments");
    assert_eq!((hops.len(), outcome), (2, Outcome::Served));
    insta::assert_snapshot!(assumed.join("\n"), @"APIServices are incomplete in the source; using built-in Kubernetes 1.36");
    // The selected objects are known, and need no assumption.
    let (_, outcome, assumed) = ask(&snapshot, "/apis/metrics.k8s.io/v1/nodes");
    assert_eq!((outcome, assumed), (Outcome::Unavailable, vec![]));
}

/// If the APIService of a built-in group version is deleted or points to a Service, kube-apiserver
/// still serves it. Only the route changes.
#[test]
fn built_in_group_versions_outlive_their_apiservices() {
    let mut snapshot = mixed();
    if let Input::Loaded(services) = &mut snapshot.api_services {
        services.retain(|s| s.name != "v1.batch");
        let remote = services.iter().find_map(|s| s.service.clone());
        for service in services.iter_mut().filter(|s| s.name == "v1.policy") {
            service.service = remote.clone();
        }
    }
    let (hops, outcome, _) = ask(&snapshot, "/apis/batch/v1/jobs");
    assert_eq!(hops, ["kube-aggregator -", "kube-apiserver /apis/batch/v1"]);
    assert_eq!(outcome, Outcome::Served);
    assert_eq!(ask(&snapshot, "/apis/policy/v1/x").1, Outcome::Proxied);
    let (hops, outcome, _) = ask(&snapshot, "/apis/policy//");
    assert_eq!(hops, ["kube-aggregator -", "kube-apiserver /apis/policy"]);
    assert_eq!(outcome, Outcome::Served);
}

/// The label of an APIService proves nothing if the server's own document lists everything it
/// serves.
#[test]
fn without_legacy_lists_an_unserved_apiservice_is_found() {
    let mut snapshot = mixed();
    let services = snapshot.api_services.loaded().unwrap().clone();
    let built_in = services.iter().find(|service| service.name == "v1.batch").unwrap();
    let group_version = GroupVersion::new("batch", "v9");
    let ghost =
        ApiService { name: group_version.api_service_name(), group_version, ..built_in.clone() };
    snapshot.api_services = Input::Loaded(services.into_iter().chain([ghost]).collect());
    let with_lists = ask(&snapshot, "/apis/batch/v9/jobs");
    snapshot.resource_lists.clear();
    assert_eq!(ask(&snapshot, "/apis/batch/v9/jobs"), with_lists);
    assert_eq!(with_lists.1, Outcome::NotFound);
    assert_eq!(ask(&snapshot, "/apis/batch/v1/jobs").1, Outcome::Served);
    snapshot.aggregated_groups = Input::Absent;
    assert_eq!(ask(&snapshot, "/apis/batch/v9/jobs").1, Outcome::Unknown);
}

/// Unknown is not the same as not found.
#[test]
fn without_any_registration_nothing_is_not_found() {
    let snapshot = mixed();
    let mut partial = Snapshot::empty(snapshot.origin.clone());
    partial.version = snapshot.version.clone();
    for path in ["/apis/shop.example/v1/carts", "/apis/apps/v9/widgets", "/apis/shop.example/v1"] {
        let (_, outcome, assumed) = ask(&partial, path);
        assert_eq!(outcome, Outcome::Unknown, "{path}");
        assert!(!assumed.is_empty(), "{path}");
    }
    assert_eq!(ask(&partial, "/api/v1/nothing").1, Outcome::NotFound);
    // A document that lists all group versions is enough.
    partial.legacy_groups = snapshot.legacy_groups.clone();
    assert_eq!(ask(&partial, "/apis/shop.example/v1/carts").1, Outcome::NotFound);
    // In a built-in group, the version may belong to a Service, which would answer, or to a CRD,
    // which would not.
    assert_eq!(ask(&partial, "/apis/apps/v9/widgets").1, Outcome::Unknown);
}

/// If a missing file changes the answer of any command, the answer has an assumption.
#[test]
fn every_command_reports_its_assumptions() {
    let commands: [&[&str]; 8] = [
        &["conflicts", "--all"],
        &["apiservices"],
        &["order"],
        &["order", "--form", "aggregated"],
        &["chain"],
        &["discovery"],
        &["discovery", "--merged"],
        &["upgrade", "--to", "1.37"],
    ];
    // The second recording has no aggregated document, and its version is not built in.
    for (recording, of_groups) in [
        ("v1.36-mixed", ["apis_apps_v1.json", "apis_stable.example.com_v1.json"]),
        ("v1.20-odd", ["apis_fjord.tie_v1.json", "apis_nectar.test_v77.json"]),
    ] {
        let files: Vec<PathBuf> = std::fs::read_dir(dump(recording))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        let place = tempfile::tempdir().unwrap();
        let whole = place.path().join("dump");
        std::fs::create_dir(&whole).unwrap();
        let put = |file: &Path| std::fs::copy(file, whole.join(file.file_name().unwrap())).unwrap();
        for file in &files {
            put(file);
        }
        let ask = |command: &[&str]| {
            let all = [command, &["-o", "json", "--dump", "dump"]].concat();
            let run = finish(aggctl(&all).current_dir(&place));
            // Without a version, `upgrade` is an error.
            if run.code == 3 {
                return Err(run.err);
            }
            let mut answer = run.json();
            let assumptions = answer.as_object_mut().unwrap().remove("assumptions");
            Ok((answer, assumptions.unwrap()))
        };
        let full = commands.map(|command| ask(command).unwrap());
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap();
            if name.starts_with("apis_") && !of_groups.contains(&name) {
                continue;
            }
            std::fs::remove_file(whole.join(name)).unwrap();
            for (command, (want, assumed)) in commands.iter().zip(&full) {
                let Ok((got, now_assumed)) = ask(command) else { continue };
                let told = now_assumed.as_array().is_some_and(|all| !all.is_empty());
                let told = told && now_assumed != *assumed;
                assert!(got == *want || told, "{recording}: {command:?} without {name}");
            }
            put(&file);
        }
    }
}
