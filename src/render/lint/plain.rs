//! Text from files and clusters, made safe for a terminal.

use std::borrow::Cow;

/// The text without control characters and without characters that reorder
/// what follows them; each becomes a replacement character, a tab a space.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let replace = |c: char| match c {
        '\t' => ' ',
        c if is_unsafe(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(text.chars().map(replace).collect())
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn escape_sequences_do_not_pass() {
        assert_eq!(plain("a\u{1b}[31mb"), "a\u{fffd}[31mb");
        assert_eq!(plain("a\tb"), "a b");
        assert_eq!(plain("\u{202e}x"), "\u{fffd}x");
        assert_eq!(plain("é 漢"), "é 漢");
    }
}
