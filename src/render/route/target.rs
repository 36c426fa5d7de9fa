//! Parsing of request targets that a user typed, with errors worded for that user.

use crate::error::Error;
use kube_aggregation::routing::{Method, Target, TargetError};

/// Parses a request target.
///
/// # Errors
/// If no API server would accept it; the error quotes `text`.
pub fn parse_target(method: Method, text: &str) -> Result<Target<'_>, Error> {
    Target::parse(method, text).map_err(|error| match error {
        TargetError::NoSlash => Error::usage(format!("path {text:?} does not begin with a slash"))
            .with_hint(format!("/{text}")),
        TargetError::BadEscape => {
            Error::usage(format!("path {text:?} has a % without two hexadecimal digits after it"))
                .with_hint(
                    "the API server would answer 400 Bad Request; write a percent sign as %25",
                )
        }
        TargetError::ControlCharacter => {
            Error::usage(format!("path {text:?} contains a control character"))
                .with_hint("the API server would answer 400 Bad Request")
        }
    })
}
