//! Well-known names in OpenAPI documents, and the type that parses names.

use std::borrow::Cow;

use serde::de::Error;

/// The prefix of references to definitions.
pub(super) const DEFINITION: &str = "#/definitions/";

/// The prefix of references to parameters.
pub(super) const PARAMETER: &str = "#/parameters/";

/// The extension that lists the kinds of a definition.
pub(super) const KINDS: &str = "x-kubernetes-group-version-kind";

/// A string that borrows from the input if it has no escapes.
#[derive(serde::Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

pub(super) fn twice<E: Error>(name: &str) -> E {
    E::custom(format_args!("{name:?} occurs twice"))
}
