//! Usage for people.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::{counted, paragraph};
use super::super::table::{Table, Tone};
use super::json::{millis, share};
use crate::usage::{Dimension, Metrics, Report, ReportRow, Row, rfc3339};

/// A narrower table would break names to show when requests came.
const ROOM_FOR_TIMES: usize = 110;

/// A row each, then what the log covers.
pub(super) fn table(report: &Report, page: Page) -> String {
    let times = page.wide || page.fit.is_none_or(|width| width >= ROOM_FOR_TIMES);
    let mut headers: Vec<String> =
        report.by.iter().map(|one| one.as_str().to_uppercase()).collect();
    headers.extend(["REQUESTS", "SHARE", "4XX", "5XX", "P50", "P99", "CLIENTS"].map(str::to_owned));
    if times {
        headers.extend(["LAST SEEN", "OVER TIME"].map(str::to_owned));
    }
    if page.wide {
        headers.extend(["LONG-RUNNING", "RUNNING", "SERVICE"].map(str::to_owned));
    }
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let mut table = Table::new(&headers, page);
    for one in &report.rows {
        let row = &one.row;
        let (client, server) = row.errors();
        let count = |count: u64, tone: Tone| match count {
            0 => (String::new(), Tone::Plain),
            count => (count.to_string(), tone),
        };
        let plain = |text: String| (text, Tone::Plain);
        let mut cells: Vec<(String, Tone)> = one.names.iter().cloned().map(plain).collect();
        cells.extend([
            plain(row.requests.to_string()),
            plain(percent(share(row, &report.total))),
            count(client, Tone::Odd),
            count(server, Tone::Bad),
            plain(latency(row, 0.5)),
            plain(latency(row, 0.99)),
            count(row.clients() as u64, Tone::Plain),
        ]);
        if times {
            cells.push(plain(row.last.map(rfc3339).unwrap_or_default()));
            cells.push(plain(sparkline(&row.timeline.along(&report.total.timeline))));
        }
        if page.wide {
            cells.push(plain(row.long_running.to_string()));
            cells.push(plain(row.running.to_string()));
            cells.push(plain(one.service.clone().unwrap_or_default()));
        }
        table.toned(cells);
    }
    let mut text = if report.rows.is_empty() { String::new() } else { table.render() };
    if report.left_out > 0 {
        let _ = writeln!(text, "… and {}", counted(report.left_out, "more row"));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &covered(report, page)
}

/// What ends differently, client by client.
pub(in crate::render) fn comparison(report: &Report, page: Page) -> String {
    let mut text = String::new();
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
        text.push_str(
            &page.paint.strong(paragraph("", "  ", &what, page.width).trim_end()).to_string(),
        );
        text.push('\n');
        for row in rows {
            let name = |dimension| row.name(&report.by, dimension).unwrap_or_default();
            let names = report.by.iter().zip(&row.names);
            let hidden = [Dimension::Client, Dimension::Now, Dimension::Then];
            let shown = names.filter(|(one, name)| !hidden.contains(one) && !name.is_empty());
            let what: Vec<&str> = shown.map(|(_, name)| name.as_str()).collect();
            let mark = if row.row.breaks > 0 { page.paint.bad("×") } else { page.paint.odd("~") };
            let first = format!("  {mark} ");
            let ends = format!("{} → {}", name(Dimension::Now), name(Dimension::Then));
            let requests = counted(row.row.requests as usize, "request");
            let what = format!("{}: {ends}, {requests}", what.join(" "));
            text.push_str(&paragraph(&first, "    ", &what, page.width));
        }
        text.push('\n');
    }
    if report.left_out > 0 {
        let _ = writeln!(text, "… and {}\n", counted(report.left_out, "more row"));
    }
    text.push_str(&paragraph("", "", &verdict(report), page.width));
    text + &covered(report, page)
}

/// How many requests end differently, in a sentence.
pub(in crate::render) fn verdict(report: &Report) -> String {
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

/// What logs and metrics cover.
fn covered(report: &Report, page: Page) -> String {
    let log = log_covers(report, page);
    match &report.coverage.metrics {
        None => log,
        Some(metrics) if report.coverage.events == 0 => metrics_cover(metrics, page),
        Some(metrics) => log + &metrics_cover(metrics, page),
    }
}

fn metrics_cover(metrics: &Metrics, page: Page) -> String {
    let mut text = paragraph(
        "",
        "",
        "Counted by the metrics of one API server since it started: they tell no clients and no \
         times, and nothing of the requests that it sends on to Services.",
        page.width,
    );
    for (name, its) in &metrics.unavailable {
        let now = if its.now { "is not available" } else { "was not always available" };
        let times = match its.times {
            0 => String::new(),
            times => format!(" (found so {})", counted(times as usize, "time")),
        };
        text += &paragraph("  ", "    ", &format!("{name} {now}{times}"), page.width);
    }
    for (resource, removed) in &metrics.deprecated {
        let gone = match removed.as_str() {
            "" => String::new(),
            removed => format!(", and gone in {removed}"),
        };
        let said = format!("{resource} is asked for; it is deprecated{gone}");
        text += &paragraph("  ", "    ", &said, page.width);
    }
    text
}

fn log_covers(report: &Report, page: Page) -> String {
    let coverage = &report.coverage;
    let mut said = format!("{} in the log", counted(coverage.events as usize, "event"));
    if let (Some(first), Some(last)) = (coverage.first, coverage.last) {
        let _ = write!(said, ", from {} to {}", rfc3339(first), rfc3339(last));
    }
    if coverage.left_out > 0 {
        let _ = write!(said, "; {} left out by filters", coverage.left_out);
    }
    if report.total.running > 0 {
        let _ = write!(said, "; {} were still running", report.total.running);
    }
    if report.total.unanswered > 0 {
        let _ = write!(said, "; {} have no answer in it", report.total.unanswered);
    }
    said.push_str(". What the audit policy drops is not in it.");
    paragraph("", "", &said, page.width)
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

/// Sixteen columns at most, the highest as high as a line.
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
