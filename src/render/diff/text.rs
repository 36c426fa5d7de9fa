//! The text of `diff`.

use super::answer::DiffAnswer;
use super::summary::{DiffLine, DiffMark, parts};
use crate::render::{TextBuilder, TextOptions, sanitize};

/// The widest column of subjects.
const SUBJECT: usize = 34;

/// Returns the diff in sections, one line per subject.
pub(super) fn text(answer: &DiffAnswer<'_>, page: TextOptions) -> String {
    let (diff, paint) = (answer.diff, page.paint);
    let mut sheet = TextBuilder::new(page);
    let (from, to) = (answer.from.to_string(), answer.to.to_string());
    sheet.line(format_args!("{} {}", paint.faint("from"), sanitize(&from)));
    sheet.line(format_args!("{} {}", paint.faint("to  "), sanitize(&to)));
    if diff.is_empty() {
        sheet.line("\nNo differences.");
    }
    for part in parts(diff) {
        let title = paint.strong(part.title);
        match part.counts().as_str() {
            "" => sheet.line(format_args!("\n{title}")),
            counts => sheet.line(format_args!("\n{title}  {}", paint.faint(counts))),
        }
        let widest = part.lines.iter().map(|line| line.subject.chars().count()).max();
        let widest = widest.unwrap_or(0).min(SUBJECT.min(page.width / 2));
        for line in &part.lines {
            show(&mut sheet, line, widest);
        }
    }
    for assumption in &diff.assumptions {
        sheet.gap();
        sheet.hang(paint.faint("assumed:"), assumption);
    }
    sheet.into_text()
}

fn show(sheet: &mut TextBuilder, line: &DiffLine, widest: usize) {
    let paint = sheet.page.paint;
    let mark = match line.mark {
        DiffMark::Added => paint.good(line.mark.as_str()),
        DiffMark::Removed => paint.bad(line.mark.as_str()),
        DiffMark::Changed => paint.odd(line.mark.as_str()),
    };
    let subject = sanitize(&line.subject);
    if subject.chars().count() > widest {
        sheet.line(format_args!("{mark} {subject}"));
        sheet.indented(6, &line.detail);
    } else {
        let rest = " ".repeat(widest + 4);
        sheet.paragraph(format_args!("{mark} {subject:widest$}  "), &rest, &line.detail);
    }
}
