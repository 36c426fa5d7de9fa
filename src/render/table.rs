//! Tables: as text like kubectl's, as CSV and as Markdown.

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, ContentArrangement, Width, presets};
use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator};

use super::csv::csv;
use super::markdown::{self, escape};
use super::sanitize::sanitize;
use super::text_options::TextOptions;

/// Spaces between columns.
const GAP: u16 = 3;

/// The narrowest column that names are broken for.
const NARROWEST: usize = 14;

/// How many rows are laid out at once: a laid-out cell takes several times the memory of its text.
const AT_ONCE: usize = 1_024;

/// Builds a [`Grid`] with one row per item, column by column.
#[derive(Debug)]
pub(super) struct Table<'a, T> {
    items: &'a [T],
    grid: Grid,
}

/// Rows of sanitized cells.
#[derive(Debug)]
pub struct Grid {
    headers: Vec<String>,
    rows: Vec<Vec<(String, Tone)>>,
    options: TextOptions,
}

/// The meaning of a cell, shown as color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Heading,
    Good,
    Bad,
    Odd,
}

impl<'a, T> Table<'a, T> {
    /// Returns a table of these items, without columns.
    pub(super) fn new(items: &'a [T], options: TextOptions) -> Self {
        let rows = vec![vec![]; items.len()];
        Self { items, grid: Grid { headers: vec![], rows, options } }
    }

