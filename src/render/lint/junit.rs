//! JUnit XML: a suite for each file, a case for each finding.

use crate::lint::{Input, Located, Report, Role};
use std::fmt::Write;

/// The report as JUnit XML. A file without findings is one case that passed.
pub fn junit(report: &Report, inputs: &[Input]) -> Vec<u8> {
    let mut suites = String::new();
    let mut findings = report.findings.iter().peekable();
    let mut tests = 0;
    for (number, input) in inputs.iter().enumerate() {
        let mut own: Vec<&Located> = Vec::new();
        while let Some(next) = findings.next_if(|l| l.finding.place.file == number) {
            own.push(next);
        }
        if own.is_empty() && input.role == Role::Config {
            continue;
        }
        tests += own.len().max(1);
        suite(&mut suites, &input.name, &own);
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failures = report.findings.len();
    let _ = writeln!(
        out,
        "<testsuites name=\"aggctl lint\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    );
    out.push_str(&suites);
    out.push_str("</testsuites>\n");
    out.into_bytes()
}

fn suite(out: &mut String, name: &str, findings: &[&Located]) {
    let name = escape(name);
    let (tests, failures) = (findings.len().max(1), findings.len());
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    );
    if findings.is_empty() {
        let _ = writeln!(out, "    <testcase name=\"no problems\" classname=\"{name}\"/>");
    }
    for located in findings {
        let finding = &located.finding;
        let place = format!("{}:{}", located.start.line, located.start.column);
        let title = match &finding.object {
            Some(object) => format!("{} {object} {place}", finding.rule.name),
            None => format!("{} {place}", finding.rule.name),
        };
        let _ = writeln!(out, "    <testcase name=\"{}\" classname=\"{name}\">", escape(&title));
        let _ = write!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{name}:{place}: {}",
            finding.severity,
            escape(&finding.message),
            escape(&finding.message)
        );
        if let Some(help) = &finding.help {
            let _ = write!(out, "\nhelp: {}", escape(help));
        }
        out.push_str("</failure>\n    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

/// Text for XML, where most control characters cannot be written at all.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            c => out.push(c),
        }
    }
    out
}
