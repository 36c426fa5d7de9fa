//! How text for people is laid out: width, color, and how much detail.

use super::paint::Paint;

/// How text for people is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    pub paint: Paint,
    /// Columns of prose.
    pub width: usize,
    /// Columns of tables; `None` in a pipe, where each row stays on one line.
    pub fit: Option<usize>,
    /// Whether to add details (`-o wide`).
    pub wide: bool,
    /// Whether to show everything (`-v`).
    pub verbose: bool,
    /// Whether tables begin with their headers.
    pub headers: bool,
}

impl TextOptions {
    /// Returns the options for 80 columns in a pipe.
    pub fn plain(paint: Paint) -> Self {
        Self { paint, width: 80, fit: None, wide: false, verbose: false, headers: true }
    }

    /// Returns the options for a table that is data: every column, with headers.
    pub(super) fn data() -> Self {
        Self { wide: true, verbose: true, ..Self::plain(Paint::new(false)) }
    }
}
