//! The text and the Markdown of `upgrade`.

use std::fmt::Write;

use super::answer::UpgradeAnswer;
use crate::render::markdown::{assumed, escape, table};
use crate::render::usage::{comparison, verdict};
use crate::render::{TextBuilder, TextOptions, joined, sanitize};
use kube_aggregation::model::{Origin, SourceKind};
use kube_aggregation::upgrade::{Upgrade, UpgradeFinding, UpgradeImpact};

/// How many findings of an impact are shown without `-v`.
const MAX_FINDINGS: usize = 8;

/// Returns the mark and the heading of an impact.
fn look(weight: UpgradeImpact) -> (&'static str, &'static str) {
    match weight {
        UpgradeImpact::Breaks => ("✗", "BREAKS"),
        UpgradeImpact::Risks => ("?", "AT RISK"),
        UpgradeImpact::Changes => ("~", "CHANGES"),
        UpgradeImpact::Comes => ("+", "NEW"),
    }
}

/// Returns the findings by impact, the worst first.
pub(super) fn text(answer: &UpgradeAnswer<'_>, page: TextOptions) -> String {
    let (upgrade, paint) = (answer.upgrade, page.paint);
    let mut sheet = TextBuilder::new(page);
    let from = from(answer.origin, upgrade);
    sheet.line(format_args!("{} {}", paint.faint("from"), sanitize(&from)));
    sheet.line(format_args!("{} Kubernetes {}", paint.faint("to  "), upgrade.to));
    if let Some(verdict) = clean(upgrade) {
        sheet.gap();
        sheet.paragraph("", "", verdict);
    }
    for (weight, findings) in by_weight(upgrade) {
        let (mark, heading) = look(weight);
        let count = paint.faint(findings.len());
        sheet.line(format_args!("\n{}  {count}", paint.strong(heading)));
        let mark = match weight {
            UpgradeImpact::Breaks => paint.bad(mark),
            UpgradeImpact::Risks => paint.odd(mark),
            UpgradeImpact::Changes => paint.away(mark),
            UpgradeImpact::Comes => paint.good(mark),
        };
        let shown = if page.verbose { findings.len() } else { MAX_FINDINGS };
        let mut rest = findings.iter().take(shown).peekable();
        while let Some(finding) = rest.next() {
            let since = since(finding);
            sheet.paragraph(format_args!("{mark} {since:4}  "), "        ", &finding.what);
            // Several findings with the same advice show it once.
            let again = |next: &&&UpgradeFinding| next.what.advice() == finding.what.advice();
            if let Some(advice) = finding.what.advice().filter(|_| !rest.peek().is_some_and(again))
            {
                sheet.paragraph("        → ", "          ", advice);
            }
        }
        if findings.len() > shown {
            let more = findings.len() - shown;
            sheet.line(format_args!("        {more} more hidden (use -v)."));
        }
    }
    if !upgrade.assumptions.is_empty() {
        sheet.gap();
    }
    for assumption in &upgrade.assumptions {
        sheet.hang(paint.faint("assumed:"), format_args!("{assumption:.5}"));
    }
    if let Some((report, _)) = answer.requests {
        sheet.section("REQUESTS");
        comparison(&mut sheet, report);
    }
    sheet.into_text()
}

/// Returns the verdict on an upgrade in which nothing that breaks was found, with what was not
/// looked at.
fn clean(upgrade: &Upgrade) -> Option<String> {
    let what = match upgrade.findings.first().map(|finding| finding.weight) {
        None => "Nothing changes",
        Some(worst) if worst > UpgradeImpact::Risks => "Found nothing that breaks",
        Some(_) => return None,
    };
    Some(match upgrade.unchecked().as_slice() {
        [] => format!("{what}."),
        gaps => format!("{what} in what could be checked: {}.", joined(gaps, "; ")),
    })
}

/// Returns the findings by impact.
fn by_weight(upgrade: &Upgrade) -> impl Iterator<Item = (UpgradeImpact, Vec<&UpgradeFinding>)> {
    let of = |weight| upgrade.findings.iter().filter(move |finding| finding.weight == weight);
    let each =
        UpgradeImpact::ALL.into_iter().map(move |weight| (weight, of(weight).collect::<Vec<_>>()));
    each.filter(|(_, findings)| !findings.is_empty())
}

/// Returns the minor that causes a finding.
fn since(finding: &UpgradeFinding) -> String {
    finding.since.map(|minor| minor.to_string()).unwrap_or_default()
}

/// Returns the findings for a change ticket.
pub(super) fn markdown(answer: &UpgradeAnswer<'_>) -> String {
    let (origin, upgrade) = (answer.origin, answer.upgrade);
    let mut text =
        format!("### Upgrade of {} to Kubernetes {}\n", escape(&from(origin, upgrade)), upgrade.to);
    if let Some(verdict) = clean(upgrade) {
        let _ = writeln!(text, "\n{}", escape(&verdict));
    }
    for (weight, findings) in by_weight(upgrade) {
        let rows = findings.iter().map(|finding| {
            let advice = finding.what.advice().unwrap_or_default();
            [since(finding), escape(&finding.what.to_string()), escape(advice)]
        });
        let heading = look(weight).1.to_lowercase();
        let rows = table(&["since", "what", "what to do"], rows);
        let _ = write!(text, "\n**{heading}**\n\n{rows}");
    }
    text.push_str(&assumed(&upgrade.assumptions));
    if let Some((report, _)) = answer.requests {
        let _ = writeln!(text, "\n**requests**\n\n{}", verdict(report));
        if !report.rows.is_empty() {
            let headers = report.by.iter().map(|by| by.as_str()).chain(["requests"]);
            let rows = report.rows.iter().map(|row| {
                let names = row.names.iter().map(|name| escape(name));
                names.chain([row.row.requests.to_string()])
            });
            let _ = write!(text, "\n{}", table(&headers.collect::<Vec<_>>(), rows));
        }
    }
    text
}

fn from(origin: &Origin, upgrade: &Upgrade) -> String {
    match origin.kind {
        SourceKind::Builtin => origin.to_string(),
        _ => format!("{origin}, Kubernetes {}", upgrade.from),
    }
}
