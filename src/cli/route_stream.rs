//! `aggctl route -`: requests line by line.

use std::collections::{BTreeSet, HashSet};

use super::output::Format;
use super::request::request_line;
use super::route::RouteArgs;
use super::servers::{Servers, Way};
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
        servers: &Servers<'_, '_>,
        before: Option<&Servers<'_, '_>>,
        asked: &[usize],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        if !matches!(self.output, Format::Table | Format::Wide | Format::Jsonl | Format::Name) {
            let error = Error::usage("a stream of requests cannot be one JSON or YAML document");
            return Err(error.with_hint("use -o jsonl").into());
        }
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
            buffer.clear();
            for server in asked {
                let Some(way) = servers.way(*server, &target) else { continue };
                failed |= self.fails(way.route.outcome);
                let now = before.and_then(|before| before.way(*server, &target));
                if self.output == Format::Table || self.output == Format::Wide {
                    assumed.extend(way.remarks.assumptions.iter().cloned());
                }
                self.write_line((servers, *server), &way, now.zip(before), &mut buffer)?;
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

    /// Adds the line of one request to a buffer.
    fn write_line(
        &self,
        (servers, asked): (&Servers<'_, '_>, usize),
        way: &Way<'_, '_>,
        before: Option<(Way<'_, '_>, &Servers<'_, '_>)>,
        buffer: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        match self.output {
            Format::Jsonl => {
                let Some(router) = servers.router(asked) else { return Ok(()) };
                let origin = &router.registry().snapshot.origin;
                let answer = RouteJson::new(origin, &way.route, &way.remarks);
                let answer = answer.among(way.peers.as_ref()).passed(way.passage.as_ref());
                match &before {
                    None => render::write_line(&answer, buffer)?,
                    Some((now, servers)) => {
                        let Some(router) = servers.router(asked) else { return Ok(()) };
                        let origin = &router.registry().snapshot.origin;
                        let both = answer.compared((origin, &now.route, &now.remarks), &way.route);
                        render::write_line(&both, buffer)?;
                    }
                }
            }
            Format::Name => {
                buffer.extend(render::sanitise(&way.route.handler_name()).bytes());
                buffer.push(b'\n');
            }
            _ => {
                if let Some(peers) = &way.peers {
                    buffer.extend(render::peer_columns(peers).bytes());
                }
                buffer.extend(render::route_row(&way.route).bytes());
                let now = before.map(|(now, _)| now.route.way());
                if let Some(now) = now.filter(|now| *now != way.route.way()) {
                    let now = format!("  (now: {})", render::sanitise(&now.to_string()));
                    buffer.extend(now.bytes());
                }
                buffer.push(b'\n');
            }
        }
        Ok(())
    }
}
