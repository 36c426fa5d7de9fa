//! Wrapped lines. Text from outside is sanitized here.

use std::fmt::Display;

use textwrap::{Options, WordSeparator, WordSplitter};

use super::sanitize;

/// The narrowest column of text.
const NARROWEST: usize = 20;

/// Wraps a paragraph, with `first` before its first line and `rest` before the others. Colors take
/// no room. Lines break at spaces only, so that names and commands can be copied.
pub fn paragraph(first: &str, rest: &str, text: &str, width: usize) -> String {
    let text = sanitize(text);
    let indent = textwrap::core::display_width(first).max(textwrap::core::display_width(rest));
    let options = options(width.max(indent + NARROWEST));
    let options = options.initial_indent(first).subsequent_indent(rest);
    let mut lines = textwrap::fill(text.trim_end(), options);
    lines.push('\n');
    lines
}

/// Wraps the lines of a message, which may have colors. A continued line is indented.
pub fn wrapped_lines(text: &str, width: usize) -> String {
    let wrap = |line: &str| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let rest = " ".repeat(indent + 2);
        textwrap::fill(line, options(width).subsequent_indent(&rest))
    };
    text.split('\n').map(wrap).collect::<Vec<_>>().join("\n")
}

/// Breaks lines at spaces only.
fn options<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
}

/// Wraps a text behind a label. Its other lines are aligned with the first.
pub fn hang(label: &str, text: &str, width: usize) -> String {
    let rest = " ".repeat(textwrap::core::display_width(label) + 1);
    paragraph(&format!("{label} "), &rest, text, width)
}

/// Wraps a text with all lines indented.
pub fn indented(indent: usize, text: &str, width: usize) -> String {
    let indent = " ".repeat(indent);
    paragraph(&indent, &indent, text, width)
}

/// Joins names with commas: all of them, or the first few and a count of the others.
pub fn enumerate<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} … and {more} more", shown.join(", ")),
    }
}

/// Joins things with `between`.
pub(super) fn joined<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    let words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    words.join(between)
}

/// Makes a sentence of a phrase: a capital unless it begins with a name, and a period.
pub(super) fn as_sentence(phrase: &str) -> String {
    let first = phrase.split(' ').next().unwrap_or_default();
    let is_word = first.trim_end_matches([',', ':']).bytes().all(|c| c.is_ascii_lowercase());
    let mut text = phrase.to_owned();
    if let Some(letter) = text.get_mut(..1).filter(|_| is_word) {
        letter.make_ascii_uppercase();
    }
    if !text.ends_with(['.', '?', '!']) {
        text.push('.');
    }
    text
}

/// Returns a count with its noun: `1 group`, `2 groups`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, lines: &[&str]) {
        assert_eq!(indented(0, text, 20).lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn breaks_at_spaces_only() {
        check("aaaa bbbb cccc dddd eeee", &["aaaa bbbb cccc dddd", "eeee"]);
        check("a", &["a"]);
        let long = "x".repeat(50);
        check(&format!("a {long} b-{long}"), &["a", &long, &format!("b-{long}")]);
    }

    #[test]
    fn counts_columns_not_characters() {
        check("你好你好你 你好你好你", &["你好你好你", "你好你好你"]);
        check("ééééé ééééé ééééé", &["ééééé ééééé ééééé"]);
    }

    #[test]
    fn hangs_under_the_first_line() {
        let want = "aaaa bbbb cccc dddd\n      eeee\n";
        assert_eq!(hang("note:", "aaaa bbbb cccc dddd eeee", 26), format!("note: {want}"));
        let coloured = hang("\u{1b}[2mnote:\u{1b}[0m", "aaaa bbbb cccc dddd eeee", 26);
        assert_eq!(coloured, format!("\u{1b}[2mnote:\u{1b}[0m {want}"));
        assert_eq!(indented(2, "a\u{1b}[31mb", 40), "  a\u{fffd}[31mb\n");
    }

    #[test]
    fn phrases_become_sentences() {
        for (phrase, want) in [
            ("no endpoint is ready", "No endpoint is ready."),
            ("connection refused: nothing listens.", "Connection refused: nothing listens."),
            ("ext/absent does not exist", "ext/absent does not exist."),
            ("caBundle is empty", "caBundle is empty."),
            ("kube-apiserver refuses it", "kube-apiserver refuses it."),
            ("é", "é."),
        ] {
            assert_eq!(as_sentence(phrase), want);
        }
    }

    #[test]
    fn long_rows_are_cut() {
        assert_eq!(enumerate(&["a", "b", "c"], 3), "a, b, c");
        assert_eq!(enumerate(&["a", "b", "c"], 1), "a … and 2 more");
        assert_eq!(enumerate::<&str>(&[], 1), "");
    }
}
