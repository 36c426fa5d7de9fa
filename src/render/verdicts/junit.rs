//! Verdicts for reports of tests.

use std::fmt::Write;

use crate::expectation::Verdict;

/// Verdicts as JUnit XML.
pub fn verdicts_junit(files: &[(String, Vec<Verdict<'_>>)]) -> String {
    let failed =
        |verdicts: &[Verdict<'_>]| verdicts.iter().filter(|v| !v.mismatches.is_empty()).count();
    let tests: usize = files.iter().map(|(_, v)| v.len()).sum();
    let failures: usize = files.iter().map(|(_, v)| failed(v)).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"aggctl test\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    );
    for (file, verdicts) in files {
        let (name, failures) = (escape(file), failed(verdicts));
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\">",
            verdicts.len()
        );
        for verdict in verdicts {
            let one = verdict.expectation;
            let title = escape(&format!("{} {}", one.method, one.path));
            let open = format!(
                "    <testcase name=\"{title}\" classname=\"{name}\" file=\"{name}\" line=\"{}\"",
                one.position.line
            );
            if verdict.mismatches.is_empty() {
                let _ = writeln!(text, "{open}/>");
                continue;
            }
            let each = verdict
                .mismatches
                .iter()
                .map(|m| format!("{}: expected {}, got {}", m.field, m.expected, m.got));
            let message = each.collect::<Vec<_>>().join("; ");
            let body: Vec<String> =
                std::iter::once(message.clone()).chain(verdict.why.iter().cloned()).collect();
            let _ = writeln!(text, "{open}>");
            let _ = writeln!(
                text,
                "      <failure message=\"{}\">{}</failure>",
                escape(&message),
                escape(&body.join("\n"))
            );
            text.push_str("    </testcase>\n");
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// Text that XML takes for text; what XML cannot hold at all is replaced.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(c),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                safe.push(char::REPLACEMENT_CHARACTER)
            }
            _ => safe.push(c),
        }
    }
    safe
}
