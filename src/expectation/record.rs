//! Records expectations that hold now.

use std::fmt::Write;

use kube_aggregation::diff::known_paths;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Route};

/// Returns a file of expectations that hold for these routes.
pub fn recorded(routes: &[Route<'_>]) -> String {
    let mut text = String::from("requests:\n");
    for route in routes {
        let way = route.way();
        let request = quoted(&format!("{} {}", route.method, route.path));
        let _ = writeln!(
            text,
            "- request: {request}\n  expect:\n    outcome: {}",
            way.outcome.as_str()
        );
        let mut field = |name: &str, value: &str| {
            if !value.is_empty() {
                let _ = writeln!(text, "    {name}: {}", scalar(value));
            }
        };
        field("handler", &way.handler);
        field("service", way.service.as_deref().unwrap_or_default());
        field("apiService", way.api_service.as_deref().unwrap_or_default());
    }
    text
}

/// Returns a name, quoted if YAML could take it for anything else.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-');
    let is_name =
        text.starts_with(|c: char| c.is_ascii_lowercase()) && text.contains(['.', '/', '-']);
    if is_name && text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

/// Returns a string in double quotes. YAML reads the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the requests to record if none are named: every group version, and the list of every
/// known resource.
pub fn requests_of(registry: &Registry<'_>) -> Vec<(Method, String)> {
    // Objects are routed like their collections.
    let paths = known_paths(registry).filter(|path| !path.ends_with("/NAME"));
    paths.map(|path| (Method::Get, path)).collect()
}
