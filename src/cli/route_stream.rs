//! `aggctl route -`: requests line by line.

use std::collections::{BTreeSet, HashSet};

use super::caller::Handlers;
use super::output::Format;
use super::request::request_line;
use super::route::RouteArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{self, RouteJson};
use aggctl_source::files::standard_input_lines;
use kube_aggregation::registry::Assumption;

/// How many bad lines of a stream are named one by one.
const MOST_COMPLAINTS: u64 = 10;

impl RouteArgs {
    /// Answers line by line, in constant memory. A line that is no request is told of, and the
    /// others are still answered.
    pub(super) fn stream(
        &self,
        handlers: &Handlers<'_, '_>,
        before: Option<&Handlers<'_, '_>>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        if !matches!(self.output, Format::Table | Format::Wide | Format::Jsonl | Format::Name) {
            let error = Error::usage("a stream of requests cannot be one JSON or YAML document");
            return Err(error.with_hint("use -o jsonl").into());
        }
        let router = &handlers.router;
        let mut lines = standard_input_lines();
        let mut buffer: Vec<u8> = vec![];
        let mut assumed: HashSet<Assumption> = HashSet::new();
        let (mut wrong, mut failed) = (0u64, false);
        let mut number = 0u64;
        while let Some(line) = lines.next_line()? {
            number += 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let target = match request_line(&line) {
                Ok(target) => target,
                Err(error) => {
                    wrong += 1;
                    if wrong <= MOST_COMPLAINTS {
                        terminal.error(&format!("line {number}: {error}"))?;
                    }
                    continue;
                }
            };
            let (route, passage) = handlers.way(&target);
            let before = before.map(|before| (&before.router, before.way(&target).0));
            failed |= self.fails(route.outcome);
            if terminal.is_closed() {
                // Only the verdict can still be of use, and only if it may change.
                if failed || self.never_fails() {
                    break;
                }
                continue;
            }
            buffer.clear();
            match self.output {
                Format::Jsonl => {
                    let origin = &router.registry().snapshot.origin;
                    let remarks = router.remarks(&route, false);
                    let answer = RouteJson::new(origin, &route, &remarks);
                    let answer = answer.passed(passage.as_ref());
                    match &before {
                        None => render::write_line(&answer, &mut buffer)?,
                        Some((now, way)) => {
                            let origin = &now.registry().snapshot.origin;
                            let remarks = now.remarks(way, false);
                            let both = answer.compared((origin, way, &remarks), &route);
                            render::write_line(&both, &mut buffer)?;
                        }
                    }
                }
                Format::Name => {
                    buffer.extend(render::sanitise(&route.handler_name()).bytes());
                    buffer.push(b'\n');
                }
                _ => {
                    assumed.extend(router.assumptions(&route));
                    buffer.extend(render::route_row(&route).bytes());
                    let before = before.map(|(_, now)| now.way()).filter(|way| *way != route.way());
                    if let Some(before) = before {
                        let before = format!("  (now: {})", render::sanitise(&before.to_string()));
                        buffer.extend(before.bytes());
                    }
                    buffer.push(b'\n');
                }
            }
            terminal.out.write_all(&buffer)?;
        }
        terminal.out.flush()?;
        let assumed: BTreeSet<String> = assumed.iter().map(ToString::to_string).collect();
        for assumption in &assumed {
            terminal.warn(assumption)?;
        }
        if wrong > 0 {
            let are = if wrong == 1 { "is not a request" } else { "are not requests" };
            return Err(Error::usage(format!("{wrong} of {number} lines {are}"))
                .with_hint("a line is a path, or a method and a path")
                .into());
        }
        Ok(Status::findings_if(failed))
    }
}
