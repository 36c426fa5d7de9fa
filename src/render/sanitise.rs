//! Text from clusters and files, made safe: for a terminal, for the log of a CI job, for the
//! readers of JSON and YAML. No other place decides which characters are.

use std::borrow::Cow;
use std::fmt::Write;

/// Replaces control characters, and characters that reorder or hide text, by U+FFFD.
///
/// Newlines and tabs become spaces: what is one field stays one line.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let safe = |c| match c {
        '\n' | '\t' => ' ',
        c if is_unsafe(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(safe).collect::<String>().into()
}

/// Control characters, and what a reader does not see or sees elsewhere: marks of direction,
/// invisible separators, tags, and what is not a character at all.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// How a string says a character that it must not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// `\ud83d\ude00`: beyond 16 bits, two halves.
    Json,
    /// `\U0001f600`: YAML knows no halves.
    Yaml,
}

/// Escapes unsafe characters in the text of a whole document. In JSON they can only be in strings,
/// and in our YAML only in quoted ones. Newlines between the lines stay.
pub(super) fn escaped(document: String, how: Escape) -> String {
    let stands = |c: char| c == '\n' || !is_unsafe(c);
    // Without a way out of the inner loop this takes many bytes at once.
    let is_odd = |odd: bool, b: &u8| odd | !(b' '..=b'~').contains(b) & (*b != b'\n');
    if !document.as_bytes().chunks(4096).any(|some| some.iter().fold(false, is_odd))
        || document.chars().all(stands)
    {
        return document;
    }
    let mut safe = String::with_capacity(document.len() + 16);
    for c in document.chars() {
        let _ = match how {
            _ if stands(c) => safe.write_char(c),
            Escape::Yaml if c > '\u{ffff}' => write!(safe, "\\U{:08x}", u32::from(c)),
            _ => c.encode_utf16(&mut [0; 2]).iter().try_for_each(|u| write!(safe, "\\u{u:04x}")),
        };
    }
    safe
}

/// As [`escaped`], for YAML whose odd strings are quoted.
pub fn escaped_yaml(document: String) -> String {
    escaped(document, Escape::Yaml)
}

/// Text for people, as a CI job may print it: no line of it reads as a command to the runner.
pub fn without_commands(text: String) -> String {
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    if !text.lines().any(is_command) {
        return text;
    }
    let safe = |line: &str| match line.trim_start().starts_with("::") {
        true => line.replacen("::", ": :", 1).replace("##[", "## ["),
        false => line.replace("##[", "## ["),
    };
    text.split_inclusive('\n').map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_that_is_not_text() {
        assert_eq!(sanitise("plain é 你"), "plain é 你");
        assert_eq!(sanitise("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(sanitise("a\u{9b}31mb\r\u{7}"), "a\u{fffd}31mb\u{fffd}\u{fffd}");
        assert_eq!(
            sanitise("a\u{202e}b\u{61c}\u{206a}\u{206f}"),
            "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(sanitise("two\nlines"), "two lines");
    }

    #[test]
    fn documents_escape_what_a_reader_would_not_see() {
        let check = |text: &str, json: &str, yaml: &str| {
            assert_eq!(escaped(text.to_owned(), Escape::Json), json);
            assert_eq!(escaped(text.to_owned(), Escape::Yaml), yaml);
        };
        check("{\n\"é\"}\n", "{\n\"é\"}\n", "{\n\"é\"}\n");
        check("\u{7f}\u{9b}\u{85}", "\\u007f\\u009b\\u0085", "\\u007f\\u009b\\u0085");
        check("\u{2028}\u{202e}", "\\u2028\\u202e", "\\u2028\\u202e");
        check("\u{e0041}", "\\udb40\\udc41", "\\U000e0041");
    }

    #[test]
    fn no_line_is_a_command_to_a_runner() {
        let check = |text: &str, want: &str| assert_eq!(without_commands(text.to_owned()), want);
        check("a ::error::b\n", "a ::error::b\n");
        check("a\n  ::error::b\n", "a\n  : :error::b\n");
        check("::error::b", ": :error::b");
        check("a ##[error]b\n", "a ## [error]b\n");
    }
}
