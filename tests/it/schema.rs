//! Checks JSON output against its published schemas: no field is missing and none is extra.

use std::collections::BTreeSet;

use aggctl::page::{self, Site};
use aggctl::render::{ServersJson, SourceFlags};
use aggctl_source::{Source, load};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use serde_json::Value;

use crate::output::ANSWERS;
use crate::{assert_generated, dump, json, repository, run};

/// Returns the places where a value violates a schema. Supports the parts of JSON Schema that our
/// schemas use.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return faults(value, resolved(name, root), root, at);
    }
    let mut found = vec![];
    for several in ["anyOf", "oneOf"] {
        if let Some(all) = schema[several].as_array() {
            let each = all.iter().map(|one| {
                let one = one["$ref"].as_str().map_or(one, |name| resolved(name, root));
                faults(value, &merged(schema, one), root, at)
            });
            return each.min_by_key(Vec::len).unwrap();
        }
    }
    if let Some(want) = schema.get("const").filter(|want| *want != value) {
        found.push(format!("{at}: {value} is not {want}"));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => value.is_number(),
    };
    if !types.is_empty() && !types.iter().any(|name| is(name)) {
        found.push(format!("{at}: {value} is not {types:?}"));
        return found;
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            found.extend(faults(item, schema, root, &format!("{at}[{index}]")));
        }
    }
    if let (Some(map), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        for (key, item) in map {
            match properties.get(key) {
                Some(schema) => found.extend(faults(item, schema, root, &format!("{at}.{key}"))),
                None => found.push(format!("{at}.{key} is not in the schema")),
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for key in required.filter_map(Value::as_str).filter(|key| !map.contains_key(*key)) {
            found.push(format!("{at}.{key} is missing"));
        }
    }
    found
}

fn resolved<'s>(name: &str, root: &'s Value) -> &'s Value {
    let path = name.strip_prefix('#').unwrap();
    path.split('/').skip(1).fold(root, |node, key| &node[key])
}

