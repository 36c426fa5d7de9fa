//! Colour, for one stream at a time. Every meaning that it carries is also in words.

use std::fmt::Display;

use colored::{ColoredString, Colorize};

use kube_aggregation::model::Severity;

/// Whether and how a stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colours if `on`. The decision was made once, for this stream.
    pub fn new(on: bool) -> Self {
        // The library's own idea looks at standard output only; ours replaces it.
        colored::control::set_override(true);
        Self { on }
    }

    /// Whether it colours.
    pub fn is_on(self) -> bool {
        self.on
    }

    /// Something that works.
    pub fn good(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.green())
    }

    /// Something that does not.
    pub fn bad(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.red())
    }

    /// Something to look at.
    pub fn odd(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.yellow())
    }

    /// Something that leads elsewhere.
    pub fn away(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.cyan())
    }

    /// What the eye should find first.
    pub fn strong(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.bold())
    }

    /// What the eye may skip.
    pub fn faint(self, text: impl Display) -> ColoredString {
        self.apply(text, |s| s.dimmed())
    }

    /// Something as bad as that.
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
