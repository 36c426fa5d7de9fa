//! An explanation: for people, for programs.

mod json;
mod text;

pub use json::{explanation_json, matches_json, namespace_json};
pub use text::{ExplainView, explanation_text, namespace_text};
