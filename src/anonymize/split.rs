//! Splits texts into words.

/// Splits a text into words, which are names or parts of names, and what is between them.
pub(super) fn split(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some((part, is_word))
    })
}

/// Returns whether a character may be part of a name.
pub(super) fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '-'
}
