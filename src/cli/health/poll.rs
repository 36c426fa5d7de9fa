//! Reads the health endpoints of a live server, once or until all checks pass.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::super::source::tell;
use super::super::terminal::Terminal;
use aggctl_diagnose::health::{Health, judge};
use aggctl_source::Needs;
use aggctl_source::{LoadedSource, ResolvedSource};
use kube_aggregation::model::{HealthEndpoint, HealthSample, Origin};

/// How long one poll may take if others follow, and how long to pause before the next.
const ONE_LOOK: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_secs(1);

/// The answers of the health endpoints, one list per poll.
pub(super) struct HealthSamples {
    pub(super) samples: Vec<Vec<HealthSample>>,
    /// When each poll began, in seconds after the first.
    pub(super) seconds: Vec<u64>,
    /// The rest of the source, if there is one.
    pub(super) source: Option<LoadedSource>,
    pub(super) origin: Origin,
    pub(super) assumptions: Vec<String>,
}

impl HealthSamples {
    /// Returns the samples of a source that does not change.
    pub(super) fn once(
        samples: Vec<HealthSample>,
        origin: Origin,
        source: Option<LoadedSource>,
    ) -> Self {
        Self { samples: vec![samples], seconds: vec![0], source, origin, assumptions: vec![] }
    }
}

/// Polls once, or once a second until all checks pass or the time is over.
pub(super) fn poll(
    resolved: &ResolvedSource,
    endpoints: &[HealthEndpoint],
    wait: Option<Duration>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<HealthSamples> {
    let endpoints = if endpoints.is_empty() { &HealthEndpoint::ALL } else { endpoints };
    let ask = resolved.only(Needs::health(endpoints.iter().copied()));
    let start = Instant::now();
    let (mut looks, mut seconds) = (vec![], vec![]);
    let mut source = loop {
        seconds.push(start.elapsed().as_secs());
        let left = wait.map(|wait| wait.saturating_sub(start.elapsed()));
        let time = left.map(|left| left.clamp(PAUSE, ONE_LOOK));
        let source = time.map_or_else(|| ask.clone(), |time| ask.within(time)).load(&mut |_| {})?;
        looks.push(source.snapshot.health.clone());
        let health = judge(&looks, None, None);
        if left.is_none_or(|left| left <= PAUSE) || health.passes() {
            break source;
        }
        tell_progress(&health, looks.len() - 1, terminal)?;
        std::thread::sleep(PAUSE);
    };
    let mut assumptions =
        vec!["one API server answered; others behind the same address may differ".to_owned()];
    let health = judge(&looks, None, None);
    if health.answers.iter().any(|one| one.verdict.is_known()) {
        tell(&source, terminal)?;
    }
    // Reading objects hangs if etcd does not answer.
    if can_read(&health) {
        match resolved.load(&mut |_| {}) {
            Ok(more) => {
                for effect in &more.effects {
                    terminal.what_if(effect)?;
                }
                source = more;
            }
            Err(error) => {
                let text = format!("cannot tell what would block a restart: {error}");
                terminal.warn(&text)?;
                assumptions.push(text);
            }
        }
    }
    let origin = source.snapshot.origin.clone();
    Ok(HealthSamples { samples: looks, seconds, source: Some(source), origin, assumptions })
}

/// Reports the checks that passed since the last poll, and how many still fail.
fn tell_progress(health: &Health, look: usize, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let passed = health.order.iter().filter(|one| one.look == look).map(|one| one.name.as_str());
    let passed: Vec<&str> = passed.collect();
    let checks = health.answers.iter().flat_map(|one| &one.checks);
    let failed: BTreeSet<&str> = checks.filter(|c| c.failed()).map(|c| c.name.as_str()).collect();
    let left = match failed.len() {
        0 => String::new(),
        1 => "; 1 check fails".to_owned(),
        more => format!("; {more} checks fail"),
    };
    let text = match (look, passed.as_slice()) {
        (0, _) => format!("{}{left}", health.phase),
        (_, []) => return Ok(()),
        (_, passed) => format!("passed: {}{left}", passed.join(", ")),
    };
    Ok(terminal.note(&text)?)
}

/// Returns whether the server can read objects.
fn can_read(health: &Health) -> bool {
    let mut checks = health.answers.iter().flat_map(|one| &one.checks);
    let etcd = checks.any(|check| check.name.starts_with("etcd") && check.failed());
    !etcd && health.answers.iter().any(|one| one.verdict.is_known())
}
