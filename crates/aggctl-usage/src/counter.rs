//! Counts the requests in the lines of a log: routes each through the server chain and adds it to a
//! tally.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::event::{Event, Stage};
use super::layout::Layout;
use super::metrics::Line;
use super::question::{Dimension, UsageQuestion};
use super::row::{Key, NOBODY, Seen};
use super::scan::Raw;
use super::tally::{SAME, Tally};
use super::way::{AnsweredBy, UNKNOWN, ending, handler, is_long_running, pattern, resource, works};
use super::wrapped::Record;
use super::{client, metrics, scan, wrapped};
use kube_aggregation::routing::{Outcome, PathTemplate, Router, Target};

/// Counts the requests of a log, or of part of one.
#[derive(Debug)]
pub struct Counter<'q> {
    question: &'q UsageQuestion,
    now: Router<'q>,
    then: Option<Router<'q>>,
    tally: Tally,
    /// Client numbers by the hash of user and agent.
    clients: HashMap<u64, u32, FixedState>,
    /// Routing results by the hash of verb and path template.
    ways: HashMap<u64, AnsweredBy, FixedState>,
    text: String,
    layout: Layout,
}

/// The maximum number of cached clients.
const MAX_CLIENTS: usize = 1 << 16;

/// The maximum number of cached routing results.
const MAX_WAYS: usize = 1 << 12;

impl<'q> Counter<'q> {
    /// Creates a counter that routes with `now`. With a second router, only requests that end
    /// differently there are counted in rows.
    pub fn new(question: &'q UsageQuestion, now: Router<'q>, then: Option<Router<'q>>) -> Self {
        let (tally, clients, ways) = (Tally::default(), HashMap::default(), HashMap::default());
        let (text, layout) = (String::new(), Layout::default());
        Self { question, now, then, tally, clients, ways, text, layout }
    }

