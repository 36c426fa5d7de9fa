//! Tests parsing YAML and JSON: values, locations, errors, limits, and arbitrary bytes.

use super::*;
use serde_json::json;

fn values(text: &str) -> Vec<serde_json::Value> {
    parse(text.as_bytes())
        .into_iter()
        .map(|d| match d {
            Ok(document) => document.to_json_value(),
            Err(error) => json!(error.to_string()),
        })
        .collect()
}

fn error(bytes: &[u8]) -> String {
    parse(bytes)
        .into_iter()
        .find_map(Result::err)
        .map(|e| e.to_string())
        .unwrap_or_else(|| "no error".to_owned())
}

/// A value takes more memory than `1,` in the text, so documents with too many values are rejected
/// early.
#[test]
fn short_texts_have_few_values() {
    for text in [format!("[{}1]", "1,".repeat(2_000_000)), "- 1\n".repeat(2_500_000)] {
        let most = most_values(text.len());
        assert!(error(text.as_bytes()).contains(&format!("has more than {most} values")));
    }
    let dense = format!("[{}1]", "1,".repeat(900_000));
    assert_eq!(error(dense.as_bytes()), "no error");
}

#[test]
fn reads_yaml_and_json_alike() {
    let expected = vec![json!({"a": {"b": [1, "x", null, true]}})];
    assert_eq!(values("a:\n  b:\n  - 1\n  - x\n  -\n  - yes\n"), expected);
    assert_eq!(values("{\"a\": {\"b\": [1, \"x\", null, true]}}"), expected);
    assert_eq!(values("{a: {b: [1, x, , on]}}").len(), 1);
}

#[test]
fn counts_documents_as_yaml_does() {
    assert_eq!(values("---\na: 1\n---\nb: 2\n"), vec![json!({"a": 1}), json!({"b": 2})]);
    assert_eq!(values("a: 1\n---\n---\nb: 2\n---\n").len(), 3);
    assert_eq!(values(""), Vec::<serde_json::Value>::new());
    assert_eq!(values("# only a comment\n"), Vec::<serde_json::Value>::new());
    assert_eq!(
        values("--- {\"a\": 1}\n--- # note\na: 2\n"),
        vec![json!({"a": 1}), json!({"a": 2})]
    );
    assert_eq!(values("%YAML 1.1\n---\na: 1\n"), vec![json!({"a": 1})]);
    assert_eq!(values("a: 1\n...\n---\nb: 2\n"), vec![json!({"a": 1}), json!({"b": 2})]);
    assert_eq!(values("\u{feff}---\na: 1\n"), vec![json!({"a": 1})]);
    assert_eq!(values("a: 1\r\n---\r\nb: 2\r\n"), vec![json!({"a": 1}), json!({"b": 2})]);
}

#[test]
fn recovers_after_a_broken_document() {
    let got = values("a: [1\n---\nb: 2\n---\nc: }\n---\nd: 4\n");
    assert_eq!(got.len(), 4);
    assert_eq!(got[1], json!({"b": 2}));
    assert_eq!(got[3], json!({"d": 4}));
}

#[test]
fn places_are_those_of_the_text() {
    let text = "a:\n  key: 'value'\n";
    let documents = parse(text.as_bytes());
    let document = documents[0].as_ref().unwrap();
    let entry = document.root.get("a").unwrap().entry("key").unwrap();
    assert_eq!(&text[entry.key_span.range()], "key");
    assert_eq!(&text[entry.value.span.range()], "'value'");
    let text = "\u{feff}--- {\"a\": {\"é\": \"v\\u00e9\"}}";
    let documents = parse(text.as_bytes());
    let entry = documents[0].as_ref().unwrap().root.get("a").unwrap().entry("é").unwrap().clone();
    assert_eq!(&text[entry.key_span.range()], "\"é\"");
    assert_eq!(&text[entry.value.span.range()], "\"v\\u00e9\"");
    assert_eq!(entry.value.as_str(), Some("vé"));
}

