//! Parses the `/metrics` of an API server, line by line.
//!
//! Metrics contain no clients, no times, and no requests that were proxied to a Service: the server
//! counts only the requests that it answers itself. About proxied ones it only reports which
//! APIServices are not available.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use kube_aggregation::routing::Method;

/// The maximum number of names of one kind.
const MAX: usize = 4_096;

/// What metrics show besides requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Metrics {
    /// The number of request series that were counted.
    pub series: u64,
    /// APIServices that are or were unavailable.
    pub unavailable: BTreeMap<String, Unavailable>,
    /// Deprecated resources that were requested, with the release that removes them; empty if
    /// unknown.
    pub deprecated: BTreeMap<String, String>,
}

/// The unavailability of an APIService since the server started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unavailable {
    /// Whether it is unavailable now.
    pub now: bool,
    /// How often it was found unavailable.
    pub times: u64,
}

/// One line of metrics.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A number of requests of one kind.
    Requests(Requests<'a>, u64),
    /// A fact other than requests.
    Fact(Fact),
    /// A comment, or a metric that is not used.
    Other,
}

/// A fact other than requests.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Unavailable(String, Unavailable),
    Deprecated(String, String),
}

/// The labels of one kind of request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Requests<'a> {
    group: Cow<'a, str>,
    version: Cow<'a, str>,
    resource: Cow<'a, str>,
    /// For a non-resource request, the path.
    subresource: Cow<'a, str>,
    scope: Cow<'a, str>,
    verb: Cow<'a, str>,
    pub(super) code: u16,
}

impl Metrics {
    pub(super) fn take(&mut self, fact: Fact) {
        match fact {
            Fact::Unavailable(name, its) => {
                if let Some(own) = slot(&mut self.unavailable, name) {
                    own.now |= its.now;
                    own.times = own.times.saturating_add(its.times);
                }
            }
            Fact::Deprecated(name, removed) => {
                if let Some(own) = slot(&mut self.deprecated, name) {
                    *own = std::mem::take(own).max(removed);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.series = self.series.saturating_add(other.series);
        let unavailable = other.unavailable.into_iter().map(|(n, its)| Fact::Unavailable(n, its));
        let deprecated = other.deprecated.into_iter().map(|(n, gone)| Fact::Deprecated(n, gone));
        unavailable.chain(deprecated).for_each(|fact| self.take(fact));
    }
}

fn slot<T: Default>(map: &mut BTreeMap<String, T>, name: String) -> Option<&mut T> {
    (map.len() < MAX || map.contains_key(&name)).then(|| map.entry(name).or_default())
}

/// Returns whether a text is a `/metrics` response.
pub fn is_metrics(text: &str) -> bool {
    text.lines().next().is_some_and(|first| line(first.as_bytes()).is_some())
}

/// Parses a line of metrics; `None` if it is something else.
pub(super) fn line(line: &[u8]) -> Option<Line<'_>> {
    let text = std::str::from_utf8(line).ok()?;
    if text.starts_with('#') {
        let comment = ["# HELP ", "# TYPE ", "# EOF"].iter().any(|start| text.starts_with(start));
        return comment.then_some(Line::Other);
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let (name, rest) = text.split_at(text.find(|c| !is_name(c))?);
    let (labels, value) = match rest.strip_prefix('{') {
        Some(rest) => rest.rsplit_once('}')?,
        None => ("", rest),
    };
    let value: f64 = value.split_ascii_whitespace().next()?.parse().ok()?;
    // All metrics of an API server have such a name. Words in sentences do not.
    if !name.contains('_') {
        return None;
    }
    let label = |wanted: &str| label(labels, wanted).unwrap_or_default();
    let count = value as u64;
    Some(match name {
        "apiserver_request_total" => {
            let requests = Requests {
                group: label("group"),
                version: label("version"),
                resource: label("resource"),
                subresource: label("subresource"),
                scope: label("scope"),
                verb: label("verb"),
                code: label("code").parse().unwrap_or_default(),
            };
            Line::Requests(requests, count)
        }
        "aggregator_unavailable_apiservice" if count > 0 => {
            let fact = Unavailable { now: true, times: 0 };
            Line::Fact(Fact::Unavailable(label("name").into_owned(), fact))
        }
        "aggregator_unavailable_apiservice_total" if count > 0 => {
            let fact = Unavailable { now: false, times: count };
            Line::Fact(Fact::Unavailable(label("name").into_owned(), fact))
        }
        "apiserver_requested_deprecated_apis" if count > 0 => {
            let mut name = format!("{}.{}", label("resource"), label("version"));
            for (separator, part) in [(".", label("group")), ("/", label("subresource"))] {
                if !part.is_empty() {
                    name = format!("{name}{separator}{part}");
                }
            }
            Line::Fact(Fact::Deprecated(name, label("removed_release").into_owned()))
        }
        _ => Line::Other,
    })
}

/// Returns the value of a label.
fn label<'a>(mut labels: &'a str, wanted: &str) -> Option<Cow<'a, str>> {
    loop {
        let (name, rest) = labels.split_once("=\"")?;
        let mut escaped = false;
        let ends = |c: char| {
            let plain = !escaped;
            escaped = plain && c == '\\';
            plain && c == '"'
        };
        let (value, rest) = rest.split_at(rest.find(ends)?);
        if name.trim_start_matches([',', ' ']) == wanted {
            let plain = || value.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
            return Some(if value.contains('\\') { plain().into() } else { value.into() });
        }
        labels = rest.get(1..)?;
    }
}

impl Requests<'_> {
    /// Returns whether this is a watch, which the method does not show.
    pub(super) fn is_watch(&self) -> bool {
        matches!(&*self.verb, "WATCH" | "WATCHLIST")
    }

