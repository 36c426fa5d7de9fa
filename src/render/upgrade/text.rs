//! An upgrade for people, and for a change ticket.

use std::fmt::Write;

use super::UpgradeAnswer;
use crate::model::Origin;
use crate::render::diff::escape;
use crate::render::layout::{hang, paragraph};
use crate::render::usage::{comparison, verdict};
use crate::render::{Page, sanitise};
use crate::upgrade::{Finding, Upgrade, Weight};

/// How many findings of a weight are shown, unless everything is asked for.
const MOST: usize = 8;

/// What begins a line, and the heading above it.
fn look(weight: Weight) -> (&'static str, &'static str) {
    match weight {
        Weight::Breaks => ("×", "BREAKS"),
        Weight::Risks => ("?", "AT RISK"),
        Weight::Changes => ("~", "CHANGES"),
        Weight::Comes => ("+", "COMES"),
    }
}

/// One screen: what breaks, what may, what changes, what comes.
pub(super) fn text(answer: &UpgradeAnswer<'_>, page: Page) -> String {
    let Page { paint, width, .. } = page;
    let upgrade = answer.upgrade;
    let mut text = String::new();
    let _ = writeln!(text, "{} {}", paint.faint("from"), sanitise(&from(answer.origin, upgrade)));
    let _ = writeln!(text, "{} Kubernetes {}", paint.faint("to  "), upgrade.to);
    if upgrade.findings.is_empty() {
        text.push_str("\nnothing changes\n");
    }
    for weight in Weight::ALL {
        let of_weight: Vec<&Finding> =
            upgrade.findings.iter().filter(|finding| finding.weight == weight).collect();
        if of_weight.is_empty() {
            continue;
        }
        let (mark, heading) = look(weight);
        let count = paint.faint(of_weight.len());
        let _ = writeln!(text, "\n{}  {count}", paint.strong(heading));
        let mark = match weight {
            Weight::Breaks => paint.bad(mark),
            Weight::Risks => paint.odd(mark),
            Weight::Changes => paint.away(mark),
            Weight::Comes => paint.good(mark),
        };
        let shown = if page.verbose { of_weight.len() } else { MOST };
        let mut rest = of_weight.iter().take(shown).peekable();
        while let Some(finding) = rest.next() {
            let since = finding.since.map(|minor| minor.to_string()).unwrap_or_default();
            let first = format!("{mark} {since:4}  ");
            text.push_str(&paragraph(&first, "        ", &finding.what.to_string(), width));
            // One piece of advice for several is given once.
            let again = |next: &&&Finding| next.what.advice() == finding.what.advice();
            if let Some(advice) = finding.what.advice().filter(|_| !rest.peek().is_some_and(again))
            {
                text.push_str(&paragraph("        → ", "          ", advice, width));
            }
        }
        if of_weight.len() > shown {
            let _ = writeln!(text, "        and {} more: -v shows all", of_weight.len() - shown);
        }
    }
    for assumption in &upgrade.assumptions {
        text.push('\n');
        let label = paint.faint("assumed:").to_string();
        text.push_str(&hang(&label, &format!("{assumption:.5}"), width));
    }
    if let Some((report, _)) = answer.requests {
        let _ = write!(text, "\n{}\n{}", paint.strong("REQUESTS"), comparison(report, page));
    }
    text
}

/// The same for a change ticket.
pub fn upgrade_markdown(answer: &UpgradeAnswer<'_>) -> String {
    let (origin, upgrade) = (answer.origin, answer.upgrade);
    let mut text =
        format!("### Upgrade of {} to Kubernetes {}\n", escape(&from(origin, upgrade)), upgrade.to);
    if upgrade.findings.is_empty() {
        text.push_str("\nNothing changes.\n");
    }
    for weight in Weight::ALL {
        let mut of_weight =
            upgrade.findings.iter().filter(|finding| finding.weight == weight).peekable();
        if of_weight.peek().is_none() {
            continue;
        }
        let (_, heading) = look(weight);
        let _ = write!(text, "\n**{}**\n\n| since | what | what to do |\n|---|---|---|\n", {
            heading.to_lowercase()
        });
        for finding in of_weight {
            let since = finding.since.map(|minor| minor.to_string()).unwrap_or_default();
            let advice = finding.what.advice().unwrap_or_default();
            let what = finding.what.to_string();
            let _ = writeln!(text, "| {since} | {} | {} |", escape(&what), escape(advice));
        }
    }
    if !upgrade.assumptions.is_empty() {
        text.push_str("\n_Assumed:_\n\n");
    }
    for assumption in &upgrade.assumptions {
        let _ = writeln!(text, "- {}", escape(&assumption.to_string()));
    }
    if let Some((report, _)) = answer.requests {
        let _ = writeln!(text, "\n**requests**\n\n{}", verdict(report));
        let headers: Vec<&str> = report.by.iter().map(|by| by.as_str()).collect();
        let rule = "---|".repeat(headers.len() + 1);
        if !report.rows.is_empty() {
            let _ = writeln!(text, "\n| {} | requests |\n|{rule}", headers.join(" | "));
        }
        for row in &report.rows {
            let cells: Vec<_> = row.names.iter().map(|cell| escape(cell)).collect();
            let _ = writeln!(text, "| {} | {} |", cells.join(" | "), row.row.requests);
        }
    }
    text
}

fn from(origin: &Origin, upgrade: &Upgrade) -> String {
    match origin.kind {
        crate::model::SourceKind::Builtin => origin.to_string(),
        _ => format!("{origin}, Kubernetes {}", upgrade.from),
    }
}
