//! Parses files of expectations, with positions for errors.

use kube_aggregation::routing::{Method, Outcome, Target};
use located_document::{Node, Position, Positions, Span, Value};

/// One request and its expected result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    pub method: Method,
    /// The path, as written in the file.
    pub path: String,
    /// Its position in the file.
    pub position: Position,
    /// The expected outcome.
    pub outcome: Option<Outcome>,
    /// The last server of the chain.
    pub server: Option<String>,
    /// The handler: a server, a Service, or `crd/NAME`.
    pub handler: Option<String>,
    /// The Service that it is proxied to; empty for none.
    pub service: Option<String>,
    /// The APIService that matches; empty for none.
    pub api_service: Option<String>,
    /// The statuses, one of which must match.
    pub status: Vec<u16>,
    /// The hops, each as `SERVER MATCH [PATTERN]`.
    pub hops: Option<Vec<String>>,
}

/// An error in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationFault {
    pub position: Position,
    /// The error as a lowercase phrase.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether the file is not valid YAML.
    pub syntax: bool,
}

const FIELDS: [&str; 7] =
    ["outcome", "handler", "server", "service", "apiService", "status", "hops"];

/// Parses a file of expectations.
///
/// # Errors
/// All errors of the file, in order.
pub fn parse(text: &str) -> Result<Vec<Expectation>, Vec<ExpectationFault>> {
    let mut reader =
        ExpectationReader { positions: Positions::new(text.as_bytes()), faults: vec![] };
    let mut found = vec![];
    for document in located_document::parse(text.as_bytes()) {
        match document {
            Ok(document) => reader.file(&document.root, &mut found),
            Err(error) => reader.faults.push(ExpectationFault {
                position: error.position,
                message: error.message,
                hint: None,
                syntax: true,
            }),
        }
    }
    if found.is_empty() && reader.faults.is_empty() {
        reader.faults.push(ExpectationFault {
            position: Position { line: 1, column: 1 },
            message: "no requests".to_owned(),
            hint: Some("aggctl test --record FILE writes such a file".to_owned()),
            syntax: false,
        });
    }
    if reader.faults.is_empty() { Ok(found) } else { Err(reader.faults) }
}

struct ExpectationReader<'t> {
    positions: Positions<'t>,
    faults: Vec<ExpectationFault>,
}

