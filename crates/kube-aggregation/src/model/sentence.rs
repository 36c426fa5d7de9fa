//! Formats lists of names for sentences.

use std::fmt::Display;

/// Joins at most `most` names, and adds how many of all `count` names are left out.
pub fn some_of<T: Display>(
    names: impl IntoIterator<Item = T>,
    count: usize,
    most: usize,
) -> String {
    let some: Vec<String> = names.into_iter().take(most).map(|name| name.to_string()).collect();
    match count.saturating_sub(most) {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}
