//! What differs between two sources: for people, for programs, for a pull request.

mod fields;
mod json;
mod markdown;
mod summary;
mod text;

pub use json::{diff_json, difference_lines};
pub use markdown::diff_markdown;
pub use text::diff_text;
