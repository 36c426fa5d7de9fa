//! Recognizes saved error responses: the server denied what was requested, so it is missing.

use super::part::Part;
use super::untyped;
use super::{Missing, ServerDocument};
use crate::codec::StatusObject;
use crate::model::{Cause, Unread};

/// Returns the list or document that a Status denies, if aggctl reads it.
pub(super) fn missing<'a>(part: impl Part<'a>) -> Option<Missing> {
    let StatusObject { code, message, details } = part.decode().ok()?;
    let cause = match code? {
        401 => Cause::Unauthorized,
        403 => Cause::Forbidden,
        404 => Cause::NotFound,
        code @ 400.. => Cause::Status(code),
        _ => return None,
    };
    let mut known = ServerDocument::NAMED.into_iter();
    let document = match details.kind.as_str() {
        // `forbidden: User "jane" cannot get path "/apis"`
        "" => {
            let (_, path) = message.split_once("path \"")?;
            let path = path.split('"').next().unwrap_or_default();
            known.find(|document| document.path() == path)?
        }
        plural if details.name.is_empty() => {
            let (kind, _) = untyped::kind_of_plural(plural)?;
            known.find(|document| document.kind() == Some(kind))?
        }
        _ => return None,
    };
    Some(Missing { document, unread: Unread { cause, why: message } })
}
