//! Tables: as text like kubectl's, as CSV and as Markdown.

use comfy_table::{ColumnConstraint, ContentArrangement, Width, presets};
use unicode_width::UnicodeWidthStr;

use super::Paint;
use super::csv::csv;
use super::layout::paragraph;
use super::markdown::{self, escape};
use super::sanitize::sanitize;
use super::text_options::TextOptions;

/// Spaces between columns.
const GAP: usize = 3;

/// The most bytes in a cell of a table, and so its widest. comfy-table counts columns in `u16`.
const WIDEST: usize = 60_000;

/// How many rows are laid out at a time, which bounds the memory that long tables need.
const ROWS: usize = 1_000;

/// The narrowest column that a list of words is shortened to.
const NARROWEST: usize = 12;

/// Builds a [`Grid`] with one row per item, column by column.
#[derive(Debug)]
pub(super) struct Table<'a, T> {
    items: &'a [T],
    grid: Grid,
}

/// Rows of sanitized cells.
#[derive(Debug)]
pub struct Grid {
    columns: Vec<Column>,
    rows: Vec<Vec<(String, Tone)>>,
    options: TextOptions,
}

/// A column: its header, and what happens to it on a narrow terminal.
#[derive(Debug)]
struct Column {
    header: String,
    narrow: Narrow,
}

