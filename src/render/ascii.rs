//! Text for terminals that are not UTF-8.

use std::borrow::Cow;

/// Replaces our own marks and lines by ASCII; any other character becomes `?`.
pub fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    // A check mark becomes one column wider, and takes a blank before it, if there is one.
    let text = text.replace("  ✓", " ok").replace(" \u{1b}[32m✓", "\u{1b}[32mok");
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '✓' => plain.push_str("ok"),
            '✗' => plain.push('x'),
            '→' => plain.push_str("->"),
            '…' => plain.push_str("..."),
            '│' | '├' => plain.push('|'),
            '─' => plain.push('-'),
            '▼' => plain.push('v'),
            '●' => plain.push('x'),
            '·' => plain.push('.'),
            '“' | '”' => plain.push('"'),
            '’' => plain.push('\''),
            '▁'..='█' => plain.push('#'),
            c if c.is_ascii() => plain.push(c),
            _ => plain.push('?'),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_names_and_columns_stay() {
        assert_eq!(ascii("  ✓ a  b\n  ✗ a  b\n"), " ok a  b\n  x a  b\n");
        assert_eq!(ascii("  \u{1b}[32m✓\u{1b}[0m a"), " \u{1b}[32mok\u{1b}[0m a");
        assert_eq!(ascii("✓ a → b …"), "ok a -> b ...");
        assert_eq!(ascii("├─ é"), "|- ?");
    }
}