impl ExpectationReader<'_> {
    fn fault(&mut self, span: Span, message: impl Into<String>, hint: Option<String>) {
        let position = self.positions.of(span.start as usize);
        self.faults.push(ExpectationFault {
            position,
            message: message.into(),
            hint,
            syntax: false,
        });
    }

    fn file(&mut self, root: &Node<'_>, found: &mut Vec<Expectation>) {
        if root.is_null() {
            return;
        }
        if !matches!(root.value, Value::Mapping(_)) {
            return self.fault(
                root.span,
                format!("expected an object with requests, found {}", root.value.type_name()),
                None,
            );
        }
        for entry in root.entries() {
            match entry.key.as_ref() {
                "apiVersion" | "kind" => {}
                "requests" => {
                    if !matches!(entry.value.value, Value::Sequence(_) | Value::Null) {
                        self.fault(entry.value.span, "requests is not a list", None);
                    }
                    for item in entry.value.items() {
                        found.extend(self.request(item));
                    }
                }
                other => self.unknown(entry.key_span, other, &["requests"]),
            }
        }
    }

    fn unknown(&mut self, span: Span, name: &str, known: &[&str]) {
        let hint = kube_aggregation::nearest::did_you_mean(name, known)
            .unwrap_or_else(|| format!("the fields here are {}", known.join(", ")));
        self.fault(span, format!("unknown field {name:?}"), Some(hint));
    }

    fn request(&mut self, item: &Node<'_>) -> Option<Expectation> {
        for entry in item.entries() {
            if !matches!(entry.key.as_ref(), "request" | "expect") {
                self.unknown(entry.key_span, &entry.key, &["request", "expect"]);
            }
        }
        let Some(request) = item.get("request") else {
            self.fault(
                item.span,
                "a request without the field request",
                Some("- request: GET /apis/apps/v1/deployments".to_owned()),
            );
            return None;
        };
        let Some(text) = request.as_str() else {
            self.fault(request.span, "request is not a string", None);
            return None;
        };
        let (method, path) = match text.trim().split_once(char::is_whitespace) {
            Some((method, path)) => (method, path.trim_start()),
            None => ("GET", text.trim()),
        };
        let Some(method) = Method::parse(method) else {
            let hint = format!("one of {}", Method::ALL.map(Method::as_str).join(", "));
            self.fault(request.span, format!("unknown method {method:?}"), Some(hint));
            return None;
        };
        if Target::parse(method, path).is_err() {
            self.fault(
                request.span,
                format!("{path:?} is not a path that a server takes"),
                Some("a path begins with a slash".to_owned()),
            );
            return None;
        }
        let position = self.positions.of(item.span.start as usize);
        let mut one = Expectation {
            method,
            path: path.to_owned(),
            position,
            outcome: None,
            server: None,
            handler: None,
            service: None,
            api_service: None,
            status: vec![],
            hops: None,
        };
        match item.get("expect") {
            Some(expect) if !expect.entries().is_empty() => self.expect(expect, &mut one),
            _ => {
                self.fault(
                    item.span,
                    format!("nothing is expected of {text:?}"),
                    Some(format!("expect: with some of {}", FIELDS.join(", "))),
                );
                return None;
            }
        }
        Some(one)
    }

    fn expect(&mut self, expect: &Node<'_>, one: &mut Expectation) {
        for entry in expect.entries() {
            let value = &entry.value;
            match entry.key.as_ref() {
                "outcome" => one.outcome = self.outcome(value),
                "handler" => one.handler = self.text("handler", value),
                "server" => one.server = self.text("server", value),
                "service" => one.service = self.text("service", value),
                "apiService" => one.api_service = self.text("apiService", value),
                "status" => self.status(value, one),
                "hops" => {
                    if !matches!(value.value, Value::Sequence(_)) {
                        self.fault(value.span, "hops is not a list", None);
                    }
                    one.hops = Some(
                        value.items().iter().filter_map(|hop| self.text("a hop", hop)).collect(),
                    );
                }
                other => self.unknown(entry.key_span, other, &FIELDS),
            }
        }
    }

    /// Returns a string; null and `none` mean that there must be none.
    fn text(&mut self, field: &str, value: &Node<'_>) -> Option<String> {
        match (&value.value, value.as_str()) {
            (Value::Null, _) | (_, Some("none")) => Some(String::new()),
            (_, Some(text)) => Some(text.to_owned()),
            _ => {
                self.fault(value.span, format!("{field} is not a string"), None);
                None
            }
        }
    }

    fn outcome(&mut self, value: &Node<'_>) -> Option<Outcome> {
        let found =
            value.as_str().and_then(|text| Outcome::ALL.into_iter().find(|o| o.as_str() == text));
        if found.is_none() {
            let all = Outcome::ALL.map(Outcome::as_str).join(", ");
            self.fault(value.span, "no such outcome", Some(format!("one of {all}")));
        }
        found
    }

    fn status(&mut self, value: &Node<'_>, one: &mut Expectation) {
        let single = std::slice::from_ref(value);
        let all = if value.items().is_empty() { single } else { value.items() };
        for item in all {
            match item.as_i64().and_then(|number| u16::try_from(number).ok()) {
                Some(status @ 100..=599) => one.status.push(status),
                _ => self.fault(
                    item.span,
                    "not an HTTP status",
                    Some("a number such as 200, or a list of them".to_owned()),
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let show = |f: ExpectationFault| {
            format!("{}:{}: {}", f.position.line, f.position.column, f.message)
        };
        parse(text).unwrap_err().into_iter().map(show).collect()
    }

    #[test]
    fn reads_what_it_documents() {
        let text = "requests:\n- request: GET /apis/a/v1/bs\n  expect: {outcome: proxied, service: ns/b, status: [200, 503]}\n- request: /version\n  expect: {server: kube-apiserver, service: none, status: 200, hops: [kube-aggregator none]}\n";
        let found = parse(text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].outcome, found[0].service.as_deref()),
            (Some(Outcome::Proxied), Some("ns/b"))
        );
        assert_eq!(found[0].status, [200, 503]);
        assert_eq!((found[1].method, found[1].service.as_deref()), (Method::Get, Some("")));
        assert_eq!(found[1].hops.as_deref(), Some(&["kube-aggregator none".to_owned()][..]));
    }

    #[test]
    fn every_fault_has_a_place() {
        for (text, want) in [
            (
                "requests:\n- request: GET apps\n  expect: {outcome: served}\n",
                "2:12: \"apps\" is not a path that a server takes",
            ),
            (
                "requests:\n- request: FETCH /a\n  expect: {outcome: served}\n",
                "2:12: unknown method \"FETCH\"",
            ),
            ("requests:\n- request: /a\n", "2:3: nothing is expected of \"/a\""),
            (
                "requests:\n- request: /a\n  expect: {outcom: served}\n",
                "3:12: unknown field \"outcom\"",
            ),
            ("requests:\n- request: /a\n  expect: {outcome: gone}\n", "3:21: no such outcome"),
            ("requests:\n- request: /a\n  expect: {status: 9}\n", "3:20: not an HTTP status"),
            ("request: []\n", "1:1: unknown field \"request\""),
            ("- a\n", "1:1: expected an object with requests, found array"),
            ("requests: []\n", "1:1: no requests"),
            ("", "1:1: no requests"),
            ("requests: {a: 1}\n", "1:11: requests is not a list"),
        ] {
            assert_eq!(faults(text).first().map(String::as_str), Some(want), "{text:?}");
        }
    }
}
