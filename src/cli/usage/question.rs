//! The inputs of `aggctl usage`: times, and the source to compare with.

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

use super::super::source::{known, read, running};
use super::super::terminal::Terminal;
use crate::duration;
use crate::error::Error;
use aggctl_source::Needs;
use aggctl_source::SourceSelection;
use aggctl_source::clock;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::what_if;

/// Returns the cluster as upgraded to a version of Kubernetes, or another source.
pub(super) fn on_another(
    now: &Snapshot,
    to: &str,
    selection: &SourceSelection,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Snapshot> {
    let mut other = |word: &str| -> anyhow::Result<Snapshot> {
        Ok(read(&selection.resolve_word(word, &Needs::layer())?, terminal)?.into_current())
    };
    let Some(to) = Minor::parse(to.strip_prefix("builtin:").unwrap_or(to)) else {
        return other(to);
    };
    known(to)?;
    let from = running(now)?;
    let (from, to) = (other(&format!("builtin:{from}"))?, other(&format!("builtin:{to}"))?);
    let changed = what_if::upgraded(now, &from, &to);
    changed.effects.iter().try_for_each(|effect| terminal.what_if(effect))?;
    Ok(changed.snapshot)
}

/// Parses a date, a time or how long ago, into microseconds since 1970.
pub(super) fn time(text: &str) -> Result<i64, Error> {
    let date = || {
        let day = text.parse::<civil::Date>().ok()?;
        day.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp())
    };
    let ago = || clock::now().checked_sub(duration::parse(text)?).ok();
    let time = text.parse::<Timestamp>().ok().or_else(date).or_else(ago);
    time.map(Timestamp::as_microsecond).ok_or_else(|| {
        Error::usage(format!("{text:?} is not a valid time")).with_hint(
            "write a date (2026-11-16), a time (2026-11-16T18:00:00Z) or an age (90m, 2h, 3d)",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_taken_as_they_are_typed() {
        assert_eq!(time("1970-01-02").unwrap(), 86_400_000_000);
        assert_eq!(time("1970-01-01T00:00:01Z").unwrap(), 1_000_000);
        let [minutes, days] = ["1440m", "1d"].map(|ago| time(ago).unwrap());
        assert!((0..60_000_000).contains(&(days - minutes)), "{minutes} {days}");
        assert!(time("yesterday").is_err());
    }
}
