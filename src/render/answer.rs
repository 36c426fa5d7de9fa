//! What every answer can be written as. Which format is wanted is decided in one place, by whoever
//! holds the streams; an answer only knows how each of them looks.

use serde::Serialize;

use super::Paint;

/// How a page for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Colours.
    pub paint: Paint,
    /// Columns of prose.
    pub width: usize,
    /// Columns of tables; none in a pipe, where every row is one line.
    pub fit: Option<usize>,
    /// With more details.
    pub wide: bool,
    /// With nothing left out.
    pub verbose: bool,
    /// Tables begin with their headers.
    pub headers: bool,
}

impl TextOptions {
    /// A page of 80 columns, in a pipe.
    pub fn plain(paint: Paint) -> Self {
        Self { paint, width: 80, fit: None, wide: false, verbose: false, headers: true }
    }
}

/// An answer: for people, and as the JSON contract has it.
pub trait Answer {
    /// For people.
    fn text(&self, page: TextOptions) -> String;

    /// The same in pieces of whole lines, where it can be long.
    fn pieces(&self, page: TextOptions) -> impl Iterator<Item = String> {
        std::iter::once(self.text(page))
    }

    /// One document.
    fn json(&self) -> impl Serialize;

    /// One document for each of its parts; the whole where it has none.
    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        [self.json()]
    }

    /// The names of its parts, for other commands; none where they have none.
    fn names(&self) -> impl IntoIterator<Item = String> {
        std::iter::empty()
    }
}
