//! Reads a live cluster repeatedly, for `--watch` and `--wait-for`.

use std::time::{Duration, Instant};

use super::super::terminal::Terminal;
use super::args::DoctorArgs;
use super::diagnoses::{nothing, wants};
use super::watch::{self, Rounds};
use crate::error::Error;
use crate::render;
use aggctl_diagnose::doctor::{self, HealthSummary, Probes, Standings};
use aggctl_source::ResolvedSource;
use aggctl_source::clock;
use kube_aggregation::model::{Gap, Snapshot, SnapshotPart};
use kube_aggregation::registry::Registry;

/// The maximum part of the waiting time that is reserved for the last read.
const LAST_LOOK: Duration = Duration::from_secs(1);

/// Repeated reads of one cluster.
pub(super) struct ClusterRounds<'c, 't> {
    args: &'c DoctorArgs,
    resolved: &'c ResolvedSource,
    terminal: &'c mut Terminal<'t>,
    /// When to stop, if ever.
    end: Option<Instant>,
    /// The result of the last read.
    last: Standings,
    /// The parts that the first read could not get.
    unread: Option<Vec<SnapshotPart>>,
}

impl<'c, 't> ClusterRounds<'c, 't> {
    pub(super) fn new(
        args: &'c DoctorArgs,
        resolved: &'c ResolvedSource,
        terminal: &'c mut Terminal<'t>,
    ) -> Self {
        Self { args, resolved, terminal, end: None, last: Standings::new(), unread: None }
    }

    /// Prints every change since the first read.
    pub(super) fn watch(&mut self, first: &Snapshot, standings: Standings) -> anyhow::Result<()> {
        self.terminal.out.flush()?;
        self.unread = Some(parts(first.unread()));
        let every = format_duration(self.args.interval);
        self.terminal.note(&format!("checking every {every}; press Ctrl-C to stop"))?;
        watch::watch(self, standings)
    }

    /// Waits until the selected APIServices are available or the time is up. Returns whether all
    /// are.
    pub(super) fn wait(&mut self) -> anyhow::Result<bool> {
        let timeout = self.args.source.cluster.timeout;
        self.end = Some(Instant::now() + timeout);
        let (wanted, time) = (self.args.names.as_slice(), format_duration(timeout));
        let what = match wanted {
            [] => "all APIServices".to_owned(),
            names => names.join(", "),
        };
        self.terminal.note(&format!("waiting up to {time} for {what} to become available"))?;
        let missing = watch::wait(self, wanted)?;
        if missing.is_empty() {
            writeln!(self.terminal.out, "available: {}", render::sanitize(&what))?;
            return Ok(true);
        }
        writeln!(self.terminal.out, "not available after {time}:")?;
        for name in &missing {
            let why = self.last.get(name).map_or("not in the cluster", |s| s.summary.as_str());
            let label = format!("  {}:", render::sanitize(name));
            let line = render::hang(&label, why, self.terminal.width);
            self.terminal.print(line)?;
        }
        Ok(false)
    }

    fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// Formats a duration: `2m 30s`.
fn format_duration(time: Duration) -> String {
    let time = jiff::SignedDuration::try_from(time).unwrap_or(jiff::SignedDuration::MAX);
    format!("{time:#}")
}

fn parts(unread: Vec<Gap>) -> Vec<SnapshotPart> {
    unread.into_iter().map(|gap| gap.part).collect()
}

impl Rounds for ClusterRounds<'_, '_> {
    fn look(&mut self) -> Result<Standings, Error> {
        // One read may take no longer than the remaining time. The first read printed the notes.
        let resolved =
            self.left().map_or_else(|| self.resolved.clone(), |left| self.resolved.within(left));
        let source = resolved.load(&mut |_| {})?;
        let snapshot = &source.snapshot;
        // A part that only this read could not get does not show a change.
        let unread = snapshot.unread();
        let known = self.unread.get_or_insert_with(|| parts(unread.clone()));
        if let Some(gap) = unread.iter().find(|gap| !known.contains(&gap.part)) {
            return Err(Error::source(gap.to_string()));
        }
        let registry = Registry::new(snapshot);
        let now = self.args.now.unwrap_or_else(clock::now);
        let probes = Probes::new();
        let diagnoses = doctor::diagnose_all(&registry, now, &probes);
        // Without any APIService the read has failed; it does not mean that all were deleted.
        if diagnoses.is_empty() {
            return Err(nothing(snapshot));
        }
        let mut standings = doctor::standings(&diagnoses);
        standings.retain(|name, _| wants(self.args, name));
        self.last.clone_from(&standings);
        Ok(standings)
    }

    fn pause(&mut self) -> bool {
        let Some(left) = self.left() else {
            if self.terminal.is_closed() {
                return false;
            }
            std::thread::sleep(self.args.interval);
            return true;
        };
        // Reserve time for the last read.
        let last = LAST_LOOK.min(self.args.source.cluster.timeout / 4);
        let nap = left.saturating_sub(last).min(self.args.interval);
        std::thread::sleep(nap);
        !nap.is_zero()
    }

    fn report(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()> {
        let time = clock::now().strftime("%H:%M:%S").to_string();
        let Terminal { paint, fit, .. } = *self.terminal;
        let line = render::standing_line(&time, name, standing, paint, fit);
        self.terminal.out.write_all(line.as_bytes())?;
        Ok(self.terminal.out.flush()?)
    }

    fn complain(&mut self, error: &Error) -> anyhow::Result<()> {
        Ok(self.terminal.warn(&error.to_string())?)
    }
}
