//! Tests of the merge with small documents, each about one rule. The recordings cover all rules at
//! once.

use super::*;

const LOCAL: &str = r##"{"swagger":"2.0","info":{"title":"Kubernetes","version":"v1"},
"paths":{"/apis/a.io/v1/routers":{"get":{"responses":{"200":{"schema":{"$ref":"#/definitions/io.Local"}}}}}},
"definitions":{"io.Local":{"type":"object","x-kubernetes-group-version-kind":[{"group":"","kind":"Local","version":"v1"}]},
"io.Plain":{"type":"object"},"io.Refers":{"properties":{"x":{"$ref":"#/definitions/io.Local"}}}},
"parameters":{"p":{"name":"p","in":"query"}}}"##;

/// Merges parts of `a.io/v1`, `b.io/v1`, … into the local document.
fn merged(parts: &[&str]) -> (serde_json::Value, Vec<Contribution>) {
    let parts = parts.iter().zip(["a.io", "b.io", "c.io"]).map(|(text, group)| MergePart {
        name: group,
        prefix: format!("/apis/{group}/v1/"),
        document: Published::read(text).unwrap(),
    });
    let merged = merge(&Base::read(LOCAL).unwrap(), parts.collect());
    (serde_json::from_slice(&merged.write()).unwrap(), merged.parts)
}

fn path(path: &str, definition: &str) -> String {
    format!(
        r##""{path}":{{"get":{{"responses":{{"200":{{"schema":{{"$ref":"#/definitions/{definition}"}}}}}}}}}}"##
    )
}

