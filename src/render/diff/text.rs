//! A diff for people.

use std::fmt::Write;

use super::DiffAnswer;
use super::summary::{Line, Mark, parts};
use crate::render::layout::{hang, paragraph};
use crate::render::{Page, Paint, sanitise};

/// The widest subject that details are aligned behind.
const SUBJECT: usize = 34;

/// A diff in sections, each thing a line.
pub(super) fn text(answer: &DiffAnswer<'_>, page: Page) -> String {
    let Page { paint, width, .. } = page;
    let diff = answer.diff;
    let mut text = String::new();
    let (from, to) = (answer.from.to_string(), answer.to.to_string());
    let _ = writeln!(text, "{} {}", paint.faint("from"), sanitise(&from));
    let _ = writeln!(text, "{} {}", paint.faint("to  "), sanitise(&to));
    if diff.is_empty() {
        text.push_str("\nno differences\n");
    }
    for part in parts(diff) {
        let counts = part.counts();
        let title = paint.strong(part.title);
        let _ = match counts.as_str() {
            "" => writeln!(text, "\n{title}"),
            counts => writeln!(text, "\n{title}  {}", paint.faint(counts)),
        };
        let widest = part
            .lines
            .iter()
            .map(|line| line.subject.chars().count())
            .max()
            .unwrap_or(0)
            .min(SUBJECT.min(width / 2));
        for line in &part.lines {
            show(&mut text, line, widest, paint, width);
        }
    }
    for assumption in &diff.assumptions {
        text.push('\n');
        let label = paint.faint("assumed:").to_string();
        text.push_str(&hang(&label, &assumption.to_string(), width));
    }
    text
}

fn show(text: &mut String, line: &Line, widest: usize, paint: Paint, width: usize) {
    let mark = match line.mark {
        Mark::Added => paint.good(line.mark.as_str()),
        Mark::Removed => paint.bad(line.mark.as_str()),
        Mark::Changed => paint.odd(line.mark.as_str()),
    };
    let subject = sanitise(&line.subject);
    let own_line = subject.chars().count() > widest;
    let indent = if own_line { 6 } else { widest + 4 };
    let rest = " ".repeat(indent);
    let first = if own_line {
        let _ = writeln!(text, "{mark} {subject}");
        rest.clone()
    } else {
        format!("{mark} {subject:widest$}  ")
    };
    text.push_str(&paragraph(&first, &rest, &line.detail, width));
}
