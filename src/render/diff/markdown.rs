//! The Markdown of `diff`, for a comment on a pull request.

use std::fmt::Write;

use super::answer::DiffAnswer;
use super::summary::{DiffLine, DiffMark, parts};
use crate::render::markdown::{assumed, escape};
use crate::render::sanitize;

/// A section with more lines is folded.
const UNFOLDED: usize = 20;

/// Returns the diff in Markdown.
pub(super) fn markdown(answer: &DiffAnswer<'_>) -> String {
    let DiffAnswer { from, to, diff } = answer;
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
        for DiffLine { mark, subject, detail, .. } in &part.lines {
            let mark = match mark {
                DiffMark::Removed => "**removed**",
                mark => mark.word(),
            };
            let _ = writeln!(text, "| {mark} | `{}` | {} |", code(subject), escape(detail));
        }
        if long {
            text.push_str("\n</details>\n");
        }
    }
    text + &assumed(&diff.assumptions)
}

/// Escapes text for backticks in a table.
fn code(text: &str) -> String {
    sanitize(text).replace('`', "'").replace('|', "\\|")
}
