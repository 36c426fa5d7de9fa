//! The text of `usage`.

use std::fmt::Write;

use super::json::{millis, share};
use crate::render::{Table, TextBuilder, TextOptions, Tone, counted, joined, paragraph};
use aggctl_usage::{Dimension, Metrics, ReportRow, Row, UsageReport, rfc3339};

/// The minimum table width for a time column. In a narrower table, names would have to break.
const ROOM_FOR_TIMES: usize = 110;

/// Returns the rows, then what the logs cover.
pub(super) fn table(report: &UsageReport, page: TextOptions) -> String {
    let times = page.wide || page.fit.is_none_or(|width| width >= ROOM_FOR_TIMES);
    let count = |count: u64, tone: Tone| match count {
        0 => (String::new(), Tone::Plain),
        count => (count.to_string(), tone),
    };
    // Next to long names, there is no room for all columns.
    let long = [Dimension::Client, Dimension::Resource, Dimension::Path];
    let crowded = !times && (report.by.len() > 1 || report.by.iter().any(|by| long.contains(by)));
    let by_client = report.by.contains(&Dimension::Client);
    let mut table = Table::new(&report.rows, page);
    for by in &report.by {
        let name = |one: &ReportRow| one.name(&report.by, *by).unwrap_or_default().to_owned();
        table = table.column(&by.as_str().to_uppercase(), name);
    }
    let table = table
        .column("REQUESTS", |one| one.row.requests.to_string())
        .column_if(!crowded, "SHARE", |one| percent(share(&one.row, &report.total)))
        .toned("4XX", |one| count(one.row.errors().0, Tone::Odd))
        .toned("5XX", |one| count(one.row.errors().1, Tone::Bad))
        .column("P50", |one| latency(&one.row, 0.5))
        .column("P99", |one| latency(&one.row, 0.99))
        .column_if(!crowded && !by_client, "CLIENTS", |one| {
            count(one.row.clients() as u64, Tone::Plain).0
        })
        .column_if(times, "LAST SEEN", |one| one.row.last.map(rfc3339).unwrap_or_default())
        .column_if(times, "OVER TIME", |one| {
            sparkline(&one.row.timeline.along(&report.total.timeline))
        })
        .wide("LONG-RUNNING", |one| one.row.long_running.to_string())
        .wide("RUNNING", |one| one.row.running.to_string())
        .wide("SERVICE", |one| one.service.as_deref().unwrap_or_default());
    let mut sheet = TextBuilder::new(page);
    if !report.rows.is_empty() {
        sheet.push(&table.render());
    }
    if report.left_out > 0 {
        sheet.line(format_args!("… and {}", counted(report.left_out, "more row")));
    }
    if !sheet.is_empty() {
        sheet.gap();
    }
    covered(&mut sheet, report);
    sheet.into_text()
}

/// Adds the requests that would end differently, by client.
pub(in crate::render) fn comparison(sheet: &mut TextBuilder, report: &UsageReport) {
    let paint = sheet.page.paint;
    let mut clients: Vec<(&str, Vec<&ReportRow>)> = vec![];
    for row in &report.rows {
        let client = row.name(&report.by, Dimension::Client).unwrap_or_default();
        match clients.iter_mut().find(|(name, _)| *name == client) {
            Some((_, rows)) => rows.push(row),
            None => clients.push((client, vec![row])),
        }
    }
    for (client, rows) in clients {
        let requests: u64 = rows.iter().map(|row| row.row.requests).sum();
        let what = format!("{client}: {}", counted(requests as usize, "request"));
        let heading = paragraph("", "  ", &what, sheet.page.width);
        sheet.line(paint.strong(heading.trim_end()));
        for row in rows {
            let name = |dimension| row.name(&report.by, dimension).unwrap_or_default();
            let names = report.by.iter().zip(&row.names);
            let hidden = [Dimension::Client, Dimension::Now, Dimension::Then];
            let shown = names.filter(|(one, name)| !hidden.contains(one) && !name.is_empty());
            let what = joined(shown.map(|(_, name)| name), " ");
            let mark = if row.row.breaks > 0 { paint.bad("×") } else { paint.odd("~") };
            let ends = format!("{} → {}", name(Dimension::Now), name(Dimension::Then));
            let requests = counted(row.row.requests as usize, "request");
            let what = format!("{what}: {ends}, {requests}");
            sheet.paragraph(format_args!("  {mark} "), "    ", what);
        }
        sheet.gap();
    }
    if report.left_out > 0 {
        sheet.line(format_args!("… and {}\n", counted(report.left_out, "more row")));
    }
    sheet.paragraph("", "", verdict(report));
    covered(sheet, report);
}

/// Returns how many requests would end differently.
pub(in crate::render) fn verdict(report: &UsageReport) -> String {
    let (changes, breaks) = (report.total.requests, report.total.breaks);
    let all = changes + report.same;
    match changes {
        0 => format!("All {} would end as they do now.", counted(all as usize, "request")),
        _ => format!(
            "{changes} of {} would end differently; {breaks} of these work now, and would not.",
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
        "Counted by the metrics of one API server since it started: they tell no clients and no \
         times, and nothing of the requests that it sends on to Services.",
    );
    for (name, its) in &metrics.unavailable {
        let now = if its.now { "is not available" } else { "was not always available" };
        let times = match its.times {
            0 => String::new(),
            times => format!(" (found so {})", counted(times as usize, "time")),
        };
        sheet.paragraph("  ", "    ", format_args!("{name} {now}{times}"));
    }
    for (resource, removed) in &metrics.deprecated {
        let gone = match removed.as_str() {
            "" => String::new(),
            removed => format!(", and gone in {removed}"),
        };
        let said = format!("{resource} is asked for; it is deprecated{gone}");
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
        (coverage.left_out, "left out by filters"),
        (report.total.running, "were still running"),
        (report.total.unanswered, "have no answer in it"),
    ] {
        if count > 0 {
            let _ = write!(said, "; {count} {what}");
        }
    }
    said + ". What the audit policy drops is not in it."
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