    pub(super) fn method(&self) -> Method {
        match &*self.verb {
            "POST" | "CREATE" => Method::Post,
            "PUT" | "UPDATE" => Method::Put,
            "PATCH" | "APPLY" => Method::Patch,
            "DELETE" | "DELETECOLLECTION" => Method::Delete,
            verb => Method::parse(verb).filter(|m| *m != Method::Connect).unwrap_or(Method::Get),
        }
    }

    /// Returns example paths of such requests. For a single object, the labels do not show whether
    /// it is namespaced: the first path is namespaced, the second is not.
    pub(super) fn paths(&self) -> Vec<String> {
        let root = match (&*self.group, &*self.version) {
            ("", "") => return vec![format!("/{}", self.subresource.trim_start_matches('/'))],
            ("", version) => format!("/api/{version}"),
            (group, version) => format!("/apis/{group}/{version}"),
        };
        if self.resource.is_empty() {
            return vec![root];
        }
        let object = &*self.scope == "resource";
        let mut rest = format!("/{}", self.resource);
        if object && !(self.method() == Method::Post && self.subresource.is_empty()) {
            rest.push_str("/NAME");
        }
        if !self.subresource.is_empty() {
            rest = format!("{rest}/{}", self.subresource);
        }
        let within = format!("{root}/namespaces/NAMESPACE{rest}");
        let outside = format!("{root}{rest}");
        match (object, &*self.scope) {
            (true, _) => vec![within, outside],
            (_, "namespace") => vec![within],
            _ => vec![outside],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(labels: &str) -> (Vec<String>, Method, u64) {
        match line(format!("apiserver_request_total{{{labels}}} 1.2e+03").as_bytes()) {
            Some(Line::Requests(requests, count)) => (requests.paths(), requests.method(), count),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn labels_are_requests() {
        let check = |labels: &str, method: Method, want: &[&str]| {
            let (paths, said, count) = requests(labels);
            assert_eq!(
                (paths, said, count),
                (want.iter().map(|p| (*p).to_owned()).collect(), method, 1_200),
                "{labels}"
            );
        };
        check(
            r#"code="200",component="apiserver",group="apps",resource="deployments",scope="cluster",subresource="",verb="LIST",version="v1""#,
            Method::Get,
            &["/apis/apps/v1/deployments"],
        );
        check(
            r#"group="",resource="pods",scope="namespace",subresource="",verb="WATCH",version="v1""#,
            Method::Get,
            &["/api/v1/namespaces/NAMESPACE/pods"],
        );
        check(
            r#"group="",resource="pods",scope="resource",subresource="status",verb="PATCH",version="v1""#,
            Method::Patch,
            &["/api/v1/namespaces/NAMESPACE/pods/NAME/status", "/api/v1/pods/NAME/status"],
        );
        check(
            r#"group="",resource="nodes",scope="resource",subresource="",verb="POST",version="v1""#,
            Method::Post,
            &["/api/v1/namespaces/NAMESPACE/nodes", "/api/v1/nodes"],
        );
        check(
            r#"group="",resource="",scope="",subresource="/readyz",verb="GET",version="""#,
            Method::Get,
            &["/readyz"],
        );
        check(
            r#"group="",resource="",scope="",subresource="openapi/v3/",verb="GET",version="""#,
            Method::Get,
            &["/openapi/v3/"],
        );
    }

    #[test]
    fn facts_are_kept() {
        let mut metrics = Metrics::default();
        for text in [
            r#"aggregator_unavailable_apiservice{name="v1.a"} 1"#,
            r#"aggregator_unavailable_apiservice{name="v1.b"} 0"#,
            r#"aggregator_unavailable_apiservice_total{name="v1.a",reason="X"} 2"#,
            r#"aggregator_unavailable_apiservice_total{name="v1.a",reason="a \"}\" \\"} 3"#,
            r#"apiserver_requested_deprecated_apis{group="g.io",removed_release="1.32",resource="r",subresource="s",version="v1beta1"} 1"#,
        ] {
            match line(text.as_bytes()) {
                Some(Line::Fact(fact)) => metrics.take(fact),
                other => assert_eq!(other, Some(Line::Other), "{text}"),
            }
        }
        let twice = Metrics { series: 1, ..metrics.clone() };
        metrics.merge(twice);
        let unavailable = Unavailable { now: true, times: 10 };
        let want = Metrics {
            series: 1,
            unavailable: [("v1.a".to_owned(), unavailable)].into(),
            deprecated: [("r.v1beta1.g.io/s".to_owned(), "1.32".to_owned())].into(),
        };
        assert_eq!(metrics, want);
    }

    #[test]
    fn other_lines_are_told_apart() {
        for other in ["# HELP a b", "# TYPE a counter", "go_goroutines 7", "a_b{c=\"d\"} NaN 12"] {
            assert_eq!(line(other.as_bytes()), Some(Line::Other), "{other}");
        }
        for none in ["", "# a comment", "hello 5", "a_b", "a_b{", "a_b{} x", "{\"a\":1}", "x_y z"] {
            assert_eq!(line(none.as_bytes()), None, "{none}");
        }
        assert_eq!(line(b"\xff_a 1"), None);
    }
}
