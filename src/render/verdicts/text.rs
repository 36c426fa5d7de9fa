//! Verdicts for people.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::paragraph;
use super::super::sanitise::sanitise;
use crate::expectation::Verdict;

/// Verdicts of one file, a line each, with reasons for those that do not hold.
pub(super) fn text(
    file: &str,
    verdicts: &[Verdict<'_>],
    only_failures: bool,
    page: Page,
) -> String {
    let Page { paint, width, .. } = page;
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
            text.push_str(&paragraph("      ", "        ", &line, width));
        }
        for why in &verdict.why {
            let line = format!("because: {why}").replace("because: assumed:", "assumed:");
            text.push_str(&paragraph("      ", "        ", &line, width));
        }
    }
    text
}
