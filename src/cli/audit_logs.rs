//! Reads audit logs on all cores, with progress, until the end or Ctrl-C. For `usage`, `upgrade`
//! and `test`.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::hints::add_output;
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

/// How often the progress is updated.
const TICK: Duration = Duration::from_millis(100);

/// The counts, and whether they are complete.
pub(super) struct CountedLogs {
    pub(super) tally: Tally,
    pub(super) interrupted: bool,
    /// One error per log that could not be read.
    pub(super) failed: Vec<String>,
}

/// Returns the distinct requests of logs.
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
        // This fails when all readers are done.
        let _ = done.recv();
    });
    require_complete(&reading.failed())?;
    let mut all = Distinct::default();
    parts.into_iter().for_each(|part| all.merge(part));
    match all.requests() {
        none if none.is_empty() => Err(Error::source("the input has no audit events")),
        some => Ok(some),
    }
}

/// Warns of what the counts lack.
pub(super) fn tell(
    report: &UsageReport,
    interrupted: bool,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let coverage = &report.coverage;
    if coverage.not_understood > 0 {
        let lines = counted(coverage.not_understood as usize, "line");
        let example = coverage.example.as_deref().unwrap_or_default();
        terminal.warn(&format!("{lines} without an audit event skipped, such as: {example}"))?;
    }
    if report.repeated > 0 {
        let requests = counted(report.repeated as usize, "request");
        terminal.warn(&format!("{requests} with duplicate audit IDs: was a log passed twice?"))?;
    }
    if report.rerouted > 0 {
        let requests = counted(report.rerouted as usize, "request");
        let were = if report.rerouted == 1 { "was" } else { "were" };
        terminal.note(&format!("{requests} {were} proxied to another API server; counted once"))?;
    }
    if report.unsure > 0 {
        let requests = counted(report.unsure as usize, "request");
        terminal
            .warn(&format!("up to {requests} without a response may have one in another log"))?;
    }
    if interrupted {
        terminal.warn("interrupted; the counts are incomplete")?;
    }
    Ok(())
}

/// Refuses logs without an audit event, unless they are a part of a larger one.
pub(super) fn require_events(counted: &CountedLogs, may_be_empty: bool) -> Result<(), Error> {
    let coverage = &counted.tally.coverage;
    let some = coverage.events > 0 || coverage.metrics.as_ref().is_some_and(|m| m.series > 0);
    if may_be_empty || some || counted.interrupted || !counted.failed.is_empty() {
        return Ok(());
    }
    let hint = match &coverage.example {
        Some(example) => format!("one of its lines is: {example}"),
        None => "it is empty".to_owned(),
    };
    Err(Error::source("the input has no audit events").with_hint(hint))
}

/// Returns an error if some log could not be read.
pub(super) fn require_complete(failed: &[String]) -> Result<(), Error> {
    match failed {
        [] => Ok(()),
        [one] => Err(Error::source(one.clone())),
        [one, more @ ..] => {
            Err(Error::source(format!("{one}, and {}", counted(more.len(), "more log"))))
        }
    }
}

/// Refuses to pass on what was counted before an interrupt: the rest may fail.
pub(super) fn whole_verdict(fails: bool, interrupted: bool) -> Result<(), Error> {
    if fails || !interrupted {
        return Ok(());
    }
    let error = Error::source("interrupted before all logs were read");
    Err(error.with_hint("without --fail-on, aggctl shows the counts so far"))
}

/// Counts with one counter per thread.
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

/// Counts the requests of the logs, or of the source's metrics if there is no log.
///
/// # Errors
/// If a log does not exist, or there are neither logs nor metrics.
pub(super) fn count(
    paths: &[PathBuf],
    question: &UsageQuestion,
    now: &Snapshot,
    then: Option<&Snapshot>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<CountedLogs> {
    if paths.is_empty() {
        let text = now.metrics.loaded().ok_or_else(|| {
            let hint = add_output(&now.origin, "`kubectl get --raw /metrics`");
            Error::source(format!("{} has no request metrics", now.origin))
                .with_hint(format!("pass audit logs, or {hint}"))
        })?;
        let tally = tally(question, now, then, |counter| counter.lines(text.as_bytes()));
        return Ok(CountedLogs { tally, interrupted: false, failed: vec![] });
    }
    let logs = Logs::find(paths)?;
    for skipped in &logs.skipped {
        terminal.warn(skipped)?;
    }
    let interrupt = Interrupt::listen();
    let reading = Reading::default();
    let bar = Bar::new("reading logs");
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
    Ok(CountedLogs { tally: all, interrupted: reading.is_stopped(), failed: reading.failed() })
}
