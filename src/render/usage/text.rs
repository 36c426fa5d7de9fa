//! The text of `usage`.

use std::fmt::Write;

use super::json::{millis, share};
use crate::render::table::Grid;
use crate::render::{Table, TextBuilder, TextOptions, Tone, counted, joined, paragraph};
use aggctl_usage::{Dimension, Metrics, ReportRow, Row, UsageReport, rfc3339};

/// Returns the rows, then what the logs cover. On a terminal that is too narrow for several names
/// in a row, the rows are grouped by the first.
pub(super) fn table(report: &UsageReport, page: TextOptions) -> String {
    let rows: Vec<&ReportRow> = report.rows.iter().collect();
    let whole = rows_table(&rows, &report.by, report, page);
    let mut sheet = TextBuilder::new(page);
    match report.by.split_first() {
        Some((first, others)) if !others.is_empty() && whole.is_too_wide() => {
            for (name, rows) in by_name(&rows, &report.by, *first) {
                let requests: u64 = rows.iter().map(|row| row.row.requests).sum();
                let name = if name.is_empty() { "-" } else { name };
                sheet.gap_unless_empty();
                heading(&mut sheet, &format!("{} {name}", first.as_str()), requests);
                sheet.push(&rows_table(&rows, others, report, page).text());
            }
        }
        _ if rows.is_empty() && report.coverage.left_out > 0 => {
            sheet.line("No requests match the filters.");
        }
        _ if rows.is_empty() => {}
        _ => sheet.push(&whole.text()),
    }
    if report.left_out > 0 {
        sheet.line(format_args!("{} hidden (use --top).", counted(report.left_out, "row")));
    }
    sheet.gap_unless_empty();
    covered(&mut sheet, report);
    sheet.into_text()
}

/// Returns one row per combination of names.
fn rows_table(
    rows: &[&ReportRow],
    by: &[Dimension],
    report: &UsageReport,
    page: TextOptions,
) -> Grid {
    let count = |count: u64, tone: Tone| match count {
        0 => (String::new(), Tone::Plain),
        count => (count.to_string(), tone),
    };
    let by_client = report.by.contains(&Dimension::Client);
    let mut table = Table::new(rows, page);
    for by in by {
        let name = |one: &&ReportRow| one.name(&report.by, *by).unwrap_or_default().to_owned();
        table = table.column(&by.as_str().to_uppercase(), name);
    }
    table
        .column("REQUESTS", |one| one.row.requests.to_string())
        .column("SHARE", |one| percent(share(&one.row, &report.total)))
        .droppable()
        .toned("4XX", |one| count(one.row.errors().0, Tone::Odd))
        .droppable()
        .toned("5XX", |one| count(one.row.errors().1, Tone::Bad))
        .droppable()
        .column("P99", |one| latency(&one.row, 0.99))
        .droppable()
        .column("P50", |one| latency(&one.row, 0.5))
        .droppable()
        .column_if(!by_client, "CLIENTS", |one| count(one.row.clients() as u64, Tone::Plain).0)
        .droppable_if(!by_client)
        .column("LAST SEEN", |one| one.row.last.map(rfc3339).unwrap_or_default())
        .droppable()
        .column("OVER TIME", |one| sparkline(&one.row.timeline.along(&report.total.timeline)))
        .droppable()
        .wide("LONG-RUNNING", |one| one.row.long_running.to_string())
        .wide("RUNNING", |one| one.row.running.to_string())
        .wide("SERVICE", |one| one.service.as_deref().unwrap_or_default())
        .grid()
}

/// Groups rows by one of their names, in the order in which the names come.
fn by_name<'r>(
    rows: &[&'r ReportRow],
    by: &[Dimension],
    dimension: Dimension,
) -> Vec<(&'r str, Vec<&'r ReportRow>)> {
    let mut groups: Vec<(&str, Vec<&ReportRow>)> = vec![];
    for row in rows {
        let name = row.name(by, dimension).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((name, vec![row])),
        }
    }
    groups
}

/// Adds the name that rows have in common, and the number of their requests.
fn heading(sheet: &mut TextBuilder, name: &str, requests: u64) {
    let requests = counted(usize::try_from(requests).unwrap_or(usize::MAX), "request");
    let heading = paragraph("", "  ", &format!("{name}: {requests}"), sheet.page.width);
    sheet.line(sheet.page.paint.strong(heading.trim_end()));
}

