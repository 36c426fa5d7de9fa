//! Reports of the linter, one file a format.

mod json;
mod plain;
mod text;

pub use json::json;
pub use text::{Style, summary, text};
