//! The report for people: the line with a marker under it, as compilers do.

use crate::lint::{Input, Located, Report, Severity};
use crate::render::{Paint, sanitise};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How the text is to look.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// How it is coloured.
    pub paint: Paint,
    /// The columns of the terminal.
    pub width: usize,
    /// Whether allowed findings are shown too.
    pub show_suppressed: bool,
}

/// All findings with their lines.
pub fn text(report: &Report, inputs: &[Input], style: &Style) -> Vec<u8> {
    let mut out = String::new();
    let mut lines = Lines::default();
    for located in &report.findings {
        one(&mut out, located, inputs, style, &mut lines);
    }
    if style.show_suppressed {
        for located in &report.suppressed {
            one(&mut out, located, inputs, style, &mut lines);
        }
    }
    out.into_bytes()
}

/// The last line: how much was found in how much.
pub fn summary(report: &Report) -> String {
    let counted = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let found: Vec<String> = [
        (report.count(Severity::Error), "error"),
        (report.count(Severity::Warning), "warning"),
        (report.count(Severity::Info), "note"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| counted(*count, word))
    .collect();
    if found.is_empty() && report.api_services == 0 {
        // Nothing was checked: that is not the same as nothing found.
        return format!("no APIService in {}", counted(report.files, "file"));
    }
    let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
    let allowed = match report.suppressed.len() {
        0 => String::new(),
        count => format!(", {count} allowed"),
    };
    format!(
        "{found} in {} in {}{allowed}",
        counted(report.api_services, "APIService"),
        counted(report.files, "file")
    )
}

/// Finds the line of a byte. Findings come in order, so it goes on from the
/// last one: a long line is walked once, however many findings it has.
#[derive(Default)]
struct Lines {
    file: usize,
    start: usize,
    end: usize,
}

impl Lines {
    /// The line, and where it starts.
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

fn one(out: &mut String, located: &Located, inputs: &[Input], style: &Style, lines: &mut Lines) {
    let finding = &located.finding;
    let paint = style.paint;
    let (label, hue): (_, fn(Paint, &str) -> String) = match finding.severity {
        Severity::Error => ("error", |paint, text| paint.bad(text).to_string()),
        Severity::Warning => ("warning", |paint, text| paint.odd(text).to_string()),
        Severity::Info => ("note", |paint, text| paint.away(text).to_string()),
    };
    let head = hue(paint, &format!("{label}[{}]", finding.rule.name));
    let message = paint.strong(sanitise(&finding.message));
    let _ = writeln!(out, "{head}: {message}");

    let number = located.start.line.to_string();
    let margin = " ".repeat(number.len());
    let bar = paint.faint("|");
    let input = inputs.get(finding.place.file);
    let name = input.map_or("", |i| i.name.as_str());
    let arrow = paint.faint("-->");
    let _ = writeln!(
        out,
        "{margin}{arrow} {}:{}:{}",
        sanitise(name),
        located.start.line,
        located.start.column
    );
    if let Some(input) = input {
        let start = finding.place.span.start as usize;
        let (line, line_start) = lines.around(&input.bytes, finding.place.file, start);
        let from = (start.min(input.bytes.len()) - line_start).min(line.len());
        let length = (finding.place.span.end - finding.place.span.start) as usize;
        let shown = clip(line, from, length, style.width.saturating_sub(number.len() + 4));
        let _ = writeln!(out, "{margin} {bar}");
        let gap = if shown.text.is_empty() { "" } else { " " };
        let _ = writeln!(out, "{} {bar}{gap}{}", paint.faint(&number), shown.text);
        let marker = hue(paint, &"^".repeat(shown.marked.max(1)));
        let _ = writeln!(out, "{margin} {bar} {}{marker}", " ".repeat(shown.before));
    }
    let mut note = |text: &str| {
        let _ = writeln!(out, "{margin} {} {}", paint.faint("="), sanitise(text));
    };
    match &finding.object {
        Some(object) if finding.rule.server_rejects => {
            note(&format!("note: the API server refuses {object}"));
        }
        Some(object) => note(&format!("in: {object}")),
        None => {}
    }
    if let Some(help) = &finding.help {
        note(&format!("help: {help}"));
    }
    if let Some(suppressed) = &located.suppressed {
        note(&format!("allowed by {}: {}", suppressed.by, suppressed.reason));
    }
    out.push('\n');
}

struct Clipped {
    text: String,
    before: usize,
    marked: usize,
}

/// A line cut to the width, around what is marked in it.
fn clip(line: &[u8], from: usize, length: usize, width: usize) -> Clipped {
    let width = width.max(20);
    let end = (from + length).min(line.len());
    // A line may be megabytes long: only a window of it is decoded.
    let lead = if from > width { from - width / 2 } else { 0 };
    let lead = (lead..=from).find(|at| is_boundary(line, *at)).unwrap_or(from);
    let tail = (lead + width * 4).min(line.len());
    let decode = |bytes: &[u8]| sanitise(&String::from_utf8_lossy(bytes)).into_owned();
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
