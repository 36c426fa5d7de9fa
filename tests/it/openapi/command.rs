//! The real binary on a small dump: an APIService over a CRD, one that was renamed, one that
//! publishes nothing.

use serde_json::Value;

use crate::{repository, run};

fn openapi(arguments: &str) -> crate::Run {
    let root = repository("testdata/openapi");
    let root = root.to_str().unwrap();
    let dump = format!("--dump {root}/dump");
    let words = format!("openapi {dump} {arguments}").replace("PARTS", &format!("{root}/parts"));
    run(&words.split_whitespace().collect::<Vec<_>>())
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
    // Taken apart and merged again it is the same document.
    assert_eq!(answer["document"]["etag"], answer["document"]["computedEtag"]);
    assert_eq!(answer["document"]["status"], 200);
    let assumed = answer["assumptions"].to_string();
    assert!(assumed.contains("as every generic API server does"), "{assumed}");
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

/// Before anybody applies it: will it break the document for all?
#[test]
fn what_if_is_answered() {
    assert_eq!(openapi("--without v1.edge.example.org").code, 0);
    assert_eq!(openapi("--without routers.edge.example.org").code, 0);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("new.yaml");
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
    std::fs::write(&file, manifest).unwrap();
    let arguments = format!("--without v1.edge.example.org -f {}", file.display());
    let found = openapi(&arguments);
    assert_eq!(found.code, 1, "{}", found.err);
    assert!(found.out.contains("paths that CRD things.older.example.org has"), "{}", found.out);
    assert_eq!(openapi(&format!("{arguments} --fail-on never")).code, 0);
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
    assert_eq!((broken.code, broken.out.as_str()), (1, ""));
    assert!(broken.err.contains("[duplicated-path]"), "{}", broken.err);
    let none = run(&["openapi", "--merged", "--builtin"]);
    assert_eq!(none.code, 3);
    assert!(none.err.contains("no /openapi/v2 in the source"), "{}", none.err);
}

#[test]
fn a_definition_says_whose_it_is() {
    let name = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2";
    let answer = json(&format!("--definition {name}"));
    assert_eq!(
        (&answer["kind"], &answer["owner"]),
        (&"OpenAPIDefinition".into(), &"ext/older".into())
    );
    assert_eq!(answer["met"], "kube-apiserver");
    let wrong = openapi(&format!("--definition {name}x"));
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains(&format!("did you mean {name}")), "{}", wrong.err);
}

#[test]
fn bad_arguments_are_told() {
    let check = |arguments: &str, code: i32, want: &str| {
        let found = openapi(arguments);
        assert_eq!(found.code, code, "{arguments}: {}", found.err);
        assert!(found.err.contains(want), "{arguments}: {}", found.err);
    };
    check("--part v1.nope.example.org=PARTS/edge.json", 2, "no APIService \"v1.nope.example.org\"");
    check("--part v1.crm.example.org=PARTS/edge.json", 2, "leads to a Service");
    check("--part v1.edge.example.org=PARTS/none.json", 3, "cannot read");
    check("--part nonsense", 2, "write it as v1.foo.example.com=openapi.json");
    check("nope.example.org/v1", 2, "no group version or APIService");
    check("--samples 0", 2, "0 is not in 1..=10");
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
