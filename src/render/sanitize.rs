//! Makes text from clusters and files safe for terminals, CI logs, and readers of JSON and YAML.
//! This is the only place that decides which characters are safe.

use std::borrow::Cow;
use std::fmt::Write;

/// Replaces control characters, and characters that reorder or hide text, by U+FFFD.
///
/// Newlines and tabs become spaces, so that one field stays on one line.
pub fn sanitize(text: &str) -> Cow<'_, str> {
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

/// Returns whether a character controls a terminal or deceives a reader: control characters,
/// direction marks, invisible separators, tags, and noncharacters.
pub(super) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// How to escape a character in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// `\ud83d\ude00`: a surrogate pair beyond 16 bits.
    Json,
    /// `\U0001f600`: YAML has no surrogate pairs.
    Yaml,
}

/// Escapes unsafe characters inside a JSON or YAML string, or in a whole document: there they can
/// only be in strings, which our YAML quotes. Newlines between the lines stay.
pub(super) fn escaped(text: &str, how: Escape) -> Cow<'_, str> {
    let stands = |c: char| c == '\n' || !is_unsafe(c);
    if text.chars().all(stands) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        let _ = match how {
            _ if stands(c) => safe.write_char(c),
            Escape::Yaml if c > '\u{ffff}' => write!(safe, "\\U{:08x}", u32::from(c)),
            _ => c.encode_utf16(&mut [0; 2]).iter().try_for_each(|u| write!(safe, "\\u{u:04x}")),
        };
    }
    Cow::Owned(safe)
}

/// Escapes YAML in which unusual strings are already quoted.
pub fn escaped_yaml(document: String) -> String {
    escaped(&document, Escape::Yaml).into_owned()
}

/// Changes lines that a CI runner would take for commands.
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
        assert_eq!(sanitize("plain é 你"), "plain é 你");
        assert_eq!(sanitize("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(sanitize("a\u{9b}31mb\r\u{7}"), "a\u{fffd}31mb\u{fffd}\u{fffd}");
        assert_eq!(
            sanitize("a\u{202e}b\u{61c}\u{206a}\u{206f}"),
            "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(sanitize("two\nlines"), "two lines");
    }

    #[test]
    fn documents_escape_what_a_reader_would_not_see() {
        let check = |text: &str, json: &str, yaml: &str| {
            assert_eq!(escaped(text, Escape::Json), json);
            assert_eq!(escaped(text, Escape::Yaml), yaml);
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
