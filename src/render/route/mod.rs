mod text;
pub use text::*;
