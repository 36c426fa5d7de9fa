//! Pieces of Markdown: tables, assumptions, escaping.

use std::fmt::{Display, Write};

use super::{joined, sanitize};

/// Returns a table. Its cells are Markdown already.
pub(super) fn table<R>(headers: &[&str], rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = String>,
{
    let mut text = format!("| {} |\n|{}\n", headers.join(" | "), "---|".repeat(headers.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", joined(row, " | "));
    }
    text
}

/// Returns the list of assumptions.
pub(super) fn assumed(assumptions: &[impl Display]) -> String {
    let mut text = String::new();
    if !assumptions.is_empty() {
        text.push_str("\n_Assumed:_\n\n");
    }
    for assumption in assumptions {
        let _ = writeln!(text, "- {}", escape(&assumption.to_string()));
    }
    text
}

/// Escapes text for Markdown.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in sanitize(text).chars() {
        match c {
            '|' | '*' | '_' | '`' | '\\' | '[' | ']' | '#' | '~' => {
                safe.push('\\');
                safe.push(c);
            }
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A name must not notify a user.
            '@' => safe.push_str("@\u{2060}"),
            _ => safe.push(c),
        }
    }
    safe
}