/// What happens to a column on a narrow terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Narrow {
    /// It stays as it is, because users copy what is in it.
    Keep,
    /// Its cells end after the last word that fits.
    Shorten,
    /// Its cells continue on the next lines. Only for the last column.
    Wrap,
    /// It is left out.
    Drop,
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
        Self { items, grid: Grid { columns: vec![], rows, options } }
    }

    /// Adds a column: its header, and each item's cell with its tone.
    pub(super) fn toned<S: AsRef<str>>(
        mut self,
        header: &str,
        mut cell: impl FnMut(&'a T) -> (S, Tone),
    ) -> Self {
        self.grid.columns.push(Column { header: header.to_owned(), narrow: Narrow::Keep });
        for (index, item) in self.items.iter().enumerate() {
            let (text, tone) = cell(item);
            self.grid.add_cell(index, text.as_ref(), tone);
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

    /// Leaves the last column out on a terminal that is too narrow for all of them.
    pub(super) fn droppable(self) -> Self {
        self.when_narrow(Narrow::Drop)
    }

    /// Like [`droppable`](Self::droppable), if the last column was added.
    pub(super) fn droppable_if(self, added: bool) -> Self {
        if added { self.droppable() } else { self }
    }

    /// Shortens the cells of the last column, which are words, on a terminal that is too narrow.
    pub(super) fn shortened(self) -> Self {
        self.when_narrow(Narrow::Shorten)
    }

    /// Wraps the cells of the last column, which are sentences, on a terminal that is too narrow.
    pub(super) fn wrapped(self) -> Self {
        self.when_narrow(Narrow::Wrap)
    }

    fn when_narrow(mut self, narrow: Narrow) -> Self {
        if let Some(last) = self.grid.columns.last_mut() {
            last.narrow = narrow;
        }
        self
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
    /// Appends a cell to a row.
    fn add_cell(&mut self, row: usize, text: &str, tone: Tone) {
        if let Some(row) = self.rows.get_mut(row) {
            row.push((sanitize(text).trim().to_owned(), tone));
        }
    }

    /// Returns CSV. Headers become names of columns: `served_by`.
    pub(super) fn csv(self) -> String {
        let name = |column: &Column| match column.header.as_str() {
            "#" => "number".to_owned(),
            header => header.to_lowercase().replace([' ', '-'], "_"),
        };
        let cells = |row: Vec<(String, Tone)>| row.into_iter().map(|(text, _)| text);
        csv(self.columns.iter().map(name), self.rows.into_iter().map(cells))
    }

    /// Returns a Markdown table.
    pub(super) fn markdown(self) -> String {
        let headers: Vec<String> =
            self.columns.iter().map(|one| one.header.to_lowercase()).collect();
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let cells = |row: Vec<(String, Tone)>| row.into_iter().map(|(text, _)| escape(&text));
        markdown::table(&headers, self.rows.into_iter().map(cells))
    }

    /// Returns text in columns, one line per row, as kubectl prints tables. A terminal that is too
    /// narrow loses columns, from the last, and words of columns that may be shortened. `-o wide`
    /// keeps everything. An empty cell is a dash. No line ends in blanks.
    pub(super) fn text(mut self) -> String {
        for cell in self.rows.iter_mut().flatten() {
            if cell.0.is_empty() {
                *cell = ("-".to_owned(), Tone::Plain);
            } else if cell.0.len() > WIDEST {
                cell.0 = cell.0.chars().take(WIDEST / 2).chain(['…']).collect();
            }
        }
        if let Some(width) = self.options.fit.filter(|_| !self.options.wide) {
            self.narrow_down(width);
        }
        let mut widths = self.widths();
        if let Some(width) = self.options.fit.filter(|_| !self.options.wide) {
            self.let_long_rows_stick_out(&mut widths, width);
        }
        let heading = self.columns.iter().map(|one| (one.header.clone(), Tone::Heading)).collect();
        if self.options.headers {
            self.rows.insert(0, heading);
        }
        let fits = |row: &Vec<(String, Tone)>| {
            row.iter().zip(&widths).all(|((text, _), width)| text.width() <= *width)
        };
        let runs = self.rows.chunk_by(|one, next| fits(one) && fits(next));
        let mut text = String::new();
        for rows in runs.flat_map(|run| run.chunks(ROWS)) {
            for (row, line) in rows.iter().zip(laid_out(rows, &widths).lines()) {
                push_painted(&mut text, row, &line, self.options.paint);
            }
        }
        text
    }

    /// Narrows the widest column as far as it leaves the fewest rows out of line or too long for a
    /// terminal. A table that stays too wide for many rows keeps its columns aligned.
    fn let_long_rows_stick_out(&self, widths: &mut [usize], width: usize) {
        let wide = widths.iter().copied().enumerate().rev().skip(1).max_by_key(|(_, w)| *w);
        let Some((index, widest)) = wide.filter(|_| over(widths, width) > 0) else { return };
        let last = widths.len() - 1;
        let others: usize =
            widths.iter().take(last).map(|width| width + GAP).sum::<usize>() - widest;
        let cell = |row: &[(String, Tone)], index| -> usize {
            row.get(index).map_or(0, |(text, _): &(String, Tone)| text.width())
        };
        let rows: Vec<(usize, usize)> =
            self.rows.iter().map(|row| (cell(row, index), others + cell(row, last))).collect();
        let bad = |narrow: usize| {
            rows.iter().filter(|(cell, rest)| *cell > narrow || narrow + rest > width).count()
        };
        let header = self.columns.get(index).map_or(0, |one| one.header.width());
        let narrower = (header..widest.min(width)).rev();
        let narrow = narrower.chain([widest]).min_by_key(|one| bad(*one));
        let narrow = narrow.filter(|one| bad(*one) * 4 <= rows.len());
        if let (Some(column), Some(narrow)) = (widths.get_mut(index), narrow) {
            *column = narrow;
        }
    }

    /// Returns the width of each column.
    fn widths(&self) -> Vec<usize> {
        let headers = self.options.headers;
        let header = |one: &Column| if headers { one.header.width() } else { 0 };
        let mut widths: Vec<usize> = self.columns.iter().map(header).collect();
        for row in &self.rows {
            for ((text, _), width) in row.iter().zip(&mut widths) {
                *width = text.width().max(*width);
            }
        }
        widths
    }

    /// Returns whether the terminal is too narrow for the columns that it has to show.
    pub(super) fn is_too_wide(&self) -> bool {
        let widths = self.widths().into_iter().zip(&self.columns);
        let kept = widths.filter(|(_, column)| column.narrow != Narrow::Drop);
        let kept: Vec<usize> = kept.map(|(width, _)| width).collect();
        let fit = self.options.fit.filter(|_| !self.options.wide);
        fit.is_some_and(|width| over(&kept, width) > 0)
    }

    /// Returns how much wider the rows are than a terminal, with the cells that may be shortened
    /// at their shortest.
    fn excess(&self, width: usize) -> usize {
        let mut widths = self.widths();
        for (index, column) in self.columns.iter().enumerate() {
            let cells = self.rows.iter().filter_map(|row| row.get(index));
            let shortest = cells.map(|(text, _)| shorten(text, 0).width()).max();
            let header = column.header.width();
            let shortest = shortest.unwrap_or(0).max(header).max(NARROWEST);
            let narrows = matches!(column.narrow, Narrow::Shorten | Narrow::Wrap);
            if let Some(width) = widths.get_mut(index).filter(|_| narrows) {
                *width = shortest.min(*width);
            }
        }
        over(&widths, width)
    }

    /// Drops and shortens columns until the rows fit, or nothing more can go.
    fn narrow_down(&mut self, width: usize) {
        while self.excess(width) > 0 {
            let last = self.columns.iter().rposition(|one| one.narrow == Narrow::Drop);
            let Some(index) = last else { break };
            self.columns.remove(index);
            self.rows.iter_mut().for_each(|row| drop(row.remove(index)));
        }
        let mut widths = self.widths();
        for index in (0..self.columns.len()).rev() {
            let too_wide = over(&widths, width);
            let narrow = self.columns.get(index).map(|column| column.narrow);
            if narrow != Some(Narrow::Shorten) || too_wide == 0 {
                continue;
            }
            let whole = widths.get(index).copied().unwrap_or_default();
            let room = whole.saturating_sub(too_wide).max(NARROWEST.min(whole));
            for (text, _) in self.rows.iter_mut().filter_map(|row| row.get_mut(index)) {
                *text = shorten(text, room);
            }
            widths = self.widths();
        }
        let wraps = self.columns.last().is_some_and(|column| column.narrow == Narrow::Wrap);
        let too_wide = over(&widths, width);
        if let Some(last) = widths.last().filter(|_| wraps && too_wide > 0) {
            self.wrap_last(last.saturating_sub(too_wide));
        }
    }

    /// Continues the cells of the last column in rows of their own.
    fn wrap_last(&mut self, room: usize) {
        for mut row in std::mem::take(&mut self.rows) {
            let Some((text, tone)) = row.pop() else { continue };
            let blanks = vec![(String::new(), Tone::Plain); row.len()];
            for line in paragraph("", "", &text, room).lines() {
                row.push((line.to_owned(), tone));
                self.rows.push(std::mem::replace(&mut row, blanks.clone()));
            }
        }
    }
}

/// Returns how much wider columns are than a terminal.
fn over(widths: &[usize], width: usize) -> usize {
    let needed = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    needed.saturating_sub(width)
}

/// Lays rows out in columns of at least these widths, one line per row.
fn laid_out(rows: &[Vec<(String, Tone)>], widths: &[usize]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.add_rows(rows.iter().map(|row| row.iter().map(|(text, _)| text)));
    for (column, width) in table.column_iter_mut().zip(widths) {
        let width = u16::try_from(width + GAP).unwrap_or(u16::MAX);
        column.set_padding((0, GAP as u16));
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
    }
    table
}

/// Adds a line of a table, with the cells of its row in color. Colors are added last, because a
/// style of comfy-table colors the blanks behind a cell, too.
fn push_painted(text: &mut String, row: &[(String, Tone)], line: &str, paint: Paint) {
    let mut rest = line;
    for (cell, tone) in row {
        let Some((blanks, after)) = rest.split_once(cell.as_str()) else { break };
        text.push_str(blanks);
        match tone {
            Tone::Plain => text.push_str(cell),
            Tone::Heading => text.push_str(&paint.strong(cell).to_string()),
            Tone::Good => text.push_str(&paint.good(cell).to_string()),
            Tone::Bad => text.push_str(&paint.bad(cell).to_string()),
            Tone::Odd => text.push_str(&paint.odd(cell).to_string()),
        }
        rest = after;
    }
    text.push_str(rest.trim_end());
    text.push('\n');
}

/// Returns the words of a text that fit, and `…` if some do not. The first word always stays whole,
/// because a part of a name can be neither copied nor searched.
fn shorten(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        let more = if short.is_empty() { word.to_owned() } else { format!("{short} {word}") };
        if !short.is_empty() && more.as_str().width() + 2 > room {
            return format!("{} …", short.trim_end_matches([',', ';', ':']));
        }
        short = more;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::Paint;
    use super::*;

    fn table(paint: Paint, fit: Option<usize>) -> String {
        let rows = [
            ("a", ("True", Tone::Good), ""),
            ("你好", ("no", Tone::Bad), "long enough, for sure "),
            ("é\u{301}x", ("\u{1b}[31m", Tone::Plain), ""),
        ];
        Table::new(&rows, TextOptions { fit, ..TextOptions::plain(paint) })
            .column("NAME", |row| row.0)
            .toned("STATE", |row| row.1)
            .toned("WHY", |row| (row.2, Tone::Odd))
            .shortened()
            .render()
    }

    #[test]
    fn columns_are_as_wide_as_a_terminal_shows_them() {
        assert_eq!(
            table(Paint::new(false), None),
            "NAME   STATE   WHY\na      True    -\n你好   no      long enough, for sure\né\u{301}x     \u{fffd}[31m   -\n"
        );
    }

    #[test]
    fn narrow_tables_are_shortened_after_whole_words() {
        assert_eq!(
            table(Paint::new(false), Some(30)),
            "NAME   STATE   WHY\na      True    -\n你好   no      long enough …\né\u{301}x     \u{fffd}[31m   -\n"
        );
        assert_eq!(shorten("a-name-that-is-whole and more", 4), "a-name-that-is-whole …");
        assert_eq!(shorten("a-name-that-is-whole", 4), "a-name-that-is-whole");
        assert_eq!(shorten("short", 5), "short");
    }

    #[test]
    fn sentences_are_wrapped_between_words() {
        let rows = [("a-rule", "finds a-name-that-is-whole and more"), ("b", "finds b")];
        let options = TextOptions { fit: Some(24), ..TextOptions::plain(Paint::new(false)) };
        let table = Table::new(&rows, options).column("RULE", |row| row.0);
        assert_eq!(
            table.column("WHAT", |row| row.1).wrapped().render(),
            "RULE     WHAT\na-rule   finds\n         a-name-that-is-whole\n         and more\nb        finds b\n"
        );
    }

    #[test]
    fn narrow_tables_lose_columns_from_the_last_and_never_break_a_name() {
        let rows = [("a-name-that-is-whole", "kube-system/metrics-server", "5d", "1")];
        let shown = |fit, wide| {
            let page = TextOptions { fit, wide, ..TextOptions::plain(Paint::new(false)) };
            Table::new(&rows, page)
                .column("A", |row| row.0)
                .column("B", |row| row.1)
                .column("AGE", |row| row.2)
                .droppable()
                .column("N", |row| row.3)
                .droppable()
                .render()
        };
        let whole = "A                      B                            AGE   N\na-name-that-is-whole   kube-system/metrics-server   5d    1\n";
        assert_eq!(shown(None, false), whole);
        assert_eq!(shown(Some(59), false), whole);
        assert_eq!(shown(Some(40), true), whole);
        assert_eq!(
            shown(Some(58), false),
            "A                      B                            AGE\na-name-that-is-whole   kube-system/metrics-server   5d\n"
        );
        assert_eq!(
            shown(Some(20), false),
            "A                      B\na-name-that-is-whole   kube-system/metrics-server\n"
        );
    }

    #[test]
    fn huge_cells_stay_on_one_line() {
        let rows = [("x".repeat(200_000), "y".repeat(70_000)), ("a".to_owned(), "b".to_owned())];
        let table = Table::new(&rows, TextOptions::plain(Paint::new(false)));
        let text = table.column("A", |row| &row.0).column("B", |row| &row.1).render();
        let starts: Vec<&str> = text.lines().map(|line| &line[..1]).collect();
        assert_eq!(starts, ["A", "x", "a"]);
    }

    #[test]
    fn a_row_that_is_too_long_moves_no_other_row() {
        let rows = ["a", "b", "a-very-long-name-that-does-not-fit", "c"];
        let options = TextOptions { fit: Some(20), ..TextOptions::plain(Paint::new(false)) };
        let table = Table::new(&rows, options).column("NAME", |row| row).column("N", |_| "1");
        assert_eq!(
            table.render(),
            "NAME               N\na                  1\nb                  1\na-very-long-name-that-does-not-fit   1\nc                  1\n"
        );
    }

    #[test]
    fn columns_stay_aligned_if_narrowing_helps_few_rows() {
        let rows =
            [("short", "x".repeat(30)), ("short", "y".repeat(4)), ("a-long-name", "z".into())];
        let options = TextOptions { fit: Some(20), ..TextOptions::plain(Paint::new(false)) };
        let table = Table::new(&rows, options).column("A", |row| row.0).column("B", |row| &row.1);
        let text = table.render();
        let column = |line: &str| line.rfind("   ");
        assert!(text.lines().all(|line| column(line) == Some(11)), "{text}");
    }

    #[test]
    fn no_line_ends_in_blanks_and_colors_take_no_room() {
        let colored = table(Paint::new(true), None);
        assert!(colored.contains("True\u{1b}[0m    "), "{colored:?}");
        let mut plain = colored.clone();
        while let Some(start) = plain.find("\u{1b}[") {
            let end = start + plain[start..].find('m').unwrap();
            plain.replace_range(start..=end, "");
        }
        assert_eq!(plain, table(Paint::new(false), None));
        for line in colored.lines().chain(plain.lines()) {
            assert!(!line.ends_with(' '), "{line:?}");
        }
    }
}
