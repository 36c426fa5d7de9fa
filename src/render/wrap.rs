//! Lines that fit.

use unicode_width::UnicodeWidthStr;

/// Breaks a sentence into lines of at most `width` columns, at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.width();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        let Some(line) = lines.last_mut() else { break };
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    lines
}

/// A label, and a text behind it whose further lines stand under its first.
pub fn hang(label: &str, label_width: usize, text: &str, width: usize) -> String {
    let lines = wrap(text, width.saturating_sub(label_width + 1));
    let gap = format!("\n{:label_width$} ", "");
    format!("{label} {}\n", lines.join(&gap))
}

/// Names in a row: all of them, or the first few and how many more there are.
pub fn enumerate<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} … and {more} more", shown.join(", ")),
    }
}

/// A number of things, in words: `1 group`, `2 groups`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_at_spaces_only() {
        assert_eq!(wrap("aaaa bbbb cccc dddd eeee", 20), ["aaaa bbbb cccc dddd", "eeee"]);
        assert_eq!(wrap("a", 20), ["a"]);
        let long = "x".repeat(50);
        assert_eq!(wrap(&format!("a {long} b"), 20), ["a", &long, "b"]);
    }

    #[test]
    fn counts_columns_not_characters() {
        assert_eq!(wrap("你好你好你 你好你好你", 20), ["你好你好你", "你好你好你"]);
        assert_eq!(wrap("ééééé ééééé ééééé", 20), ["ééééé ééééé ééééé"]);
    }

    #[test]
    fn hangs_under_the_first_line() {
        assert_eq!(
            hang("note:", 5, "aaaa bbbb cccc dddd eeee", 26),
            "note: aaaa bbbb cccc dddd\n      eeee\n"
        );
    }

    #[test]
    fn long_rows_are_cut() {
        assert_eq!(enumerate(&["a", "b", "c"], 3), "a, b, c");
        assert_eq!(enumerate(&["a", "b", "c"], 1), "a … and 2 more");
        assert_eq!(enumerate::<&str>(&[], 1), "");
    }
}
