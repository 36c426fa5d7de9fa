//! A diff as a comment on a pull request.

use std::fmt::Write;

use super::summary::{Line, Mark, parts};
use crate::render::markdown::{assumed, escape};
use crate::render::sanitise;
use kube_aggregation::diff::Diff;
use kube_aggregation::model::Origin;

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
    text + &assumed(&diff.assumptions)
}

/// Text between backticks in a table.
fn code(text: &str) -> String {
    sanitise(text).replace('`', "'").replace('|', "\\|")
}
