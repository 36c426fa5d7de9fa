//! The codec of `/flagz` in its structured form, which servers have since 1.35.

use std::collections::BTreeMap;

use super::{Typed, object};

object! {
    /// The flags of one server.
    pub(crate) struct FlagzObject {
        flags: BTreeMap<String, String>,
    }
}

impl FlagzObject {
    /// Adds the kind.
    pub(crate) fn typed(self) -> Typed<Self> {
        Typed { api_version: "config.k8s.io/v1beta1", kind: "Flagz", object: self }
    }
}
