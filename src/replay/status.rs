//! The server's errors: `Status` objects, worded as the server words them.

use serde_json::{Value, json};

use super::message::{Response, json_line};
use kube_aggregation::routing::{Method, RequestInfo};

/// Returns a failure.
fn failure(code: u16, reason: &str, message: &str, details: Value) -> Response {
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "details": details,
        "code": code,
    });
    Response::json(code, json_line(&status))
}

pub(super) fn not_found() -> Response {
    failure(404, "NotFound", "the server could not find the requested resource", json!({}))
}

pub(super) fn no_object(group: &str, resource: &str, name: &str) -> Response {
    let dot = if group.is_empty() { "" } else { "." };
    let message = format!("{resource}{dot}{group} {name:?} not found");
    let details = [("name", name), ("group", group), ("kind", resource)];
    let details: serde_json::Map<String, Value> = (details.into_iter())
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect();
    let details = Value::Object(details);
    failure(404, "NotFound", &message, details)
}

/// Refuses a name that no object can have in a path, or a missing namespace.
pub(super) fn invalid_name(name: &str) -> Response {
    let why = match name {
        "" => return bad_request("name must be provided"),
        "." => "may not be '.'",
        ".." => "may not be '..'",
        name if name.contains('%') => "may not contain '%'",
        _ => return bad_request("Namespace parameter required."),
    };
    bad_request(&format!("Name parameter invalid: {name:?}: {why}"))
}

pub(super) fn method_not_allowed() -> Response {
    let message = "the server does not allow this method on the requested resource";
    failure(405, "MethodNotAllowed", message, json!({}))
}

/// Refuses a request that would change or run something, or that reviews access.
pub(super) fn read_only(method: Method, info: Option<&RequestInfo<'_>>) -> Response {
    let message = match info.filter(|info| REVIEWING.contains(&info.group)) {
        Some(RequestInfo { resource, .. }) => format!(
            "aggctl serve is read-only and answers no {resource}: `aggctl access` says who may do what"
        ),
        None => format!("aggctl serve is read-only: {method} is not answered here"),
    };
    failure(405, "MethodNotAllowed", &message, json!({})).with("allow", "GET, HEAD")
}

/// The groups whose reviews are created with `POST`.
const REVIEWING: [&str; 2] = ["authentication.k8s.io", "authorization.k8s.io"];

/// Returns the 401 for a request without the token.
pub fn unauthorized() -> Response {
    failure(401, "Unauthorized", "Unauthorized", json!({}))
}

/// Returns the 429 for a client that has too many watches open; it tries again later.
pub fn too_many_watches() -> Response {
    let message = "aggctl serve: this client has too many watches open";
    failure(429, "TooManyRequests", message, json!({})).with("retry-after", "10")
}

/// Returns the 403 of `--fault NAME=403`.
pub(super) fn forbidden() -> Response {
    failure(403, "Forbidden", "forbidden: refused on purpose (aggctl serve --fault)", json!({}))
}

/// Returns the 403 for an object that the source does not show. A 404 would say that it does not
/// exist, and a 5xx that the server is broken.
pub(super) fn not_in_source(message: &str) -> Response {
    failure(403, "Forbidden", message, json!({}))
}

pub(super) fn bad_request(message: &str) -> Response {
    failure(400, "BadRequest", message, json!({}))
}

pub(super) fn not_acceptable(has: &str) -> Response {
    let message = format!("only the following media types are accepted: {has}");
    failure(406, "NotAcceptable", &message, json!({}))
}

/// Returns the 410 for a continue token of an older list.
pub(super) fn expired() -> Response {
    let message = "The provided continue parameter is too old to display a consistent list result.";
    failure(410, "Expired", message, json!({}))
}

pub(super) fn unavailable(message: &str) -> Response {
    failure(503, "ServiceUnavailable", message, json!({}))
}
