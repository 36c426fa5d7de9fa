//! Finds the audit events in a line, in whatever format a platform wraps them.
//!
//! Events are recognized by content: an event is an object with a stage and a request URI. A node
//! name or a time may precede it. It may be nested in objects and lists, as an object or as a
//! string. Elements of such a list that are not events are reported as missed.

use memchr::memmem;

use super::cloud_logging;
use super::event::{Event, Fields};
use super::scan::{elements, members, string};

/// The maximum nesting of wrappers.
const MAX_WRAPPERS: usize = 12;

/// The maximum offset of the first object in a line.
const LONGEST_PREFIX: usize = 1 << 10;

/// Returns whether platforms store events in members with this name: as objects, as text, or in
/// lists. Events themselves have no such members.
fn is_wrapper(key: &[u8]) -> bool {
    matches!(
        key,
        b"@message"
            | b"MESSAGE"
            | b"_raw"
            | b"_source"
            | b"attributes"
            | b"body"
            | b"content"
            | b"data"
            | b"event"
            | b"events"
            | b"fields"
            | b"hits"
            | b"items"
            | b"jsonPayload"
            | b"line"
            | b"log"
            | b"logEvents"
            | b"logRecords"
            | b"log_s"
            | b"message"
            | b"msg"
            | b"properties"
            | b"records"
            | b"resourceLogs"
            | b"result"
            | b"results"
            | b"rows"
            | b"scopeLogs"
            | b"streams"
            | b"stringValue"
            | b"tables"
            | b"textPayload"
            | b"value"
            | b"values"
    )
}

/// One record found in a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Record<'a> {
    /// An event.
    Event(&'a Event<'a>),
    /// A list element that is not an event. It may be truncated, or something else.
    Missed(&'a [u8]),
}

