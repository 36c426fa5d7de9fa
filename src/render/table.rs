//! Tables as kubectl prints them: no borders, three spaces between columns.

use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement};

use super::paint::Paint;
use super::sanitise::sanitise;

/// Rows under headers. Cells are sanitised; a colour never changes the width of one.
#[derive(Debug)]
pub struct Table {
    inner: comfy_table::Table,
    paint: Paint,
    columns: usize,
}

/// What a cell means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// Works.
    Good,
    /// Does not work.
    Bad,
    /// To look at.
    Odd,
}

impl Table {
    /// A table with these headers.
    pub fn new(headers: &[&str], paint: Paint) -> Self {
        let mut inner = comfy_table::Table::new();
        inner.load_style(comfy_table::presets::NOTHING);
        inner.set_content_arrangement(ContentArrangement::Disabled);
        if paint.is_on() {
            inner.enforce_styling();
        }
        let header = headers.iter().map(|text| {
            let cell = Cell::new(text);
            if paint.is_on() { cell.add_attribute(Attribute::Bold) } else { cell }
        });
        inner.set_header(header);
        Self { inner, paint, columns: headers.len() }
    }

    /// Adds a row of plain cells.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.toned(cells.into_iter().map(|cell| (cell, Tone::Plain)));
    }

    /// Adds a row of cells with what they mean.
    pub fn toned<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = (T, Tone)>) {
        let paint = self.paint;
        let cells = cells.into_iter().map(|(text, tone)| {
            let text = text.as_ref();
            let cell = Cell::new(if text.is_empty() { "-".into() } else { sanitise(text) });
            match tone {
                _ if !paint.is_on() || text.is_empty() => cell,
                Tone::Plain => cell,
                Tone::Good => cell.fg(Color::Green),
                Tone::Bad => cell.fg(Color::Red),
                Tone::Odd => cell.fg(Color::Yellow),
            }
        });
        self.inner.add_row(cells);
    }

    /// The table as text, without blanks at the ends of lines.
    pub fn render(mut self) -> String {
        for index in 0..self.columns {
            if let Some(column) = self.inner.column_mut(index) {
                column.set_padding((0, 3));
                column.set_cell_alignment(CellAlignment::Left);
            }
        }
        let mut text = String::new();
        for line in self.inner.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
