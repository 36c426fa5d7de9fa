//! Reading audit logs on all cores, with a bar, until the end or Ctrl-C.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::progress::Bar;
use super::terminal::Terminal;
use crate::error::Error;
use crate::render::counted;
use aggctl_source::interrupt::Interrupt;
use aggctl_source::logs::{Feed, Logs, Piece, Reading};
use aggctl_usage::{Counter, Distinct, Tally, UsageQuestion, UsageReport};
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Router};

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// What was counted, and how far that went.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) interrupted: bool,
    /// What could not be read, one line each.
    pub(super) failed: Vec<String>,
}

/// The distinct requests of logs.
pub(super) fn distinct(paths: &[PathBuf]) -> Result<Vec<(Method, String)>, Error> {
    let reading = Reading::default();
    let readers = std::thread::available_parallelism().map_or(1, usize::from);
    let read = |feed: Feed<'_>| {
        let mut seen = Distinct::default();
        feed(&mut |piece| match piece {
            Piece::Lines(lines) => lines.split(|byte| *byte == b'\n').for_each(|l| seen.line(l)),
            Piece::Document(text) => seen.line(text),
            Piece::TooLong(_) => {}
        });
        seen
    };
    let parts = Logs::find(paths)?.read(readers, &reading, read, |done| {
        // Fails when all are done: that is what is waited for.
        let _ = done.recv();
    });
    complete(&reading.failed())?;
    let mut all = Distinct::default();
    parts.into_iter().for_each(|part| all.merge(part));
    match all.requests() {
        none if none.is_empty() => Err(Error::source("no audit event in what was read")),
        some => Ok(some),
    }
}

/// Says what the counts lack.
pub(super) fn tell(
    report: &UsageReport,
    interrupted: bool,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let coverage = &report.coverage;
    if coverage.not_understood > 0 {
        let lines = counted(coverage.not_understood as usize, "line");
        let example = coverage.example.as_deref().unwrap_or_default();
        terminal.warn(&format!("{lines} without an audit event, such as: {example}"))?;
    }
    if report.repeated > 0 {
        let requests = counted(report.repeated as usize, "request");
        terminal
            .warn(&format!("{requests} with the audit ID of another: is a log there twice?"))?;
    }
    if report.rerouted > 0 {
        let requests = counted(report.rerouted as usize, "request");
        let were = if report.rerouted == 1 { "was" } else { "were" };
        terminal.note(&format!("{requests} {were} proxied to another API server; counted once"))?;
    }
    if report.unsure > 0 {
        let requests = counted(report.unsure as usize, "request");
        terminal.warn(&format!("up to {requests} without an answer may have one elsewhere"))?;
    }
    if interrupted {
        terminal.warn("interrupted: this is what was counted so far")?;
    }
    Ok(())
}

/// Refuses to count where nothing is to be counted; a part of a log may be empty.
pub(super) fn some_event(counted: &Counted, may_be_empty: bool) -> Result<(), Error> {
    let coverage = &counted.tally.coverage;
    let some = coverage.events > 0 || coverage.metrics.as_ref().is_some_and(|m| m.series > 0);
    if may_be_empty || some || counted.interrupted || !counted.failed.is_empty() {
        return Ok(());
    }
    let hint = match &coverage.example {
        Some(example) => format!("a line of it: {example}"),
        None => "it is empty".to_owned(),
    };
    Err(Error::source("no audit event in what was read").with_hint(hint))
}

/// Refuses to call complete what is not.
pub(super) fn complete(failed: &[String]) -> Result<(), Error> {
    match failed {
        [] => Ok(()),
        [one] => Err(Error::source(one.clone())),
        [one, more @ ..] => {
            Err(Error::source(format!("{one}, and {}", counted(more.len(), "more log"))))
        }
    }
}

/// What comes of counting.
fn tally(
    question: &UsageQuestion,
    now: &Snapshot,
    then: Option<&Snapshot>,
    count: impl FnOnce(&mut Counter<'_>),
) -> Tally {
    let registry = Registry::new(now);
    let registry_then = then.map(Registry::new);
    let router_then = registry_then.as_ref().map(Router::new);
    let mut counter = Counter::new(question, Router::new(&registry), router_then);
    count(&mut counter);
    counter.finish()
}

/// Counts the requests of logs; without one, those that the source's metrics tell of.
///
/// # Errors
/// Where a log is not there, or there is nothing to count by.
pub(super) fn count(
    paths: &[PathBuf],
    question: &UsageQuestion,
    now: &Snapshot,
    then: Option<&Snapshot>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Counted> {
    if paths.is_empty() {
        let text = now.metrics.loaded().ok_or_else(|| {
            Error::source(format!("{} has no metrics to count by", now.origin))
                .with_hint("name audit logs, or what `kubectl get --raw /metrics` prints")
        })?;
        let tally = tally(question, now, then, |counter| counter.lines(text.as_bytes()));
        return Ok(Counted { tally, interrupted: false, failed: vec![] });
    }
    let logs = Logs::find(paths)?;
    for skipped in &logs.skipped {
        terminal.warn(skipped)?;
    }
    let interrupt = Interrupt::listen();
    let reading = Reading::default();
    let mut bar = Bar::new("reading logs");
    let readers = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies = logs.read(
        readers,
        &reading,
        |feed| {
            tally(question, now, then, |counter| {
                feed(&mut |piece| match piece {
                    Piece::Lines(lines) => counter.lines(lines),
                    Piece::Document(text) => counter.document(text),
                    Piece::TooLong(beginning) => counter.miss(beginning),
                });
            })
        },
        |done| {
            while done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.read(reading.done.load(Ordering::Relaxed), logs.size);
                if interrupt.came() {
                    reading.stop();
                }
            }
        },
    );
    drop(bar);
    let mut all = Tally::default();
    tallies.into_iter().for_each(|part| all.merge(part));
    Ok(Counted { tally: all, interrupted: reading.is_stopped(), failed: reading.failed() })
}
