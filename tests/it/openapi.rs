//! Tests `aggctl openapi` on a small dump: an APIService that shadows a CRD, one with a renamed
//! definition, and one that publishes nothing.

use serde_json::Value;

use crate::{Place, Run, repository, run, session};

fn openapi(arguments: &str) -> Run {
    let words = format!("openapi {arguments}").replace("PARTS", "testdata/openapi/parts");
    on_dump(&words.split_whitespace().collect::<Vec<_>>())
}

fn on_dump(arguments: &[&str]) -> Run {
    run(&[arguments, &["--dump", "testdata/openapi/dump"]].concat())
}

fn json(arguments: &str) -> Value {
    openapi(&format!("-o json {arguments}")).json()
}

fn codes(answer: &Value) -> Vec<&str> {
    let all = answer["warnings"].as_array().unwrap().iter();
    all.map(|warning| warning["code"].as_str().unwrap()).collect()
}

fn item<'a>(answer: &'a Value, gv: &str) -> &'a Value {
    answer["items"].as_array().unwrap().iter().find(|item| item["groupVersion"] == gv).unwrap()
}

#[test]
fn each_group_version_has_its_publishers() {
    let answer = json("");
    assert_eq!(answer["kind"], "OpenAPI");
    let check = |gv: &str, from: Value, state: &str, v3: &[&str], form: Value| {
        let item = item(&answer, gv);
        assert_eq!((&item["v2"]["from"], &item["v2"]["state"]), (&from, &state.into()), "{gv}");
        assert_eq!((&item["v3"]["from"], &item["v3"]["form"]), (&v3.into(), &form), "{gv}");
    };
    check("apps/v1", "kube-apiserver".into(), "merged", &["kube-apiserver"], "own".into());
    check("crm.example.org/v1", "CRDs".into(), "merged", &["CRDs"], "own".into());
    check("edge.example.org/v1", "CRDs".into(), "nothing", &["CRDs", "ext/edge"], Value::Null);
    check("older.example.org/v1", "ext/older".into(), "merged", &["ext/older"], "converted".into());
    check("quiet.example.org/v1", Value::Null, "nothing", &[], "none".into());
    let renamed = &item(&answer, "older.example.org/v1")["v2"]["renamed"][0];
    assert_eq!(renamed["as"], "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2");
    assert_eq!(renamed["owner"], "kube-apiserver");
    let order: Vec<_> =
        answer["order"].as_array().unwrap().iter().map(|one| &one["apiService"]).collect();
    assert_eq!(order, ["v1.edge.example.org", "v1.quiet.example.org", "v1.older.example.org"]);
    let want = [
        "duplicated-path",
        "v2-missing",
        "v3-overlap",
        "v3-missing",
        "renamed-definition",
        "unserved-still-listed",
    ];
    assert_eq!(codes(&answer), want);
    // Splitting and merging gives the same document.
    assert_eq!(answer["document"]["etag"], answer["document"]["computedEtag"]);
    assert_eq!(answer["document"]["status"], 200);
    insta::assert_snapshot!(answer["assumptions"], @r#"["ext/edge publishes /apis/edge.example.org/v1/ at /openapi/v2, as every generic API server does"]"#);
}

#[test]
fn what_a_service_publishes_decides() {
    let check = |part: &str, code: &str, exit: i32| {
        let arguments = format!("--part {part} --without v1.edge.example.org");
        let arguments = if part.contains("edge") { format!("--part {part}") } else { arguments };
        let answer = json(&arguments);
        assert!(codes(&answer).contains(&code), "{part}: {:?}", codes(&answer));
        assert_eq!(openapi(&arguments).code, exit, "{part}");
    };
    check("v1.edge.example.org=PARTS/edge.json", "duplicated-path", 1);
    check("v1.quiet.example.org=PARTS/kind.json", "kind-on-plain-definition", 1);
    check("v1.quiet.example.org=PARTS/nullable.json", "not-protobuf", 1);
    check("v1.quiet.example.org=PARTS/cut.json", "v2-broken", 0);
    check("v1.older.example.org=PARTS/older.json", "outside-group-version", 0);
    check("v1.quiet.example.org=PARTS/index.json", "v3-overlap", 0);
    let answer = json("--part v1.edge.example.org=PARTS/edge-more.json");
    assert!(!codes(&answer).contains(&"duplicated-path"), "{:?}", codes(&answer));
    assert_eq!(item(&answer, "edge.example.org/v1")["v2"]["from"], "ext/edge");
    let answer = json("--part v1.older.example.org=PARTS/older.json");
    assert!(!codes(&answer).contains(&"stale-document"), "{:?}", codes(&answer));
}

/// What-if shows whether a manifest would break the document for all clients.
#[test]
fn what_if_is_answered() {
    assert_eq!(openapi("--without v1.edge.example.org").code, 0);
    assert_eq!(openapi("--without routers.edge.example.org").code, 0);
    let manifest = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.older.example.org}
spec:
  group: older.example.org
  scope: Cluster
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
";
    let place = Place::with(&[("new.yaml", manifest)]);
    let dump = repository("testdata/openapi/dump");
    let what_if = ["openapi", "--without", "v1.edge.example.org", "-f", "new.yaml", "--dump"];
    let what_if = [&what_if[..], &[dump.to_str().unwrap()]].concat();
    insta::assert_snapshot!(place.run(&what_if).showing(dump.to_str().unwrap(), "DUMP"), @"
    GROUP VERSION          V2                   V3                  ISSUES
    crm.example.org/v1     CRDs                 CRDs                -
    edge.example.org/v1    CRDs                 CRDs                -
    quiet.example.org/v1   nothing              nothing             v2-missing …
    older.example.org/v1   refused, 1 renamed   CRDs or ext/older   duplicated-path …

    2 built-in group versions published by the API server hidden (use --all).

    error[duplicated-path]: /apis/older.example.org/v1/ of ext/older is a prefix of
        paths of CRD things.older.example.org. The API server cannot merge
        /openapi/v2, and answers 503 for it after a restart
    hint: move APIService v1.older.example.org or the CRD to another group version;
          deleting the CRD deletes its objects

    warning[v2-missing]: ext/quiet (quiet.example.org/v1) publishes nothing at
        /openapi/v2

    warning[v3-missing]: the index /openapi/v3 lacks the documents of ext/quiet
        (quiet.example.org/v1)

    warning[v3-overlap]: apis/older.example.org/v1 in the index /openapi/v3 is
        answered by CRDs or ext/older, at random for each request

    2 notes hidden (use -v).
    2> what if: APIService v1.edge.example.org is created: a CRD serves edge.example.org/v1
    [exit 1]
    ");
    assert_eq!(place.run(&[&what_if[..], &["--fail-on", "never"]].concat()).code, 0);
}

#[test]
fn the_merged_document_is_the_servers() {
    let dump =
        std::fs::read_to_string(repository("testdata/openapi/dump/openapi-v2.json")).unwrap();
    let same = openapi("--merged --without v1.edge.example.org");
    assert_eq!((same.code, same.out.as_str()), (0, dump.as_str()), "{}", same.err);
    let given = openapi(
        "--merged --without v1.edge.example.org --part v1.older.example.org=PARTS/older.json",
    );
    assert_eq!(given.out, dump);
    let without = openapi("--merged --without v1.edge.example.org --without v1.older.example.org");
    assert!(!without.out.contains("older") && !without.out.contains("_v2"), "{}", without.out);
    let broken = openapi("--merged --part v1.edge.example.org=PARTS/edge.json");
    insta::assert_snapshot!(broken, @"
    2> error: [duplicated-path] /apis/edge.example.org/v1/ of ext/edge is a prefix of paths of CRD routers.edge.example.org. The API server cannot merge /openapi/v2, and answers 503 for it after a restart
    [exit 1]
    ");
    insta::assert_snapshot!(run(&["openapi", "--merged", "--builtin"]), @"
    2> warning: the document /openapi/v2 is not in the source
    2> error: cannot merge: /openapi/v2 is not in the source
    2> hint: name a cluster or a dump; built-in data has none
    [exit 3]
    ");
}

#[test]
fn a_definition_has_an_owner() {
    let name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2";
    let answer = json(&format!("--definition {name}"));
    assert_eq!(
        (&answer["kind"], &answer["owner"]),
        (&"OpenAPIDefinition".into(), &"ext/older".into())
    );
    assert_eq!(answer["met"], "kube-apiserver");
    insta::assert_snapshot!(openapi(&format!("--definition {name}")), @"
    io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2
      owned by ext/older
      published as io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta; renamed because
      kube-apiserver has a different definition of that name
    ");
}

#[test]
fn invalid_arguments() {
    insta::assert_snapshot!(session(on_dump, [
        "openapi --part v1.nope.example.org=testdata/openapi/parts/edge.json",
        "openapi --part v1.crm.example.org=testdata/openapi/parts/edge.json",
        "openapi --part v1.edge.example.org=testdata/openapi/parts/none.json",
        "openapi --part nonsense",
        "openapi nope.example.org/v1",
        "openapi --samples 0",
        "openapi --definition io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2x",
    ]), @r#"
    $ aggctl openapi --part v1.nope.example.org=testdata/openapi/parts/edge.json
    2> error: --part: no APIService "v1.nope.example.org" with a Service in the source
    2> hint: did you mean v1.edge.example.org?
    [exit 2]

    $ aggctl openapi --part v1.crm.example.org=testdata/openapi/parts/edge.json
    2> error: --part: no APIService "v1.crm.example.org" with a Service in the source
    2> hint: did you mean v1.edge.example.org?
    [exit 2]

    $ aggctl openapi --part v1.edge.example.org=testdata/openapi/parts/none.json
    2> error: cannot read testdata/openapi/parts/none.json: no such file or directory
    [exit 3]

    $ aggctl openapi --part nonsense
    2> error: invalid value 'nonsense' for '--part <APISERVICE=FILE>': expected APISERVICE=FILE, such as v1.foo.example.com=openapi.json
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl openapi nope.example.org/v1
    2> error: no group version or APIService "nope.example.org/v1" in the source
    2> hint: did you mean edge.example.org/v1?
    [exit 2]

    $ aggctl openapi --samples 0
    2> error: invalid value '0' for '--samples <N>': 0 is not in 1..=10
    2>
    2> For more information, try '--help'.
    [exit 2]

    $ aggctl openapi --definition io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2x
    2> error: the merged document has no definition "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2x"
    2> hint: did you mean io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2?
    [exit 2]
    "#);
}

/// A group version is listed even if another server deleted its APIService.
#[test]
fn what_lost_its_apiservice_has_its_documents() {
    let plane = ["--control-plane", "testdata/peers/restarted", "--asked", "c"];
    let answer = run(&[&["openapi", "-o", "json"][..], &plane].concat()).json();
    let item = item(&answer, "coordination.k8s.io/v1beta1");
    assert_eq!(
        (&item["v3"]["from"][0], &item["apiService"]),
        (&"kube-apiserver".into(), &Value::Null)
    );
}

#[test]
fn every_code_has_its_entry() {
    for code in
        aggctl_openapi::Code::ALL.iter().map(|code| code.as_str()).chain(["order-remembered"])
    {
        let entry = repository(&format!("crates/aggctl-diagnose/src/knowledge/entries/{code}.md"));
        let text = std::fs::read_to_string(entry).unwrap_or_else(|e| panic!("{code}: {e}"));
        for section in ["## Says", "## Why", "## Severity", "## What it means", "## What to run"] {
            assert_eq!(text.matches(section).count(), 1, "{code}: {section}");
        }
        let explained = run(&["explain", code, "--builtin"]);
        assert_eq!(explained.code, 0, "{code}: {}", explained.err);
    }
}
