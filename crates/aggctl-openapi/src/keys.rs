//! Names in OpenAPI documents, and how they are read.

use std::borrow::Cow;

use serde::de::Error;

/// How references to definitions begin.
pub(super) const DEFINITION: &str = "#/definitions/";

/// How references to parameters begin.
pub(super) const PARAMETER: &str = "#/parameters/";

/// The extension that lists the kinds of a definition.
pub(super) const KINDS: &str = "x-kubernetes-group-version-kind";

/// A string that is borrowed where it has no escapes.
#[derive(serde::Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

pub(super) fn twice<E: Error>(name: &str) -> E {
    E::custom(format_args!("{name:?} is there twice"))
}