fn part(paths: &[String], definitions: &str) -> String {
    format!(r#"{{"paths":{{{}}},"definitions":{{{definitions}}}}}"#, paths.join(","))
}

fn names(document: &serde_json::Value, section: &str) -> Vec<String> {
    document[section].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn only_the_group_versions_paths_are_taken() {
    let own =
        [path("/apis/b.io/v1/x", "B"), path("/apis/b.io/v1", "Out"), path("/version/", "Out")];
    let (document, parts) = merged(&[
        r#"{"definitions":{"NoPaths":{}}}"#,
        &part(&own, r#""B":{},"Out":{},"Unused":{}"#),
    ]);
    assert_eq!(names(&document, "paths"), ["/apis/a.io/v1/routers", "/apis/b.io/v1/x"]);
    let want = ["B", "Unused", "io.Local", "io.Plain", "io.Refers"];
    assert_eq!(names(&document, "definitions"), want);
    assert_eq!(parts[1].outside, ["/apis/b.io/v1", "/version/"]);
    assert_eq!((parts[0].paths.len(), parts[1].paths.len()), (0, 1));
}

#[test]
fn a_path_that_is_taken_is_left_out_with_what_only_it_used() {
    let taken = path("/apis/a.io/v1/routers", "Theirs");
    let all = part(std::slice::from_ref(&taken), r#""Theirs":{}"#);
    let (document, parts) = merged(&[&all]);
    assert_eq!(names(&document, "definitions"), ["io.Local", "io.Plain", "io.Refers"]);
    assert_eq!(parts[0].taken, ["/apis/a.io/v1/routers"]);

    let more = part(&[taken, path("/apis/a.io/v1/hubs", "Hub")], r#""Theirs":{},"Hub":{}"#);
    let (document, parts) = merged(&[&more]);
    assert_eq!(names(&document, "definitions"), ["Hub", "io.Local", "io.Plain", "io.Refers"]);
    assert_eq!(parts[0].paths, ["/apis/a.io/v1/hubs"]);
    assert_eq!(parts[0].failure, None);
}

/// New paths count as string prefixes.
#[test]
fn a_new_path_that_begins_one_that_is_taken_spoils_everything() {
    for new in ["/apis/a.io/v1/", "/apis/a.io/v1/router", "/apis/a.io/v1/r"] {
        let taken = "/apis/a.io/v1/routers";
        let (document, parts) = merged(&[
            &part(&[path(new, "X"), path(taken, "X")], r#""X":{}"#),
            &part(&[path("/apis/b.io/v1/x", "B")], r#""B":{}"#),
        ]);
        let want =
            MergeFailure::DuplicatedPath { prefix: new.to_owned(), paths: vec![taken.to_owned()] };
        assert_eq!(parts[0].failure, Some(want), "{new}");
        // The other parts are still shown, although the server has no document.
        assert_eq!(names(&document, "paths"), [taken, "/apis/b.io/v1/x"]);
    }
    let other =
        part(&[path("/apis/a.io/v1/routes", "X"), path("/apis/a.io/v1/routers", "X")], r#""X":{}"#);
    assert_eq!(merged(&[&other]).1[0].failure, None);
}

#[test]
fn another_definition_of_the_name_gets_a_new_one() {
    let one = part(&[path("/apis/a.io/v1/x", "io.Local")], r#""io.Local":{"type":"string"}"#);
    let two = one.replace("a.io", "b.io");
    let three = one.replace("a.io", "c.io").replace("string", "integer");
    let (document, parts) = merged(&[&one, &two, &three]);
    let to = |index: usize| &*parts[index].renamed[0].to;
    assert_eq!((to(0), to(1), to(2)), ("io.Local_v2", "io.Local_v2", "io.Local_v3"));
    assert_eq!(parts[1].renamed[0].owner, Owner::Local);
    let used = &document["paths"]["/apis/c.io/v1/x"]["get"]["responses"]["200"]["schema"]["$ref"];
    assert_eq!(used, "#/definitions/io.Local_v3");
}

#[test]
fn names_of_the_part_itself_are_skipped() {
    let part = part(
        &[path("/apis/a.io/v1/x", "io.Local"), path("/apis/a.io/v1/y", "io.Local_v2")],
        r#""io.Local":{"type":"string"},"io.Local_v2":{"type":"integer"}"#,
    );
    let (document, parts) = merged(&[&part]);
    assert_eq!(parts[0].renamed[0].to, "io.Local_v3");
    assert_eq!(document["definitions"]["io.Local_v2"]["type"], "integer");
}

/// Decoded values are compared. Values that Go treats as absent do not count, but an empty list
/// does.
#[test]
fn what_means_the_same_is_shared() {
    let check = |definition: &str, shared: bool| {
        let text =
            part(&[path("/apis/a.io/v1/x", "io.Plain")], &format!(r#""io.Plain":{definition}"#));
        assert_eq!(merged(&[&text]).1[0].renamed.is_empty(), shared, "{definition}");
    };
    check(r#"{"type":["object"],"description":"","nullable":false,"default":null}"#, true);
    check(r#"{"type":"object","required":[]}"#, false);
    check(r#"{"type":"object","properties":{}}"#, false);
    check(r#"{"type":"object","x-more":1}"#, false);
}

#[test]
fn a_shared_definition_means_the_other_ones_types() {
    let text = part(
        &[path("/apis/a.io/v1/x", "io.Refers")],
        r##""io.Local":{"type":"string"},"io.Refers":{"properties":{"x":{"$ref":"#/definitions/io.Local"}}}"##,
    );
    let (_, parts) = merged(&[&text]);
    let want = Borrowed {
        name: "io.Refers".to_owned(),
        refers_to: "io.Local".to_owned(),
        owner: Owner::Local,
    };
    assert_eq!(parts[0].borrowed, [want]);
}

#[test]
fn parameters_are_renamed_alike() {
    let text = r##"{"paths":{"/apis/a.io/v1/x":{"parameters":[{"$ref":"#/parameters/p"}]}},
        "parameters":{"p":{"name":"p","in":"header","required":false}}}"##;
    let (document, parts) = merged(&[text]);
    assert_eq!(parts[0].renamed_parameters[0].to, "p_v2");
    assert_eq!(document["paths"]["/apis/a.io/v1/x"]["parameters"][0]["$ref"], "#/parameters/p_v2");
    let same = text.replace("header", "query");
    assert_eq!(merged(&[&same]).1[0].renamed_parameters, []);
}

#[test]
fn kinds_of_a_shared_definition_are_united() {
    let kinds = |definition: &str, kinds: &str| {
        part(
            &[path("/apis/a.io/v1/x", definition)],
            &format!(
                r#""{definition}":{{"type":"object","x-kubernetes-group-version-kind":{kinds}}}"#
            ),
        )
    };
    let more = kinds("io.Local", r#"[{"group":"a.io","kind":"A","version":"v1"}]"#);
    let (document, parts) = merged(&[&more]);
    assert_eq!(parts[0].kinds, ["io.Local"]);
    let kind = &document["definitions"]["io.Local"]["x-kubernetes-group-version-kind"];
    assert_eq!((&kind[0]["kind"], &kind[1]["kind"]), (&"Local".into(), &"A".into()));

    let same = kinds("io.Local", r#"[{"group":"","kind":"Local","version":"v1"}]"#);
    assert_eq!(merged(&[&same]).1[0].kinds, [""; 0]);
    let failure = |text: &str| merged(&[text]).1[0].failure.clone();
    let plain = MergeFailure::KindOnPlainDefinition { name: "io.Plain".to_owned() };
    assert_eq!(failure(&kinds("io.Plain", r#"[{"kind":"A"}]"#)), Some(plain));
    let no_list = MergeFailure::NotKinds { name: "io.Local".to_owned() };
    assert_eq!(failure(&kinds("io.Local", r#"{"kind":"A"}"#)), Some(no_list));
}

#[test]
fn what_protobuf_lacks_is_seen() {
    let check = |definition: &str, want: Option<&str>| {
        let text = part(
            &[path("/apis/a.io/v1/x", "X")],
            &format!(r#""X":{{"properties":{{"x":{definition}}}}}"#),
        );
        let found = merged(&[&text]).1.remove(0).not_protobuf.map(|found| found.property);
        assert_eq!(found.as_deref(), want, "{definition}");
    };
    check(r#"{"nullable":true}"#, Some("nullable"));
    check(r#"{"nullable":false,"x-a":1,"oneOf":[]}"#, None);
    check(r#"{"items":{"oneOf":[{}]}}"#, Some("oneOf"));
    check(r#"{"additionalProperties":{"made-up":1}}"#, Some("made-up"));
    check(r#"{"default":{"nullable":true}}"#, None);
}

#[test]
fn a_name_that_occurs_twice_is_refused_with_its_place() {
    for text in [
        r#"{"paths":{},"paths":{}}"#,
        r#"{"paths":{"/b":{},"/a":{},"/b":{}}}"#,
        r#"{"definitions":{"x":{"a":1,"a":2}}}"#,
    ] {
        let error = Published::read(text).unwrap_err().to_string();
        assert!(error.contains("occurs twice at line 1 column"), "{error}");
    }
}

/// Cycles, 100,000 names that differ only in their number, and deep nesting take bounded time.
#[test]
fn hostile_documents_are_bounded() {
    let many: Vec<String> =
        (2..100_000).map(|n| format!(r#""X_v{n}":{{"format":"{n}"}}"#)).collect();
    let cycle: Vec<String> = (0..1_000)
        .map(|n| {
            format!(
                r##""C{n}":{{"properties":{{"x":{{"$ref":"#/definitions/C{}"}}}}}}"##,
                (n + 1) % 1_000
            )
        })
        .collect();
    let definitions = format!(r#""X":{{}},{},{}"#, many.join(","), cycle.join(","));
    let paths =
        [path("/apis/a.io/v1/x", "X"), path("/apis/a.io/v1/c", "C0"), path("/version/", "C9")];
    let first = part(&paths, &definitions);
    let second = first.replace("a.io", "b.io").replace(r#""X":{}"#, r#""X":{"format":"other"}"#);
    let (document, parts) = merged(&[&first, &second]);
    assert_eq!(parts[1].renamed.len(), 1);
    assert_eq!(parts[1].renamed[0].to, "X_v100000");
    assert_eq!(names(&document, "definitions").len(), 3 + 1 + 99_998 + 1_000 + 1);

    let deep =
        format!("{{\"definitions\":{{\"x\":{}{}", "{\"not\":".repeat(5_000), "}".repeat(5_002));
    assert!(Published::read(&deep).unwrap_err().to_string().contains("recursion limit"));
}

/// Values that are compared with many others are parsed once, kinds are looked up in a map, and
/// prefixes are found in one pass. Otherwise each of these takes minutes.
#[test]
fn hostile_documents_take_no_squares() {
    let long = "x".repeat(1_000_000);
    let numbered: Vec<String> =
        (2..20_000).map(|n| format!(r#""io.Local_v{n}":{{"format":"{n}"}}"#)).collect();
    let chain = part(&[path("/apis/a.io/v1/x", "io.Local_v2")], &numbered.join(","));
    let large = part(
        &[path("/apis/b.io/v1/x", "io.Local")],
        &format!(r#""io.Local":{{"description":"{long}"}}"#),
    );
    let (_, parts) = merged(&[&chain, &large]);
    assert_eq!(parts[1].renamed[0].to, "io.Local_v20000");

    let kinds = |version: &str| {
        let kind = |n| format!(r#"{{"group":"a.io","kind":"K{n}","version":"{version}"}}"#);
        let kinds: Vec<String> = (0..50_000).map(kind).collect();
        let kinds = kinds.join(",");
        format!(r#""K":{{"x-a":1,"x-kubernetes-group-version-kind":[{kinds}]}}"#)
    };
    let one = part(&[path("/apis/a.io/v1/x", "K")], &kinds("v1"));
    let two = part(&[path("/apis/b.io/v1/x", "K")], &kinds("v2"));
    let (document, parts) = merged(&[&one, &two]);
    assert_eq!(parts[1].kinds, ["K"]);
    let united = &document["definitions"]["K"]["x-kubernetes-group-version-kind"];
    assert_eq!(united.as_array().unwrap().len(), 100_000);

    let steps: Vec<String> =
        (1..2_000).map(|n| path(&format!("/apis/a.io/v1/{}A", "a".repeat(n)), "X")).collect();
    let taken = path("/apis/a.io/v1/routers", "X");
    let paths = [&steps[..], &[taken]].concat();
    let (_, parts) = merged(&[&part(&paths, r#""X":{}"#)]);
    assert_eq!((parts[0].paths.len(), parts[0].taken.len()), (1_999, 1));
}

/// Splits and merges a hundred thousand definitions that refer to each other in a circle and that
/// differ only in their numbers. The result is the same document.
#[test]
fn a_circle_of_numbered_names_is_followed_once() {
    let name = |n: usize| match n % 2 {
        0 => format!("N{}", n / 2),
        _ => format!("N{}_v2", n / 2),
    };
    let definition = |n: usize| {
        let next = name((n + 1) % 100_000);
        let (name, kind) = (name(n), n % 2);
        format!(
            r##""{name}":{{"format":"{kind}","properties":{{"x":{{"$ref":"#/definitions/{next}"}}}}}}"##
        )
    };
    let definitions: Vec<String> = (0..100_000).map(definition).collect();
    let text =
        part(&[path("/apis/a.io/v1/x", "N0"), path("/version/", "N1")], &definitions.join(","));
    let (document, parts) = merged(&[&text]);
    assert_eq!(parts[0].renamed, []);
    assert_eq!(names(&document, "definitions").len(), 100_000 + 3);
    let served = serde_json::to_string(&document).unwrap();
    let owner = |path: &str| (path == "/apis/a.io/v1/x").then(|| "v1.a.io".to_owned());
    let split = split::split(Base::read(&served).unwrap(), &owner, &|_| false);
    assert_eq!(split.base.definitions.len(), 3);
    assert_eq!(split.parts["v1.a.io"].definitions.len(), 100_000);
    assert_eq!(split.numbered["v1.a.io"].len(), 50_000);
}
