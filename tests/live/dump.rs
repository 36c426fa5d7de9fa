//! Tests `aggctl dump`: its files, and that commands give the same answers on it as on the cluster.

use std::collections::BTreeSet;
use std::path::Path;

use crate::equality::without_footer;
use crate::server::{Breakage, Setup};
use crate::world::{PIECE, Run, TOKEN, World, for_each_recording, recorded_routes, recording, run};

const API_SERVICES: &[&str] = &["apiservices", "-o", "wide", "--now", "2026-11-20T12:00:00Z"];
const CHAIN: &[&str] = &["chain"];
const DOCTOR: &[&str] = &["doctor", "--all", "--now", "2026-11-16T12:00:00Z"];
const CONFLICTS: &[&str] = &["conflicts", "--all"];
const WORDS: &[&str] = &[
    "route",
    "/apis/apps/v1/deployments",
    "/apis/apps/v9/x",
    "/healthz",
    "/openapi/v3/apis/apps/v1",
    "/apis/no/v1",
    "-o",
    "wide",
];

/// The commands besides `route` for which a dump `--for route` is enough.
const FOR_ROUTE: [&[&str]; 15] = [
    API_SERVICES,
    CHAIN,
    WORDS,
    &["order", "-o", "wide"],
    &["order", "--form", "aggregated", "-o", "wide"],
    &["order", "--form", "openapi-v2", "-o", "wide"],
    &["discovery", "-o", "wide"],
    &["discovery", "--form", "legacy"],
    &["discovery", "--form", "aggregated"],
    &["discovery", "/api"],
    &["discovery", "/api/v1"],
    &["discovery", "/apis/apps"],
    &["discovery", "/apis/apps/v1"],
    &["discovery", "--merged", "-o", "wide"],
    &["discovery", "--merged", "--form", "legacy"],
];

fn offline(dump: &Path, question: &[&str]) -> Run {
    let mut arguments = question.to_vec();
    arguments.extend(["--dump", dump.to_str().unwrap()]);
    let run = run(&arguments);
    let out = run.out.replace(&format!("--dump {}", dump.display()), "SOURCE");
    Run { out: without_footer(&out).to_owned(), ..run }
}

/// Runs a command on the server. Replaces the source in commands to copy.
fn live(world: &World, question: &[&str]) -> Run {
    let run = world.live(question);
    let source = format!("--kubeconfig {}", world.kubeconfig().display());
    let out = run.out.replace(&format!("kubectl {source} "), "kubectl ").replace(&source, "SOURCE");
    Run { out: without_footer(&out).to_owned(), ..run }
}

fn dump(world: &World, name: &str, more: &[&str]) -> std::path::PathBuf {
    let target = world.directory.path().join(name);
    let mut arguments = vec!["dump", target.to_str().unwrap()];
    arguments.extend(more);
    let run = world.live(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out, "");
    target
}

/// The cluster, a whole dump and a dump for this purpose give the same answers.
#[test]
fn a_dump_answers_as_the_cluster_did() {
    for_each_recording(|world, recording| {
        let whole = dump(world, "dump", &[]);
        let route = dump(world, "route", &["--for", "route"]);
        let doctor = dump(world, "doctor", &["--for", "doctor"]);
        for question in FOR_ROUTE {
            let live = live(world, question);
            assert_eq!(offline(&whole, question), live, "{question:?}");
            assert_eq!(offline(&route, question), live, "--for route {question:?}");
        }
        for question in [DOCTOR, API_SERVICES, CHAIN] {
            let live = live(world, question);
            assert_eq!(offline(&whole, question), live, "{question:?}");
            assert_eq!(offline(&doctor, question), live, "--for doctor {question:?}");
        }
        let live = live(world, CONFLICTS);
        assert_eq!(offline(&whole, CONFLICTS), live);
        assert_eq!(offline(&route, CONFLICTS), live);
        // Answers name their source, and only a complete source has suggestions.
        let arguments = recorded_routes(recording);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let live = answers(&world.live(&arguments).out);
        assert!(live.len() > 100);
        for dump in [&whole, &route] {
            let offline = answers(&offline(dump, &arguments).out);
            assert_eq!(offline.len(), live.len());
            for (one, other) in offline.iter().zip(&live) {
                assert_eq!(one, other);
            }
        }
        assert!(world.server.seen().iter().all(|s| s.method == "GET"));
    });
}

