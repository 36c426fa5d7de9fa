//! `aggctl route -`: one answer per line of standard input, in constant memory.

use std::collections::{BTreeSet, HashSet};

use super::super::caller::Handlers;
use super::super::output::Reply;
use super::super::request::request_line;
use super::super::terminal::Status;
use crate::error::Error;
use crate::render::{Routed, StreamedRoute, Suggestion};
use aggctl_source::files::standard_input_lines;
use kube_aggregation::registry::Assumption;
use kube_aggregation::routing::Outcome;

/// How many invalid lines are reported one by one.
const MAX_COMPLAINTS: u64 = 10;

/// Answers line by line. An invalid line is reported, and the others are still answered.
pub(super) fn answer(
    handlers: &Handlers<'_, '_>,
    before: Option<&Handlers<'_, '_>>,
    fail_on: &[Outcome],
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    reply.check_format::<StreamedRoute<'_>>()?;
    let origin = |handlers: &Handlers<'_, '_>| handlers.router.registry().snapshot.origin.clone();
    let (origin, now) = (origin(handlers), before.map(origin));
    let mut lines = standard_input_lines();
    let mut assumed: HashSet<Assumption> = HashSet::new();
    let (mut number, mut wrong) = (0u64, 0u64);
    while let Some(line) = lines.next_line()? {
        number += 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let target = match request_line(&line) {
            Ok(target) => target,
            Err(error) => {
                wrong += 1;
                if wrong <= MAX_COMPLAINTS {
                    reply.terminal.error(&format!("line {number}: {error}"))?;
                }
                continue;
            }
        };
        let (route, passage) = handlers.way(&target);
        reply.fail_if(fail_on.contains(&route.outcome));
        if reply.terminal.is_closed() {
            // Only the exit code still matters, and only if it can change.
            if reply.status() == Status::Findings || fail_on.is_empty() {
                break;
            }
            continue;
        }
        let remarks = handlers.router.remarks(&route, false);
        if reply.format().is_text() {
            assumed.extend(remarks.assumptions.iter().cloned());
        }
        let suggestion = Suggestion::default();
        let routed = Routed {
            route,
            remarks,
            suggestion,
            passage,
            now: before.map(|before| before.remarked(&target)),
        };
        reply.answer(&StreamedRoute { origin: &origin, now: now.as_ref(), routed })?;
    }
    reply.terminal.out.flush()?;
    let assumed: BTreeSet<String> = assumed.iter().map(ToString::to_string).collect();
    for assumption in &assumed {
        reply.terminal.warn(assumption)?;
    }
    if wrong > 0 {
        let are = if wrong == 1 { "is not a request" } else { "are not requests" };
        return Err(Error::usage(format!("{wrong} of {number} lines {are}"))
            .with_hint("a line is a path, or a method and a path")
            .into());
    }
    Ok(())
}
