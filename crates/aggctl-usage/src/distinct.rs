//! Collects the distinct requests of a log: one per method and path pattern.

use std::collections::BTreeMap;

use super::way::pattern;
use super::wrapped::events;
use kube_aggregation::routing::{Method, Target};

/// The maximum number of requests to keep.
const MAX: usize = 4_096;

/// Requests, by path pattern and method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distinct(BTreeMap<(String, &'static str), String>);

impl Distinct {
    /// Adds the requests of a line, or of a document that spans several lines.
    pub fn line(&mut self, line: &[u8]) {
        events(line, &mut |event| {
            let method = event.method();
            let Ok(target) = Target::parse(method, &event.path) else { return };
            let mut open = String::new();
            pattern(target.info().ok().as_ref(), event, &mut open);
            let key = (open, method.as_str());
            if self.0.len() < MAX || self.0.contains_key(&key) {
                self.add(key, event.path.to_string());
            }
        });
    }

    /// Adds a request. Keeps the alphabetically first path, so that the order of lines does not
    /// matter.
    fn add(&mut self, key: (String, &'static str), path: String) {
        let kept = self.0.entry(key).or_insert_with(|| path.clone());
        if path < *kept {
            *kept = path;
        }
    }

    /// Adds the requests of another part of the log.
    pub fn merge(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, path)| self.add(key, path));
    }

    /// Returns one method and path per distinct request.
    pub fn requests(self) -> Vec<(Method, String)> {
        let request = |((_, method), path)| Some((Method::parse(method)?, path));
        self.0.into_iter().filter_map(request).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_no_difference() {
        let mut seen = Distinct::default();
        for (verb, uri) in [
            ("get", "/api/v1/namespaces/b/pods/x"),
            ("get", "/api/v1/namespaces/a/pods/y"),
            ("delete", "/api/v1/namespaces/a/pods/y"),
            ("list", "/api/v1/pods?limit=1"),
            ("get", "/healthz"),
        ] {
            let line =
                format!(r#"{{"stage":"ResponseComplete","requestURI":"{uri}","verb":"{verb}"}}"#);
            seen.line(line.as_bytes());
        }
        let got: Vec<String> = seen.requests().iter().map(|(m, p)| format!("{m} {p}")).collect();
        let want = [
            "DELETE /api/v1/namespaces/a/pods/y",
            "GET /api/v1/namespaces/a/pods/y",
            "GET /api/v1/pods",
            "GET /healthz",
        ];
        assert_eq!(got, want);
    }
}
