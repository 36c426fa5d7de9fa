//! Tests what commands do with several API servers beyond single answers: which server an answer is
//! about, servers that find the same, and folders that are not a control plane.

use serde_json::Value;

use crate::{Place, json, repository, run, session};

const SKEW: &str = "testdata/peers/skew";
const THREE: &str = "testdata/peers/three";

/// Returns a folder with dumps of servers, as `NAME FROM` lines.
fn servers(dumps: &[&str]) -> Place {
    let place = Place::with(&[]);
    for line in dumps {
        let (name, from) = line.split_once(' ').unwrap();
        let dump = std::fs::read(repository(from).join("dump.tar.gz")).unwrap();
        place.write(&format!("servers/{name}/dump.tar.gz"), dump);
    }
    place
}

/// A request that a filter rejects, or that ignores peers, was still sent to a server.
#[test]
fn every_route_names_the_server_that_was_asked() {
    let path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    let asked = |more: &[&str]| -> Vec<String> {
        let run = run(&[&["route", path, "--control-plane", SKEW, "-o", "jsonl"], more].concat());
        let line = |line: &str| {
            let one = json(line);
            format!("{} {} {}", one["asked"], one["handledBy"], one["outcome"]).replace('"', "")
        };
        run.out.lines().map(line).collect()
    };
    assert_eq!(asked(&["--no-peers"]), ["new [new] served", "old [old] not-found"]);
    insta::assert_snapshot!(session(run, [
        "route /apis/storagemigration.k8s.io/v1/storageversionmigrations --control-plane testdata/peers/skew --no-peers",
    ]), @"
    $ aggctl route /apis/storagemigration.k8s.io/v1/storageversionmigrations --control-plane testdata/peers/skew --no-peers
    1 of 2 servers serves this; old returns 404

    ==> new <==
    GET /apis/storagemigration.k8s.io/v1/storageversionmigrations
    list storageversionmigrations (storagemigration.k8s.io/v1), asked of new

      │ kube-aggregator   APIService v1.storagemigration.k8s.io is local
      ✓ kube-apiserver    built-in storagemigration.k8s.io/v1 serves this resource

    200 from kube-apiserver.

    ==> old <==
    GET /apis/storagemigration.k8s.io/v1/storageversionmigrations
    list storageversionmigrations (storagemigration.k8s.io/v1), asked of old

      │ kube-aggregator           APIService v1.storagemigration.k8s.io is local
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no CRD serves this group version

    404 Not Found.
    warning[served-by-peer]: APIService v1.storagemigration.k8s.io: another API
                             server of the control plane serves it, and this one
                             does not
    ");
}

/// Objects are shared, so servers mostly find the same. What is wrong is shown once.
#[test]
fn doctor_shows_servers_that_find_the_same_together() {
    insta::assert_snapshot!(session(run, [
        "doctor --control-plane testdata/peers/three --now 2026-11-18T00:00:00Z",
    ]), @"
    $ aggctl doctor --control-plane testdata/peers/three --now 2026-11-18T00:00:00Z
    CONTROL PLANE
    · the API servers run different versions: v1.36.4 (a); v1.37.0-rc.1 (b, c)
      [version-skew]
        Until all servers run the same version, the answer to a request can depend
        on the server that it reaches.
    ! if a restarts, it deletes v1.storagemigration.k8s.io,
      v1alpha3.resource.k8s.io, v1beta2.resource.k8s.io and creates v1.autoscaling
      [flapping-apiservice]
        Each server registers its own group versions once, when it starts, and
        deletes those that it does not know. The other servers do not restore them
        until they start again. Legacy discovery changes for all servers; requests
        to a server that serves the group version still work.
    · a lists csinodes/status.v1.storage.k8s.io, and answers 404 to requests for it
      [listed-not-served]
        The merged discovery document has the subresources of all servers, but the
        peer proxy looks at the resource only. The server has the resource, so it
        keeps the request.
    ! if b restarts, it deletes v1alpha3.resource.k8s.io, v1beta2.resource.k8s.io
      [flapping-apiservice]

    ==> a, b, c <==
    1 of 29 APIServices is broken, 1 needs attention.

    ✗ v1.gone.example.com
        Service default/gone does not exist.
        → aggctl doctor v1.gone.example.com --control-plane testdata/peers/three
    ! v1.local.example.com
        Available, but neither kube-apiserver nor a CRD serves it: requests get 404.

    Impact until fixed
      Requests to unavailable group versions return 503.
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    27 healthy APIServices hidden (use --all).
    [exit 1]
    ");
}

/// A source without an answer does not hide the answers of the other servers.
#[test]
fn a_server_without_an_answer_is_named() {
    let place = servers(&[&format!("a {THREE}/a"), &format!("c {THREE}/c")]);
    place.write("servers/b/version.json", r#"{"major":"1","minor":"37","gitVersion":"v1.37.0"}"#);
    let doctor = place.run(&["doctor", "--control-plane", "servers"]);
    assert_eq!(doctor.code, 3, "{}", doctor.err);
    assert!(doctor.out.contains("==> a, c <=="), "{}", doctor.out);
    let errors: Vec<&str> = doctor.err.lines().filter(|line| line.starts_with("error")).collect();
    insta::assert_snapshot!(errors.join("\n"), @"
    error: b: nothing to diagnose: APIServices are not in the source (kubectl get apiservices -o json --show-managed-fields)
    error: 1 of 3 API servers have no answer
    ");
    // If no server has it, the error is about all of them.
    let none = place.run(&["doctor", "v1.absent", "--control-plane", "servers", "--asked", "a"]);
    assert_eq!((none.out.lines().count() > 0, none.code), (true, 2), "{}", none.err);
}

/// The control plane is that of most dumps, whatever their names.
#[test]
fn the_dump_of_another_cluster_is_named() {
    let place =
        servers(&[&format!("aa {SKEW}/old"), &format!("b {THREE}/b"), &format!("c {THREE}/c")]);
    let run = place.run(&["version", "--control-plane", "servers"]);
    assert_eq!(run.code, 3);
    insta::assert_snapshot!(run.err, @"
    error: aa is a dump of another cluster than b
    error: 1 of 3 API servers could not be read
    ");
}

#[test]
fn a_folder_of_control_planes_is_not_a_control_plane() {
    insta::assert_snapshot!(session(run, ["version --control-plane testdata/peers"]), @"
    $ aggctl version --control-plane testdata/peers
    2> error: testdata/peers/restarted is not one dump: it contains several
    2> hint: --control-plane testdata/peers/restarted
    [exit 3]
    ");
}

/// Dumps that nothing marks as dumps are recognized by their contents, in archives, too.
#[test]
fn archives_of_several_servers_are_not_one_dump() {
    let place = servers(&[&format!("good {SKEW}/old")]);
    for name in ["old", "new"] {
        let dump = std::fs::read(repository(SKEW).join(name).join("dump.tar.gz")).unwrap();
        place.write(&format!("high/cp/{name}.tar.gz"), dump.clone());
        place.write(&format!("servers/mixed/{name}.tar.gz"), dump);
    }
    let run = |arguments: &[&str]| place.run(arguments);
    insta::assert_snapshot!(session(run, [
        "version --control-plane high",
        "version --control-plane high/cp",
        "version --control-plane servers",
    ]), @"
    $ aggctl version --control-plane high
    2> error: high/cp is not one dump: it contains several
    2> hint: --control-plane high/cp
    [exit 3]

    $ aggctl version --control-plane high/cp
    ==> new <==
    aggctl:    0.1.0
    built-in:  Kubernetes 1.25, 1.28 to 1.37
    server:    v1.37.0-rc.1

    ==> old <==
    aggctl:    0.1.0
    built-in:  Kubernetes 1.25, 1.28 to 1.37
    server:    v1.36.4

    $ aggctl version --control-plane servers
    aggctl:    0.1.0
    built-in:  Kubernetes 1.25, 1.28 to 1.37
    server:    v1.36.4
    2> error: mixed: servers/mixed is not one dump: it contains several
    2> error: 1 of 2 API servers could not be read
    [exit 3]
    ");
}

/// Controllers read aggregated discovery, which does not list what nothing serves.
#[test]
fn an_unserved_apiservice_blocks_no_namespace() {
    let place = servers(&[&format!("a {THREE}/a")]);
    let terminating = r#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"old","deletionTimestamp":"2026-11-17T00:00:00Z"},"status":{"phase":"Terminating"}}"#;
    place.write("old.json", terminating);
    let dump = ["--dump", "servers/a", "--dump", "old.json"];
    let json = |arguments: &[&str]| place.run(&[arguments, &dump, &["-o", "json"]].concat()).json();
    let ghost = "v1.local.example.com";
    let issues = json(&["apiservices", ghost]);
    assert_eq!(issues["items"][0]["oddities"][0], "ghost", "{issues}");
    let answer = json(&["explain", "namespace", "old"]).to_string();
    assert!(answer.contains("v1.gone.example.com"), "{answer}");
    assert!(!answer.contains(ghost), "{answer}");
}

/// The request box of the page routes through the peer proxy, for resources of peers too.
#[test]
fn the_page_routes_through_peers() {
    let routes = |more: &[&str]| -> Value {
        let page =
            run(&[&["report", "-", "--control-plane", SKEW, "--asked", "old"], more].concat());
        let start = page.out.find("\"routes\":{").unwrap();
        let mut all = serde_json::Deserializer::from_str(&page.out[start + 9..]).into_iter();
        all.next().unwrap().unwrap()
    };
    let answer = |routes: &Value, path: &str| -> Value {
        let at = &routes["requests"][format!("GET {path}")];
        routes["answers"][usize::try_from(at.as_u64().unwrap()).unwrap()].clone()
    };
    let (mine, theirs) =
        ("/api/v1/nodes", "/apis/storagemigration.k8s.io/v1/storageversionmigrations");
    let with = routes(&[]);
    let (own, proxied) = (answer(&with, mine), answer(&with, theirs));
    assert_eq!((&own["asked"], &own["handledBy"][0]), (&"old".into(), &"old".into()));
    assert_eq!((&proxied["asked"], &proxied["handledBy"][0]), (&"old".into(), &"new".into()));
    assert_eq!(
        (&proxied["hops"][0]["server"], &proxied["outcome"]),
        (&"peer-proxy".into(), &"served".into())
    );
    let without = routes(&["--no-peers"]);
    assert!(without["requests"].get(format!("GET {theirs}")).is_none());
    assert_eq!(answer(&without, mine)["outcome"], "served");
}