#[test]
fn aliases_and_merge_keys_expand() {
    let text =
        "base: &b {x: 1, w: 2}\nother: &o {w: 9, z: 3}\nuse:\n  <<: [*b, *o]\n  x: 7\ncopy: *b\n";
    assert_eq!(
        values(text),
        vec![json!({
            "base": {"x": 1, "w": 2}, "other": {"w": 9, "z": 3},
            "use": {"x": 7, "w": 2, "z": 3}, "copy": {"x": 1, "w": 2}
        })]
    );
    assert!(error(b"a: *nope").contains("nope"), "{}", error(b"a: *nope"));
    assert!(error(b"a: &a [*a]").contains("inside"), "{}", error(b"a: &a [*a]"));
}

#[test]
fn duplicate_keys_are_kept_and_the_last_counts() {
    for text in ["a: 1\na: 2\n", "{\"a\": 1, \"a\": 2}"] {
        let documents = parse(text.as_bytes());
        let root = &documents[0].as_ref().unwrap().root;
        assert_eq!(root.entries().len(), 2);
        assert_eq!(root.get("a").and_then(Node::as_i64), Some(2));
    }
}

#[test]
fn keys_become_strings() {
    assert_eq!(values("1: a\non: b\n1.5: c\n"), vec![json!({"1": "a", "true": "b", "1.5": "c"})]);
    assert!(error(b"? [a]\n: b\n").contains("a key must be"));
}

#[test]
fn tags_decide_over_looks() {
    assert_eq!(
        values("a: !!str 5\nb: !!int '5'\nc: !foo 5\nd: \"5\"\n"),
        vec![json!({"a": "5", "b": 5, "c": "5", "d": "5"})]
    );
}

#[test]
fn json_keeps_how_numbers_are_written() {
    let documents = parse(b"{\"a\": 1.0, \"b\": 1e3}");
    let root = &documents[0].as_ref().unwrap().root;
    assert_eq!(root.get("a").unwrap().value, Value::Number("1.0".into()));
    assert_eq!(root.get("b").unwrap().as_i64(), None);
    let documents = parse(b"a: 1.0\nb: 1e3\n");
    let root = &documents[0].as_ref().unwrap().root;
    assert_eq!(root.get("a").unwrap().as_i64(), Some(1));
    assert_eq!(root.get("b").unwrap().as_i64(), Some(1000));
}

#[test]
fn surrogates_pair_up_or_are_replaced() {
    assert_eq!(
        values(r#"{"a": "\ud834\udd1e", "b": "\ud834x"}"#),
        vec![json!({"a": "𝄞", "b": "\u{fffd}x"})]
    );
}

#[test]
fn what_is_no_text_is_one_error_with_a_place() {
    assert_eq!(error(b"a: 1\nb: \0\n"), "2:4: a NUL byte: this is not a text file");
    assert_eq!(error(b"a: 1\nb: \xff\n"), "2:4: a byte that is not UTF-8");
    assert_eq!(error(b"\xff\xfea\0"), "1:1: the file is UTF-16; save it as UTF-8");
}

#[test]
fn json_errors_speak_of_json() {
    assert_eq!(error(b"{\n  \"a\": 1,\n}"), "no error");
    assert_eq!(error(b"{\n  \"a\": }\n"), "no error");
    assert_eq!(error(b"{\n  \"a\": [1 2\n"), "2:11: expected `,` or `]`");
}

#[test]
fn quoted_texts_go_on_anywhere() {
    for text in
        ["a:\n  b: \"one\n  two\n  three\"\n  c: 1\n", "a:\n  b: 'one\ntwo\nthree'\n  c: 1\n"]
    {
        assert_eq!(values(text), [json!({"a": {"b": "one two three", "c": 1}})], "{text}");
        let documents = parse(text.as_bytes());
        let root = &documents[0].as_ref().unwrap().root;
        let entry = root.get("a").unwrap().entry("c").unwrap();
        assert_eq!(&text[entry.key_span.range()], "c");
        assert_eq!(&text[entry.value.span.range()], "1");
    }
}

#[test]
fn aliases_of_a_long_text_count_its_bytes() {
    let long = "x\\n".repeat(100_000);
    let text = format!("a: &a \"{long}\"\nb: [{}*a]\n", "*a,".repeat(10_000));
    assert!(error(text.as_bytes()).contains("times as large"), "{}", error(text.as_bytes()));
}

#[test]
fn an_alias_bomb_is_refused_quickly() {
    let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        let below = level - 1;
        let refs = vec![format!("*a{below}"); 10].join(",");
        text.push_str(&format!("a{level}: &a{level} [{refs}]\n"));
    }
    assert!(error(text.as_bytes()).contains("aliases"), "{}", error(text.as_bytes()));
}

