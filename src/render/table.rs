//! Tables as kubectl prints them: no borders, three spaces between columns.

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, ContentArrangement, Width, presets};
use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator};

use super::{TextOptions, sanitise};

/// Blanks after a column.
const GAP: u16 = 3;

/// No column is made narrower.
const NARROWEST: usize = 14;

/// Rows that are laid out at once: a laid-out cell takes several times the room of its text.
const AT_ONCE: usize = 1_024;

/// A row for each item, as wide as the page: cells break at spaces; where that is not enough, long
/// names break after a slash, a dot or a dash. Text is sanitised; an empty cell is a dash.
#[derive(Debug)]
pub(super) struct Table<'a, T> {
    items: &'a [T],
    /// The headers, if the page has any, and a row for each item.
    rows: Vec<Vec<(String, Tone)>>,
    page: TextOptions,
}

/// What a cell means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
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

impl<'a, T> Table<'a, T> {
    /// A table of these items, without columns yet.
    pub(super) fn new(items: &'a [T], page: TextOptions) -> Self {
        let rows = vec![vec![]; items.len() + usize::from(page.headers)];
        Self { items, rows, page }
    }

    /// Adds a column: its header, and its cell for each item with what that means.
    pub(super) fn toned<S: AsRef<str>>(
        mut self,
        header: &str,
        mut cell: impl FnMut(&'a T) -> (S, Tone),
    ) -> Self {
        let sanitised = |text: &str, tone| match sanitise(text).trim() {
            "" => ("-".to_owned(), Tone::Plain),
            text => (text.to_owned(), tone),
        };
        let header = self.page.headers.then(|| sanitised(header, Tone::Heading));
        let cells = self.items.iter().map(|item| {
            let (text, tone) = cell(item);
            sanitised(text.as_ref(), tone)
        });
        for (row, cell) in self.rows.iter_mut().zip(header.into_iter().chain(cells)) {
            row.push(cell);
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

    /// Adds a column of plain cells where it is to be shown.
    pub(super) fn column_if<S: AsRef<str>>(
        self,
        shown: bool,
        header: &str,
        cell: impl FnMut(&'a T) -> S,
    ) -> Self {
        if shown { self.column(header, cell) } else { self }
    }

    /// Adds a column of plain cells that only a wide page has.
    pub(super) fn wide<S: AsRef<str>>(self, header: &str, cell: impl FnMut(&'a T) -> S) -> Self {
        let wide = self.page.wide;
        self.column_if(wide, header, cell)
    }

    /// The table as text, no line of which ends in blanks.
    pub(super) fn render(mut self) -> String {
        let mut layout = comfy_table::Table::new();
        layout.load_style(presets::NOTHING).style_text_only();
        if self.page.paint.is_on() {
            // Whether to colour was decided for this stream; the library would look at another.
            crossterm::style::force_color_output(true);
            layout.enforce_styling();
        } else {
            layout.force_no_tty();
        }
        match self.page.fit {
            Some(width) => {
                self.break_names(width);
                layout.set_width(u16::try_from(width).unwrap_or(u16::MAX).saturating_add(GAP));
                layout.set_content_arrangement(ContentArrangement::Dynamic);
            }
            None => {
                layout.set_content_arrangement(ContentArrangement::Disabled);
            }
        }
        // Where no line is broken, every piece of a long table has the columns of the whole.
        let (widths, at_once) = match self.page.fit {
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

    /// The longest piece of each column between separators, in columns of a terminal.
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

    /// Breaks long names until the longest words fit beside each other: those of the first column,
    /// by which people look rows up, last.
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

/// Where a name may be broken: after a blank, a slash, a comma, a dot or a dash.
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
