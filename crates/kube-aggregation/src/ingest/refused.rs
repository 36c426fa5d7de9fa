//! Answers that were saved although they are refusals: what was asked for did not come.

use serde::Deserialize;

use super::part::Part;
use super::untyped;
use super::{Missing, ServerDocument};
use crate::codec::lenient;
use crate::model::{Cause, Unread};

/// The Status that the server answers with where it has nothing else to say.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Status {
    code: Option<u16>,
    #[serde(deserialize_with = "lenient")]
    message: String,
    #[serde(deserialize_with = "lenient")]
    details: Details,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "lenient")]
    name: String,
    /// The plural, whatever the field is called.
    #[serde(deserialize_with = "lenient")]
    kind: String,
}

/// What a Status says that it refuses, where that is a list or a document of ours.
pub(super) fn missing<'a>(part: impl Part<'a>) -> Option<Missing> {
    let Status { code, message, details } = part.decode().ok()?;
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