#[test]
fn depth_is_bounded() {
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "- ".repeat(100_000),
        (0..2_000).fold(String::new(), |s, i| s + &" ".repeat(i) + "a:\n"),
    ] {
        let message = error(text.as_bytes());
        assert!(message.contains("nested more than 500 deep"), "{message}");
    }
}

#[test]
fn comments_for_us_are_kept() {
    let documents = parse(b"# aggctl: allow x\na: 1 # other\nb: 2\n");
    let document = documents[0].as_ref().unwrap();
    let texts: Vec<&str> = document.comments.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["aggctl: allow x", "other"]);
}

proptest::proptest! {
    /// Arbitrary bytes never cause a panic, and all locations are within the input.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        check_places(&bytes);
    }

    /// Text that resembles YAML reaches more code than random bytes.
    #[test]
    fn near_yaml_is_read_or_refused(text in "([a-c]|[-:{}\\[\\],&*!#'\"|>%@?<]|\n| |  |---|\t|<<|0x|\\\\u12|é|\r){0,60}") {
        check_places(text.as_bytes());
    }
}

fn check_places(bytes: &[u8]) {
    let mut positions = Positions::new(bytes);
    for document in parse(bytes) {
        match document {
            Ok(document) => {
                check_node(&document.root, bytes);
                let _ = document.to_json_value();
            }
            Err(error) => {
                assert!(error.offset <= bytes.len());
                assert_eq!(positions.of(error.offset), error.position);
            }
        }
    }
}

fn check_node(node: &Node<'_>, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap();
    assert!(text.get(node.span.range()).is_some(), "{:?} in {text:?}", node.span);
    for item in node.items() {
        check_node(item, bytes);
    }
    for entry in node.entries() {
        assert!(text.get(entry.key_span.range()).is_some());
        check_node(&entry.value, bytes);
    }
}

/// Otherwise each document could use the alias budget of the whole text.
#[test]
fn documents_between_markers_share_what_aliases_may_take() {
    let ten = |alias: &str| [alias; 10].join(", ");
    let bomb = format!("a: &a [{}]\nb: &b [{}]\nc: [{}]\n", ten("1"), ten("*a"), ten("*b"));
    let filler = format!("d: {}\n", "x".repeat(4_000));
    let text = format!("{bomb}{filler}...\n{bomb}");
    let read = parse(text.as_bytes());
    assert!(matches!(read.as_slice(), [Ok(_), Err(_)]), "{read:?}");
    let alone = format!("{bomb}{filler}");
    assert!(matches!(parse(alone.as_bytes()).as_slice(), [Ok(_)]));
}

#[test]
fn documents_that_are_not_read_are_told() {
    let text = "a: [\n...\n".repeat(30);
    let read = parse(text.as_bytes());
    let last = read.last().unwrap().as_ref().unwrap_err();
    assert!(last.message.ends_with("the rest is not read"), "{last:?}");
}
