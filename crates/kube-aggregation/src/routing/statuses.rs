//! The HTTP statuses that handlers can return, per verb.

use super::outcome::Outcome;

/// How a request ends, or `None` if the next server gets it.
pub(super) type End = Option<(Outcome, &'static [u16])>;

/// Statuses of documents and collections.
pub(super) const OK: &[u16] = &[200];
/// Statuses of one object.
pub(super) const READ: &[u16] = &[200, 404];
/// Statuses of a Service, Pod or node that a request is proxied to. It may have no endpoint.
pub(super) const SUBRESOURCE_PROXY: &[u16] = &[200, 404, 503];
const CREATE: &[u16] = &[201, 400, 409, 415, 422];
const WRITE: &[u16] = &[200, 201, 400, 404, 409, 415, 422];
const DELETE: &[u16] = &[200, 202, 404];

/// Returns the statuses of a handler that runs. Storage rejects names that are invalid in a path.
pub(super) fn statuses(verb: &str, name: Option<&str>) -> &'static [u16] {
    let misnamed = name.is_some_and(|n| matches!(n, "" | "." | "..") || n.contains('%'));
    match verb {
        "get" | "delete" if misnamed => &[400],
        "get" => READ,
        "create" => CREATE,
        "update" | "patch" => WRITE,
        "delete" => DELETE,
        _ => OK,
    }
}
