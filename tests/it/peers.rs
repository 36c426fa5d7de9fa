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

/// Three real servers of two minors and with different flags, which shared one etcd: `a` 1.36.4, `b`
/// and `c` 1.37.0-rc.1 without autoscaling/v1, `c` with two more versions of resource.k8s.io. The
/// audit logs show which server handled each request.
#[test]
fn three_real_servers_agree() {
    assert_eq!(agree("three"), (187, 77));
}

/// Three servers of 1.37.0-rc.1: `c` has all group versions switched on, `b` lacks autoscaling/v1.
/// The others started after `c`, and deleted the APIServices of what only `c` serves.
#[test]
fn what_another_server_unregistered_is_still_served() {
    assert_eq!(agree("restarted"), (82, 4));
}

/// Compares recorded requests with the model. Returns how many a peer handles, and for how many of
/// them several peers qualify.
fn agree(recording: &str) -> (usize, usize) {
    let file = repository(&format!("testdata/peers/{recording}.jsonl.gz"));
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let recorded: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut by_peers, mut several) = (0, 0);
    for server in ["a", "b", "c"] {
        let requests: Vec<&Value> = recorded.iter().filter(|one| one["server"] == server).collect();
        let answers =
            routed(&repository(&format!("testdata/peers/{recording}")), server, &requests);
        for (want, got) in requests.iter().zip(&answers) {
            let handled_by = got["handledBy"].as_array().unwrap();
            let handler = want.get("peer").cloned().unwrap_or_else(|| server.into());
            assert!(handled_by.contains(&handler), "{want} {got}");
            let stays = *handled_by == [Value::from(server)];
            assert_eq!(stays, want.get("peer").is_none(), "{want} {got}");
            let (status, outcome) = (want["status"].as_u64().unwrap(), &got["outcome"]);
            let not_found = ["not-found", "served"].contains(&outcome.as_str().unwrap());
            match status {
                // Any status comes from the extension server.
                _ if outcome == "proxied" => {}
                200 | 400..=403 | 409 | 415 | 422 => assert_eq!(outcome, "served", "{want}"),
                405 => assert_eq!(outcome, "method-not-allowed", "{want}"),
                // A missing object is a 404 of a resource that is served.
                404 => assert!(not_found, "{want} {got}"),
                503 => assert_eq!(outcome, "unavailable", "{want}"),
                _ => {}
            }
            assert_eq!(got["assumptions"], Value::from(Vec::<Value>::new()), "{want} {got}");
            by_peers += usize::from(!stays);
            several += usize::from(handled_by.len() > 1);
        }
    }
    (by_peers, several)
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
    const THREE: &str = "testdata/peers/three";
    for (servers, server) in
        [(SERVERS, "old"), (SERVERS, "new"), (THREE, "a"), (THREE, "b"), (THREE, "c")]
    {
        let archive = repository(servers).join(server).join("dump.tar.gz");
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
        let selected = ["--control-plane", servers, "--asked", server];
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
    GET /apis/storagemigration.k8s.io/v1    asked of new

      │ peer proxy        only requests for resources go to a peer
      │ kube-aggregator   APIService v1.storagemigration.k8s.io is local
      ✓ kube-apiserver    exact match; this server writes the document itself

    200 from kube-apiserver.

    ==> old <==
    GET /apis/storagemigration.k8s.io/v1    asked of old

      │ peer proxy                only requests for resources go to a peer
      │ kube-aggregator           APIService v1.storagemigration.k8s.io is local
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no CRD serves this group version

    404 Not Found.
    warning[served-by-peer]: APIService v1.storagemigration.k8s.io: another API
                             server of the control plane serves it, and this one
                             does not

    $ aggctl route /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew --asked old
    GET /apis/certificates.k8s.io/v1/clustertrustbundles
    list clustertrustbundles (certificates.k8s.io/v1), asked of old

      → peer proxy        only new has this resource
        then through new:
      │ kube-aggregator   APIService v1.certificates.k8s.io is local
      ✓ kube-apiserver    built-in certificates.k8s.io/v1 serves this resource

    200 from kube-apiserver.

    $ aggctl route /apis/apps/v1/deployments /apis/certificates.k8s.io/v1/clustertrustbundles --control-plane testdata/peers/skew
    PATH                                               ASKED   HANDLED BY   STATUS   SERVED BY
    /apis/apps/v1/deployments                          new     new          200      kube-apiserver
    /apis/apps/v1/deployments                          old     old          200      kube-apiserver
    /apis/certificates.k8s.io/v1/clustertrustbundles   new     new          200      kube-apiserver
    /apis/certificates.k8s.io/v1/clustertrustbundles   old     new          200      kube-apiserver

    $ aggctl version --control-plane testdata/peers/skew
    ==> new <==
    aggctl:    0.1.0
    built-in:  Kubernetes 1.25, 1.28 to 1.37
    server:    v1.37.0-rc.1

    ==> old <==
    aggctl:    0.1.0
    built-in:  Kubernetes 1.25, 1.28 to 1.37
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
        Until all servers run the same version, the answer to a request can depend
        on the server that it reaches.
    ! if old restarts, it deletes v1.storagemigration.k8s.io and creates
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

    1 of 28 APIServices is broken, 1 needs attention.

    ✗ v1.gone.wardle.example.com
        Service ext/absent does not exist.
        → aggctl doctor v1.gone.wardle.example.com --control-plane testdata/peers/skew --asked old
    ! v1.nobody.wardle.example.com
        Available, but neither kube-apiserver nor a CRD serves it: requests get 404.

    Impact until fixed
      Requests to unavailable group versions return 503.
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    26 healthy APIServices hidden (use --all): 2 with a Service, 20 built-in, 3 of
    CRDs, 1 served by a peer.
    Kubernetes 1.36.4, dump testdata/peers/skew/old
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
    error: empty: nothing in servers/empty contains API server data: it has no Kubernetes objects
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

/// Pointed one level too high, `--control-plane` would read the dumps of all servers as one.
#[test]
fn a_folder_of_several_dumps_is_not_one_dump() {
    let place = Place::with(&[]);
    for server in ["old", "new"] {
        let from = repository(SERVERS).join(server).join("dump.tar.gz");
        place.write(
            &format!("backup/servers/{server}/dump/all.tar.gz"),
            std::fs::read(from).unwrap(),
        );
    }
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "version --control-plane backup",
    ]), @"
    $ aggctl version --control-plane backup
    2> error: backup/servers is not one dump: it contains several
    2> hint: --control-plane backup/servers
    [exit 3]
    ");
    assert_eq!(place.run(&["version", "--control-plane", "backup/servers"]).code, 0);
    // Beside a good dump, only the folder is missing.
    let from = repository(SERVERS).join("old").join("dump.tar.gz");
    place.write("backup/other/dump.tar.gz", std::fs::read(from).unwrap());
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "order --control-plane backup -o name",
    ]), @"
    $ aggctl order --control-plane backup -o name
    apiregistration.k8s.io
    apps
    events.k8s.io
    authentication.k8s.io
    authorization.k8s.io
    autoscaling
    batch
    certificates.k8s.io
    networking.k8s.io
    policy
    rbac.authorization.k8s.io
    storage.k8s.io
    admissionregistration.k8s.io
    apiextensions.k8s.io
    scheduling.k8s.io
    coordination.k8s.io
    node.k8s.io
    discovery.k8s.io
    resource.k8s.io
    flowcontrol.apiserver.k8s.io
    storagemigration.k8s.io
    wardle.example.com
    gone.wardle.example.com
    stable.example.com
    zoo.dev
    nobody.wardle.example.com
    2> error: servers: backup/servers is not one dump: it contains several
    2> error: 1 of 2 API servers could not be read
    [exit 3]
    ");
}

