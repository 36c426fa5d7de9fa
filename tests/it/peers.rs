//! Tests control planes with several API servers, compared with two real ones of different
//! versions.
//!
//! `testdata/peers` was reduced from a recording of kube-apiserver 1.36.4 (`old`) and 1.37.0-rc.1
//! (`new`, with `--runtime-config=autoscaling/v1=false`) that shared one etcd.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::{Place, aggctl, finish, json, repository, run, session};

const SERVERS: &str = "testdata/peers/skew";

fn recorded() -> Vec<Value> {
    let file = std::fs::File::open(repository("testdata/peers/requests.jsonl.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Routes requests of one server through `route -`.
fn routed(servers: &Path, server: &str, requests: &[&Value]) -> Vec<Value> {
    let lines = requests.iter().map(|one| {
        format!("{} {}\n", one["method"].as_str().unwrap(), one["path"].as_str().unwrap())
    });
    let mut command = aggctl(&["route", "-", "-o", "jsonl", "--asked", server]);
    command.arg("--control-plane").arg(servers).write_stdin(lines.collect::<String>());
    let run = finish(&mut command);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the hops at the server that handles a request, in the form of recordings.
fn hops(answer: &Value) -> Vec<Value> {
    let hops = answer["hops"].as_array().unwrap().iter();
    let hops = hops.filter(|hop| hop["server"] != "peer-proxy").map(|hop| {
        let keys = ["server", "match", "pattern"].into_iter();
        let known = keys.filter_map(|key| Some((key.to_owned(), hop.get(key)?.clone())));
        Value::Object(known.collect())
    });
    let one = answer["request"]["path"].as_str().unwrap().starts_with("/openapi/");
    hops.take(if one { 1 } else { usize::MAX }).collect()
}

#[test]
fn every_recorded_request_goes_to_the_server_that_handled_it() {
    let recorded = recorded();
    let mut by_peers = 0;
    for server in ["old", "new"] {
        let asked = |one: &&Value| one["server"] == server && one.get("phase").is_none();
        let requests: Vec<&Value> = recorded.iter().filter(asked).collect();
        assert!(requests.len() > 50);
        let answers = routed(&repository(SERVERS), server, &requests);
        for (want, got) in requests.iter().zip(&answers) {
            let handled_by = want.get("handledBy").cloned().unwrap_or_else(|| server.into());
            assert_eq!(got["handledBy"], Value::from(vec![handled_by]), "{want}");
            assert_eq!(got["asked"], server);
            assert_eq!(got["outcome"], want["outcome"], "{want}");
            assert_eq!(Value::from(hops(got)), want["hops"], "{want}");
            assert_eq!(got["assumptions"], Value::from(Vec::<Value>::new()), "{want}");
            by_peers += usize::from(want.get("peer").is_some());
        }
    }
    assert_eq!(by_peers, 114);
}

/// Returns the groups and versions of a document in order, with the resources of each version.
fn shape(document: &Value) -> Vec<String> {
    let names = |value: &Value, list: &str, key: &str| -> Vec<String> {
        let all = value[list].as_array().into_iter().flatten();
        let mut all: Vec<String> = all.map(|one| one[key].as_str().unwrap().to_owned()).collect();
        all.sort();
        all
    };
    let mut lines = vec![];
    for group in document["items"].as_array().unwrap() {
        for version in group["versions"].as_array().unwrap() {
            let group = &group["metadata"]["name"];
            lines.push(format!("{group} {} {}", version["version"], version["freshness"]));
            for resource in version["resources"].as_array().into_iter().flatten() {
                let subresources = names(resource, "subresources", "subresource");
                lines.push(format!(
                    "  {} {} {subresources:?}",
                    resource["resource"], resource["verbs"]
                ));
            }
        }
    }
    lines.sort_by_key(|line| line.starts_with("  "));
    lines
}

#[test]
fn documents_are_merged_as_the_servers_merge_them() {
    for server in ["old", "new"] {
        let archive = repository(SERVERS).join(server).join("dump.tar.gz");
        let mut files: BTreeMap<String, Value> = BTreeMap::new();
        let mut tar = tar::Archive::new(GzDecoder::new(std::fs::File::open(archive).unwrap()));
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let name = entry.path().unwrap().to_string_lossy().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            if name.starts_with("apis-aggregated") {
                files.insert(name, serde_json::from_str(&text).unwrap());
            }
        }
        let document = ["discovery", "--merged", "--form", "aggregated", "-o", "json"];
        let selected = ["--control-plane", SERVERS, "--asked", server];
        let merged = json(&run(&[&document[..], &selected[..]].concat()).out);
        assert_eq!(shape(&merged), shape(&files["apis-aggregated.json"]), "{server}");
        let own = json(&run(&[&document[..], &selected[..], &["--no-peers"]].concat()).out);
        assert_eq!(shape(&own), shape(&files["apis-aggregated-nopeer.json"]), "{server}");
    }
}

#[test]
fn servers_are_shown_side_by_side() {
    insta::assert_snapshot!(session(run, [
        "route /apis/storagemigration.k8s.io/v1 --control-plane testdata/peers/skew",
        "route /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew --asked old",
        "route /apis/apps/v1/deployments /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew",
        "version --control-plane testdata/peers/skew",
    ]), @"
    $ aggctl route /apis/storagemigration.k8s.io/v1 --control-plane testdata/peers/skew
    1 of 2 servers serves this; old returns 404

    ==> new <==
    GET /apis/storagemigration.k8s.io/v1, asked of new

      │ peer proxy               only requests for resources go to a peer
      │ kube-aggregator          exactly this path
      │                          APIService v1.storagemigration.k8s.io is local:
      │                          passed on
      ● kube-apiserver           web service /apis/storagemigration.k8s.io/v1
                                 a document of this server

    served: kube-apiserver answers, status 200

    ==> old <==
    GET /apis/storagemigration.k8s.io/v1, asked of old

      │ peer proxy               only requests for resources go to a peer
      │ kube-aggregator          exactly this path
      │                          APIService v1.storagemigration.k8s.io is local:
      │                          passed on
      │ kube-apiserver           no match
      × apiextensions-apiserver  prefix /apis/
                                 no CRD serves this group version

    not-found: status 404
    warning[served-by-peer]: APIService v1.storagemigration.k8s.io: another API
                             server of the control plane serves it, and this one
                             does not

    $ aggctl route /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew --asked old
    GET /apis/certificates.k8s.io/v1/clustertrustbundles, asked of old
    list clustertrustbundles of certificates.k8s.io/v1

      → peer proxy               only new has this resource
        then the chain of new:
      │ kube-aggregator          prefix /apis/certificates.k8s.io/v1/
      │                          APIService v1.certificates.k8s.io is local: passed
      │                          on
      ● kube-apiserver           web service /apis/certificates.k8s.io/v1
                                 certificates.k8s.io/v1 is built in, and has this
                                 resource

    served: kube-apiserver answers, status 200

    $ aggctl route /apis/apps/v1/deployments /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew
    METHOD   PATH                  ASKED   HANDLED   OUTCOME   STATUS   HANDLER
                                           BY
    GET      /apis/apps/v1/        new     new       served    200      kube-apiserver
             deployments
    GET      /apis/apps/v1/        old     old       served    200      kube-apiserver
             deployments
    GET      /apis/                new     new       served    200      kube-apiserver
             certificates.k8s.
             io/v1/
             clustertrustbundles
    GET      /apis/                old     new       served    200      kube-apiserver
             certificates.k8s.
             io/v1/
             clustertrustbundles

    $ aggctl version --control-plane testdata/peers/skew
    ==> new <==
    aggctl:    0.1.0
    built in:  Kubernetes 1.25, 1.28, 1.29, 1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37
    server:    v1.37.0-rc.1

    ==> old <==
    aggctl:    0.1.0
    built in:  Kubernetes 1.25, 1.28, 1.29, 1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37
    server:    v1.36.4
    ");
}

#[test]
fn one_route_per_server() {
    let path = "/apis/certificates.k8s.io/v1/clustertrustbundles";
    let answer = run(&["route", path, "--control-plane", SERVERS, "-o", "json"]);
    let list = json(&answer.out);
    let items = list["items"].as_array().unwrap();
    let brief =
        |item: &Value| format!("{} {} {}", item["asked"], item["handledBy"], item["outcome"]);
    let brief: Vec<String> = items.iter().map(brief).collect();
    assert_eq!(brief, [r#""new" ["new"] "served""#, r#""old" ["new"] "served""#]);
    let alone = run(&[
        "route",
        path,
        "--control-plane",
        SERVERS,
        "--asked",
        "old",
        "--no-peers",
        "-o",
        "json",
    ]);
    assert_eq!(json(&alone.out)["outcome"], "not-found");
}

/// A dump of one server shows only that a peer handles the request.
#[test]
fn one_dump_gives_one_answer() {
    let path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    let dump = format!("{SERVERS}/old");
    let single = json(&run(&["route", path, "--dump", &dump, "-o", "json"]).out);
    let mut command = aggctl(&["route", "-", "--dump", &dump, "-o", "jsonl"]);
    let streamed = json(&finish(command.write_stdin(format!("{path}\n"))).out);
    assert_eq!(single["outcome"], "unknown");
    assert_eq!(single["hops"], streamed["hops"]);
    assert_eq!(single["outcome"], streamed["outcome"]);
    assert_eq!(single["hops"][0]["server"], "peer-proxy");
}

#[test]
fn doctor_reports_the_control_plane_first() {
    let run = run(&[
        "doctor",
        "--control-plane",
        SERVERS,
        "--asked",
        "old",
        "--now",
        "2026-11-18T00:00:00Z",
    ]);
    let plane: Vec<&str> = run.out.lines().take_while(|line| !line.starts_with('×')).collect();
    insta::assert_snapshot!(plane.join("\n"), @"
    CONTROL PLANE
    · the API servers run different versions: v1.36.4 (old); v1.37.0-rc.1 (new)
      [version-skew]
        What a request gets can depend on the server that it reaches, until all
        servers run the same version.
    ‼ if old restarts, it deletes v1.storagemigration.k8s.io and creates
      v1.autoscaling [flapping-apiservice]
        Each server registers its own group versions once, when it starts, and
        deletes those that it does not know. The other servers do not restore them
        until they start again. Legacy discovery changes for all servers; requests
        to a server that serves the group version still work.
    · old lists csinodes/status.v1.storage.k8s.io, and answers 404 to requests for
      it [listed-not-served]
        The merged discovery document has the subresources of all servers, but the
        peer proxy looks at the resource only. The server has the resource, so it
        keeps the request.
    ");
}

/// An APIService that a peer serves is not a ghost, in any command.
#[test]
fn an_apiservice_of_a_peer_is_not_a_ghost() {
    let codes = |arguments: &[&str]| -> Vec<String> {
        let list = json(&run(&[&["doctor", "-o", "json"], arguments].concat()).out);
        let items = list["items"].as_array().unwrap().iter();
        let item = items.filter(|item| item["name"] == "v1.storagemigration.k8s.io");
        let found = item.flat_map(|item| item["findings"].as_array().unwrap().clone());
        found.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes(&["--control-plane", SERVERS, "--asked", "old"]), ["served-by-peer"]);
    assert_eq!(codes(&["--dump", &format!("{SERVERS}/old")]), ["served-by-peer"]);
}

#[test]
fn bad_members_are_named_and_the_rest_is_answered() {
    let place = Place::with(&[("servers/empty/notes.txt", "nothing")]);
    for server in ["old", "new"] {
        let from = repository(SERVERS).join(server).join("dump.tar.gz");
        place.write(&format!("servers/{server}/dump.tar.gz"), std::fs::read(from).unwrap());
    }
    let path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    let ask = |more: &[&str]| {
        let arguments = [&["route", path, "-o", "jsonl", "--control-plane", "servers"], more];
        place.run(&arguments.concat())
    };
    let all = ask(&[]);
    assert_eq!((all.out.lines().count(), all.code), (2, 3), "{}", all.err);
    insta::assert_snapshot!(all.err, @"
    error: empty: nothing in servers/empty contains API server data: it is not Kubernetes JSON or YAML
    error: 1 of 3 API servers could not be read
    ");
    // If only `old` is asked, the missing server does not matter.
    let one = ask(&["--asked", "old"]);
    assert_eq!((one.out.lines().count(), one.code), (1, 0), "{}", one.err);
    let missing = ask(&["--asked", "empty"]);
    assert_eq!((missing.out.as_str(), missing.code), ("", 3), "{}", missing.err);
    let unknown = ask(&["--asked", "odl"]);
    assert_eq!(unknown.code, 2);
    insta::assert_snapshot!(unknown.err, @r#"
    error: servers has no server "odl"
    hint: did you mean old?
    "#);
    // Two dumps of one server.
    std::fs::remove_dir_all(place.path("servers/empty")).unwrap();
    let from = repository(SERVERS).join("old/dump.tar.gz");
    place.write("servers/twin/dump.tar.gz", std::fs::read(from).unwrap());
    let twin = ask(&["--asked", "old"]);
    assert_eq!((twin.out.lines().count(), twin.code), (1, 0), "{}", twin.err);
    insta::assert_snapshot!(twin.err, @"error: old and twin are dumps of the same server, apiserver-7m4ksdmwgfyoyspfnlfdou37ci");
}

/// A proxied request is in the logs of both servers, with one audit ID and two times of arrival.
#[test]
fn usage_counts_a_proxied_request_once() {
    let event = |id: &str, second: u32| {
        format!(
            r#"{{"kind":"Event","auditID":"{id}","stage":"ResponseComplete","requestURI":"/apis/apps/v1/deployments","verb":"list","user":{{"username":"jane"}},"responseStatus":{{"code":200}},"requestReceivedTimestamp":"2026-11-17T20:00:{second:02}.000000Z","stageTimestamp":"2026-11-17T20:00:{second:02}.500000Z"}}"#
        ) + "\n"
    };
    let old = event("a", 1) + &event("b", 5);
    let place = Place::with(&[("old.log", &old), ("new.log", &event("a", 2))]);
    let counted = |files: &[&str]| {
        let usage = place.run(&[&["usage", "--builtin", "-o", "json"], files].concat()).json();
        let coverage = &usage["coverage"];
        (
            usage["total"]["requests"].clone(),
            coverage["rerouted"].clone(),
            coverage["repeated"].clone(),
        )
    };
    assert_eq!(counted(&["old.log"]), (2.into(), 0.into(), 0.into()));
    assert_eq!(counted(&["old.log", "new.log"]), (2.into(), 1.into(), 0.into()));
    assert_eq!(counted(&["new.log", "old.log"]), (2.into(), 1.into(), 0.into()));
    // A log that is passed twice is reported, and counted only once.
    assert_eq!(counted(&["old.log", "old.log"]), (2.into(), 0.into(), 2.into()));
}

#[test]
fn rolling_upgrades_and_rollbacks_are_played() {
    insta::assert_snapshot!(session(run, [
        "upgrade --to 1.36 --rolling --control-plane testdata/peers/skew",
        "upgrade --to 1.37 --rolling --builtin=1.36 -o markdown",
    ]), @"
    $ aggctl upgrade --to 1.36 --rolling --control-plane testdata/peers/skew
    1. new: 1.37 → 1.36
       deletes   APIServices v1.storagemigration.k8s.io
       proxies   new: requests for horizontalpodautoscalers.v1.autoscaling go to a
                 peer

    1 step; every resource stays reachable through every server
    [exit 1]

    $ aggctl upgrade --to 1.37 --rolling --builtin=1.36 -o markdown
    ## Rolling change to Kubernetes 1.37

    | step | server | what happens |
    |---|---|---|
    | 1 | server 1 (1.36 → 1.37) | **creates** APIServices v1.storagemigration.k8s.io<br>**proxies** server 2, server 3: requests for clustertrustbundles.v1.certificates.k8s.io, devicetaintrules.v1.resource.k8s.io, podcertificaterequests.v1.certificates.k8s.io, storageversionmigrations.v1.storagemigration.k8s.io go to a peer |
    | 2 | server 2 (1.36 → 1.37) | **proxies** server 3: requests for clustertrustbundles.v1.certificates.k8s.io, devicetaintrules.v1.resource.k8s.io, podcertificaterequests.v1.certificates.k8s.io, storageversionmigrations.v1.storagemigration.k8s.io go to a peer |
    | 3 | server 3 (1.36 → 1.37) | **no change** all servers answer alike |

    3 steps; every resource stays reachable through every server
    2> warning: cannot tell whether the server has --peer-ca-file: it is taken to proxy to its peers
    2> warning: the number of API servers is not in the source; assuming 3
    ");
}

#[test]
fn emulation_decides_what_is_served_and_upgraded() {
    let version = r#"{"major":"1","minor":"37","emulationMajor":"1","emulationMinor":"36","gitVersion":"v1.37.0"}"#;
    let place = Place::with(&[("version.json", version)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "version --dump .",
        "route /apis/storagemigration.k8s.io/v1 --dump . -o name",
        "upgrade --to 1.35 --dump .",
    ]), @"
    $ aggctl version --dump .
    aggctl:    0.1.0
    built in:  Kubernetes 1.25, 1.28, 1.29, 1.30, 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37
    server:    v1.37.0, emulates 1.36

    $ aggctl route /apis/storagemigration.k8s.io/v1 --dump . -o name
    apiextensions-apiserver

    $ aggctl upgrade --to 1.35 --dump .
    2> note: the server runs 1.37 and emulates 1.36; it serves the group versions of 1.36
    2> error: dump . runs 1.36; 1.35 is older
    2> hint: compare any two versions with `aggctl diff builtin:1.36 builtin:1.35`
    [exit 2]
    ");
    // Without emulation, the group version is built in.
    let outcome = || {
        place.ask(&["route", "/apis/storagemigration.k8s.io/v1", "-o", "json"]).json()["outcome"]
            .clone()
    };
    assert_eq!(outcome(), "unknown");
    place.write(
        "version.json",
        version.replace(r#""emulationMinor":"36""#, r#""emulationMinor":"37""#),
    );
    assert_eq!(outcome(), "served");
}

/// A server without its APIService still sends the request to its peer, which still serves it.
#[test]
fn what_if_keeps_peers() {
    let path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    let without =
        ["--control-plane", SERVERS, "--asked", "old", "--without", "v1.storagemigration.k8s.io"];
    let answer = run(&[&["route", path, "-o", "json"], &without[..]].concat()).json();
    assert_eq!((&answer["handledBy"][0], &answer["outcome"]), (&"new".into(), &"served".into()));
    assert_eq!(answer["hops"][1]["match"], "none");
}

#[test]
fn health_is_shown_per_server() {
    let health = run(&["health", "--control-plane", SERVERS]);
    let lines: Vec<&str> =
        health.out.lines().filter(|line| line.contains("==>") || line.contains("readyz")).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    ==> new <==
    readyz: 200, all 40 checks pass
    ==> old <==
    readyz: 200, all 40 checks pass
    ");
}
