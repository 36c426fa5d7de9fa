//! Label and field selectors, parsed as the server does.

use serde_json::Value;

/// A label and a field selector.
#[derive(Debug, Default)]
pub(super) struct Selector {
    labels: Vec<Requirement>,
    fields: Vec<(String, bool, String)>,
}

/// One requirement of a label selector.
#[derive(Debug, PartialEq, Eq)]
enum Requirement {
    /// `key in (a, b)`, `key = a`; with false, none of them, or no such label.
    In(String, Vec<String>, bool),
    /// `key`, or with false `!key`.
    Exists(String, bool),
    /// `key > 1`, or with false `key < 1`.
    Above(String, i64, bool),
}

impl Selector {
    /// Parses both selectors.
    ///
    /// # Errors
    /// The server's own error message.
    pub(super) fn parse(labels: &str, fields: &str, known: &[&str]) -> Result<Self, String> {
        let labels = split(labels)
            .into_iter()
            .map(|part| {
                requirement(part).ok_or_else(|| format!("unable to parse requirement: {part}"))
            })
            .collect::<Result<_, _>>()?;
        let fields = fields
            .split(',')
            .filter(|part| !part.trim().is_empty())
            .map(|part| field(part.trim(), known))
            .collect::<Result<_, _>>()?;
        Ok(Self { labels, fields })
    }

    /// Returns whether it matches everything.
    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    pub(super) fn matches(&self, object: &Value) -> bool {
        let labels = object.pointer("/metadata/labels");
        let label = |key: &str| labels.and_then(|labels| labels.get(key)).and_then(Value::as_str);
        self.labels.iter().all(|requirement| match requirement {
            Requirement::In(key, values, wanted) => {
                label(key).is_some_and(|value| values.iter().any(|v| v == value)) == *wanted
            }
            Requirement::Exists(key, wanted) => label(key).is_some() == *wanted,
            Requirement::Above(key, limit, above) => label(key)
                .and_then(|value| value.parse::<i64>().ok())
                .is_some_and(|value| if *above { value > *limit } else { value < *limit }),
        }) && self.fields.iter().all(|(path, equal, wanted)| {
            let pointer = format!("/{}", path.replace('.', "/"));
            let value = match object.pointer(&pointer) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            };
            (value == *wanted) == *equal
        })
    }
}

/// Splits a label selector at commas outside parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let separates = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(separates).map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn requirement(part: &str) -> Option<Requirement> {
    let key = |text: &str| {
        let text = text.trim();
        let good = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        (!text.is_empty() && text.chars().all(good)).then(|| text.to_owned())
    };
    if let Some(rest) = part.strip_prefix('!') {
        return Some(Requirement::Exists(key(rest)?, false));
    }
    if let Some((head, rest)) = part.split_once('(') {
        let values = rest.strip_suffix(')')?.split(',').map(|v| v.trim().to_owned()).collect();
        let mut words = head.split_whitespace();
        let (name, operator) = (words.next()?, words.next()?);
        let wanted = match (operator, words.next()) {
            ("in", None) => true,
            ("notin", None) => false,
            _ => return None,
        };
        return Some(Requirement::In(key(name)?, values, wanted));
    }
    if let Some((name, wanted, value)) = equality(part) {
        return Some(Requirement::In(key(name)?, vec![value.trim().to_owned()], wanted));
    }
    for (operator, above) in [(">", true), ("<", false)] {
        if let Some((name, value)) = part.split_once(operator) {
            return Some(Requirement::Above(key(name)?, value.trim().parse().ok()?, above));
        }
    }
    Some(Requirement::Exists(key(part)?, true))
}

/// Parses `a=b`, `a==b` or `a!=b`; the flag is whether they must be equal.
fn equality(part: &str) -> Option<(&str, bool, &str)> {
    [("!=", false), ("==", true), ("=", true)].into_iter().find_map(|(operator, equal)| {
        let (name, value) = part.split_once(operator)?;
        Some((name, equal, value))
    })
}

/// Parses one part of a field selector. Every kind has the two fields of its metadata, some have
/// more.
fn field(part: &str, known: &[&str]) -> Result<(String, bool, String), String> {
    let (path, equal, value) = equality(part)
        .ok_or_else(|| format!("invalid selector: '{part}'; can't understand '{part}'"))?;
    if !matches!(path, "metadata.name" | "metadata.namespace") && !known.contains(&path) {
        return Err(format!("field label not supported: {path}"));
    }
    Ok((path.to_owned(), equal, value.to_owned()))
}

/// Returns the fields by which objects of a kind can be selected, in addition to their metadata.
pub(super) fn fields(api_version: &str, kind: &str) -> &'static [&'static str] {
    match (api_version, kind) {
        ("v1", "Pod") => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "status.nominatedNodeName",
            "status.phase",
            "status.podIP",
        ],
        ("v1", "Event") => &[
            "involvedObject.apiVersion",
            "involvedObject.kind",
            "involvedObject.name",
            "involvedObject.namespace",
            "involvedObject.resourceVersion",
            "involvedObject.uid",
            "reason",
            "type",
        ],
        ("v1", "Namespace") => &["status.phase"],
        ("v1", "Node") => &["spec.unschedulable"],
        ("v1", "Service") => &["spec.clusterIP", "spec.type"],
        ("batch/v1", "Job") => &["status.successful"],
        ("apps/v1", "ReplicaSet") | ("v1", "ReplicationController") => &["status.replicas"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn selectors_select_as_the_server_does() {
        let object = json!({
            "metadata": {"name": "a", "namespace": "x", "labels": {"app": "web", "tier": "2"}},
            "status": {"phase": "Running"},
        });
        let check = |labels: &str, fields: &str, want: bool| {
            let selector = Selector::parse(labels, fields, &["status.phase"]).unwrap();
            assert_eq!(selector.matches(&object), want, "{labels} {fields}");
        };
        check("", "", true);
        check("app=web", "", true);
        check("app==web,tier!=3", "", true);
        check("app!=web", "", false);
        check("gone!=web", "", true);
        check("app in (db, web)", "", true);
        check("app notin (db, web),tier", "", false);
        check("!gone", "", true);
        check("gone", "", false);
        check("tier>1,tier<3", "", true);
        check("", "metadata.name=a,metadata.namespace!=y", true);
        check("", "status.phase=Pending", false);
        let refused =
            |labels: &str, fields: &str| Selector::parse(labels, fields, &[]).unwrap_err();
        assert_eq!(refused("", "spec.x=1"), "field label not supported: spec.x");
        assert_eq!(refused("a b", ""), "unable to parse requirement: a b");
        assert_eq!(refused("", "x"), "invalid selector: 'x'; can't understand 'x'");
    }
}