/// Servers that differ are compared, and equal answers are shown once.
#[test]
fn servers_are_compared() {
    insta::assert_snapshot!(session(run, [
        "diff --control-plane testdata/peers/three",
        "diff --control-plane testdata/peers/three --asked b -o name",
        "diff a b --control-plane testdata/peers/three",
        "conflicts --control-plane testdata/peers/three",
        "chain --control-plane testdata/peers/three --asked a",
    ]), @"
    $ aggctl diff --control-plane testdata/peers/three
    ==> a → b <==
    from dump testdata/peers/three/a
    to   dump testdata/peers/three/b

    APISERVICES  1 changed
    ~ v1.storagemigration.k8s.io  served by no server → kube-apiserver

    GROUP VERSIONS  1 removed, 1 changed
    - autoscaling/v1              the API server: horizontalpodautoscalers
    ~ storagemigration.k8s.io/v1  freshness none → Current, served by no server →
                                  the API server

    RESOURCES  8 added
    + certificates.k8s.io/v1      clustertrustbundles, podcertificaterequests,
                                  podcertificaterequests/status
    + resource.k8s.io/v1          devicetaintrules, devicetaintrules/status
    + storage.k8s.io/v1           csinodes/status
    + storagemigration.k8s.io/v1  storageversionmigrations,
                                  storageversionmigrations/status

    ROUTES  GET only, no subresources
    ~ GET /apis/autoscaling/v1/… (3 paths)
          served by kube-apiserver → not-found
    ~ GET /apis/certificates.k8s.io/v1/… (4 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/resource.k8s.io/v1/… (2 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/storagemigration.k8s.io/v1/… (3 paths)
          not-found → served by kube-apiserver

    ==> a → c <==
    from dump testdata/peers/three/a
    to   dump testdata/peers/three/c

    APISERVICES  3 changed
    ~ v1.storagemigration.k8s.io  served by no server → kube-apiserver
    ~ v1alpha3.resource.k8s.io    served by no server → kube-apiserver
    ~ v1beta2.resource.k8s.io     served by no server → kube-apiserver

    GROUP VERSIONS  1 removed, 3 changed
    - autoscaling/v1              the API server: horizontalpodautoscalers
    ~ resource.k8s.io/v1alpha3    freshness none → Current, served by no server →
                                  the API server
    ~ resource.k8s.io/v1beta2     freshness none → Current, served by no server →
                                  the API server
    ~ storagemigration.k8s.io/v1  freshness none → Current, served by no server →
                                  the API server

    RESOURCES  19 added
    + certificates.k8s.io/v1      clustertrustbundles, podcertificaterequests,
                                  podcertificaterequests/status
    + resource.k8s.io/v1          devicetaintrules, devicetaintrules/status
    + resource.k8s.io/v1alpha3    devicetaintrules, devicetaintrules/status,
                                  resourcepoolstatusrequests,
                                  resourcepoolstatusrequests/status
    + resource.k8s.io/v1beta2     deviceclasses, devicetaintrules,
                                  devicetaintrules/status, resourceclaims,
                                  resourceclaims/status, resourceclaimtemplates,
                                  resourceslices
    + storage.k8s.io/v1           csinodes/status
    + storagemigration.k8s.io/v1  storageversionmigrations,
                                  storageversionmigrations/status

    ROUTES  GET only, no subresources
    ~ GET /apis/autoscaling/v1/… (3 paths)
          served by kube-apiserver → not-found
    ~ GET /apis/certificates.k8s.io/v1/… (4 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/resource.k8s.io/v1/… (2 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/resource.k8s.io/v1alpha3/… (5 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/resource.k8s.io/v1beta2/… (11 paths)
          not-found → served by kube-apiserver
    ~ GET /apis/storagemigration.k8s.io/v1/… (3 paths)
          not-found → served by kube-apiserver
    2> note: routes are those of each server alone; a peer may answer instead

    $ aggctl diff --control-plane testdata/peers/three --asked b -o name
    v1.storagemigration.k8s.io
    storagemigration.k8s.io/v1
    autoscaling/v1
    certificates.k8s.io/v1
    resource.k8s.io/v1
    storage.k8s.io/v1
    storagemigration.k8s.io/v1
    GET /apis/certificates.k8s.io/v1/… (4 paths)
    GET /apis/resource.k8s.io/v1/… (2 paths)
    GET /apis/storagemigration.k8s.io/v1/… (3 paths)
    GET /apis/autoscaling/v1/… (3 paths)
    v1alpha3.resource.k8s.io
    v1beta2.resource.k8s.io
    resource.k8s.io/v1alpha3
    resource.k8s.io/v1beta2
    resource.k8s.io/v1alpha3
    resource.k8s.io/v1beta2
    GET /apis/resource.k8s.io/v1alpha3/… (5 paths)
    GET /apis/resource.k8s.io/v1beta2/… (11 paths)
    2> note: routes are those of each server alone; a peer may answer instead

    $ aggctl diff a b --control-plane testdata/peers/three
    2> error: the API servers of a control plane are compared with each other only
    2> hint: leave out the other sources
    [exit 2]

    $ aggctl conflicts --control-plane testdata/peers/three
    ==> a, b, c <==
    No conflicting group versions or names.

    $ aggctl chain --control-plane testdata/peers/three --asked a
    kube-aggregator  receives every request first
    ├─ itself          /apis, apiregistration.k8s.io/v1, 129 paths such as /healthz
    │                  and /openapi/v2
    ├─ local           28 APIServices, passed to the servers below
    ├─ → default/gone  unavailable (ServiceNotFound): v1.gone.example.com
    ├─ unserved        local, but no server serves them: v1.local.example.com
    ├─ peers           local, and only other API servers serve them:
    │                  v1.storagemigration.k8s.io, v1alpha3.resource.k8s.io,
    │                  v1beta2.resource.k8s.io
    │
    ▼ requests that match no APIService or a local one
    kube-apiserver  serves the built-in groups
    ├─ built in        19 group versions in 19 groups: (core),
    │                  admissionregistration.k8s.io, apps, authentication.k8s.io,
    │                  authorization.k8s.io, autoscaling, batch,
    │                  certificates.k8s.io, coordination.k8s.io, discovery.k8s.io,
    │                  events.k8s.io, flowcontrol.apiserver.k8s.io,
    │                  networking.k8s.io, node.k8s.io, policy,
    │                  rbac.authorization.k8s.io, resource.k8s.io,
    │                  scheduling.k8s.io, storage.k8s.io
    │
    ▼ requests outside the built-in groups
    apiextensions-apiserver  serves custom resources
    ├─ itself          apiextensions.k8s.io/v1
    ├─ CRDs            3 in 3 groups: aaa.dev, stable.example.com, zoo.dev
    │
    ▼ everything else
    404
    ");
}

#[test]
fn the_page_shows_servers_side_by_side() {
    let page = run(&["report", "-", "--control-plane", SERVERS, "--asked", "old"]);
    assert_eq!(page.code, 0, "{}", page.err);
    let start = page.out.find("\"servers\":{").unwrap();
    let mut servers = serde_json::Deserializer::from_str(&page.out[start + 10..]).into_iter();
    let servers: Value = servers.next().unwrap().unwrap();
    assert_eq!(servers["asked"], "old");
    assert_eq!(servers["servers"][0]["version"], "v1.37.0-rc.1");
    let resources = servers["resources"].as_array().unwrap();
    let find = |name: &str| resources.iter().find(|one| one["resource"] == name).unwrap();
    let scalers = find("horizontalpodautoscalers.v1.autoscaling");
    assert_eq!((&scalers["servedBy"][0], &scalers["proxiedBy"][0]), (&"old".into(), &"new".into()));
    assert_eq!(servers["issues"].as_array().unwrap().len(), 3);
    // A folder that is not a dump is named, and the page is still written.
    let place = Place::with(&[("servers/empty/notes.txt", "nothing")]);
    let from = repository(SERVERS).join("old/dump.tar.gz");
    place.write("servers/old/dump.tar.gz", std::fs::read(from).unwrap());
    let partly = place.run(&["report", "-", "--control-plane", "servers"]);
    assert_eq!(partly.code, 3, "{}", partly.err);
    assert!(partly.out.contains("\"missing\":[\"empty\"]"), "{}", partly.err);
    // Without --asked, the page is about the first server.
    let first = run(&["report", "-", "--control-plane", SERVERS]);
    assert!(first.out.contains("\"servers\":{\"asked\":\"new\""), "{}", first.err);
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

    1 step; every resource stays reachable through every server; but servers delete
    APIServices when they start: v1.storagemigration.k8s.io
    [exit 1]

    $ aggctl upgrade --to 1.37 --rolling --builtin=1.36 -o markdown
    ## Rolling change to Kubernetes 1.37

    | step | server | what happens |
    |---|---|---|
    | 1 | server 1 (1.36 → 1.37) | **creates** APIServices v1.storagemigration.k8s.io<br>**proxies** server 2, server 3: requests for clustertrustbundles.v1.certificates.k8s.io, devicetaintrules.v1.resource.k8s.io, podcertificaterequests.v1.certificates.k8s.io, storageversionmigrations.v1.storagemigration.k8s.io go to a peer |
    | 2 | server 2 (1.36 → 1.37) | **proxies** server 3: requests for clustertrustbundles.v1.certificates.k8s.io, devicetaintrules.v1.resource.k8s.io, podcertificaterequests.v1.certificates.k8s.io, storageversionmigrations.v1.storagemigration.k8s.io go to a peer |
    | 3 | server 3 (1.36 → 1.37) | **no change** all servers answer alike |

    3 steps; every resource stays reachable through every server
    2> warning: cannot tell whether the server has --peer-ca-file; assuming that it proxies to its peers
    2> warning: the number of API servers is not in the source; assuming 3
    ");
}

/// Without the root paths, the new server still creates its APIServices.
#[test]
fn a_rolling_upgrade_of_a_partial_dump_creates_apiservices() {
    let upgrade = ["upgrade", "1.37", "--rolling", "--dump", "examples/cluster", "-o", "json"];
    let first = &run(&upgrade).json()["steps"][0];
    assert_eq!(first["creates"], serde_json::json!(["v1.storagemigration.k8s.io"]));
    let resources = first["resources"].to_string();
    assert!(resources.contains("storageversionmigrations.v1.storagemigration.k8s.io"));
}

const RESTARTED: &str = "testdata/peers/restarted";

/// A server that is restarted registers what it has, even if another server deleted it. What the
/// flags enable besides is unknown.
#[test]
fn a_rolling_upgrade_keeps_what_lost_its_apiservice() {
    let upgrade = ["upgrade", "--to", "1.36", "--rolling", "-o", "json"];
    let answer = run(&[&upgrade[..], &["--control-plane", RESTARTED]].concat()).json();
    let steps = answer["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["server"] == "c").unwrap();
    let creates: Vec<&str> =
        step["creates"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(creates.contains(&"v1beta1.coordination.k8s.io"), "{creates:?}");
    let assumptions = answer["assumptions"].to_string();
    assert!(assumptions.contains("are off by default"), "{assumptions}");
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
    built-in:  Kubernetes 1.25, 1.28 to 1.37
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
    ==> new, old <==
    readyz: 200, all 40 checks pass
    ");
}
