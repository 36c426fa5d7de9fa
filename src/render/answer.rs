//! The contract of an answer: one method per output format. The writer in `cli::output` is the
//! only code that picks one of them by [`Format`].

use serde::Serialize;

use super::format::{COMMON_FORMATS, Format};
use super::table::Grid;
use super::text_options::TextOptions;

/// The result of a command, in every format that makes sense for it.
pub trait Answer {
    /// The formats that it offers in addition to [`COMMON_FORMATS`].
    const MORE_FORMATS: &'static [Format] = &[];

    /// Returns whether it can be written in a format.
    fn offers(format: Format) -> bool {
        COMMON_FORMATS.contains(&format) || Self::MORE_FORMATS.contains(&format)
    }

    /// Returns the text for people.
    fn text(&self, options: TextOptions) -> String;

    /// Returns the text for people in pieces of whole lines, if it can be long.
    fn pieces(&self, options: TextOptions) -> impl Iterator<Item = String> {
        std::iter::once(self.text(options))
    }

    /// Returns the JSON document.
    fn json(&self) -> impl Serialize;

    /// Returns one JSON document per part, or the whole if it has no parts.
    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        [self.json()]
    }

    /// Returns the names of its parts, as other commands take them.
    fn names(&self) -> impl IntoIterator<Item = String> {
        std::iter::empty()
    }

    /// Returns its rows, if it is a table.
    fn table(&self, _: TextOptions) -> Option<Grid> {
        None
    }

    fn csv(&self) -> Option<String> {
        self.table(TextOptions::data()).map(|table| table.csv())
    }

    fn markdown(&self) -> Option<String> {
        self.table(TextOptions::data()).map(|table| table.markdown())
    }

    fn sql(&self) -> Option<String> {
        None
    }

    fn mermaid(&self) -> Option<String> {
        None
    }

    fn dot(&self) -> Option<String> {
        None
    }

    fn svg(&self) -> Option<String> {
        None
    }

    fn sarif(&self) -> Option<String> {
        None
    }

    fn junit(&self) -> Option<String> {
        None
    }

    fn github(&self) -> Option<String> {
        None
    }

    fn openmetrics(&self) -> Option<String> {
        None
    }
}
