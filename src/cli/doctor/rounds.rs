//! A live cluster, looked at again and again for `--watch` and `--wait-for`.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::super::terminal::Terminal;
use super::args::DoctorArgs;
use super::diagnoses::{nothing, wants};
use super::watch::{self, Rounds};
use crate::render;
use aggctl_diagnose::doctor::{self, HealthSummary, Probes, Standings};
use aggctl_source::Plan;
use aggctl_source::error::Error;
use kube_aggregation::model::{Gap, Snapshot, SnapshotPart};
use kube_aggregation::registry::Registry;

/// How much of the time to wait is kept for the last look, at most.
const LAST_LOOK: Duration = Duration::from_secs(1);

/// One cluster, and what is looked for.
pub(super) struct ClusterRounds<'c, 't> {
    args: &'c DoctorArgs,
    plan: &'c Plan,
    terminal: &'c mut Terminal<'t>,
    /// When to stop, if ever.
    end: Option<Instant>,
    /// What the last look found.
    last: Standings,
    /// What could not be read at the first look, which is known then.
    unread: Option<Vec<SnapshotPart>>,
}

impl<'c, 't> ClusterRounds<'c, 't> {
    pub(super) fn new(
        args: &'c DoctorArgs,
        plan: &'c Plan,
        terminal: &'c mut Terminal<'t>,
    ) -> Self {
        Self { args, plan, terminal, end: None, last: Standings::new(), unread: None }
    }

    /// Tells of every change since the first look.
    pub(super) fn watch(&mut self, first: &Snapshot, standings: Standings) -> anyhow::Result<()> {
        self.terminal.out.flush()?;
        self.unread = Some(parts(first.unread()));
        let every = words(self.args.interval);
        self.terminal.note(&format!("watching, every {every}: changes follow; Ctrl-C ends"))?;
        watch::watch(self, standings)
    }

    /// Waits until what was asked for is available, or the time is over. Returns whether all are.
    pub(super) fn wait(&mut self) -> anyhow::Result<bool> {
        let timeout = self.args.source.cluster.timeout;
        self.end = Some(Instant::now() + timeout);
        let (wanted, time) = (self.args.names.as_slice(), words(timeout));
        let what = match wanted {
            [] => "all APIServices".to_owned(),
            names => names.join(", "),
        };
        self.terminal.note(&format!("waiting up to {time} for {what} to be available"))?;
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

/// A duration as people write it: `2m 30s`.
fn words(time: Duration) -> String {
    let time = jiff::SignedDuration::try_from(time).unwrap_or(jiff::SignedDuration::MAX);
    format!("{time:#}")
}

fn parts(unread: Vec<Gap>) -> Vec<SnapshotPart> {
    unread.into_iter().map(|gap| gap.part).collect()
}

impl Rounds for ClusterRounds<'_, '_> {
    fn look(&mut self) -> Result<Standings, Error> {
        // No more time for one look than there is for all of them. What is odd about the source
        // was told the first time.
        let plan = self.left().map_or_else(|| self.plan.clone(), |left| self.plan.within(left));
        let reading = plan.read(&mut |_| {})?;
        let snapshot = reading.snapshot();
        // What cannot be read just this once says nothing about what changed.
        let unread = snapshot.unread();
        let known = self.unread.get_or_insert_with(|| parts(unread.clone()));
        if let Some(gap) = unread.iter().find(|gap| !known.contains(&gap.part)) {
            return Err(Error::source(gap.to_string()));
        }
        let registry = Registry::new(snapshot);
        let now = self.args.now.unwrap_or_else(Timestamp::now);
        let diagnoses = doctor::diagnose_all(&registry, now, &Probes::new());
        // What could not be looked at is neither gone nor available.
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
            std::thread::sleep(self.args.interval);
            return true;
        };
        // The last look needs some time of its own.
        let last = LAST_LOOK.min(self.args.source.cluster.timeout / 4);
        let nap = left.saturating_sub(last).min(self.args.interval);
        std::thread::sleep(nap);
        !nap.is_zero()
    }

    fn tell(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()> {
        let time = Timestamp::now().strftime("%H:%M:%S").to_string();
        let line = render::standing_line(&time, name, standing, self.terminal.paint);
        writeln!(self.terminal.out, "{line}")?;
        Ok(self.terminal.out.flush()?)
    }

    fn complain(&mut self, error: &Error) -> anyhow::Result<()> {
        Ok(self.terminal.warn(&error.to_string())?)
    }
}
