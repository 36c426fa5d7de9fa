//! Writes JSON values as YAML that any reader takes: plain words unquoted, everything else as in
//! JSON.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use super::json;
use super::sanitize::{Escape, escaped};

/// Returns a value as one YAML document, without `---`.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn to_yaml(value: &impl Serialize) -> serde_json::Result<String> {
    let value = json::document(value)?;
    let mut text = String::new();
    node(&mut text, &value, 0);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(escaped(&text, Escape::Yaml).into_owned())
}

fn node(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (index, (key, value)) in map.iter().enumerate() {
                // The first key of a list item follows its dash.
                if index > 0 || !out.ends_with("- ") {
                    indent(out, depth);
                }
                scalar(out, key);
                out.push(':');
                child(out, value, depth);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                indent(out, depth);
                out.push_str("- ");
                match item {
                    Value::Object(map) if !map.is_empty() => node(out, item, depth + 1),
                    Value::Array(list) if !list.is_empty() => {
                        out.truncate(out.len() - 1);
                        out.push('\n');
                        node(out, item, depth + 1);
                    }
                    _ => leaf(out, item),
                }
            }
        }
        _ => leaf(out, value),
    }
}

fn child(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push('\n');
            node(out, value, depth + 1);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            node(out, value, depth);
        }
        _ => {
            out.push(' ');
            leaf(out, value);
        }
    }
}

fn leaf(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => scalar(out, text),
        other => {
            let _ = write!(out, "{other}");
        }
    }
    out.push('\n');
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Writes a string, quoted as in JSON unless it is plain.
fn scalar(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
    } else {
        let _ = write!(out, "{}", Value::from(text));
    }
}

/// Returns whether no YAML reader could take an unquoted word for anything but a string.
pub(super) fn is_plain(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let word = text.to_ascii_lowercase();
    let reserved = matches!(
        word.as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
    );
    starts && !reserved && text.chars().all(plain)
}

#[cfg(test)]
pub(super) fn any_json() -> impl proptest::strategy::Strategy<Value = Value> {
    use proptest::prelude::*;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~]{0,8}|\\PC{0,3}|[\u{7f}-\u{a0}\u{2028}\u{2029}\u{feff}\u{e0041}]{1,3}|( ?[a-z\n\t]{1,4}\n){1,3}|(yes|no|null|1|0x1|~|-|:|#a)".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z:# ]{1,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn looks_as_people_write_it() {
        let value = json!({"kind": "Route", "hops": [{"server": "kube-aggregator", "num": 1}, {}], "none": null,
            "empty": [], "text": "two words", "nested": [["a"], []], "yes": "no", "map": {"a/b": {"c": true}}});
        assert_eq!(
            to_yaml(&value).unwrap(),
            "kind: Route\nhops:\n- server: kube-aggregator\n  num: 1\n- {}\nnone: null\nempty: []\ntext: \"two words\"\n\
             nested:\n-\n  - a\n- []\n\"yes\": \"no\"\nmap:\n  a/b:\n    c: true\n"
        );
    }

    proptest! {
        #[test]
        fn reads_back_as_what_was_written(value in any_json()) {
            let text = to_yaml(&value).unwrap();
            let documents = located_document::parse(text.as_bytes());
            prop_assert_eq!(documents.len(), 1, "{}", text);
            let back = documents.into_iter().next().unwrap().map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
            prop_assert_eq!(back.to_json_value(), value, "{}", text);
        }
    }
}