    /// Counts the events of whole lines.
    pub fn lines(&mut self, lines: &[u8]) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', lines).chain([lines.len()]) {
            if start < end {
                self.line(lines.get(start..end).unwrap_or_default());
            }
            start = end + 1;
        }
    }

    /// Counts the events of JSON values that may span several lines.
    pub fn document(&mut self, mut text: &[u8]) {
        while let Some(end) = scan::value_end(text.trim_ascii_start(), 0) {
            text = text.trim_ascii_start();
            self.line(text.get(..end).unwrap_or_default());
            text = text.get(end..).unwrap_or_default();
        }
        self.lines(text);
    }

    fn line(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        let counted = self.layout.event(line).is_some_and(|event| self.event(&event));
        if counted || line.is_empty() || wrapped::records(line, &mut |one| self.record(one)) > 0 {
            return;
        }
        match metrics::line(line) {
            Some(metric) => self.metric(metric),
            None => self.tally.coverage.miss(line),
        }
    }

    /// Counts requests from the metrics of an API server.
    fn metric(&mut self, line: Line<'_>) {
        let said = self.tally.coverage.metrics.get_or_insert_default();
        let (requests, times) = match line {
            Line::Requests(requests, times) if times > 0 => (requests, times),
            Line::Fact(fact) => return said.take(fact),
            _ => return,
        };
        said.series += 1;
        let (method, paths) = (requests.method(), requests.paths());
        let targets = paths.iter().filter_map(|path| Target::parse(method, path).ok());
        let mut targets = targets.collect::<Vec<_>>().into_iter().peekable();
        let answered = |target: &Target<'_>| works(self.now.route(target).outcome);
        let target = targets.next_if(answered).or_else(|| targets.last());
        let Some(target) = target else {
            self.tally.coverage.left_out += 1;
            return;
        };
        let verb = match requests.is_watch() {
            true => "watch",
            false => target.info().map_or("", |info| info.verb),
        };
        self.event(&Event {
            audit_id: b"".into(),
            stage: Stage::ResponseComplete,
            path: (&*target.path).into(),
            verb: verb.into(),
            user: Raw::Plain(b""),
            agent: Raw::Plain(b""),
            code: Some(requests.code).filter(|code| *code > 0),
            received: None,
            at: None,
            times: Some(times),
        });
    }

    /// Counts a line that was too long to read.
    pub fn miss(&mut self, beginning: &[u8]) {
        self.tally.coverage.miss(beginning);
    }

    /// Returns the tally.
    pub fn finish(self) -> Tally {
        self.tally
    }

    fn record(&mut self, record: Record<'_>) {
        match record {
            Record::Event(event) => _ = self.event(event),
            Record::Missed(raw) => self.tally.coverage.miss(raw),
        }
    }

    /// Counts one event. Returns `false` if it cannot be decoded.
    fn event(&mut self, event: &Event<'_>) -> bool {
        let client = self.clients.hasher().hash_one((&event.user, &event.agent));
        if !self.clients.contains_key(&client) && !event.is_readable() {
            return false;
        }
        if event.times.is_none() {
            self.tally.coverage.take(event);
        }
        if !self.count(event, client) {
            self.tally.coverage.left_out += 1;
        }
        true
    }

    /// Counts one event if it matches the question. Returns whether it does.
    fn count(&mut self, event: &Event<'_>, client: u64) -> bool {
        if !self.question.spans(event) {
            return false;
        }
        let Some(way) = self.way(event) else { return false };
        let client = match event.times {
            Some(_) => NOBODY,
            None => self.client_number(event, client),
        };
        let (question, tally) = (self.question, &mut self.tally);
        if !question.clients.is_empty() {
            let name = tally.labels[Dimension::Client as usize].name(client);
            if !question.clients.iter().any(|part| name.contains(part.as_str())) {
                return false;
            }
        }
        // The log does not contain methods. A get or list that got 405 was a HEAD request.
        let outcome = match (event.code, way.outcome) {
            (Some(405), Outcome::Served) => Outcome::MethodNotAllowed,
            (_, outcome) => outcome,
        };
        let mut key = way.key;
        for dimension in &question.by {
            let at = *dimension as usize;
            let labels = &mut tally.labels[at];
            key[at] = match dimension {
                Dimension::Client if client == NOBODY => labels.number(UNKNOWN),
                Dimension::Client => client,
                Dimension::Status => event.code.unwrap_or_default().into(),
                Dimension::Hour => hour(event),
                Dimension::Outcome => labels.number(outcome.as_str()),
                _ => continue,
            };
        }
        let (code, long_running) = (event.code.unwrap_or_default(), way.long_running);
        let refused = event.stage == Stage::ResponseStarted && code >= 400;
        // A request that fails authentication has only the event ResponseStarted. The same applies
        // to a request that a filter rejects, unless it would have been long-running.
        let is_last = event.stage.is_last() || refused && (code == 401 || !long_running);
        let is_over = is_last || refused;
        let seen = Seen {
            client,
            code,
            outcome: Outcome::ALL.iter().position(|one| *one == outcome).unwrap_or_default() as u8,
            long_running,
            over: is_over,
            breaks: works(outcome) && code < 500 && !way.works_then,
            received: event.received.or(event.at),
            took: took(event).filter(|_| is_over),
        };
        let stage = if is_last { Stage::ResponseComplete } else { event.stage };
        match event.times {
            Some(times) => tally.count(&key, &seen, times),
            None => tally.take(&event.audit_id, stage, &key, &seen),
        }
        true
    }

    /// Returns the routing result of an event's request. Returns `None` if the request does not
    /// match the question, or if no server accepts such a request. In that case, the log is not the
    /// server's own.
    fn way(&mut self, event: &Event<'_>) -> Option<AnsweredBy> {
        let shape = PathTemplate::of(&event.path);
        let shape = shape.map(|shape| self.ways.hasher().hash_one((&event.verb, shape)));
        if let Some(way) = shape.and_then(|shape| self.ways.get(&shape)) {
            return Some(*way);
        }
        let target = event.target().ok()?;
        let route = self.now.route(&target);
        let handler = handler(&route);
        let asked = &self.question.api_services;
        if !asked.is_empty() && !asked.iter().any(|one| *one == handler) {
            return None;
        }
        let then = self.then.as_ref().map(|then| then.route(&target));
        let info = route.info();
        let (mut key, text): (Key, _) = ([0; Dimension::COUNT], &mut self.text);
        for dimension in &self.question.by {
            let at = *dimension as usize;
            let labels = &mut self.tally.labels[at];
            key[at] = match dimension {
                Dimension::ApiService => labels.number(&handler),
                Dimension::Verb => labels.number(&event.verb),
                Dimension::Resource => {
                    labels.number(named(text, |text| resource(info.as_ref(), text)))
                }
                Dimension::Path => {
                    labels.number(named(text, |text| pattern(info.as_ref(), event, text)))
                }
                _ => continue,
            };
        }
        if let Some(then) = &then {
            let labels = &mut self.tally.labels[Dimension::Now as usize];
            let ends = if ending(&route) == ending(then) {
                [SAME; 2]
            } else {
                [&route, then].map(|route| labels.number(&route.way().to_string()))
            };
            [key[Dimension::Now as usize], key[Dimension::Then as usize]] = ends;
        }
        let way = AnsweredBy {
            key,
            outcome: route.outcome,
            works_then: then.is_none_or(|then| works(then.outcome)),
            long_running: is_long_running(&info, event),
        };
        if let Some(shape) = shape.filter(|_| self.ways.len() < MAX_WAYS) {
            self.ways.insert(shape, way);
        }
        Some(way)
    }

    /// Returns the number of a client. `hash` is the hash of its user and agent.
    fn client_number(&mut self, event: &Event<'_>, hash: u64) -> u32 {
        if let Some(number) = self.clients.get(&hash) {
            return *number;
        }
        let [user, agent] = [&event.user, &event.agent].map(|raw| raw.text().unwrap_or_default());
        let name = named(&mut self.text, |text| client::name(&user, &agent, text));
        let number = self.tally.labels[Dimension::Client as usize].number(name);
        if self.clients.len() < MAX_CLIENTS {
            self.clients.insert(hash, number);
        }
        number
    }
}

