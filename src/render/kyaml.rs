//! Writes JSON values as KYAML: YAML in flow style, in which every string is quoted, as
//! `kubectl -o kyaml` prints it.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use super::json;
use super::sanitize::{Escape, escaped};
use super::yaml::is_plain;

/// Returns a value as one KYAML document.
///
/// # Errors
/// Only what the value's own `Serialize` reports.
pub fn to_kyaml(value: &impl Serialize) -> serde_json::Result<String> {
    let value = json::document(value)?;
    let mut text = "---\n".to_owned();
    node(&mut text, &value, 0);
    text.push('\n');
    Ok(escaped(&text, Escape::Yaml).into_owned())
}

fn node(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push_str("{\n");
            for (key, value) in map {
                indent(out, depth + 1);
                match is_plain(key) {
                    true => out.push_str(key),
                    false => string(out, key, None),
                }
                out.push_str(": ");
                node(out, value, depth + 1);
                out.push_str(",\n");
            }
            indent(out, depth);
            out.push('}');
        }
        // Lists of objects share their braces: `[{`.
        Value::Array(items) if items.iter().all(|item| item.is_object() || item.is_array()) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                node(out, item, depth);
            }
            out.push(']');
        }
        Value::Array(items) => {
            out.push_str("[\n");
            for item in items {
                indent(out, depth + 1);
                node(out, item, depth + 1);
                out.push_str(",\n");
            }
            indent(out, depth);
            out.push(']');
        }
        Value::String(text) => string(out, text, Some(depth + 1)),
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

/// Writes a string in quotes. With a depth, its lines are below each other.
fn string(out: &mut String, text: &str, depth: Option<usize>) {
    let quoted = |text: &str| {
        let json = Value::from(text).to_string();
        json.get(1..json.len() - 1).unwrap_or_default().to_owned()
    };
    out.push('"');
    match depth.filter(|_| text.contains('\n')) {
        None => out.push_str(&quoted(text)),
        Some(depth) => {
            for line in text.split_inclusive('\n') {
                out.push_str("\\\n");
                indent(out, depth);
                // A leading blank has to be escaped, or the reader would drop it.
                out.push(if line.starts_with(' ') { '\\' } else { ' ' });
                out.push_str(&quoted(line));
            }
            out.push_str("\\\n");
            indent(out, depth);
        }
    }
    out.push('"');
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// What kubectl 1.37 prints for the same object.
    #[test]
    fn looks_like_kubectls() {
        let value = json!({"kind": "Route", "hops": [{"server": "a", "num": 1}, {}], "none": null,
            "empty": [], "list": ["a", 2], "text": "two\n lines\n", "nested": [["a"], []], "yes": "no"});
        assert_eq!(
            to_kyaml(&value).unwrap(),
            "---\n{\n  kind: \"Route\",\n  hops: [{\n    server: \"a\",\n    num: 1,\n  }, {}],\n  none: null,\n  \
             empty: [],\n  list: [\n    \"a\",\n    2,\n  ],\n  text: \"\\\n     two\\n\\\n    \\ lines\\n\\\n    \",\n  \
             nested: [[\n    \"a\",\n  ], []],\n  \"yes\": \"no\",\n}\n"
        );
    }

    proptest! {
        #[test]
        fn reads_back_as_what_was_written(value in crate::render::yaml::any_json()) {
            let text = to_kyaml(&value).unwrap();
            let back = located_document::parse(text.as_bytes()).into_iter().next().unwrap();
            let back = back.map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
            prop_assert_eq!(back.to_json_value(), value, "{}", text);
        }
    }
}
