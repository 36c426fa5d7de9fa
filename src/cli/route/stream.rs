//! `aggctl route -`: one answer per line of standard input, in constant memory.

use std::collections::{BTreeSet, HashSet};

use super::super::output::Reply;
use super::super::request::request_line;
use super::super::terminal::Status;
use super::servers::{Servers, Way};
use crate::error::Error;
use crate::render::{Routed, StreamedRoute, Suggestion};
use aggctl_source::files::standard_input_lines;
use kube_aggregation::model::Origin;
use kube_aggregation::registry::Assumption;
use kube_aggregation::routing::{Outcome, Router};

/// How many invalid lines are reported one by one.
const MAX_COMPLAINTS: u64 = 10;

/// Answers line by line. An invalid line is reported, and the others are still answered.
pub(super) fn answer(
    (servers, before): (&Servers<'_, '_>, Option<&Servers<'_, '_>>),
    asked: &[usize],
    fail_on: &[Outcome],
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    reply.check_format::<StreamedRoute<'_>>()?;
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
        for server in asked {
            let Some(way) = servers.way(*server, &target) else { continue };
            let Some(origin) = servers.router(*server).map(origin_of) else { continue };
            let Way { route, passage, peers, remarks } = way;
            reply.fail_if(fail_on.contains(&route.outcome));
            if reply.terminal.is_closed() {
                continue;
            }
            if reply.format().is_text() {
                assumed.extend(remarks.assumptions.iter().cloned());
            }
            let suggestion = Suggestion::default();
            let now = before.and_then(|before| before.way(*server, &target));
            let now = now.map(Way::into_now);
            let routed = Routed { origin, route, remarks, suggestion, passage, peers, now };
            let now = before.and_then(|before| before.router(*server)).map(origin_of);
            reply.answer(&StreamedRoute { now, routed })?;
        }
        // Only the exit code still matters, and only if it can change.
        let decided = reply.status() == Status::Findings || fail_on.is_empty();
        if decided && reply.terminal.is_closed() {
            break;
        }
    }
    reply.terminal.out.flush()?;
    let assumed: BTreeSet<String> = assumed.iter().map(ToString::to_string).collect();
    for assumption in &assumed {
        reply.terminal.warn(assumption)?;
    }
    if wrong > 0 {
        let are = if wrong == 1 { "is not a valid request" } else { "are not valid requests" };
        return Err(Error::usage(format!("{wrong} of {number} lines {are}"))
            .with_hint("write one request per line: PATH or METHOD PATH")
            .into());
    }
    Ok(())
}

/// Returns the source of a server.
fn origin_of<'r>(router: &'r Router<'_>) -> &'r Origin {
    &router.registry().snapshot.origin
}