/// Adds what all alternatives have in common to one of them.
fn merged(common: &Value, one: &Value) -> Value {
    let mut all = one.clone();
    for key in ["properties", "required"] {
        match (&mut all[key], &common[key]) {
            (Value::Object(into), Value::Object(from)) => {
                into.extend(from.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            (Value::Array(into), Value::Array(from)) => into.extend(from.iter().cloned()),
            (into @ Value::Null, from) => *into = from.clone(),
            _ => {}
        }
    }
    all
}

fn schema(kind: &str) -> Option<Value> {
    let run = run(&["schema", kind]);
    (run.code == 0).then(|| run.json())
}

#[test]
fn every_output_is_what_its_schema_says() {
    let (mut known, mut seen) = (0, vec![]);
    let dump = dump("v1.36-mixed");
    let mixed = &["--dump", dump.to_str().unwrap()][..];
    let asked = |arguments: &[&'static str]| -> Vec<&str> { [arguments, mixed].concat() };
    let mut all: Vec<Vec<&str>> = ANSWERS.iter().map(|(arguments, ..)| asked(arguments)).collect();
    all.extend([
        asked(&["upgrade", "--to", "1.37"]),
        asked(&["diff", "--without", "v1.edge.net"]),
        asked(&["route", "/apis/edge.net/v1/x", "--without", "v1.edge.net"]),
        asked(&["discovery", "/apis/apps"]),
        asked(&["version"]),
        vec!["versions", "batch"],
        vec!["rules"],
        vec!["explain", "invalid-port"],
        vec!["sort-versions", "v1", "v2"],
        vec!["health", "--explain", "etcd"],
        vec!["health", "--dump", "testdata/health/stuck"],
        vec!["openapi", "--dump", "testdata/openapi/dump"],
        vec!["access", "/apis/apps/v1/deployments", "--dump", "testdata/access/shop"],
        vec!["doctor", "--security", "--dump", "testdata/access/shop"],
        vec!["flags", "--dump", "testdata/access/shop"],
        vec!["explain", "namespace", "old-team", "--dump", "testdata/scenarios/kubernetes-75788"],
    ]);
    for arguments in all {
        for format in ["json", "jsonl"] {
            let all = [&arguments[..], &["-o", format][..]].concat();
            let out = run(&all).out;
            let documents = if format == "json" { vec![&*out] } else { out.lines().collect() };
            for document in documents {
                let document = json(document);
                let kind = document["kind"].as_str().unwrap();
                let schema = schema_of(kind, &mut seen);
                let mut faults = faults(&document, &schema, &schema, kind);
                // A document of the server may contain fields that aggctl does not know.
                if kind.starts_with("API") {
                    faults.retain(|fault| !fault.ends_with("is not in the schema"));
                }
                assert_eq!(faults, [""; 0], "{arguments:?}");
                known += 1;
            }
        }
    }
    assert!(known > 200, "{known}");
}

/// The page uses the same contract.
#[test]
fn every_answer_to_the_page_is_what_its_schema_says() {
    let read = |path: std::path::PathBuf| load(&Source::Dump(vec![path])).unwrap().snapshot;
    let (snapshot, other) = (read(dump("v1.36-mixed")), read(dump("v1.25-mixed")));
    let (same, notes) = (SourceFlags::default(), ["a note".to_owned()]);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let registries = [Registry::new(&snapshot), Registry::new(&other)];
    let routers = registries.each_ref().map(Router::new);
    let servers = ServersJson::new(
        &ControlPlane::new(["a", "b"].into_iter().zip(&routers)),
        0,
        vec!["c".to_owned()],
    );
    let site = Site {
        snapshot: &snapshot,
        other: Some(&other),
        notes: &notes,
        servers: Some(&servers),
        peers: &[],
        applied: &notes,
        removed: &notes,
        effects: &notes,
        same: &same,
        now,
    };
    let mut seen = vec![];
    for (question, query) in [
        ("site", "without=v1.edge.net"),
        ("chain", ""),
        ("apiservices", ""),
        ("doctor", ""),
        ("order", "form=aggregated"),
        ("place", "name=v1.edge.net"),
        ("manifests", "name=v1.edge.net"),
        ("paths", ""),
        ("route", "request=/apis/edge.net/v1/routers&without=v1.edge.net"),
        ("diff", "other=1"),
        ("nothing", ""),
    ] {
        let answer = page::respond(&site, &format!("/aggctl/api/{question}"), query);
        let document = json(&answer.body);
        let kind = document["kind"].as_str().unwrap();
        let schema = schema_of(kind, &mut seen);
        assert_eq!(faults(&document, &schema, &schema, kind), [""; 0], "{question}?{query}");
    }
    assert_eq!(seen.len(), 11);
}

/// Returns the schema of a kind, which is loaded once.
fn schema_of(kind: &str, seen: &mut Vec<(String, Value)>) -> Value {
    if let Some((_, schema)) = seen.iter().find(|(name, _)| name == kind) {
        return schema.clone();
    }
    let found = schema(kind).unwrap_or_else(|| panic!("{kind} has no schema"));
    seen.push((kind.to_owned(), found.clone()));
    found
}

#[test]
fn a_schema_refuses_other_documents() {
    let schema = schema("Order").unwrap();
    let mut order = run(&["order", "--builtin", "-o", "json"]).json();
    assert_eq!(faults(&order, &schema, &schema, "Order"), [""; 0]);
    order["groups"][0]["priority"] = "high".into();
    order["extra"] = true.into();
    order.as_object_mut().unwrap().remove("form");
    let found = faults(&order, &schema, &schema, "Order");
    assert_eq!(
        found,
        [
            "Order.extra is not in the schema",
            "Order.groups[0].priority: \"high\" is not [\"integer\", \"null\"]",
            "Order.form is missing"
        ]
    );
    insta::assert_snapshot!(run(&["schema", "Rout"]), @r#"
    2> error: unknown document kind "Rout"
    2> hint: did you mean Route?
    [exit 2]
    "#);
    insta::assert_snapshot!(run(&["schema"]), @"
    APIGroup
    APIGroupDiscovery
    APIGroupDiscoveryList
    APIGroupList
    APIResourceList
    APIService
    APIServiceList
    APIVersions
    Access
    AccessList
    Chain
    ClientPrediction
    Conflict
    ConflictList
    ContextList
    Diagnosis
    DiagnosisList
    Diff
    DiffSummary
    Difference
    Error
    Explanation
    Finding
    Fleet
    FleetDiff
    Flag
    Flags
    Health
    HealthCheck
    HealthCheckInfo
    LintReport
    Manifests
    Match
    NameConflict
    NamespaceExplanation
    OpenAPI
    OpenAPIDefinition
    OpenAPIGroupVersion
    Order
    OrderDifference
    OrderedGroup
    Paths
    Place
    RollingUpgrade
    RollingUpgradeStep
    Route
    RouteList
    RouteTable
    RouteTableRow
    RouteTest
    RouteTestResult
    Rule
    RuleList
    SecurityFinding
    SecurityFindingList
    ServedVersion
    Server
    Site
    Upgrade
    UpgradeFinding
    Usage
    UsageRow
    Verification
    Version
    VersionHistory
    VersionInfo
    VersionOrder
    config
    expectations
    ");
}

/// Fields of v1 are stable: fields may be added, but not removed, renamed, retyped or made
/// optional. `AGGCTL_BLESS=1 cargo test --test it schemas` records additions, and rejects anything
/// else.
#[test]
fn schemas_of_v1_only_grow() {
    const RECORDED: &str = "testdata/schemas-v1.txt";
    let mut promised = BTreeSet::new();
    for kind in run(&["schema"]).out.lines() {
        let kind = kind.split_whitespace().next().unwrap();
        let schema = schema(kind).unwrap();
        promises(&schema, &schema, kind, &mut vec![], &mut promised);
    }
    let recorded = std::fs::read_to_string(repository(RECORDED)).unwrap_or_default();
    let gone: Vec<&str> = recorded.lines().filter(|line| !promised.contains(*line)).collect();
    assert_eq!(gone, [""; 0], "v1 promised this");
    let all: Vec<&str> = promised.iter().map(String::as_str).collect();
    assert_generated(RECORDED, &(all.join("\n") + "\n"));
}

/// Adds a line for each field and each of its types, and one if it is always present.
fn promises(
    schema: &Value,
    root: &Value,
    at: &str,
    inside: &mut Vec<String>,
    found: &mut BTreeSet<String>,
) {
    if let Some(name) = schema["$ref"].as_str() {
        if !inside.iter().any(|outer| outer == name) {
            inside.push(name.to_owned());
            promises(resolved(name, root), root, at, inside, found);
            inside.pop();
        }
        return;
    }
    for alternative in ["anyOf", "oneOf", "allOf"] {
        for one in schema[alternative].as_array().into_iter().flatten() {
            promises(one, root, at, inside, found);
        }
    }
    let types = match &schema["type"] {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => Vec::from_iter(one.as_str()),
    };
    // A field that is no longer null breaks no reader.
    let types = types.iter().filter(|name| **name != "null");
    found.extend(types.map(|name| format!("{at}: {name}")));
    found.extend(schema.get("const").map(|only| format!("{at}: {only}")));
    let values = schema["enum"].as_array().into_iter().flatten();
    found.extend(values.map(|value| format!("{at}: {value}")));
    for (key, of) in schema["properties"].as_object().into_iter().flatten() {
        promises(of, root, &format!("{at}.{key}"), inside, found);
    }
    let required = schema["required"].as_array().into_iter().flatten();
    found.extend(required.map(|key| format!("{at}.{}: always", key.as_str().unwrap())));
    for (key, suffix) in [("items", "[]"), ("additionalProperties", ".*")] {
        if schema[key].is_object() {
            promises(&schema[key], root, &format!("{at}{suffix}"), inside, found);
        }
    }
}

#[test]
fn a_command_selects_the_document_that_it_prints() {
    for (command, arguments) in [
        ("api-versions", "api-versions"),
        ("apiservices", "apiservices --builtin"),
        ("client", "client pods --builtin"),
        ("conflicts", "conflicts --builtin"),
        ("discovery", "discovery --builtin"),
        ("doctor", "doctor --builtin"),
        ("explain", "explain ServiceNotFound"),
        ("lint", "lint examples/manifests"),
        ("sort-versions", "sort-versions v1"),
        ("test", "test examples/routes.yaml --builtin"),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').chain(["-o", "json"]).collect();
        assert_eq!(run(&arguments).json()["kind"], schema(command).unwrap()["title"], "{command}");
    }
}
