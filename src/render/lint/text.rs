//! The text of `lint`: each finding with its line and a marker under it, as compilers print them.

use super::answer::Lint;
use crate::render::{Paint, TextBuilder, TextOptions, counted, sanitize};
use aggctl_lint::{LintReport, Located, Severity};
use colored::ColoredString;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns one piece per finding, and the summary.
pub(super) fn pieces(lint: &Lint<'_>, page: TextOptions) -> impl Iterator<Item = String> {
    let mut lines = LineCursor::default();
    let findings = lint.shown().map(move |located| {
        let mut sheet = TextBuilder::new(page);
        one(&mut sheet, located, lint, &mut lines);
        sheet.into_text()
    });
    findings.chain(lint.summary.then(|| summary(lint.report) + "\n"))
}

/// Returns the summary line.
fn summary(report: &LintReport) -> String {
    let found: Vec<String> = [
        (report.count(Severity::Error), "error"),
        (report.count(Severity::Warning), "warning"),
        (report.count(Severity::Info), "info"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| counted(*count, word))
    .collect();
    let mut notes = String::new();
    if report.templates > 0 {
        let _ = write!(notes, ", {} skipped", counted(report.templates, "template"));
    }
    match report.patches {
        0 => {}
        1 => notes.push_str(", 1 patch skipped"),
        count => notes.push_str(&format!(", {count} patches skipped")),
    }
    if found.is_empty() && report.api_services == 0 {
        // No problems must not be claimed if nothing was checked.
        return format!("no APIService in {}{notes}", counted(report.files, "file"));
    }
    let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
    if !report.suppressed.is_empty() {
        let _ = write!(notes, ", {} allowed", report.suppressed.len());
    }
    if report.fixable() > 0 {
        let _ = write!(notes, ", {} fixable with --fix", report.fixable());
    }
    if report.api_services == 0 {
        return format!(
            "{found}, and no APIService checked in {}{notes}",
            counted(report.files, "file")
        );
    }
    format!(
        "{found} in {} in {}{notes}",
        counted(report.api_services, "APIService"),
        counted(report.files, "file")
    )
}

/// Finds the line of a byte. Findings are sorted, so it continues from the last one, and a long
/// line with many findings is read once.
#[derive(Default)]
struct LineCursor {
    file: usize,
    start: usize,
    end: usize,
}

impl LineCursor {
    /// Returns the line and where it starts.
    fn around<'a>(&mut self, bytes: &'a [u8], file: usize, offset: usize) -> (&'a [u8], usize) {
        let offset = offset.min(bytes.len());
        if file != self.file || offset < self.start {
            *self = Self { file, ..Self::default() };
        }
        if offset > self.end || self.end == 0 {
            if let Some(newline) = memchr::memrchr(b'\n', &bytes[self.end..offset]) {
                self.start = self.end + newline + 1;
            }
            let rest = &bytes[offset..];
            self.end = offset + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
        let line = &bytes[self.start..self.end];
        (line.strip_suffix(b"\r").unwrap_or(line), self.start)
    }
}

fn one(sheet: &mut TextBuilder, located: &Located, lint: &Lint<'_>, lines: &mut LineCursor) {
    let finding = &located.finding;
    let TextOptions { paint, width, .. } = sheet.page;
    let (label, hue): (_, fn(Paint, String) -> ColoredString) = match finding.severity {
        Severity::Error => ("error", Paint::bad),
        Severity::Warning => ("warning", Paint::odd),
        Severity::Info => ("info", Paint::away),
    };
    let head = hue(paint, format!("{label}[{}]", finding.rule.name));
    sheet.paragraph(format_args!("{head}: "), "    ", &finding.message);

    let number = located.start.line.to_string();
    let margin = " ".repeat(number.len());
    let (bar, arrow) = (paint.faint("|"), paint.faint("-->"));
    let name = sanitize(lint.name(finding.place.file));
    sheet.line(format_args!("{margin}{arrow} {name}:{number}:{}", located.start.column));
    if let Some(input) = lint.inputs.get(finding.place.file) {
        let start = finding.place.span.start as usize;
        let (line, line_start) = lines.around(&input.bytes, finding.place.file, start);
        let from = (start.min(input.bytes.len()) - line_start).min(line.len());
        let length = (finding.place.span.end - finding.place.span.start) as usize;
        let shown = clip(line, from, length, width.saturating_sub(number.len() + 4));
        sheet.line(format_args!("{margin} {bar}"));
        let gap = if shown.text.is_empty() { "" } else { " " };
        sheet.line(format_args!("{} {bar}{gap}{}", paint.faint(&number), shown.text));
        let marker = hue(paint, "^".repeat(shown.marked.max(1)));
        sheet.line(format_args!("{margin} {bar} {}{marker}", " ".repeat(shown.before)));
    }
    let mut note = |text: String| sheet.hang(format_args!("{margin} {}", paint.faint("=")), text);
    match &finding.object {
        Some(object) if finding.rule.server_rejects() => {
            note(format!("in: {object}, which the API server refuses"));
        }
        Some(object) => note(format!("in: {object}")),
        None => {}
    }
    if let Some(help) = &finding.help {
        note(format!("help: {help}"));
    }
    if let Some(suppressed) = &located.suppressed {
        let by = match suppressed.line {
            Some(line) => format!("{}:{line}", lint.name(suppressed.file)),
            None => lint.name(suppressed.file).to_owned(),
        };
        note(format!("allowed by {by}: {}", suppressed.reason));
    }
    sheet.gap();
}

struct Clipped {
    text: String,
    before: usize,
    marked: usize,
}

/// Cuts a line to the width, around the marked part.
fn clip(line: &[u8], from: usize, length: usize, width: usize) -> Clipped {
    let width = width.max(20);
    let end = (from + length).min(line.len());
    // A line may have megabytes; decode only a window of it.
    let lead = if from > width { from - width / 2 } else { 0 };
    let lead = (lead..=from).find(|at| is_boundary(line, *at)).unwrap_or(from);
    let tail = (lead + width * 4).min(line.len());
    let decode = |bytes: &[u8]| sanitize(&String::from_utf8_lossy(bytes)).into_owned();
    let mut before = decode(&line[lead..from]);
    if lead > 0 {
        before.insert_str(0, "...");
    }
    let marked = decode(&line[from..end.min(tail).max(from)]);
    let after = decode(&line[end.min(tail).max(from)..tail]);
    let mut text = String::new();
    let mut used = 0;
    for c in before.chars().chain(marked.chars()).chain(after.trim_end().chars()) {
        let wide = c.width().unwrap_or(0);
        if used + wide > width {
            text.truncate(text.trim_end().len());
            text.push_str("...");
            break;
        }
        used += wide;
        text.push(c);
    }
    let before = before.width();
    Clipped { text, before, marked: marked.width().min(width.saturating_sub(before)) }
}

fn is_boundary(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(|b| (b & 0xC0) != 0x80)
}
