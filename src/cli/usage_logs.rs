//! Reading audit logs on all cores, with a bar, until the end or Ctrl-C.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use jiff::{Span, Timestamp, civil};

use super::progress::Bar;
use super::source::read;
use super::terminal::Terminal;
use crate::error::Error;
use crate::model::{Minor, Snapshot};
use crate::registry::Registry;
use crate::render::counted;
use crate::routing::Router;
use crate::source::interrupt::Interrupt;
use crate::source::live::Needs;
use crate::source::logs::{Logs, Piece, Reading};
use crate::source::{self, Request};
use crate::usage::{Counter, Mismatch, Partial, Question, Report, Tally};
use crate::what_if;

/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// What was counted, and how far that went.
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) interrupted: bool,
    /// What could not be read, one line each.
    pub(super) failed: Vec<String>,
}

/// Says what the counts lack.
pub(super) fn tell(
    report: &Report,
    interrupted: bool,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let coverage = &report.coverage;
    if coverage.not_understood > 0 {
        let lines = counted(coverage.not_understood as usize, "line");
        let example = coverage.example.as_deref().unwrap_or_default();
        terminal.warn(&format!("{lines} without an audit event, such as: {example}"))?;
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

/// Refuses to call complete what is not.
///
/// # Errors
/// Where a log could not be read to its end.
pub(super) fn complete(failed: &[String]) -> Result<(), Error> {
    match failed {
        [] => Ok(()),
        [one] => Err(Error::source(one.clone())),
        [one, more @ ..] => {
            Err(Error::source(format!("{one}, and {}", counted(more.len(), "more log"))))
        }
    }
}

/// Partial results added up: one a line, in any number of files.
///
/// # Errors
/// Where a file cannot be read, is no partial result, or counts something else.
pub(super) fn merged(files: &[PathBuf]) -> Result<Partial, Error> {
    let mut all: Option<Partial> = None;
    for file in files {
        let text = source::text(file)?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let name = file.display();
            let part = Partial::parse(line).map_err(|why| {
                Error::source(format!("cannot read {name}: {why}"))
                    .with_hint("aggctl usage --partial LOG writes what --merge takes")
            })?;
            match &mut all {
                None => all = Some(part),
                Some(all) => all.merge(part).map_err(|Mismatch::Question(its, first)| {
                    Error::usage(format!("{name} counts {its}; the first counts {first}"))
                        .with_hint("give the same options to every --partial")
                })?,
            }
        }
    }
    all.ok_or_else(|| Error::source("there is no partial result to add up"))
}

/// Counts the requests of logs.
///
/// # Errors
/// Where a log is not there, or none of them holds an event.
pub(super) fn count(
    paths: &[PathBuf],
    question: &Question,
    now: &Snapshot,
    then: Option<&Snapshot>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Counted> {
    let logs = Logs::find(paths)?;
    for skipped in &logs.skipped {
        terminal.warn(skipped)?;
    }
    let interrupt = Interrupt::listen();
    let reading = Reading::default();
    let mut bar = Bar::new("reading logs".to_owned());
    let readers = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies = logs.read(
        readers,
        &reading,
        |feed| {
            let registry = Registry::new(now);
            let registry_then = then.map(Registry::new);
            let router_then = registry_then.as_ref().map(Router::new);
            let mut counter = Counter::new(question, Router::new(&registry), router_then);
            feed(&mut |piece| match piece {
                Piece::Lines(lines) => counter.lines(lines),
                Piece::Document(text) => counter.document(text),
                Piece::TooLong(beginning) => counter.miss(beginning),
            });
            counter.finish()
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
    let mut tally = Tally::default();
    tallies.into_iter().for_each(|part| tally.merge(part));
    let failed = reading.failed();
    if tally.coverage.events == 0 && failed.is_empty() && !reading.is_stopped() {
        let error = Error::source("no audit event in what was read");
        let hint = match &tally.coverage.example {
            Some(example) => format!("a line of it: {example}"),
            None => "it is empty".to_owned(),
        };
        return Err(error.with_hint(hint).into());
    }
    Ok(Counted { tally, interrupted: reading.is_stopped(), failed })
}

/// The cluster on another version of Kubernetes, with all that is its own, or another source.
///
/// # Errors
/// Where that cannot be read.
pub(super) fn on_another(
    now: &Snapshot,
    to: &str,
    request: &Request,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Snapshot> {
    let mut other = |word: &str| -> anyhow::Result<Snapshot> {
        Ok(read(&request.resolve_word(word, &Needs::layer())?, terminal)?.now)
    };
    let Some(to) = Minor::parse(to.strip_prefix("builtin:").unwrap_or(to)) else {
        return other(to);
    };
    let from = now.minor().ok_or_else(|| {
        Error::source(format!("{} does not say which Kubernetes it runs", now.origin))
            .with_hint("kubectl get --raw /version > version.json, into the dump")
    })?;
    let (from, to) = (other(&format!("builtin:{from}"))?, other(&format!("builtin:{to}"))?);
    let changed = what_if::upgraded(now, &from, &to);
    changed.effects.iter().try_for_each(|effect| terminal.what_if(effect))?;
    Ok(changed.snapshot)
}

/// A time as it is typed, in microseconds since 1970.
///
/// # Errors
/// Where it is none.
pub(super) fn time(text: &str) -> Result<i64, Error> {
    let date = || text.parse::<civil::Date>().ok()?.in_tz("UTC").ok().map(|day| day.timestamp());
    let ago = || {
        let span = text.parse::<Span>().ok()?;
        Timestamp::now().checked_sub(span).ok()
    };
    let time = text.parse::<Timestamp>().ok().or_else(date).or_else(ago);
    time.map(Timestamp::as_microsecond).ok_or_else(|| {
        Error::usage(format!("{text:?} is not a time"))
            .with_hint("2026-11-16, 2026-11-16T18:00:00Z, or how long ago: 90m, 2h")
    })
}
