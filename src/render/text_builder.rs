//! Builds text for people line by line.

use std::fmt::{Display, Write};

use super::layout::{hang, indented, paragraph};
use super::{TextOptions, sanitize};

/// Text that grows line by line. Paragraphs are sanitized. Lines, and what precedes a paragraph,
/// may be colored and are taken as they are.
#[derive(Debug)]
pub(super) struct TextBuilder {
    pub(super) page: TextOptions,
    text: String,
}

impl TextBuilder {
    pub(super) fn new(page: TextOptions) -> Self {
        Self { page, text: String::new() }
    }

    /// Adds a line, which is never wrapped.
    pub(super) fn line(&mut self, line: impl Display) {
        // Writing into memory cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// Adds an empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Adds an empty line between two parts.
    pub(super) fn gap_unless_empty(&mut self) {
        if !self.text.is_empty() {
            self.gap();
        }
    }

    /// Begins a section.
    pub(super) fn section(&mut self, title: &str) {
        let title = self.page.paint.strong(sanitize(title));
        self.line(format_args!("\n{title}"));
    }

    /// Adds a command behind its label. It is never wrapped, so that it can be copied.
    pub(super) fn command(&mut self, before: impl Display, command: &str) {
        let command = self.page.paint.away(sanitize(command));
        self.line(format_args!("{before} {command}"));
    }

    /// Adds a paragraph: `first` before its first line, `rest` before the others.
    pub(super) fn paragraph(&mut self, first: impl Display, rest: &str, text: impl Display) {
        let (first, text) = (first.to_string(), text.to_string());
        self.text.push_str(&paragraph(&first, rest, &text, self.page.width));
    }

    /// Adds a text behind a label. Its other lines are aligned with the first.
    pub(super) fn hang(&mut self, label: impl Display, text: impl Display) {
        self.text.push_str(&hang(&label.to_string(), &text.to_string(), self.page.width));
    }

    /// Adds a text with all lines indented.
    pub(super) fn indented(&mut self, indent: usize, text: impl Display) {
        self.text.push_str(&indented(indent, &text.to_string(), self.page.width));
    }

    /// Adds text that is already laid out.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns the text.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}