fn named(text: &mut String, write: impl FnOnce(&mut String)) -> &str {
    text.clear();
    write(text);
    text
}

fn took(event: &Event<'_>) -> Option<u64> {
    u64::try_from(event.at?.checked_sub(event.received?)?).ok()
}

fn hour(event: &Event<'_>) -> u32 {
    let time = event.received.or(event.at).unwrap_or_default();
    u32::try_from(time.div_euclid(3_600_000_000)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::UsageReport;
    use super::*;
    use kube_aggregation::baseline;
    use kube_aggregation::registry::Registry;

    /// Counts events given as `auditID stage code verb uri`.
    fn counted(events: &[&str]) -> UsageReport {
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let question =
            UsageQuestion { by: vec![Dimension::ApiService], ..UsageQuestion::default() };
        let mut counter = Counter::new(&question, Router::new(&registry), None);
        for event in events {
            let [id, stage, code, verb, uri] = event.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{event}")
            };
            let line = format!(
                r#"{{"auditID":"{id}","stage":"{stage}","requestURI":"{uri}","verb":"{verb}","responseStatus":{{"code":{code}}}}}"#
            );
            counter.lines(line.as_bytes());
        }
        counter.finish().report(&question.by, None)
    }

    /// Checks the events that a server writes for a request, in any order.
    #[test]
    fn a_request_counts_once_and_is_over_or_not() {
        let check = |events: &[&str], want: (u64, u64, u64, u64)| {
            let backwards: Vec<&str> = events.iter().rev().copied().collect();
            for events in [events, &backwards] {
                let total = counted(events).total;
                let got = (total.requests, total.long_running, total.running, total.unanswered);
                assert_eq!(got, want, "{events:?}");
            }
        };
        let pods = "/api/v1/pods";
        let event = |stage: &str, code: u16, verb: &str, uri: &str| {
            format!("a {stage} {code} {verb} {uri}")
        };
        let received = |verb: &str| event("RequestReceived", 0, verb, pods);
        let started = |verb: &str, code: u16| event("ResponseStarted", code, verb, pods);
        let complete = |verb: &str, code: u16| event("ResponseComplete", code, verb, pods);
        check(&[&complete("list", 200)], (1, 0, 0, 0));
        check(&[&received("list"), &complete("list", 200)], (1, 0, 0, 0));
        check(&[&received("list"), &event("Panic", 500, "list", pods)], (1, 0, 0, 0));
        check(&[&received("list")], (1, 0, 0, 1));
        check(&[&started("watch", 200)], (1, 1, 1, 0));
        check(&[&received("watch"), &started("watch", 200)], (1, 1, 1, 0));
        check(&[&started("watch", 200), &complete("watch", 200)], (1, 1, 0, 0));
        check(&[&received("watch"), &started("watch", 403), &complete("watch", 403)], (1, 1, 0, 0));
        // If authentication fails, ResponseStarted is the only event.
        check(&[&started("list", 401)], (1, 0, 0, 0));
        check(&[&started("watch", 401)], (1, 1, 0, 0));
        check(&[&started("watch", 400)], (1, 1, 0, 0));
        check(&[&event("ResponseStarted", 401, "get", "/healthz")], (1, 0, 0, 0));
        check(&[&event("ResponseStarted", 200, "get", "/debug/pprof/heap")], (1, 1, 1, 0));
        // Without an audit ID, every event counts as a request.
        let none = |event: &str| event.replacen('a', "", 1);
        check(&[&none(&complete("list", 200)), &none(&complete("list", 200))], (2, 0, 0, 0));
    }
}
