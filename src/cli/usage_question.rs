//! What `aggctl usage` is asked: columns and times as they are typed, and what to compare with.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::{Span, Timestamp, civil};

use super::source::read;
use super::terminal::Terminal;
use crate::error::Error;
use crate::model::{Minor, Snapshot};
use crate::source::Request;
use crate::source::live::Needs;
use crate::usage::Dimension;
use crate::what_if;

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
        Ok(read(&request.resolve_word(word, &Needs::layer())?, terminal)?.now.into_owned())
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

/// What rows can be made by.
pub(super) fn dimensions() -> impl TypedValueParser<Value = Dimension> {
    PossibleValuesParser::new(Dimension::ASKED.map(Dimension::as_str))
        .try_map(|text| Dimension::parse(&text).ok_or("no such column"))
}
