//! Values as Go prints them, which kubectl's templates show.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::render::sanitize::{Escape, escaped};

/// Returns a result of a template: text as it is, objects and lists as JSON.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Object(_) | Value::Array(_) => compact(value),
        other => sprint(other),
    }
}

/// Returns a value as `fmt.Sprint` does: `map[a:1 b:[x y]]`.
pub(super) fn sprint(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => float_text(float),
            None => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(sprint).collect();
            format!("[{}]", items.join(" "))
        }
        Value::Object(map) => {
            let sorted: BTreeMap<&String, &Value> = map.iter().collect();
            let pairs: Vec<String> =
                sorted.iter().map(|(key, value)| format!("{key}:{}", sprint(value))).collect();
            format!("map[{}]", pairs.join(" "))
        }
    }
}

/// Returns the shortest decimal, with an exponent if it is very large or very small.
fn float_text(float: f64) -> String {
    let size = float.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{float:e}");
        return match text.split_once('e') {
            Some((digits, exponent)) => {
                let (sign, exponent) = match exponent.strip_prefix('-') {
                    Some(exponent) => ('-', exponent),
                    None => ('+', exponent),
                };
                format!("{digits}e{sign}{exponent:0>2}")
            }
            None => text,
        };
    }
    float.to_string()
}

/// Returns the name of a value's type.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Returns JSON on one line, with sorted keys.
fn compact(value: &Value) -> String {
    let mut text = String::new();
    json(&mut text, value, None);
    text
}

/// Returns JSON indented by four spaces, with sorted keys.
pub(super) fn indented(value: &Value) -> String {
    let mut text = String::new();
    json(&mut text, value, Some(0));
    text
}

fn json(text: &mut String, value: &Value, depth: Option<usize>) {
    let inner = depth.map(|depth| depth + 1);
    let break_line = |text: &mut String, depth: Option<usize>| {
        if let Some(depth) = depth {
            text.push('\n');
            text.extend(std::iter::repeat_n("    ", depth));
        }
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            text.push('{');
            let sorted: BTreeMap<&String, &Value> = map.iter().collect();
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                break_line(text, inner);
                string(text, key);
                text.push_str(if depth.is_some() { ": " } else { ":" });
                json(text, value, inner);
            }
            break_line(text, depth);
            text.push('}');
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('[');
            for (index, value) in items.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                break_line(text, inner);
                json(text, value, inner);
            }
            break_line(text, depth);
            text.push(']');
        }
        Value::String(value) => string(text, value),
        Value::Number(number) if number.is_f64() => text.push_str(&sprint(value)),
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

/// Writes a string. Go escapes what HTML would take for markup.
fn string(text: &mut String, value: &str) {
    let quoted = Value::from(value).to_string();
    let quoted = quoted.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    text.push_str(&escaped(&quoted, Escape::Json));
}
