//! Verdicts for people.

use super::{VerdictsAnswer, mismatch};
use crate::render::{Page, Sheet, sanitise};

/// A line for each verdict, with reasons for those that do not hold.
pub(super) fn text(answer: &VerdictsAnswer<'_>, page: Page) -> String {
    let paint = page.paint;
    let mut sheet = Sheet::new(page);
    for (file, verdict) in answer.all() {
        let one = verdict.expectation;
        let request = format!("{} {}", one.method, one.path);
        if verdict.mismatches.is_empty() {
            if !answer.only_failures {
                sheet.line(format_args!("{}    {}", paint.good("ok"), sanitise(&request)));
            }
            continue;
        }
        let place = format!("{file}:{}:{}", one.position.line, one.position.column);
        let request = paint.strong(sanitise(&request));
        sheet.line(format_args!("{}  {request}", paint.bad("FAIL")));
        sheet.line(format_args!("      {}", paint.faint(format!("at {}", sanitise(&place)))));
        for miss in &verdict.mismatches {
            sheet.paragraph("      ", "        ", mismatch(miss));
        }
        for why in &verdict.why {
            let line = format!("because: {why}").replace("because: assumed:", "assumed:");
            sheet.paragraph("      ", "        ", line);
        }
    }
    sheet.into_text()
}