fn answers(lines: &str) -> Vec<serde_json::Value> {
    let answer = |line: &str| {
        let mut answer: serde_json::Value = serde_json::from_str(line).unwrap();
        let fields = answer.as_object_mut().unwrap();
        fields.retain(|name, _| name != "source" && name != "suggestion");
        answer
    };
    lines.lines().map(answer).collect()
}

/// An archive gives the same answers as a directory. `tests/external` unpacks one with tar.
#[test]
fn an_archive_answers_as_the_cluster_does() {
    let world = World::new(&recording("v1.36-crds"));
    let archive = dump(&world, "dump.tar.gz", &[]);
    assert_eq!(offline(&archive, API_SERVICES), live(&world, API_SERVICES));
}

/// Schemas are large, and kept only with `--full`.
#[test]
fn schemas_are_kept_where_they_are_wanted() {
    let world = World::new(&recording("v1.36-crds"));
    let crds = |name: &str, more: &[&str]| {
        std::fs::read_to_string(dump(&world, name, more).join("crds.json")).unwrap()
    };
    assert!(!crds("dump", &[]).contains("openAPIV3Schema"));
    assert!(crds("full", &["--full"]).contains("openAPIV3Schema"));
}

#[test]
fn the_manifest_lists_what_was_and_was_not_collected() {
    let world = World::new(&recording("v1.36-mixed"));
    let manifest = |name: &str, more: &[&str]| -> serde_json::Value {
        let directory = dump(&world, name, more);
        let text = std::fs::read_to_string(directory.join("aggctl-dump.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        for entry in manifest["collected"].as_array().unwrap() {
            let bytes = std::fs::metadata(directory.join(entry["file"].as_str().unwrap())).unwrap();
            assert_eq!(entry["bytes"], bytes.len());
        }
        let files = std::fs::read_dir(directory).unwrap().count();
        assert_eq!(manifest["collected"].as_array().unwrap().len() + 1, files);
        manifest
    };
    let left_out = |manifest: &serde_json::Value| -> Vec<String> {
        let entries = manifest["leftOut"].as_array().unwrap().iter();
        entries
            .map(|e| format!("{}: {}", e["what"].as_str().unwrap(), e["why"].as_str().unwrap()))
            .collect()
    };
    let whole = manifest("whole", &[]);
    let unavailable = "the APIResourceLists of 10 unavailable APIServices: \
                       the aggregator answers 503 for them";
    assert_eq!(left_out(&whole), ["Endpoints: only servers up to 1.33 look at it", unavailable]);
    assert_eq!(
        left_out(&manifest("doctor", &["--for", "doctor"])),
        [
            "Endpoints: only servers up to 1.33 look at it",
            "the document /apis: --for doctor does not need it",
            "the document /api: --for doctor does not need it",
            "the aggregated document /api: --for doctor does not need it",
            "the index /openapi/v3: --for doctor does not need it",
            "the document /openapi/v2: --for doctor does not need it",
            "other APIResourceLists: --for doctor does not need them",
        ]
    );
}

/// If Ctrl-C interrupts reading the cluster, no file is written.
#[cfg(unix)]
#[test]
fn an_interrupted_dump_leaves_nothing() {
    let world = World::new(&recording("v1.36-vanilla"));
    world.server.break_at("/version", Breakage::Hang);
    let before = std::fs::read_dir(world.directory.path()).unwrap().count();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_aggctl"))
        .env_clear()
        .args(["dump", "dump", "--kubeconfig", "config"])
        .current_dir(world.directory.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    world.server.wait_for("/version");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert_eq!(std::fs::read_dir(world.directory.path()).unwrap().count(), before);
}

#[test]
fn a_dump_keeps_what_could_not_be_read() {
    let world = World::new(&recording("v1.36-mixed"));
    world
        .server
        .break_at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Breakage::Status(403));
    world.server.break_at("/api/v1/services", Breakage::OtherKind);
    world.server.break_at("/version", Breakage::Garbage);
    let directory = dump(&world, "dump", &[]);
    // Without `chain`: the dump also has the aggregated document, which shows more.
    for question in [API_SERVICES, WORDS] {
        let (live, offline) = (world.live(question), offline(&directory, question));
        assert_eq!(offline.out, live.out, "{question:?}");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert!(lines(&live.err).is_subset(&lines(&offline.err)), "{}{}", live.err, offline.err);
    }
    insta::assert_snapshot!(world.live(API_SERVICES).err, @"
    warning: could not read the server's version: the response is not text
    warning: could not read CRDs: forbidden (403): as the test wants it
    warning: could not read Services: the response is v1 Pod
    ");
    let manifest = std::fs::read_to_string(directory.join("aggctl-dump.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let missing = manifest["missing"].as_array().unwrap().iter();
    let states: Vec<String> =
        missing.map(|m| format!("{} {}", m["file"], m["cause"]).replace('"', "")).collect();
    insta::assert_snapshot!(states.join("\n"), @"
    version.json unusable
    crds.json forbidden
    services.json unusable
    kube-apiserver-pods.json not-found
    flagz.json not-found
    extension-apiserver-authentication.json forbidden
    leases.json not-found
    readyz-verbose.txt not-found
    livez-verbose.txt not-found
    healthz-verbose.txt not-found
    openapi-v2.json not-found
    endpoints.json not-found
    openapi-v3_apis%2Fedge.net%2Fv1.json not-found
    apis_apps_v7.json not-found
    apis_nobody.metrics.example.io_v1.json not-found
    ");
}

/// A dump is written completely or not at all. After a failure the old dump is unchanged.
#[test]
fn half_a_cluster_is_not_written() {
    let world = World::new(&recording("v1.36-mixed"));
    let target = dump(&world, "dump", &[]);
    let before = names_and_sizes(&target);
    let limits = ["--request-timeout", "20s", "--timeout", "20s"];
    let mut errors = vec![];
    for path in ["/api/v1/services", "/apis", "/apis/apps/v1", "/openapi/v3"] {
        for breakage in [Breakage::Status(500), Breakage::Refuse, Breakage::Truncated] {
            world.server.break_at(path, breakage.clone());
            let name = target.to_str().unwrap();
            let run = world.live(&[&["dump", name, "--force"][..], &limits].concat());
            world.server.mend();
            assert_eq!(run.code, 3, "{path} {breakage:?}: {}", run.err);
            if breakage == Breakage::Status(500) {
                errors.push(run.err);
            }
            assert_eq!(names_and_sizes(&target), before, "{path} {breakage:?}");
        }
    }
    insta::assert_snapshot!(errors.concat(), @"
    error: cannot dump cluster here: could not read Services: the server answers 500: as the test wants it
    hint: nothing was written: a dump is complete or not written
    error: cannot dump cluster here: could not read the document /apis and 2 more documents: the server answers 500: as the test wants it
    hint: nothing was written: a dump is complete or not written
    error: cannot dump cluster here: could not read the APIResourceList of apps/v1: the server answers 500: as the test wants it
    hint: nothing was written: a dump is complete or not written
    error: cannot dump cluster here: could not read the index /openapi/v3: the server answers 500: as the test wants it
    hint: nothing was written: a dump is complete or not written
    ");
    // Objects come from etcd.
    world.server.break_at("/apis/apiregistration.k8s.io/v1/apiservices", Breakage::Status(500));
    let run = world.live(&["dump", target.to_str().unwrap(), "--force"]);
    world.server.mend();
    assert!(run.err.contains("check etcd with `aggctl health`"), "{}", run.err);
    // An extension server that does not respond is not a failure of the dump.
    world.server.break_at("/apis/wardle.example.com/v1beta1", Breakage::Status(500));
    dump(&world, "other", &limits);
}

fn names_and_sizes(directory: &Path) -> Vec<(std::ffi::OsString, u64)> {
    let all = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<_> =
        all.map(|entry| (entry.file_name(), entry.metadata().unwrap().len())).collect();
    all.sort();
    all
}

#[test]
fn nothing_secret_is_written() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/api/v1/services", Breakage::Echo);
    let directory = dump(&world, "dump", &["-v"]);
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(PIECE), "{}", path.display());
        assert!(!text.contains("last-applied-configuration"), "{}", path.display());
    }
    let paths: Vec<String> = world.server.seen().into_iter().map(|s| s.path).collect();
    // Only one ConfigMap is read. Its certificates and names are visible to every extension server
    // anyway.
    let one = "/kube-system/configmaps/extension-apiserver-authentication";
    let secret = |p: &String| p.contains("secrets") || p.replace(one, "").contains("configmaps");
    assert!(!paths.iter().any(secret), "{paths:?}");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let world = World::new(&recording("v1.36-vanilla"));
    let directory = dump(&world, "dump", &["--for", "doctor"]);
    let target = directory.to_str().unwrap();
    let refused = world.live(&["dump", target]);
    insta::assert_snapshot!(world.shown(refused), @"
    2> error: FOLDER/dump already exists
    2> hint: replace it with --force
    [exit 2]
    ");
    assert!(!directory.join("apis.json").exists());
    assert_eq!(world.live(&["dump", target, "--force"]).code, 0);
    assert!(directory.join("apis.json").exists());
    // A directory that is not a dump is never replaced.
    let other = world.directory.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.tex"), "").unwrap();
    let refused = world.live(&["dump", other.to_str().unwrap(), "--force"]);
    insta::assert_snapshot!(world.shown(refused), @"
    2> error: cannot replace FOLDER/other: it is a directory, not a dump
    2> hint: choose another target
    [exit 2]
    ");
    assert!(other.join("thesis.tex").exists());
}

#[test]
fn a_dump_that_fails_leaves_nothing() {
    let world = World::new(&recording("v1.36-vanilla"));
    let before = std::fs::read_dir(world.directory.path()).unwrap().count();
    world.configure_both("server: https://127.0.0.1:1", "");
    let target = world.directory.path().join("dump");
    let failed = world.live(&["dump", target.to_str().unwrap()]);
    assert_eq!(failed.code, 3, "{}", failed.err);
    world.configure(&format!("token: {TOKEN}"));
    let target = world.directory.path().join("no/such/place/dump.tar.gz");
    let failed = world.live(&["dump", target.to_str().unwrap()]);
    insta::assert_snapshot!(world.shown(failed), @"
    2> error: cannot write FOLDER/no/such/place/dump.tar.gz: no such file or directory
    [exit 3]
    ");
    assert_eq!(std::fs::read_dir(world.directory.path()).unwrap().count(), before);
}

/// A caller who may only read discovery cannot know that a Service serves a group version.
#[test]
fn a_group_version_that_does_not_answer_fails_no_dump_of_discovery() {
    let world = World::new(&recording("v1.36-mixed"));
    let registrations = "/apis/apiregistration.k8s.io/v1/apiservices";
    world.server.break_at(registrations, Breakage::Status(403));
    world.server.break_at("/apis/wardle.example.com/v1beta1", Breakage::Status(503));
    let directory = dump(&world, "dump", &[]);
    let manifest = std::fs::read_to_string(directory.join("aggctl-dump.json")).unwrap();
    assert!(manifest.contains("the APIResourceList of wardle.example.com/v1beta1"), "{manifest}");
}

/// Only servers that merge the discovery of peers get a request for their own document.
#[test]
fn the_document_without_peers_is_dumped() {
    for (name, asked) in [("v1.36-vanilla", true), ("v1.33-vanilla", false)] {
        let world = World::new(&recording(name));
        let directory = dump(&world, "dump", &[]);
        let accepts = |seen: &crate::server::Seen| {
            seen.headers["accept"].to_str().unwrap().contains("profile=nopeer")
        };
        assert_eq!(world.server.seen().iter().any(accepts), asked, "{name}");
        assert_eq!(directory.join("apis-aggregated-nopeer.json").exists(), asked, "{name}");
    }
}

/// 1.32 to 1.34 respond with text, whatever the client accepts.
#[test]
fn flags_are_read_from_the_text_of_flagz() {
    const FLAGZ: &str = "\nkube-apiserver flags\nWarning: This endpoint is not meant to be machine parseable.\n\n\
        anonymous-auth: false\nauthorization-mode: [Node,RBAC]\nfeature-gates: :ComponentFlagz=true\n";
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/flagz", Breakage::Plain(200, FLAGZ));
    let flags = live(&world, &["flags"]);
    insta::assert_snapshot!(flags, @"
    from /flagz
      --anonymous-auth=false
        a request without credentials returns 401
      --authorization-mode=[Node,RBAC]
        RBAC decides
    ! --requestheader-client-ca-file is not set
        no front proxy: extension API servers cannot identify callers
    ! --proxy-client-cert-file is not set
        kube-aggregator has no client certificate, so extension API servers treat
        all callers as anonymous
      --feature-gates=:ComponentFlagz=true
        the UID of a user is sent to extension API servers (RemoteRequestHeaderUID);
        /flagz is served (ComponentFlagz)

    18 flags at the default hidden (use --all).
    ");
    assert_eq!(offline(&dump(&world, "flags", &[]), &["flags"]).out, flags.out);
    world.server.break_at("/flagz", Breakage::Plain(200, "<html>"));
    insta::assert_snapshot!(world.shown(live(&world, &["flags"])), @"
    2> error: cannot read cluster here (SERVER): not found (404): 404 page not found
    [exit 3]
    ");
}

/// Each server of a control plane is contacted directly. An unreachable one is reported as missing.
#[test]
fn every_server_of_a_control_plane_is_asked() {
    let dump = recording("v1.36-vanilla").join("dump");
    let names = vec!["127.0.0.1", "localhost", "kubernetes.default.svc"];
    let world = World::with(&Setup { names, ..Setup::replaying(&dump) });
    let lease = |host: &str, address: &str| {
        format!(
            r#"{{"metadata":{{"name":"apiserver-{host}","namespace":"kube-system",
            "labels":{{"apiserver.kubernetes.io/identity":"kube-apiserver","kubernetes.io/hostname":"{host}"}},
            "annotations":{{"kubernetes.io/peer-advertise-address":"{address}"}}}},"spec":{{}}}}"#
        )
    };
    let leases = [lease("here", &world.server.address.to_string()), lease("gone", "127.0.0.1:1")];
    let leases = format!(
        r#"{{"kind":"LeaseList","apiVersion":"coordination.k8s.io/v1","items":[{}]}}"#,
        leases.join(",")
    );
    let path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    world.server.break_at(path, Breakage::Plain(200, leases.leak()));
    let routed =
        world.live(&["route", "/apis/apps/v1/deployments", "--all-servers", "-o", "jsonl"]);
    let answer: serde_json::Value = serde_json::from_str(&routed.out).unwrap();
    assert_eq!((&answer["asked"], routed.code), (&"here".into(), 3), "{}", routed.err);
    let one = world.live(&["route", "/version", "--all-servers", "--asked", "here"]);
    assert_eq!(one.code, 0, "{}", one.err);
    let target = world.directory.path().join("servers");
    let dumped = world.live(&["dump", target.to_str().unwrap(), "--all-servers"]);
    assert_eq!(dumped.code, 3, "{}", dumped.err);
    assert!(target.join("here/leases.json").exists() && !target.join("gone").exists());
    let seen = world.server.seen();
    assert!(seen.iter().all(|one| one.method == "GET"));
    // Without etcd, the server cannot tell who its peers are.
    for path in [path, "/apis/discovery.k8s.io/v1/endpointslices"] {
        world.server.break_at(path, Breakage::Status(500));
    }
    let blind = world.live(&["version", "--all-servers"]);
    assert_eq!(blind.code, 3);
    assert!(blind.err.contains("check etcd with `aggctl health`"), "{}", blind.err);
    let offline = run(&["version", "--control-plane", target.to_str().unwrap()]);
    assert_eq!(offline.code, 0, "{}", offline.err);
}

/// A report lists what a cluster fails to answer, with or without names.
#[test]
fn an_anonymized_report_lists_what_could_not_be_read() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/api/v1/services", Breakage::Status(503));
    let report = |more: &[&str]| world.live(&[&["report", "-"][..], more].concat());
    let (named, anonymized) = (report(&[]), report(&["--anonymize"]));
    insta::assert_snapshot!(anonymized.err, @"warning: could not read Services: the server answers 503: as the test wants it");
    assert_eq!((anonymized.code, &anonymized.err), (named.code, &named.err));
    let note = "could not read Services: the server answers 503";
    assert!(named.out.contains(note) && anonymized.out.contains(note));
}
