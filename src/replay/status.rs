//! What the server says where it has no answer: `Status` objects in its own words.

use serde_json::{Value, json};

use super::message::Response;
use kube_aggregation::routing::{Method, RequestInfo};

/// A failure, with what it is about.
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
    Response::json(code, super::json(&status))
}

/// No route.
pub(super) fn not_found() -> Response {
    failure(404, "NotFound", "the server could not find the requested resource", json!({}))
}

/// No such object.
pub(super) fn no_object(group: &str, resource: &str, name: &str) -> Response {
    let dot = if group.is_empty() { "" } else { "." };
    let message = format!("{resource}{dot}{group} {name:?} not found");
    let mut details = json!({"name": name, "group": group, "kind": resource});
    if let (true, Some(details)) = (group.is_empty(), details.as_object_mut()) {
        details.shift_remove("group");
    }
    failure(404, "NotFound", &message, details)
}

/// A route, but none of this method.
pub(super) fn method_not_allowed() -> Response {
    let message = "the server does not allow this method on the requested resource";
    failure(405, "MethodNotAllowed", message, json!({}))
}

/// A request that would change something, run something, or have somebody judged.
pub(super) fn read_only(method: Method, info: Option<&RequestInfo<'_>>) -> Response {
    let message = match info.filter(|info| REVIEWING.contains(&info.group)) {
        Some(RequestInfo { resource, .. }) => format!(
            "aggctl serve is read-only and answers no {resource}: `aggctl access` says who may do what"
        ),
        None => format!("aggctl serve is read-only: {method} is not answered here"),
    };
    failure(405, "MethodNotAllowed", &message, json!({})).with("allow", "GET, HEAD")
}

/// The groups that are asked by `POST` whether somebody may, or who that is.
const REVIEWING: [&str; 2] = ["authentication.k8s.io", "authorization.k8s.io"];

/// Nobody that is known.
pub(super) fn unauthorized() -> Response {
    failure(401, "Unauthorized", "Unauthorized", json!({}))
}

/// A client that has too many watches open.
pub(super) fn too_many_requests() -> Response {
    let message = "aggctl serve: this client has too many watches open";
    failure(429, "TooManyRequests", message, json!({}))
}

/// What an extension server says that trusts nobody.
pub(super) fn forbidden() -> Response {
    failure(403, "Forbidden", "forbidden: refused on purpose (aggctl serve --fault)", json!({}))
}

/// A request that makes no sense.
pub(super) fn bad_request(message: &str) -> Response {
    failure(400, "BadRequest", message, json!({}))
}

/// A representation that nobody has.
pub(super) fn not_acceptable(has: &str) -> Response {
    let message = format!("only the following media types are accepted: {has}");
    failure(406, "NotAcceptable", &message, json!({}))
}

/// A continue token of a list that is no more.
pub(super) fn expired() -> Response {
    let message = "The provided continue parameter is too old to display a consistent list result.";
    failure(410, "Expired", message, json!({}))
}

/// An answer that nobody has.
pub(super) fn unavailable(message: &str) -> Response {
    failure(503, "ServiceUnavailable", message, json!({}))
}
