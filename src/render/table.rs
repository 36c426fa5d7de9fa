//! Tables as kubectl prints them: no borders, three spaces between columns.

use comfy_table::{ContentArrangement, presets};

use super::paint::Paint;
use super::sanitise::sanitise;

/// Blanks after a column.
const GAP: u16 = 3;

/// Rows under headers. Cells are sanitised and aligned by the columns that they take on a
/// terminal; a colour ends with its text, and no line ends with blanks.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<Cell>>,
    paint: Paint,
}

#[derive(Debug)]
struct Cell {
    text: String,
    tone: Tone,
}

/// What a cell means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// A heading.
    Heading,
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
        let mut table = Self { rows: vec![], paint };
        table.toned(headers.iter().map(|text| (text, Tone::Heading)));
        table
    }

    /// Adds a row of plain cells.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.toned(cells.into_iter().map(|cell| (cell, Tone::Plain)));
    }

    /// Adds a row of cells with what they mean; an empty one is shown as a dash.
    pub fn toned<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = (T, Tone)>) {
        let cell = |(text, tone): (T, Tone)| match sanitise(text.as_ref()).trim() {
            "" => Cell { text: "-".to_owned(), tone: Tone::Plain },
            text => Cell { text: text.to_owned(), tone },
        };
        self.rows.push(cells.into_iter().map(cell).collect());
    }

    /// The table as text.
    ///
    /// It is laid out without colours, which would fill a cell to its column's end.
    pub fn render(self) -> String {
        let mut layout = comfy_table::Table::new();
        layout.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        layout.add_rows(self.rows.iter().map(|row| row.iter().map(|cell| &cell.text)));
        for column in layout.column_iter_mut() {
            column.set_padding((0, GAP));
        }
        let mut text = String::new();
        for (line, row) in layout.lines().zip(&self.rows) {
            let mut rest = line.trim_end();
            for cell in row {
                text.push_str(&self.coloured(cell));
                rest = rest.strip_prefix(cell.text.as_str()).unwrap_or(rest);
                let next = rest.trim_start();
                text.push_str(&rest[..rest.len() - next.len()]);
                rest = next;
            }
            text.push('\n');
        }
        text
    }

    fn coloured(&self, cell: &Cell) -> String {
        let (text, paint) = (&cell.text, self.paint);
        match cell.tone {
            Tone::Plain => text.clone(),
            Tone::Heading => paint.strong(text).to_string(),
            Tone::Good => paint.good(text).to_string(),
            Tone::Bad => paint.bad(text).to_string(),
            Tone::Odd => paint.odd(text).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(paint: Paint) -> String {
        let mut table = Table::new(&["NAME", "STATE", "WHY"], paint);
        table.toned([("a", Tone::Plain), ("True", Tone::Good), ("", Tone::Odd)]);
        table.toned([("你好", Tone::Plain), ("no", Tone::Bad), ("long enough ", Tone::Odd)]);
        table.row(["é\u{301}x", "\u{1b}[31m", ""]);
        table.render()
    }

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        assert_eq!(
            table(Paint::new(false)),
            "NAME   STATE   WHY\na      True    -\n你好   no      long enough\né\u{301}x     \u{fffd}[31m   -\n"
        );
    }

    #[test]
    fn no_line_ends_in_blanks_and_colours_take_no_room() {
        let coloured = table(Paint::new(true));
        assert!(coloured.contains("\u{1b}[32mTrue\u{1b}[0m    -\n"), "{coloured:?}");
        let mut plain = coloured.clone();
        while let Some(start) = plain.find("\u{1b}[") {
            let end = start + plain[start..].find('m').unwrap();
            plain.replace_range(start..=end, "");
        }
        assert_eq!(plain, table(Paint::new(false)));
        for line in coloured.lines().chain(plain.lines()) {
            assert!(!line.replace("\u{1b}[0m", "").ends_with(' '), "{line:?}");
        }
    }
}
