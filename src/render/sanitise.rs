//! Text from clusters and files, made safe for a terminal.

use std::borrow::Cow;

/// Replaces control characters, and characters that reorder or hide text, by U+FFFD.
///
/// Newlines and tabs become spaces: what is one field stays one line.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| replacement(c).is_none()) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| replacement(c).unwrap_or(c)).collect::<String>().into()
}

fn replacement(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => Some(' '),
        _ if c.is_control() => Some(char::REPLACEMENT_CHARACTER),
        // Bidirectional overrides, isolates and marks; invisible separators and tags.
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => Some(char::REPLACEMENT_CHARACTER),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_that_is_not_text() {
        assert_eq!(sanitise("plain é 你"), "plain é 你");
        assert_eq!(sanitise("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(sanitise("a\u{9b}31mb\r\u{7}"), "a\u{fffd}31mb\u{fffd}\u{fffd}");
        assert_eq!(sanitise("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(sanitise("two\nlines"), "two lines");
    }
}
