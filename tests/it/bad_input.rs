//! Tests bad input: files that cannot be read, and commands that make no sense. Each gets one clear
//! error, a hint, and the documented exit code.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{Place, Run, aggctl, finish, run, run_on_mixed, session};

const SERVICE: &str = r#"{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.x.y"},"spec":{"group":"x.y","version":"v1","groupPriorityMinimum":1,"versionPriority":1}}"#;

/// Reads each file as a dump, and returns the output. The exit code must be 3, with one line for
/// the error and one for the hint. A repeated hint is shown once.
fn refused<const N: usize>(place: &Place, names: [&str; N]) -> String {
    let (mut text, mut last) = (String::new(), String::new());
    for name in names {
        let run = place.run(&["route", "/api", "--dump", name]);
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{name}");
        let (error, hint) = run.err.split_once('\n').unwrap();
        assert!(error.starts_with("error: ") && hint.lines().count() <= 1, "{}", run.err);
        text += &format!("{error}\n");
        if hint != last {
            text += hint;
            last = hint.to_owned();
        }
    }
    text
}

#[test]
fn sources_without_data() {
    let place = Place::with(&[
        ("a.txt", "just words"),
        (
            "pods.json",
            r#"{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod","apiVersion":"v1"},{"kind":"Node","apiVersion":"v1"},{"kind":"Pod","apiVersion":"v1"}]}"#,
        ),
    ]);
    std::fs::create_dir(place.path("empty")).unwrap();
    insta::assert_snapshot!(refused(&place, ["empty", "nope", "a.txt", "pods.json"]), @"
    error: empty is empty
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: cannot read nope: no such file or directory
    error: nothing in a.txt contains API server data: it has no Kubernetes objects
    error: nothing in pods.json contains API server data: found Pod, Node
    ");
}

#[test]
fn broken_files() {
    let typed = SERVICE.replace("\"group\":\"x.y\"", "\"group\":[]");
    let place = Place::with(&[
        ("cut.json", &SERVICE[..100]),
        ("cut.yaml", "kind: APIService\nspec: {a: [1,\n"),
        ("not.json.gz", "\x00\x01not gzip"),
        ("typed.json", &typed),
    ]);
    let mut latin = SERVICE.as_bytes().to_vec();
    latin[60] = 0xe9;
    place.write("latin.json", latin);
    let gz = gzip(SERVICE.as_bytes());
    place.write("cut.gz", &gz[..gz.len() - 12]);
    let names = ["cut.json", "cut.yaml", "latin.json", "not.json.gz", "cut.gz", "typed.json"];
    insta::assert_snapshot!(refused(&place, names), @"
    error: cannot read cut.json: 1:100: eof while parsing a string
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: cannot read cut.yaml: 2:11: unclosed bracket '['
    error: cannot read latin.json: is not UTF-8: byte 61 is wrong
    error: cannot read not.json.gz: is not gzip, although its name ends in .gz
    error: cannot read cut.gz: its gzip data is cut off
    error: cannot read typed.json: APIService v1.x.y: invalid type: sequence, expected a string
    ");
    // In a directory, broken files are reported and the others are used.
    place.write("good.json", SERVICE);
    insta::assert_snapshot!(place.ask(&["apiservices", "v1.x.y", "-o", "name"]), @"
    apiservice/v1.x.y
    2> warning: skipped ./cut.gz: its gzip data is cut off
    2> warning: skipped ./cut.json: 1:100: eof while parsing a string
    2> warning: skipped ./cut.yaml: 2:11: unclosed bracket '['
    2> warning: skipped ./latin.json: is not UTF-8: byte 61 is wrong
    2> warning: skipped ./not.json.gz: is not gzip, although its name ends in .gz
    2> warning: skipped ./typed.json: APIService v1.x.y: invalid type: sequence, expected a string
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the server's version is not in the source; assuming 1.37
    ");
}

/// Files that may block or never end are not opened.
#[cfg(unix)]
#[test]
fn only_files_are_opened() {
    let place = Place::with(&[]);
    std::os::unix::fs::symlink("gone", place.path("link.json")).unwrap();
    let pipe = place.path("pipe.yaml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    insta::assert_snapshot!(refused(&place, ["link.json", "pipe.yaml", "/dev/zero"]), @"
    error: cannot read link.json: no such file or directory
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: cannot read pipe.yaml: it is a named pipe, not a file
    hint: pipe it into standard input and use -
    error: cannot read /dev/zero: it is a device, not a file
    ");
    insta::assert_snapshot!(place.run(&["lint", "pipe.yaml"]), @"
    2> error: cannot read pipe.yaml: it is a named pipe, not a file
    2> hint: pipe it into standard input and use -
    [exit 3]
    ");
    std::fs::remove_file(place.path("link.json")).unwrap();
    place.write("a.json", SERVICE);
    insta::assert_snapshot!(place.ask(&["route", "/api", "-o", "name"]), @"
    kube-apiserver
    2> warning: skipped ./pipe.yaml: it is a named pipe, not a file
    ");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(vec![], Compression::fast());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(vec![]);
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

/// The intact part of a truncated archive is used, with a warning.
#[test]
fn truncated_archives() {
    let place = Place::with(&[]);
    let whole = tar(&[("a.json", SERVICE.as_bytes()), ("b.txt", &[b'x'; 2000])]);
    let read = |length: usize| {
        place.write("cut.tar", &whole[..length]);
        place.run(&["route", "/api", "-o", "name", "--dump", "cut.tar"])
    };
    insta::assert_snapshot!(read(whole.len()), @"kube-apiserver");
    let cut = read(whole.len() - 1024);
    insta::assert_snapshot!(cut, @"
    kube-apiserver
    2> warning: skipped cut.tar: is cut off: the rest of the archive is missing
    ");
    assert_eq!(read(2000), cut);
    assert_eq!(read(1024), cut);
}

#[test]
fn unknown_compressions_are_named() {
    let place = Place::with(&[("zip", "PK\x03\x04zip")]);
    place.write("xz", b"\xfd7zXZ\0..");
    place.write("zstd", b"\x28\xb5\x2f\xfd..");
    insta::assert_snapshot!(refused(&place, ["zip", "xz", "zstd"]), @"
    error: cannot read zip: is a zip archive, which aggctl does not read: unpack it first
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: cannot read xz: is compressed with xz, which aggctl does not read: unpack it first
    error: cannot read zstd: is compressed with zstd, which aggctl does not read: unpack it first
    ");
}

/// A small file that unpacks to a large one, alone and inside an archive.
#[test]
fn files_that_unpack_to_too_much_are_refused() {
    let place = Place::with(&[]);
    place.write("bomb.gz", gzip(&vec![b'\n'; 65 << 20]));
    let part = gzip(&vec![b'\n'; 40 << 20]);
    place.write("nested.tar.gz", gzip(&tar(&[("a.gz", &part), ("b.gz", &part)])));
    insta::assert_snapshot!(refused(&place, ["bomb.gz", "nested.tar.gz"]), @"
    error: cannot read bomb.gz: grows to more than 64 MiB when unpacked
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: cannot read nested.tar.gz/b.gz: grows to more than 64 MiB when unpacked
    ");
}

#[test]
fn deep_and_exploding_documents_are_refused() {
    let mut bomb = "kind: List\nx0: &x0 [a,a,a,a,a,a,a,a,a]\n".to_owned();
    for level in 1..12 {
        let alias = format!("*x{},", level - 1).repeat(9);
        bomb += &format!("x{level}: &x{level} [{alias}]\n");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let place = Place::with(&[
        ("bomb.yaml", &bomb),
        ("deep.json", &deep),
        ("deep-list.json", &format!("{{\"kind\":\"List\",\"items\":{deep}}}")),
        ("deep.yaml", &format!("kind: {}", "[".repeat(100_000))),
    ]);
    let names = ["bomb.yaml", "deep.json", "deep-list.json", "deep.yaml"];
    insta::assert_snapshot!(refused(&place, names), @"
    error: cannot read bomb.yaml: 4:10: the aliases of this document make it more than 16 times as large as it is
    hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    error: nothing in deep.json contains API server data: it has no Kubernetes objects
    error: nothing in deep-list.json contains API server data: found something without a kind
    error: cannot read deep.yaml: 1:507: values are nested more than 500 deep
    ");
}

#[test]
fn contradicting_objects_are_reported() {
    let other = SERVICE.replace("\"versionPriority\":1", "\"versionPriority\":2");
    let place = Place::with(&[("a.json", SERVICE), ("b.json", &other)]);
    let run = place.ask(&["apiservices", "v1.x.y", "-o", "json"]);
    insta::assert_snapshot!(run.err, @"
    warning: APIService v1.x.y is in ./b.json and ./a.json, with different contents; using the one in ./b.json
    warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source; assuming 1.37
    ");
    assert_eq!(run.json()["items"][0]["versionPriority"], 2);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let evil = SERVICE.replace("x.y", "x\\u001b[31m\\u202e.y");
    let place = Place::with(&[("a.json", &evil)]);
    for arguments in [
        &["apiservices"][..],
        &["order"],
        &["order", "-o", "name"],
        &["discovery", "--merged"],
        &["chain"],
        &["chain", "-o", "dot"],
        &["route", "/apis/x%1b%5b31m%e2%80%ae.y/v1/z"],
    ] {
        let run = place.ask(arguments);
        assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
        for text in [&run.out, &run.err] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{arguments:?}\n{text}");
        }
    }
}

#[test]
fn invalid_commands() {
    insta::assert_snapshot!(session(run, [
        "route apis/apps/v1",
        "route apis/apps/v1 FETCH",
        "route FETCH /api",
        "route GET",
        "route /a%zz",
        "route ''",
        "discovery ''",
        "discovery apis",
        "sort-versions v1 ''",
        "route --builtin 1.x /api",
        "route --fail-on nope /api",
        "nope",
        "docter",
        "discovery metric.k8s.io/v1 --dump examples/cluster",
        "man --dir README.md/dir",
    ]), @r#"
    $ aggctl route apis/apps/v1
    2> error: path "apis/apps/v1" does not begin with a slash
    2> hint: /apis/apps/v1
    [exit 2]

    $ aggctl route apis/apps/v1 FETCH
    2> error: path "apis/apps/v1" does not begin with a slash
    2> hint: /apis/apps/v1
    [exit 2]

    $ aggctl route FETCH /api
    2> error: unknown method "FETCH"
    2> hint: use one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT, TRACE
    [exit 2]

    $ aggctl route GET
    2> error: no path after GET
    2> hint: name one, as in `aggctl route GET /api/v1/pods`
    [exit 2]

    $ aggctl route /a%zz
    2> error: path "/a%zz" has a % without two hexadecimal digits after it
    2> hint: the API server would answer 400 Bad Request; write a percent sign as %25
    [exit 2]

    $ aggctl route ''
    2> error: empty request
    2> hint: check for an unset shell variable
    [exit 2]

    $ aggctl discovery ''
    2> error: empty path
    2> hint: check for an unset shell variable
    [exit 2]

    $ aggctl discovery apis
    GROUP                          VERSION   FRESHNESS   RESOURCES   SERVED BY
    apiregistration.k8s.io         v1        Current     1           built-in
    apps                           v1        Current     5           built-in
    events.k8s.io                  v1        Current     1           built-in
    authentication.k8s.io          v1        Current     2           built-in
    authorization.k8s.io           v1        Current     4           built-in
    autoscaling                    v2        Current     1           built-in
    autoscaling                    v1        Current     1           built-in
    batch                          v1        Current     2           built-in
    certificates.k8s.io            v1        Current     3           built-in
    networking.k8s.io              v1        Current     5           built-in
    policy                         v1        Current     1           built-in
    rbac.authorization.k8s.io      v1        Current     4           built-in
    storage.k8s.io                 v1        Current     6           built-in
    admissionregistration.k8s.io   v1        Current     6           built-in
    apiextensions.k8s.io           v1        Current     1           built-in
    scheduling.k8s.io              v1        Current     1           built-in
    coordination.k8s.io            v1        Current     1           built-in
    node.k8s.io                    v1        Current     1           built-in
    discovery.k8s.io               v1        Current     1           built-in
    resource.k8s.io                v1        Current     5           built-in
    flowcontrol.apiserver.k8s.io   v1        Current     2           built-in
    storagemigration.k8s.io        v1        Current     1           built-in
    2> note: no cluster found; using built-in Kubernetes 1.37

    $ aggctl sort-versions v1 ''
    2> error: empty version
    2> hint: check for an unset shell variable
    [exit 2]

    $ aggctl route --builtin 1.x /api
    2> error: "1.x" is not a Kubernetes version
    2> hint: write it as 1.36
    [exit 2]

    $ aggctl route --fail-on nope /api
    2> error: invalid value 'nope' for '--fail-on <OUTCOME>'
    2>   [possible values: served, proxied, unavailable, not-found, method-not-allowed, redirect, bad-request, unauthorized, forbidden, unknown, peer-unreachable, peer-address-unknown]
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl nope
    2> error: unrecognized subcommand 'nope'
    2>
    2> Usage: aggctl [OPTIONS] <COMMAND>
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl docter
    2> error: unrecognized subcommand 'docter'
    2>
    2>   tip: a similar subcommand exists: 'doctor'
    2>
    2> Usage: aggctl [OPTIONS] <COMMAND>
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl discovery metric.k8s.io/v1 --dump examples/cluster
    2> error: no discovery document at /apis/metric.k8s.io/v1
    2> hint: did you mean metrics.k8s.io?
    [exit 2]

    $ aggctl man --dir README.md/dir
    2> error: cannot write README.md/dir: not a directory
    [exit 3]
    "#);
}

#[test]
fn commands_about_what_does_not_exist() {
    insta::assert_snapshot!(session(run_on_mixed, [
        "apiservices v1.app",
        "order --explain aps batch",
        "discovery /apis/nope/v1",
        "discovery /apis/metrics.k8s.io/v1",
    ]), @r#"
    $ aggctl apiservices v1.app
    2> error: no APIService "v1.app" in the source
    2> hint: did you mean v1.apps?
    [exit 2]

    $ aggctl order --explain aps batch
    2> error: no group "aps" in the source
    2> hint: did you mean apps?
    [exit 2]

    $ aggctl discovery /apis/nope/v1
    2> error: no discovery document at /apis/nope/v1
    2> hint: discovery documents are at /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION
    [exit 2]

    $ aggctl discovery /apis/metrics.k8s.io/v1
    2> error: APIService v1.metrics.k8s.io is unavailable, so its discovery document is unknown
    2> hint: aggctl doctor v1.metrics.k8s.io --dump testdata/recordings/v1.36-mixed/dump
    [exit 3]
    "#);
}

#[test]
fn a_stream_continues_after_a_bad_line() {
    let mut command = aggctl(&["route", "--builtin", "-o", "name", "-"]);
    let run =
        finish(command.write_stdin("/api\nFETCH /api\n\n# comment\nnope\nPOST /api/v1/nodes\n"));
    insta::assert_snapshot!(run, @r#"
    kube-apiserver
    kube-apiserver
    2> error: line 2: unknown method "FETCH"
    2> error: line 5: path "nope" does not begin with a slash
    2> error: 2 of 6 lines are not valid requests
    2> hint: write one request per line: PATH or METHOD PATH
    [exit 2]
    "#);
}

#[test]
fn any_bytes_on_standard_input() {
    for bytes in [&b"\xff\xfe\x00"[..], b"\x00\x00\x00", b"{", b"[", b"\x1f\x8b", b"kind: [", b""] {
        let run = finish(aggctl(&["apiservices", "--dump", "-"]).write_stdin(bytes));
        assert_eq!(run.code, 3, "{bytes:?}: {}", run.err);
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

/// Commands with answers that would be empty or misleading.
#[test]
fn commands_that_silence_would_answer() {
    insta::assert_snapshot!(session(run, [
        "order --explain apps apps --builtin",
        "order --explain apps batch -o json",
        "sort-versions --check v1 -o json",
        "explain namespace",
        "lint --output json x.yaml",
    ]), @"
    $ aggctl order --explain apps apps --builtin
    2> error: cannot compare group apps with itself
    2> hint: compare two of its versions as apps/VERSION
    [exit 2]

    $ aggctl order --explain apps batch -o json
    2> error: the argument '--explain <A> <B>' cannot be used with '--output <FORMAT>'
    2>
    2> Usage: aggctl order --explain <A> <B> [GROUP]...
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl sort-versions --check v1 -o json
    2> error: the argument '--check' cannot be used with '--output <FORMAT>'
    2>
    2> Usage: aggctl sort-versions --check <VERSION>...
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl explain namespace
    2> error: no namespace given
    2> hint: run `aggctl explain namespace NAME`
    [exit 2]

    $ aggctl lint --output json x.yaml
    2> error: --output takes a file, but json is a format
    2> hint: use -o json; for a file of that name, write ./json
    [exit 2]
    ");
    let place = Place::with(&[("pod.yaml", "kind: Pod\napiVersion: v1\n"), ("one.json", SERVICE)]);
    insta::assert_snapshot!(place.run(&["lint", "pod.yaml"]), @"no APIService in 1 file");
    // Inferred data is not presented as observed.
    let warnings = ["apiservices", "order", "chain", "conflicts"]
        .map(|command| format!("{command}: {}", place.ask(&[command]).err));
    insta::assert_snapshot!(warnings.concat(), @"
    apiservices: warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source; assuming 1.37
    order: warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    warning: the server's version is not in the source; assuming 1.37
    chain: warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source; assuming 1.37
    conflicts: warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    warning: the server's version is not in the source; assuming 1.37
    ");
}

/// A hint is a command that works, or says that there is none.
#[test]
fn hints_work() {
    insta::assert_snapshot!(session(run_on_mixed, [
        "route po",
        "route deploy/web -n x",
        "route deployments.v1.apps",
        "route POST nodes.metrics.k8s.io",
        "route podz",
        "route pod.apps.example",
        "discovery apps/v1",
        "discovery v1",
        "route /apis/foo",
    ]), @r#"
    $ aggctl route po
    GET /api/v1/pods    list pods (core/v1)

      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    built-in v1 serves this resource

    200 from kube-apiserver.

    $ aggctl route deploy/web -n x
    GET /apis/apps/v1/namespaces/x/deployments/web
    get deployments/web in namespace x (apps/v1)

      │ kube-aggregator   APIService v1.apps is local
      ✓ kube-apiserver    built-in apps/v1 serves this resource

    200 from kube-apiserver, or 404 if the object does not exist.

    $ aggctl route deployments.v1.apps
    GET /apis/apps/v1/deployments    list deployments (apps/v1)

      │ kube-aggregator   APIService v1.apps is local
      ✓ kube-apiserver    built-in apps/v1 serves this resource

    200 from kube-apiserver.

    $ aggctl route POST nodes.metrics.k8s.io
    POST /apis/metrics.k8s.io/v1/nodes    create nodes (metrics.k8s.io/v1)

      ✗ kube-aggregator   APIService v1.metrics.k8s.io is unavailable
                          ServiceNotFound: service/absent in "ext" is not present

    503 Service Unavailable. The request never reaches the extension API server.
    next: aggctl doctor v1.metrics.k8s.io --dump testdata/recordings/v1.36-mixed/dump

    $ aggctl route podz
    2> error: "podz" is neither a path nor a resource in the source
    2> hint: did you mean pod?
    [exit 2]

    $ aggctl route pod.apps.example
    2> error: "pod.apps.example" is neither a path nor a resource in the source
    2> hint: unknown group or version "apps.example"
    [exit 2]

    $ aggctl discovery apps/v1
    NAME                  SHORTNAMES   NAMESPACED   KIND
    controllerrevisions   -            true         ControllerRevision
    daemonsets            ds           true         DaemonSet
    daemonsets/status     -            true         DaemonSet
    deployments           deploy       true         Deployment
    deployments/scale     -            true         Scale
    deployments/status    -            true         Deployment
    replicasets           rs           true         ReplicaSet
    replicasets/scale     -            true         Scale
    replicasets/status    -            true         ReplicaSet
    statefulsets          sts          true         StatefulSet
    statefulsets/scale    -            true         Scale
    statefulsets/status   -            true         StatefulSet

    $ aggctl discovery v1
    NAME                            SHORTNAMES   NAMESPACED   KIND
    bindings                        -            true         Binding
    componentstatuses               cs           false        ComponentStatus
    configmaps                      cm           true         ConfigMap
    endpoints                       ep           true         Endpoints
    events                          ev           true         Event
    limitranges                     limits       true         LimitRange
    namespaces                      ns           false        Namespace
    namespaces/finalize             -            false        Namespace
    namespaces/status               -            false        Namespace
    nodes                           no           false        Node
    nodes/proxy                     -            false        NodeProxyOptions
    nodes/status                    -            false        Node
    persistentvolumeclaims          pvc          true         PersistentVolumeClaim
    persistentvolumeclaims/status   -            true         PersistentVolumeClaim
    persistentvolumes               pv           false        PersistentVolume
    persistentvolumes/status        -            false        PersistentVolume
    pods                            po           true         Pod
    pods/attach                     -            true         PodAttachOptions
    pods/binding                    -            true         Binding
    pods/ephemeralcontainers        -            true         Pod
    pods/eviction                   -            true         Eviction
    pods/exec                       -            true         PodExecOptions
    pods/log                        -            true         Pod
    pods/portforward                -            true         PodPortForwardOptions
    pods/proxy                      -            true         PodProxyOptions
    pods/resize                     -            true         Pod
    pods/status                     -            true         Pod
    podtemplates                    -            true         PodTemplate
    replicationcontrollers          rc           true         ReplicationController
    replicationcontrollers/scale    -            true         Scale
    replicationcontrollers/status   -            true         ReplicationController
    resourcequotas                  quota        true         ResourceQuota
    resourcequotas/status           -            true         ResourceQuota
    secrets                         -            true         Secret
    serviceaccounts                 sa           true         ServiceAccount
    serviceaccounts/token           -            true         TokenRequest
    services                        svc          true         Service
    services/proxy                  -            true         ServiceProxyOptions
    services/status                 -            true         Service

    $ aggctl route /apis/foo
    GET /apis/foo

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no CRD serves this group

    404 Not Found.
    "#);
}

#[test]
fn other_kinds_of_kubernetes_are_named() {
    let read = |input: &str| -> Run {
        finish(aggctl(&["chain", "--dump", "-"]).write_stdin(input.to_owned()))
    };
    insta::assert_snapshot!(read(r#"{"kind": "PodList", "apiVersion": "v1", "items": []}"#), @"
    2> error: nothing in - contains API server data: found PodList
    2> hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]
    ");
    insta::assert_snapshot!(read(r#"{"kind": "PodList", "apiVersion": "v1", "items": [{}]}"#), @"
    2> error: nothing in - contains API server data: found Pod
    2> hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]
    ");
    insta::assert_snapshot!(read("{\"kind\": \"APIService\",\n"), @"
    2> error: cannot read <stdin>: 1:22: eof while parsing an object
    2> hint: write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`
    [exit 3]
    ");
}
