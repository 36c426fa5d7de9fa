//! The Status that an API server answers with instead of what was requested. It is only decoded.

use super::object;

object! {
    pub(crate) struct StatusObject {
        code: Option<u16>,
        message: String,
        details: StatusDetails,
    }
}

object! {
    pub(crate) struct StatusDetails {
        name: String,
        /// The plural of the resource, despite its name.
        kind: String,
    }
}
