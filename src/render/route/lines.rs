//! Routes as lines of JSON, as fast as requests come.
//!
//! Most requests of a stream differ in nothing but their names. What the answers to one kind of them
//! have in common is written once, as the contract's types write it; only the request is written for
//! each, and its handler where that has the path.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use memchr::memmem;

use super::json::{HandlerJson, RequestJson, RouteJson};
use crate::model::Origin;
use crate::render::json::{is_plain, write_line};
use crate::routing::{Remarks, RequestInfo, Route};

/// The most kinds that are kept; with more, all are forgotten and learnt again.
const MOST_KINDS: usize = 4_096;

/// Writes the routes of one router, whose facts stay where they are in memory.
#[derive(Debug)]
pub struct RouteLines<'o> {
    origin: &'o Origin,
    kinds: HashMap<Vec<u8>, Kind, FixedState>,
    key: Vec<u8>,
}

/// A line without its request, and without its handler where that has the request's path.
#[derive(Debug)]
struct Kind {
    before_request: Vec<u8>,
    behind_request: Vec<u8>,
    behind_handler: Option<Vec<u8>>,
}

impl<'o> RouteLines<'o> {
    /// Nothing is known yet.
    pub fn new(origin: &'o Origin) -> Self {
        Self { origin, kinds: HashMap::default(), key: vec![] }
    }

    /// Appends the line of a route, the same as [`write_line`] writes. Its remarks are asked for
    /// where they are not known.
    ///
    /// # Errors
    /// Never, but for want of memory.
    pub fn write(
        &mut self,
        route: &Route<'_>,
        remarks: impl FnOnce() -> Remarks,
        into: &mut Vec<u8>,
    ) -> serde_json::Result<()> {
        let info = route.info();
        self.key.clear();
        route.kind(info.as_ref(), &mut self.key);
        let start = into.len();
        let known = self.kinds.get(&self.key);
        if let Some(kind) = known
            && kind.write(route, info, into)?
        {
            return Ok(());
        }
        let known = known.is_some();
        into.truncate(start);
        write_line(&RouteJson::new(self.origin, route, &remarks()), into)?;
        if !known && let Some(kind) = into.get(start..).and_then(|line| Kind::of(line, route)) {
            if self.kinds.len() >= MOST_KINDS {
                self.kinds.clear();
            }
            self.kinds.insert(self.key.clone(), kind);
        }
        Ok(())
    }
}

impl Kind {
    /// Appends the line of a route of this kind; false where something in it has to be escaped.
    fn write<'a>(
        &self,
        route: &'a Route<'a>,
        info: Option<RequestInfo<'a>>,
        into: &mut Vec<u8>,
    ) -> serde_json::Result<bool> {
        into.extend_from_slice(&self.before_request);
        if !RequestJson::new(route, info).write(into) {
            return Ok(false);
        }
        into.extend_from_slice(&self.behind_request);
        if let Some(behind) = &self.behind_handler {
            let start = into.len();
            serde_json::to_writer(&mut *into, &HandlerJson::new(route))?;
            if !into.get(start..).is_some_and(is_plain) {
                return Ok(false);
            }
            into.extend_from_slice(behind);
        }
        into.push(b'\n');
        Ok(true)
    }

    /// Takes the request out of a line, and the handler if need be. Quotes in strings are escaped:
    /// what looks like a member is one. Nothing where something had to be escaped.
    fn of(line: &[u8], route: &Route<'_>) -> Option<Self> {
        let line = line.strip_suffix(b"\n").filter(|line| is_plain(line))?;
        let find = |line: &[u8], member: &str| memmem::find(line, member.as_bytes());
        let request = r#","request":"#;
        let (before_request, rest) = line.split_at(find(line, request)? + request.len());
        let rest = rest.get(find(rest, r#","hops":"#)?..)?;
        let mut kind = Self {
            before_request: before_request.to_vec(),
            behind_request: rest.to_vec(),
            behind_handler: None,
        };
        if HandlerJson::new(route).is_some_and(|handler| handler.has_path(route.path)) {
            let handler = r#","handler":"#;
            let (before, rest) = rest.split_at(find(rest, handler)? + handler.len());
            kind.behind_request = before.to_vec();
            kind.behind_handler = Some(rest.get(find(rest, r#","warnings":"#)?..)?.to_vec());
        }
        Some(kind)
    }
}
