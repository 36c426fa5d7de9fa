//! Tests `aggctl test`: recording routes, and checking them in CI.

use crate::{Place, repository, run, session};

const MIXED: &str = "testdata/recordings/v1.36-mixed/dump";

#[test]
fn recorded_routes_pass_on_the_same_dump() {
    let crds = "crates/kube-aggregation/testdata/v1.36-crds/dump";
    for dump in [MIXED, "testdata/recordings/v1.25-mixed/dump", crds] {
        let recorded = run(&["test", "--record", "-", "--dump", dump]);
        assert_eq!(recorded.code, 0);
        let place = Place::with(&[("routes.yaml", &recorded.out)]);
        let dump = repository(dump);
        let test = ["test", "routes.yaml", "--odd", "--dump", dump.to_str().unwrap()];
        let judged = place.run(&test);
        assert_eq!((judged.code, judged.out.as_str()), (0, ""), "{}", dump.display());
    }
}

#[test]
fn a_request_with_another_route_fails_with_the_reason() {
    let requests = ["GET", "/apis/edge.net/v1/routers", "/version"];
    let recorded = run(&[&["test", "--record", "-", "--dump", MIXED], &requests[..]].concat());
    let place = Place::with(&[("routes.yaml", &recorded.out)]);
    let dump = repository(MIXED);
    let without = |arguments: &[&str]| {
        let more = ["--without", "v1.edge.net", "--dump", dump.to_str().unwrap()];
        crate::timeless(place.run(&[arguments, &more].concat()))
    };
    insta::assert_snapshot!(session(without, [
        "test routes.yaml",
        "test routes.yaml --odd",
        "test routes.yaml -o junit",
    ]), @r#"
    $ aggctl test routes.yaml
    ✗  GET /apis/edge.net/v1/routers
       at routes.yaml:2:3
       outcome: expected proxied, got served
       handler: expected ext/wardle, got crd/routers.edge.net
       service: expected ext/wardle, got none
       reason: CRD routers.edge.net serves this resource
    ✓  GET /version
    2> what if: APIService v1.edge.net is created: a CRD serves edge.net/v1
    2> 1 passed, 1 failed
    [exit 1]

    $ aggctl test routes.yaml --odd
    ✗  GET /apis/edge.net/v1/routers
       at routes.yaml:2:3
       outcome: expected proxied, got served
       handler: expected ext/wardle, got crd/routers.edge.net
       service: expected ext/wardle, got none
       reason: CRD routers.edge.net serves this resource
    2> what if: APIService v1.edge.net is created: a CRD serves edge.net/v1
    2> 1 passed, 1 failed
    [exit 1]

    $ aggctl test routes.yaml -o junit
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
        <testsuite name="routes.yaml" package="aggctl" id="0" timestamp="TIME" hostname="localhost" tests="2" failures="1" errors="0" skipped="0" time="0">
            <properties/>
            <testcase name="GET /apis/edge.net/v1/routers line 2" classname="routes.yaml" time="0">
                <failure type="mismatch" message="outcome: expected proxied, got served; handler: expected ext/wardle, got crd/routers.edge.net; service: expected ext/wardle, got none">outcome: expected proxied, got served; handler: expected ext/wardle, got crd/routers.edge.net; service: expected ext/wardle, got none
    CRD routers.edge.net serves this resource</failure>
            </testcase>
            <testcase name="GET /version line 8" classname="routes.yaml" time="0"/>
            <system-out></system-out>
            <system-err/>
        </testsuite>
    </testsuites>
    2> what if: APIService v1.edge.net is created: a CRD serves edge.net/v1
    2> 1 passed, 1 failed
    [exit 1]
    "#);
}

#[test]
fn errors_name_the_place_in_the_file() {
    let place = Place::with(&[
        ("typo.yaml", "requests:\n- request: GET /a\n  expect: {outcom: served}\n"),
        ("bracket.yaml", "requests: ["),
        ("binary.yaml", "\0\u{1}"),
    ]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "test typo.yaml",
        "test gone.yaml",
        "test bracket.yaml",
        "test binary.yaml",
    ]), @r#"
    $ aggctl test typo.yaml
    2> error: typo.yaml:3:12: unknown field "outcom"
    2> hint: did you mean outcome?
    [exit 2]

    $ aggctl test gone.yaml
    2> error: cannot read gone.yaml: no such file or directory
    [exit 3]

    $ aggctl test bracket.yaml
    2> error: cannot read bracket.yaml: 1:11: unclosed bracket '['
    [exit 3]

    $ aggctl test binary.yaml
    2> error: cannot read binary.yaml: 1:1: a NUL byte: this is not a text file
    [exit 3]
    "#);
}

#[test]
fn a_file_is_replaced_only_when_forced() {
    let place = Place::with(&[("routes.yaml", "mine")]);
    insta::assert_snapshot!(place.run(&["test", "--record", "routes.yaml", "/api", "--builtin"]), @"
    2> error: routes.yaml already exists
    2> hint: replace it with --force, or write to standard output with -
    [exit 2]
    ");
    assert_eq!(place.read("routes.yaml"), "mine");
    let forced = place.run(&["test", "--record", "routes.yaml", "/api", "--builtin", "--force"]);
    insta::assert_snapshot!(forced, @"2> 1 request written to routes.yaml");
    insta::assert_snapshot!(place.read("routes.yaml"), @r#"
    requests:
    - request: "GET /api"
      expect:
        outcome: served
        handler: kube-apiserver
        apiService: v1.
    "#);
}
