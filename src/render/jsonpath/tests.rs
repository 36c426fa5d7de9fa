//! Templates and what kubectl 1.33 and 1.37 print for them (`kubectl label --local -f … -o jsonpath=…`).

use serde_json::{Value, json};

use super::{CustomColumns, JsonPath};

fn document() -> Value {
    json!({
        "apiVersion": "example.io/v1",
        "kind": "Sample",
        "metadata": {"name": "one", "labels": {"a.b/c": "dotted", "z": "<&>"}},
        "numbers": [1, 2, 3, 4],
        "none": null,
        "items": [
            {"name": "a", "port": 443, "ready": true, "ratio": 0.5},
            {"name": "b", "port": 8443, "ready": false},
            {"name": "c d"}
        ]
    })
}

fn printed(template: &str) -> String {
    let path = JsonPath::parse(template);
    path.and_then(|path| path.text(&document())).unwrap_or_else(|why| format!("error: {why}"))
}

#[test]
fn templates_print_what_kubectl_prints() {
    for (template, want) in [
        ("{.kind}", "Sample"),
        ("{$.kind}{@.kind}", "SampleSample"),
        ("{kind}", "error: error executing jsonpath \"{kind}\": unrecognized identifier kind"),
        ("a{.kind}b", "aSampleb"),
        (".kind", ".kind"),
        ("{.missing}", ""),
        ("{.missing.deeper[0]}", ""),
        ("{.none}", "null"),
        ("{.items[*].name}", "a b c d"),
        ("{.items[0].name}", "a"),
        ("{.items[-1].name}", "c d"),
        ("{.items[0:2].name}", "a b"),
        ("{.items[1:].port}", "8443"),
        ("{.numbers[::2]}", "1 3"),
        ("{.numbers[-2:]}", "3 4"),
        ("{.numbers[0,2]}", "1 3"),
        ("{.items[*]['name','port']}", "a b c d 443 8443"),
        ("{.metadata.labels.a\\.b/c}", "dotted"),
        ("{.metadata.labels['a\\.b/c']}", "dotted"),
        ("{.metadata.labels}", "{\"a.b/c\":\"dotted\",\"z\":\"\\u003c\\u0026\\u003e\"}"),
        ("{.numbers}", "[1,2,3,4]"),
        ("{.items[?(@.port==443)].name}", "a"),
        ("{.items[?(@.port>443)].name}", "b"),
        ("{.items[?(@.name=='c d')].name}", "c d"),
        ("{.items[?(@.name!=\"a\")].name}", "b c d"),
        ("{.items[?(@.port)].name}", "a b"),
        ("{.items[?(@.ready==true)].name}", "a"),
        ("{.items[?(@.ratio<0.75)].ratio}", "0.5"),
        ("{..name}", "one a b c d"),
        ("{range .items[*]}{.name}{\"\\t\"}{.port}{\"\\n\"}{end}", "a\t443\nb\t8443\nc d\t\n"),
        ("{range .missing[*]}{.name}{end}done", "done"),
        ("{range .items[*]}[{.name}]{end}", "[a][b][c d]"),
        ("{range .items[0:2]}{.name}:{range .port}{@}{end};{end}", "a:443;b:8443;"),
        (
            "{.items[7]}",
            "error: error executing jsonpath \"{.items[7]}\": array index out of bounds: index 7, length 3",
        ),
        (
            "{.kind[0]}",
            "error: error executing jsonpath \"{.kind[0]}\": string is not array or slice",
        ),
        (
            "{.items[?(@.port==\"443\")]}",
            "error: error executing jsonpath \"{.items[?(@.port==\\\"443\\\")]}\": incompatible types for comparison",
        ),
        ("{.kind", "error: error parsing jsonpath {.kind, unclosed action"),
        ("{.items[x]}", "error: error parsing jsonpath {.items[x]}, invalid array index x"),
        ("{.numbers[]}", "1"),
        ("{.numbers[1:1]}", ""),
        ("{range .items[*]}{.name}", "abc d"),
        ("{.kind.*}", "83 97 109 112 108 101"),
        ("{true}{1}{1.5}", "true11.5"),
        ("{.none[0]}", ""),
        (
            "{.none[?(@.a)]}",
            "error: error executing jsonpath \"{.none[?(@.a)]}\": <nil> is not array or slice and cannot be filtered",
        ),
        ("{end}", "error: error executing jsonpath \"{end}\": not in range, nothing to end"),
        (
            "{.items[0:3:0]}",
            "error: error executing jsonpath \"{.items[0:3:0]}\": step must be > 0",
        ),
    ] {
        assert_eq!(printed(template), want, "{template}");
    }
}

#[test]
fn results_can_be_json() {
    let path = JsonPath::parse("{.numbers[0:2]}{.missing}").unwrap();
    assert_eq!(path.json(&document()).unwrap(), "[\n    1,\n    2\n]\n[]\n");
}

#[test]
fn columns_are_aligned_as_kubectl_aligns_them() {
    let table = |spec: &str| {
        let columns = CustomColumns::parse(spec);
        columns.and_then(|columns| columns.table(&document(), true))
    };
    assert_eq!(
        table("NAME:.name,PORT:{.port},R:ready").unwrap(),
        "NAME   PORT     R\na      443      true\nb      8443     false\nc d    <none>   <none>\n"
    );
    assert_eq!(
        table("").unwrap_err(),
        "custom-columns format specified but no custom columns given"
    );
    assert_eq!(
        table("NAME").unwrap_err(),
        "unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>"
    );
    let columns = CustomColumns::from_file("NAME  PORT\n.name .port\n").unwrap();
    let text = columns.table(&document(), false).unwrap();
    assert_eq!(text, "a     443\nb     8443\nc d   <none>\n");
    assert_eq!(
        CustomColumns::from_file("NAME\n").unwrap_err(),
        "invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs."
    );
}

#[test]
fn values_cannot_control_a_terminal() {
    let document = json!({"name": "a\u{1b}[31m", "map": {"k": "\u{202e}"}});
    let text = |template| JsonPath::parse(template).unwrap().text(&document).unwrap();
    assert_eq!(text("{.name}{\"\\t\"}"), "a\u{fffd}[31m\t");
    assert_eq!(text("{.map}"), "{\"k\":\"\\u202e\"}");
}
