//! Whether expectations hold: for people, for CI.

use std::fmt::Write;

use serde::Serialize;

use crate::expectation::Verdict;
use crate::render::Paint;
use crate::render::sanitise::sanitise;
use crate::render::wrap;

/// Verdicts of one file, a line each, with reasons for those that do not hold.
pub fn verdicts_text(
    file: &str,
    verdicts: &[Verdict<'_>],
    only_failures: bool,
    paint: Paint,
    width: usize,
) -> String {
    let mut text = String::new();
    for verdict in verdicts {
        let one = verdict.expectation;
        let request = format!("{} {}", one.method, one.path);
        if verdict.mismatches.is_empty() {
            if !only_failures {
                let _ = writeln!(text, "{}    {}", paint.good("ok"), sanitise(&request));
            }
            continue;
        }
        let place = format!("{file}:{}:{}", one.position.line, one.position.column);
        let _ = writeln!(text, "{}  {}", paint.bad("FAIL"), paint.strong(sanitise(&request)));
        let _ = writeln!(text, "      {}", paint.faint(format!("at {}", sanitise(&place))));
        for miss in &verdict.mismatches {
            let line = format!("{}: expected {}, got {}", miss.field, miss.expected, miss.got);
            indented(&mut text, &line, width);
        }
        for why in &verdict.why {
            indented(
                &mut text,
                &format!("because: {why}").replace("because: assumed:", "assumed:"),
                width,
            );
        }
    }
    text
}

fn indented(text: &mut String, line: &str, width: usize) {
    for (index, part) in wrap(&sanitise(line), width.saturating_sub(8)).iter().enumerate() {
        let _ = writeln!(text, "{}{part}", if index == 0 { "      " } else { "        " });
    }
}

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

#[derive(Debug, Serialize)]
struct ReportJson<'a> {
    passed: usize,
    failed: usize,
    items: Vec<ItemJson<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemJson<'a> {
    file: &'a str,
    line: usize,
    method: &'static str,
    path: &'a str,
    holds: bool,
    mismatches: Vec<MismatchJson<'a>>,
    why: &'a [String],
}

#[derive(Debug, Serialize)]
struct MismatchJson<'a> {
    field: &'static str,
    expected: &'a str,
    got: &'a str,
}

/// Verdicts as the JSON contract has them.
pub fn verdicts_json<'a>(files: &'a [(String, Vec<Verdict<'a>>)]) -> impl Serialize + 'a {
    let items = verdict_items(files);
    let passed = items.iter().filter(|item| item.holds).count();
    ReportJson { passed, failed: items.len() - passed, items }
}

/// Verdicts as JSON, for a line each.
pub fn verdict_lines<'a>(files: &'a [(String, Vec<Verdict<'a>>)]) -> Vec<impl Serialize + 'a> {
    verdict_items(files)
}

fn verdict_items<'a>(files: &'a [(String, Vec<Verdict<'a>>)]) -> Vec<ItemJson<'a>> {
    let all = files.iter().flat_map(|(file, verdicts)| verdicts.iter().map(move |v| (file, v)));
    let item = |(file, verdict): (&'a String, &'a Verdict<'a>)| ItemJson {
        file,
        line: verdict.expectation.position.line,
        method: verdict.expectation.method.as_str(),
        path: &verdict.expectation.path,
        holds: verdict.mismatches.is_empty(),
        mismatches: (verdict.mismatches.iter())
            .map(|m| MismatchJson { field: m.field, expected: &m.expected, got: &m.got })
            .collect(),
        why: &verdict.why,
    };
    all.map(item).collect()
}
