//! A page for people, as it is written.

use std::fmt::{Display, Write};

use super::layout::{hang, indented, paragraph};
use super::{TextOptions, sanitise};

/// Text that grows line by line, as wide as its page. Paragraphs are sanitised; lines, and what
/// stands before a paragraph, may be coloured and are taken as they are.
#[derive(Debug)]
pub(super) struct TextBuilder {
    pub(super) page: TextOptions,
    text: String,
}

impl TextBuilder {
    /// An empty one.
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

    /// Begins a section.
    pub(super) fn section(&mut self, title: &str) {
        let title = self.page.paint.strong(sanitise(title));
        self.line(format_args!("\n{title}"));
    }

    /// Adds a command behind what leads to it. It is never wrapped: it is there to be copied.
    pub(super) fn command(&mut self, before: impl Display, command: &str) {
        let command = self.page.paint.away(sanitise(command));
        self.line(format_args!("{before} {command}"));
    }

    /// Adds a paragraph: `first` before its first line, `rest` before the others.
    pub(super) fn paragraph(&mut self, first: impl Display, rest: &str, text: impl Display) {
        let (first, text) = (first.to_string(), text.to_string());
        self.text.push_str(&paragraph(&first, rest, &text, self.page.width));
    }

    /// Adds a label, and a text behind it whose further lines stand under its first.
    pub(super) fn hang(&mut self, label: impl Display, text: impl Display) {
        self.text.push_str(&hang(&label.to_string(), &text.to_string(), self.page.width));
    }

    /// Adds a text whose lines all begin `indent` columns from the left.
    pub(super) fn indented(&mut self, indent: usize, text: impl Display) {
        self.text.push_str(&indented(indent, &text.to_string(), self.page.width));
    }

    /// Adds what is laid out already.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Whether there is nothing on it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What it says.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}
