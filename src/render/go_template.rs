//! `-o go-template`: Go's text/template over the JSON of an answer, as in kubectl.
//!
//! gotmpl implements the language. As in kubectl, a key that is missing prints `<no value>`, and
//! `exists` and `base64decode` are added to Go's functions. Unlike in kubectl, whole numbers are
//! integers, so that they can be compared and are never printed with an exponent.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gotmpl::{Template, TemplateError, Value};
use serde_json::Value as Json;

use super::sanitize::sanitize;

/// A template that was parsed once, so that its syntax is known to be valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoTemplate(String);

impl GoTemplate {
    /// Parses a template such as `{{range .items}}{{.name}}{{"\n"}}{{end}}`.
    ///
    /// # Errors
    /// What is wrong with it, in kubectl's words.
    pub fn parse(template: &str) -> Result<Self, String> {
        parsed(template)?;
        Ok(Self(template.to_owned()))
    }

    /// Returns what the template prints for a document.
    ///
    /// # Errors
    /// If the template does not fit the document: an index out of bounds, a comparison of values of
    /// different types.
    pub fn text(&self, document: &Json) -> Result<String, String> {
        let text = parsed(&self.0)?.execute_to_string(&value(document));
        text.map_err(|why| format!("error executing template {:?}: {why}", self.0))
    }
}

fn parsed(template: &str) -> Result<Template, String> {
    let empty = Template::new("output").func("exists", exists).func("base64decode", base64decode);
    empty.parse(template).map_err(|why| format!("error parsing template {template}, {why}"))
}

/// Returns a value of the template. Strings come from a cluster and are made safe for a terminal.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::String(Arc::from(&*sanitize(text))),
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (Arc::from(key.as_str()), value(field)));
            Value::Map(Arc::new(fields.collect::<BTreeMap<Arc<str>, Value>>()))
        }
    }
}

/// Returns whether a value has these keys and indexes, one inside the other.
fn exists(arguments: &[Value]) -> Result<Value, TemplateError> {
    let (mut at, keys) = match arguments.split_first() {
        Some((first, keys)) => (Some(first), keys),
        None => return Err(TemplateError::Exec("exists needs a value".to_owned())),
    };
    for key in keys {
        at = at.and_then(|one| match (one, key) {
            (Value::Map(fields), Value::String(key)) => fields.get(key),
            (Value::List(items), Value::Int(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            _ => None,
        });
    }
    Ok(Value::Bool(at.is_some()))
}

/// Decodes base64, as in a Secret.
fn base64decode(arguments: &[Value]) -> Result<Value, TemplateError> {
    let Some(Value::String(text)) = arguments.first() else {
        return Err(TemplateError::Exec("base64decode needs a string".to_owned()));
    };
    let bytes = STANDARD.decode(text.as_bytes());
    let bytes = bytes.map_err(|why| TemplateError::Exec(format!("base64 decode failed: {why}")))?;
    Ok(Value::String(Arc::from(&*sanitize(&String::from_utf8_lossy(&bytes)))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn templates_are_those_of_kubectl() {
        let document = json!({
            "kind": "List", "big": 1_000_660_000, "caBundle": "aGVsbG8=", "none": null,
            "items": [{"name": "a", "port": 443}, {"name": "b\u{1b}[31m", "port": 8443}],
        });
        for (template, want) in [
            ("plain", "plain"),
            ("{{.kind}}", "List"),
            ("{{.missing}}", "<no value>"),
            ("{{range .items}}{{.name}}:{{.port}} {{end}}", "a:443 b\u{fffd}[31m:8443 "),
            (
                "{{range $i, $x := .items}}{{if $i}}, {{end}}{{$x.name | printf \"%q\"}}{{end}}",
                "\"a\", \"b\u{fffd}[31m\"",
            ),
            ("{{(index .items 0).name}} {{len .items}}", "a 2"),
            ("{{if eq .kind \"List\"}}yes{{else}}no{{end}}", "yes"),
            ("{{if gt (len .items) 1}}several{{end}}", "several"),
            ("{{.big}} {{if eq .big 1000660000}}same{{end}}", "1000660000 same"),
            ("{{.caBundle | base64decode}}", "hello"),
            (
                "{{exists . \"items\" 1}} {{exists . \"items\" 2}} {{exists . \"x\"}}",
                "true false false",
            ),
            ("{{with .none}}x{{else}}-{{end}}", "-"),
        ] {
            let text = GoTemplate::parse(template).and_then(|parsed| parsed.text(&document));
            assert_eq!(text.as_deref(), Ok(want), "{template}");
        }
    }

    #[test]
    fn mistakes_are_reported() {
        for template in ["{{.x", "{{range}}", "{{nope .x}}"] {
            let error = GoTemplate::parse(template).and_then(|one| one.text(&json!({})));
            assert!(error.is_err_and(|why| why.starts_with("error ")), "{template}");
        }
        let index = GoTemplate::parse("{{index .items 5}}").unwrap();
        assert!(index.text(&json!({"items": []})).is_err());
    }
}
