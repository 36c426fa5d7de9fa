mod json;
pub use json::*;