    /// Adds a column: its header, and each item's cell with its tone.
    pub(super) fn toned<S: AsRef<str>>(
        mut self,
        header: &str,
        mut cell: impl FnMut(&'a T) -> (S, Tone),
    ) -> Self {
        self.grid.headers.push(header.to_owned());
        for (row, item) in self.grid.rows.iter_mut().zip(self.items) {
            let (text, tone) = cell(item);
            row.push((sanitize(text.as_ref()).trim().to_owned(), tone));
        }
        self
    }

    /// Adds a column of plain cells.
    pub(super) fn column<S: AsRef<str>>(
        self,
        header: &str,
        mut cell: impl FnMut(&'a T) -> S,
    ) -> Self {
        self.toned(header, |item| (cell(item), Tone::Plain))
    }

    /// Adds a column with the number of each row.
    pub(super) fn numbered(self) -> Self {
        let mut number = 0;
        self.column("#", |_| {
            number += 1;
            number.to_string()
        })
    }

    /// Adds a column of plain cells if it is to be shown.
    pub(super) fn column_if<S: AsRef<str>>(
        self,
        shown: bool,
        header: &str,
        cell: impl FnMut(&'a T) -> S,
    ) -> Self {
        if shown { self.column(header, cell) } else { self }
    }

    /// Adds a column of plain cells for `-o wide`.
    pub(super) fn wide<S: AsRef<str>>(self, header: &str, cell: impl FnMut(&'a T) -> S) -> Self {
        let wide = self.grid.options.wide;
        self.column_if(wide, header, cell)
    }

    /// Returns the finished rows.
    pub(super) fn grid(self) -> Grid {
        self.grid
    }

    /// Returns the table as text.
    pub(super) fn render(self) -> String {
        self.grid.text()
    }
}

impl Grid {
    /// Returns CSV. Headers become names of columns: `leads_to`.
    pub(super) fn csv(self) -> String {
        let name = |header: &String| match header.as_str() {
            "#" => "number".to_owned(),
            header => header.to_lowercase().replace([' ', '-'], "_"),
        };
        let cells = |row: Vec<(String, Tone)>| row.into_iter().map(|(text, _)| text);
        csv(self.headers.iter().map(name), self.rows.into_iter().map(cells))
    }

    /// Returns a Markdown table.
    pub(super) fn markdown(self) -> String {
        let headers: Vec<String> = self.headers.iter().map(|one| one.to_lowercase()).collect();
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let cells = |row: Vec<(String, Tone)>| row.into_iter().map(|(text, _)| escape(&text));
        markdown::table(&headers, self.rows.into_iter().map(cells))
    }

    /// Returns text in columns. On a terminal, cells break at spaces; if that is not enough, long
    /// names break after a slash, a dot or a dash. An empty cell is a dash. No line ends in blanks.
    pub(super) fn text(mut self) -> String {
        let empty = self.rows.iter_mut().flatten().filter(|(text, _)| text.is_empty());
        empty.for_each(|cell| *cell = ("-".to_owned(), Tone::Plain));
        if self.options.headers {
            let headers = std::mem::take(&mut self.headers);
            self.rows.insert(0, headers.into_iter().map(|one| (one, Tone::Heading)).collect());
        }
        let mut layout = comfy_table::Table::new();
        layout.load_style(presets::NOTHING).style_text_only();
        if self.options.paint.is_on() {
            // The library would look at another stream to decide about color.
            crossterm::style::force_color_output(true);
            layout.enforce_styling();
        } else {
            layout.force_no_tty();
        }
        match self.options.fit {
            Some(width) => {
                self.break_names(width);
                layout.set_width(u16::try_from(width).unwrap_or(u16::MAX).saturating_add(GAP));
                layout.set_content_arrangement(ContentArrangement::Dynamic);
            }
            None => {
                layout.set_content_arrangement(ContentArrangement::Disabled);
            }
        }
        // If no cell is wrapped, the widths of all rows are known, and rows can be laid out in
        // chunks.
        let (widths, at_once) = match self.options.fit {
            Some(_) => (self.longest(&[' ', '\n']), usize::MAX),
            None => (self.longest(&['\n']), AT_ONCE),
        };
        let mut text = String::new();
        for rows in self.rows.chunks(at_once) {
            let mut layout = layout.clone();
            layout.add_rows(rows.iter().map(|row| row.iter().map(cell)));
            for (column, width) in layout.column_iter_mut().zip(&widths) {
                column.set_padding((0, GAP));
                let least = u16::try_from(*width).unwrap_or(u16::MAX).saturating_add(GAP);
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            }
            text.push_str(&layout.trim_fmt());
            text.push('\n');
        }
        text
    }

    /// Returns the widest piece between separators of each column.
    fn longest(&self, separators: &[char]) -> Vec<usize> {
        let mut longest = vec![];
        for row in &self.rows {
            longest.resize(longest.len().max(row.len()), 0);
            for ((text, _), longest) in row.iter().zip(&mut longest) {
                let piece = text.split(separators).map(display_width).max().unwrap_or(0);
                *longest = piece.max(*longest);
            }
        }
        longest
    }

    /// Breaks long names until the longest words of all columns fit. Breaks the first column last,
    /// because users look up rows by it.
    fn break_names(&mut self, width: usize) {
        let words = self.longest(&[' ', '\n']);
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|i| (*i == 0, std::cmp::Reverse(words.get(*i).copied())));
        for column in order {
            let words = self.longest(&[' ', '\n']);
            let gaps = usize::from(GAP) * words.len().saturating_sub(1);
            let needed = words.iter().sum::<usize>() + gaps;
            let Some(longest) = words.get(column).filter(|_| needed > width) else { return };
            let room = longest.saturating_sub(needed - width).max(NARROWEST);
            let separator = WordSeparator::Custom(pieces);
            let options = Options::new(room).break_words(false).word_separator(separator);
            for (text, _) in self.rows.iter_mut().filter_map(|row| row.get_mut(column)) {
                if text.split(' ').any(|word| display_width(word) > room) {
                    *text = textwrap::fill(text, &options);
                }
            }
        }
    }
}

/// Splits a line where a name may be broken: after a space, a slash, a comma, a dot or a dash.
fn pieces(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    Box::new(line.split_inclusive([' ', '/', ',', '.', '-']).map(Word::from))
}

fn cell((text, tone): &(String, Tone)) -> Cell {
    let cell = Cell::new(text);
    match tone {
        Tone::Plain => cell,
        Tone::Heading => cell.add_attribute(Attribute::Bold),
        Tone::Good => cell.fg(Color::DarkGreen),
        Tone::Bad => cell.fg(Color::DarkRed),
        Tone::Odd => cell.fg(Color::DarkYellow),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Paint;
    use super::*;

    fn table(paint: Paint, fit: Option<usize>) -> String {
        let rows = [
            ("a", ("True", Tone::Good), ""),
            ("你好", ("no", Tone::Bad), "long enough "),
            ("é\u{301}x", ("\u{1b}[31m", Tone::Plain), ""),
        ];
        Table::new(&rows, TextOptions { fit, ..TextOptions::plain(paint) })
            .column("NAME", |row| row.0)
            .toned("STATE", |row| row.1)
            .toned("WHY", |row| (row.2, Tone::Odd))
            .render()
    }

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        assert_eq!(
            table(Paint::new(false), None),
            "NAME   STATE   WHY\na      True    -\n你好   no      long enough\né\u{301}x     \u{fffd}[31m   -\n"
        );
    }

    #[test]
    fn cells_break_between_words() {
        assert_eq!(
            table(Paint::new(false), Some(22)),
            "NAME   STATE   WHY\na      True    -\n你好   no      long\n               enough\né\u{301}x     \u{fffd}[31m   -\n"
        );
        let page = TextOptions { fit: Some(40), ..TextOptions::plain(Paint::new(false)) };
        let rows = [("a-name-that-is-whole", "kube-system/metrics-server")];
        let long = Table::new(&rows, page).column("A", |row| row.0).column("B", |row| row.1);
        assert_eq!(
            long.render(),
            "A                      B\na-name-that-is-whole   kube-system/\n                       metrics-server\n"
        );
    }

    #[test]
    fn the_pieces_of_a_long_table_have_the_same_columns() {
        let rows: Vec<String> = (0..=AT_ONCE * 2).map(|row| "x".repeat(row % 40 + 1)).collect();
        let table = Table::new(&rows, TextOptions::plain(Paint::new(false)));
        let text = table.column("NAME", |row| row).column("END", |_| ".").render();
        assert_eq!(text.lines().count(), rows.len() + 1);
        for line in text.lines().skip(1) {
            assert_eq!(line.find('.'), Some(43), "{line:?}");
        }
    }

    #[test]
    fn no_line_ends_in_blanks_and_colours_take_no_room() {
        let coloured = table(Paint::new(true), None);
        assert!(coloured.contains("True\u{1b}[39m    -\n"), "{coloured:?}");
        let mut plain = coloured.clone();
        while let Some(start) = plain.find("\u{1b}[") {
            let end = start + plain[start..].find('m').unwrap();
            plain.replace_range(start..=end, "");
        }
        assert_eq!(plain, table(Paint::new(false), None));
        for line in coloured.lines().chain(plain.lines()) {
            assert!(!line.ends_with(' '), "{line:?}");
        }
    }
}