/// Adds how many requests would end differently, and which, by client.
pub(in crate::render) fn comparison(sheet: &mut TextBuilder, report: &UsageReport) {
    let paint = sheet.page.paint;
    sheet.paragraph("", "", verdict(report));
    sheet.gap();
    let rows: Vec<&ReportRow> = report.rows.iter().collect();
    for (client, rows) in by_name(&rows, &report.by, Dimension::Client) {
        let requests: u64 = rows.iter().map(|row| row.row.requests).sum();
        heading(sheet, client, requests);
        for row in rows {
            let name = |dimension| row.name(&report.by, dimension).unwrap_or_default();
            let names = report.by.iter().zip(&row.names);
            let hidden = [Dimension::Client, Dimension::Now, Dimension::Then];
            let shown = names.filter(|(one, name)| !hidden.contains(one) && !name.is_empty());
            let what = joined(shown.map(|(_, name)| name), " ");
            let mark = if row.row.breaks > 0 { paint.bad("✗") } else { paint.odd("~") };
            let ends = format!("{} → {}", name(Dimension::Now), name(Dimension::Then));
            let requests = counted(row.row.requests as usize, "request");
            let what = if what.is_empty() { what } else { what + ": " };
            let what = format!("{what}{ends}, {requests}");
            sheet.paragraph(format_args!("  {mark} "), "    ", what);
        }
        sheet.gap();
    }
    if report.left_out > 0 {
        sheet.line(format_args!("{} hidden (use --top).\n", counted(report.left_out, "row")));
    }
    covered(sheet, report);
}

/// Returns how many requests would end differently.
pub(in crate::render) fn verdict(report: &UsageReport) -> String {
    let (changes, breaks) = (report.total.requests, report.total.breaks);
    let all = changes + report.same;
    match changes {
        0 => format!("All {} would end as they do now.", counted(all as usize, "request")),
        _ => format!(
            "{changes} of {} would end differently. {breaks} of them succeed now and would fail.",
            counted(all as usize, "request")
        ),
    }
}

/// Adds what the logs and metrics cover.
fn covered(sheet: &mut TextBuilder, report: &UsageReport) {
    let metrics = report.coverage.metrics.as_ref();
    if metrics.is_none() || report.coverage.events > 0 {
        sheet.paragraph("", "", log_covers(report));
    }
    if let Some(metrics) = metrics {
        metrics_cover(sheet, metrics);
    }
}

fn metrics_cover(sheet: &mut TextBuilder, metrics: &Metrics) {
    sheet.paragraph(
        "",
        "",
        "Counted by the metrics of one API server since it started. Metrics have no clients and no \
         times, and leave out requests that are proxied to Services.",
    );
    for (name, its) in &metrics.unavailable {
        let now = if its.now { "is not available" } else { "was not always available" };
        let times = match its.times {
            0 => String::new(),
            times => format!(" ({} in total)", counted(times as usize, "time")),
        };
        sheet.paragraph("  ", "    ", format_args!("{name} {now}{times}"));
    }
    for (resource, removed) in &metrics.deprecated {
        let gone = match removed.as_str() {
            "" => String::new(),
            removed => format!(" and removed in {removed}"),
        };
        let said = format!("{resource} is requested; it is deprecated{gone}");
        sheet.paragraph("  ", "    ", said);
    }
}

fn log_covers(report: &UsageReport) -> String {
    let coverage = &report.coverage;
    let mut said = format!("{} in the log", counted(coverage.events as usize, "event"));
    if let (Some(first), Some(last)) = (coverage.first, coverage.last) {
        let _ = write!(said, ", from {} to {}", rfc3339(first), rfc3339(last));
    }
    for (count, what) in [
        (coverage.left_out, "excluded by filters"),
        (report.total.running, "still running"),
        (report.total.unanswered, "without a response"),
    ] {
        if count > 0 {
            let _ = write!(said, "; {count} {what}");
        }
    }
    said + ". Requests that the audit policy drops are not counted."
}

fn percent(share: f64) -> String {
    match share {
        0.0 => "0%".to_owned(),
        share if share < 0.001 => "<0.1%".to_owned(),
        share => format!("{:.1}%", share * 100.0),
    }
}

fn latency(row: &Row, share: f64) -> String {
    match millis(row, share) {
        None => String::new(),
        Some(ms) if ms < 10.0 => format!("{ms:.1}ms"),
        Some(ms) if ms < 10_000.0 => format!("{ms:.0}ms"),
        Some(ms) => format!("{:.0}s", ms / 1_000.0),
    }
}

/// Returns a sparkline of at most 16 columns.
fn sparkline(steps: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let each = steps.len().div_ceil(16).max(1);
    let sums: Vec<u64> = steps.chunks(each).map(|chunk| chunk.iter().sum()).collect();
    let most = sums.iter().copied().max().unwrap_or_default().max(1);
    let bar = |sum: u64| match sum {
        0 => ' ',
        sum => BARS[((sum * 8).div_ceil(most) as usize).clamp(1, 8) - 1],
    };
    sums.into_iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_time() {
        assert_eq!(sparkline(&[0, 1, 4, 8]), " ▁▄█");
        assert_eq!(sparkline(&[1; 64]).chars().count(), 16);
        assert_eq!(sparkline(&[]), "");
        assert_eq!(percent(0.0004), "<0.1%");
        assert_eq!(percent(1.0), "100.0%");
    }
}
