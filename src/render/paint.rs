//! Colors of one stream. Color never carries meaning alone; the words do too.

use std::fmt::Display;

use colored::{ColoredString, Colorize};

use kube_aggregation::model::Severity;

/// The colors of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Uses color if `on`.
    pub fn new(on: bool) -> Self {
        // The library would decide by standard output; this is decided per stream.
        colored::control::set_override(true);
        Self { on }
    }

    /// Returns whether it uses color.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// Paints something that works.
    pub fn good(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.green())
    }

    /// Paints something that does not work.
    pub fn bad(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.red())
    }

    /// Paints something to look at.
    pub fn odd(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.yellow())
    }

    /// Paints a command, or a request that leaves the chain.
    pub fn away(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.cyan())
    }

    /// Paints what the eye should find first.
    pub fn strong(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.bold())
    }

    /// Paints what the eye may skip.
    pub fn faint(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.dimmed())
    }

    /// Paints by severity.
    pub(super) fn severity(self, severity: Severity, text: impl Display) -> ColoredString {
        match severity {
            Severity::Error => self.bad(text),
            Severity::Warning => self.odd(text),
            Severity::Info => self.faint(text),
        }
    }

    fn apply(self, text: impl Display, style: fn(ColoredString) -> ColoredString) -> ColoredString {
        let text = ColoredString::from(text.to_string());
        if self.on { style(text) } else { text }
    }
}