/// Calls `each` with every event of a line. Returns their number; zero means that the line was not
/// recognized.
pub fn events(line: &[u8], each: &mut impl FnMut(&Event<'_>)) -> usize {
    let mut found = 0;
    records(line, &mut |record| {
        if let Record::Event(event) = record {
            found += 1;
            each(event);
        }
    });
    found
}

/// Calls `each` with every record of a line. Returns their number.
pub(super) fn records(line: &[u8], each: &mut impl FnMut(Record<'_>)) -> usize {
    let line = line.trim_ascii();
    let found = values(line, each, 0);
    if found > 0 {
        return found;
    }
    // A name, a time or labels may precede the object.
    let head = line.get(..LONGEST_PREFIX).unwrap_or(line);
    let start = memmem::find_iter(head, b"{\"").find(|at| *at > 0);
    start.and_then(|at| line.get(at..)).map_or(0, |rest| values(rest, each, 1))
}

/// Finds the records in consecutive values. Some exporters write no newlines between them.
fn values(mut text: &[u8], each: &mut impl FnMut(Record<'_>), depth: usize) -> usize {
    let mut found = 0;
    while let Some((more, end)) = value(text, each, depth).filter(|(more, _)| *more > 0) {
        found += more;
        text = text.get(end..).unwrap_or_default().trim_ascii_start();
    }
    found
}

/// Finds the records in the value at the beginning of the text. Returns their number and the length
/// of the value; `None` if it cannot contain one or is incomplete.
fn value(raw: &[u8], each: &mut impl FnMut(Record<'_>), depth: usize) -> Option<(usize, usize)> {
    match raw.first()? {
        _ if depth > MAX_WRAPPERS => None,
        b'{' => object(raw, each, depth),
        b'[' => {
            let mut found = 0;
            let end = elements(raw, |one| found += element(one, each, depth));
            Some((found, end.unwrap_or(raw.len())))
        }
        b'"' => {
            let text = string(raw)?;
            let start = text.find("{\"")?;
            Some((values(text.as_bytes().get(start..)?, each, depth + 1), raw.len()))
        }
        _ => None,
    }
}

fn inside(raw: &[u8], each: &mut impl FnMut(Record<'_>), depth: usize) -> usize {
    value(raw, each, depth + 1).map_or(0, |(found, _)| found)
}

/// Finds the records in a list element, which is an object or a row. In a row only events count,
/// since the other values are its columns.
fn element(raw: &[u8], each: &mut impl FnMut(Record<'_>), depth: usize) -> usize {
    let found = match raw.first() {
        Some(b'[') => {
            let mut found = 0;
            elements(raw, |one| found += inside(one, each, depth + 1));
            found
        }
        _ => inside(raw, each, depth),
    };
    if found > 0 || !matches!(raw.first(), Some(b'{' | b'[')) {
        return found;
    }
    each(Record::Missed(raw));
    1
}

fn object(raw: &[u8], each: &mut impl FnMut(Record<'_>), depth: usize) -> Option<(usize, usize)> {
    let mut fields = Fields::default();
    let mut wrapped: Vec<&[u8]> = vec![];
    let mut entry = None;
    let end = members(raw, |key, value| match fields.take(key, value) {
        true => {}
        false if is_wrapper(key) => wrapped.push(value),
        false if key == b"protoPayload" => entry = Some(value),
        false => {}
    })?;
    let event = fields.event().or_else(|| cloud_logging::event(raw, entry?));
    if let Some(event) = event {
        each(Record::Event(&event));
        return Some((1, end));
    }
    Some((wrapped.into_iter().map(|inner| inside(inner, each, depth)).sum(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"7","stage":"ResponseComplete","requestURI":"/api/v1/pods?limit=1\u0026x=y","verb":"list","user":{"username":"jane"},"responseStatus":{"code":200}}"#;

    fn paths(line: &str) -> Vec<String> {
        let mut all = vec![];
        let found = events(line.as_bytes(), &mut |event| all.push(event.path.clone().into_owned()));
        assert_eq!(found, all.len());
        all
    }

    fn check(what: &str, line: &str, count: usize) {
        assert_eq!(paths(line), vec!["/api/v1/pods"; count], "{what}: {line}");
    }

    /// Lines in the formats of various platforms.
    #[test]
    fn every_wrapper_gives_its_events() {
        let text = serde_json::to_string(EVENT).unwrap();
        let newline = serde_json::to_string(&format!("{EVENT}\n")).unwrap();
        check("plain", EVENT, 1);
        check(
            "webhook batch",
            &format!(
                r#"{{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{{}},"items":[{EVENT},{EVENT}]}}"#
            ),
            2,
        );
        check("array", &format!("[{EVENT}, {EVENT}]"), 2);
        check("without newlines", &format!("{EVENT}{EVENT} {EVENT}"), 3);
        check("oc adm node-logs", &format!("ip-10-0-1-2.ec2.internal {EVENT}"), 1);
        check("export to S3", &format!("2026-11-16T18:01:26.493Z {EVENT}"), 1);
        check(
            "filter-log-events",
            &format!(
                r#"{{"events":[{{"logStreamName":"kube-apiserver-audit-1","timestamp":1794852086493,"message":{text},"ingestionTime":1,"eventId":"3"}}],"searchedLogStreams":[]}}"#
            ),
            1,
        );
        check(
            "subscription",
            &format!(
                r#"{{"messageType":"DATA_MESSAGE","owner":"1","logGroup":"/aws/eks/c/cluster","logStream":"kube-apiserver-audit-1","logEvents":[{{"id":"3","timestamp":1794852086493,"message":{text}}}]}}"#
            ),
            1,
        );
        check(
            "insights",
            &format!(r#"{{"@timestamp":"2026-11-16 18:01:26.493","@message":{text}}}"#),
            1,
        );
        check(
            "insights, parsed",
            &format!(r#"[{{"@timestamp":"2026-11-16 18:01:26.493","@message":{EVENT}}}]"#),
            1,
        );
        check(
            "query results",
            &format!(
                r#"{{"results":[[{{"field":"@message","value":{text}}},{{"field":"@ptr","value":"x"}}]],"status":"Complete"}}"#
            ),
            1,
        );
        check(
            "Azure diagnostics",
            &format!(
                r#"{{"time":"2026-11-16T18:01:26Z","category":"kube-audit","operationName":"Microsoft.ContainerService/managedClusters/diagnosticLogs/Read","properties":{{"log":{newline},"stream":"stdout","pod":"kube-apiserver-1"}}}}"#
            ),
            1,
        );
        check(
            "Azure batch",
            &format!(
                r#"{{"records":[{{"category":"kube-audit","properties":{{"log":{text}}}}},{{"category":"kube-audit","properties":{{"log":{text}}}}}]}}"#
            ),
            2,
        );
        check(
            "fluent-bit",
            &format!(r#"{{"date":1794852086.49,"log":{newline},"stream":"stdout"}}"#),
            1,
        );
        check("fluent-bit, parsed", &format!(r#"{{"date":1794852086.49,"log":{EVENT}}}"#), 1);
        check("CRI", &format!("2026-11-16T18:01:26.493066Z stdout F {EVENT}"), 1);
        check(
            "logcli",
            &format!(
                r#"{{"labels":{{"job":"audit"}},"line":{text},"timestamp":"2026-11-16T18:01:26Z"}}"#
            ),
            1,
        );
        check(
            "Loki",
            &format!(
                r#"{{"status":"success","data":{{"resultType":"streams","result":[{{"stream":{{"job":"audit"}},"values":[["1794852086493066000",{text}]]}}]}}}}"#
            ),
            1,
        );
        check("Elasticsearch", &format!(r#"{{"_index":"audit","_id":"1","_source":{EVENT}}}"#), 1);
        check("journald", &format!(r#"{{"_PID":"1","MESSAGE":{text}}}"#), 1);
        check(
            "OTLP",
            &format!(
                r#"{{"resourceLogs":[{{"resource":{{}},"scopeLogs":[{{"logRecords":[{{"timeUnixNano":"1","body":{{"stringValue":{text}}}}}]}}]}}]}}"#
            ),
            1,
        );
        check("Cloud Logging, text", &format!(r#"{{"textPayload":{text},"insertId":"1"}}"#), 1);
    }

    /// Elements of an event list that are not events are reported as missed.
    #[test]
    fn records_that_are_no_events_are_missed() {
        let check = |line: &str, events: usize, missed: usize| {
            let (mut found, mut lost) = (0, 0);
            records(line.as_bytes(), &mut |record| match record {
                Record::Event(_) => found += 1,
                Record::Missed(_) => lost += 1,
            });
            assert_eq!((found, lost), (events, missed), "{line}");
        };
        let text = serde_json::to_string(EVENT).unwrap();
        let cut = serde_json::to_string(&EVENT[..150]).unwrap();
        check(&format!("[{EVENT},{{\"a\":1}},{EVENT}]"), 2, 1);
        check(&format!(r#"{{"kind":"EventList","items":[{EVENT},{{}}]}}"#), 1, 1);
        check(
            &format!(
                r#"{{"events":[{{"message":{text}}},{{"message":{cut}}},{{"message":"x"}}]}}"#
            ),
            1,
            2,
        );
        check(&format!(r#"{{"records":[{{"properties":{{"log":{cut}}}}}]}}"#), 0, 1);
        // The other columns of a row are not records.
        let fields = |value: &str| {
            format!(r#"[{{"field":"@message","value":{value}}},{{"field":"@ptr","value":"x"}}]"#)
        };
        check(&format!(r#"{{"results":[{},{}]}}"#, fields(&text), fields(&cut)), 1, 1);
        check(&format!(r#"{{"values":[["1",{text}],["2",{cut}]]}}"#), 1, 1);
        check(&format!(r#"{{"tables":[{{"rows":[["1",{text}]]}}]}}"#), 1, 0);
        check(EVENT, 1, 0);
    }

    #[test]
    fn what_holds_no_event_gives_none() {
        let deep = format!("{}{}{}", "[".repeat(100_000), EVENT, "]".repeat(100_000));
        let wrapped = (0..20).fold(EVENT.to_owned(), |inner, _| format!(r#"{{"log":{inner}}}"#));
        for line in [
            "",
            "nonsense",
            "{}",
            "[]",
            "{\"a\":1}",
            "{\"message\":\"{\\\"a\\\":1}\"}",
            &EVENT[..200],
            &deep,
            &wrapped,
            "I1116 18:01:26.493 server.go:1] {\"x\"} started",
        ] {
            check("none", line, 0);
        }
        assert_eq!(events(b"\xff\xfe{\"", &mut |_| {}), 0);
    }
}
