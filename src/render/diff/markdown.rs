//! A diff as a comment on a pull request.

use std::fmt::Write;

use super::summary::{Line, Mark, parts};
use crate::diff::Diff;
use crate::model::Origin;
use crate::render::sanitise;

/// Lines of a section that are shown before the rest is folded away.
const UNFOLDED: usize = 20;

/// A diff in Markdown, long sections folded.
pub fn diff_markdown(from: &Origin, to: &Origin, diff: &Diff) -> String {
    let mut text =
        format!("### API changes: {} → {}\n", escape(&from.to_string()), escape(&to.to_string()));
    if diff.is_empty() {
        text.push_str("\nNo differences.\n");
    }
    for part in parts(diff) {
        let title = part.title.to_lowercase();
        let long = part.lines.len() > UNFOLDED;
        if long {
            let _ = write!(
                text,
                "\n<details><summary><b>{title}</b> ({})</summary>\n\n",
                part.lines.len()
            );
        } else {
            let _ = write!(text, "\n**{title}**\n\n");
        }
        text.push_str("| | | |\n|---|---|---|\n");
        for Line { mark, subject, detail, .. } in &part.lines {
            let mark = match mark {
                Mark::Added => "added",
                Mark::Removed => "**removed**",
                Mark::Changed => "changed",
            };
            let _ = writeln!(text, "| {mark} | `{}` | {} |", code(subject), escape(detail));
        }
        if long {
            text.push_str("\n</details>\n");
        }
    }
    if !diff.assumptions.is_empty() {
        text.push_str("\n_Assumed:_\n\n");
    }
    for assumption in &diff.assumptions {
        let _ = writeln!(text, "- {}", escape(&assumption.to_string()));
    }
    text
}

/// Text that Markdown takes for text.
pub(in crate::render) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in sanitise(text).chars() {
        match c {
            '|' | '*' | '_' | '`' | '\\' | '[' | ']' | '#' | '~' => {
                safe.push('\\');
                safe.push(c);
            }
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A name must not call anybody.
            '@' => safe.push_str("@\u{2060}"),
            _ => safe.push(c),
        }
    }
    safe
}

/// Text between backticks in a table.
fn code(text: &str) -> String {
    sanitise(text).replace('`', "'").replace('|', "\\|")
}
