//! Parses events in the exact layout that kube-apiserver writes, and skips unneeded members.
//!
//! Go writes members in the order of their declaration. If a line begins like an event of level
//! `Metadata`, the first members follow each other directly. The others are found by substring
//! search, which is several times as fast as scanning everything in between. Quotes in strings are
//! escaped, so `"userAgent":"` is always a member. Only one string member before the timestamps has
//! that name, because events of this level contain no request and response objects. Any other line
//! is left to [`wrapped`](super::wrapped).

use memchr::memmem::Finder;

use super::event::{Event, Stage, path, verb};
use super::scan::{Raw, leading_string, number};
use super::time::micros;

const START: &[u8] =
    br#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"#;
const AGENT: &[u8] = br#","userAgent":"#;
const RECEIVED: &[u8] = br#","requestReceivedTimestamp":"#;

/// The searchers for the members that are not at the beginning.
#[derive(Debug)]
pub(super) struct Layout {
    agent: Finder<'static>,
    received: Finder<'static>,
}

impl Default for Layout {
    fn default() -> Self {
        Self { agent: Finder::new(br#","userAgent":""#), received: Finder::new(RECEIVED) }
    }
}

impl Layout {
    /// Parses the only event of a line with this layout. User and agent are not decoded yet.
    pub(super) fn event<'a>(&self, line: &'a [u8]) -> Option<Event<'a>> {
        let mut rest = line.strip_prefix(START)?;
        let audit_id = take(&mut rest, b"")?.plain()?;
        let stage = take(&mut rest, br#","stage":"#)?.plain()?;
        let uri = take(&mut rest, br#","requestURI":"#)?;
        let verb_name = take(&mut rest, br#","verb":"#)?.plain()?;
        let user = take(&mut rest, br#","user":{"username":"#)?;
        let agent = match self.agent.find(rest) {
            Some(at) => {
                rest = rest.get(at..)?;
                take(&mut rest, AGENT)?
            }
            None => Raw::Plain(b""),
        };
        let (between, mut rest) = rest.split_at_checked(self.received.find(rest)?)?;
        let received = take(&mut rest, RECEIVED)?.plain()?;
        let at = take(&mut rest, br#","stageTimestamp":"#)?.plain()?;
        // Only annotations may follow, not a second event.
        let ends = matches!(rest, b"}")
            || rest.starts_with(br#","annotations":{"#)
                && rest.ends_with(b"}}")
                && self.received.find(rest).is_none();
        if !ends {
            return None;
        }
        let (received, at) = (micros(received)?, micros(at)?);
        Some(Event {
            audit_id: audit_id.into(),
            stage: Stage::parse(stage)?,
            path: path(uri)?,
            verb: verb(verb_name)?,
            user,
            agent,
            code: code(between),
            received: Some(received),
            at: Some(at),
            times: None,
        })
    }
}

/// Removes `before` and the string after it from the beginning of `rest`, and returns the string.
#[inline]
fn take<'a>(rest: &mut &'a [u8], before: &[u8]) -> Option<Raw<'a>> {
    let (value, behind) = leading_string(rest.strip_prefix(before)?)?;
    *rest = behind;
    Some(value)
}

/// Returns the code of the response status. It is the last member of the status, which is the last
/// member before the timestamps.
fn code(between: &[u8]) -> Option<u16> {
    let status = between.strip_suffix(b"}")?;
    let digits = status.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, digits) = status.split_at_checked(status.len() - digits)?;
    let code = number(digits).filter(|_| before.ends_with(br#""code":"#))?;
    u16::try_from(code).ok().filter(|code| *code > 0)
}

#[cfg(test)]
mod tests {
    use super::super::wrapped::events;
    use super::*;
    use proptest::prelude::*;

    fn event(line: &str) -> Option<Event<'_>> {
        Layout::default().event(line.as_bytes())
    }

    /// Formats an event with its client decoded.
    fn read(event: &Event<'_>) -> String {
        let [user, agent] = [&event.user, &event.agent].map(|raw| raw.text().unwrap());
        let rest = Event { user: Raw::Plain(b""), agent: Raw::Plain(b""), ..event.clone() };
        format!("{user} {agent} {rest:?}")
    }

    fn of_wrapped(line: &str) -> Vec<String> {
        let mut all = vec![];
        events(line.as_bytes(), &mut |event| all.push(read(event)));
        all
    }

    const LINE: &str = r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a-1","stage":"ResponseComplete","requestURI":"/api/v1/pods?a=\u0026b","verb":"list","user":{"username":"jane","groups":["g"],"extra":{"userAgent":["x"]}},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.33.1 \"x\"","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-11-16T18:01:26.493066Z","stageTimestamp":"2026-11-16T18:01:26.493861Z","annotations":{"userAgent":"no","code":"5"}}"#;

    /// The fast parser finds the same as the full scan, or nothing.
    #[test]
    fn the_short_way_finds_what_the_long_way_finds() {
        let check = |line: &str, short: bool| {
            let got: Vec<String> = event(line).iter().map(read).collect();
            assert_eq!(got.len(), usize::from(short), "{line}");
            if short {
                assert_eq!(got, of_wrapped(line), "{line}");
            }
        };
        check(LINE, true);
        let without = |text: &str| {
            assert!(LINE.contains(text), "{text}");
            LINE.replacen(text, "", 1)
        };
        check(&without(r#","annotations":{"userAgent":"no","code":"5"}"#), true);
        check(&without(r#","responseStatus":{"metadata":{},"code":200}"#), true);
        check(&without(r#","code":200"#), true);
        check(&without(r#","userAgent":"kubectl/v1.33.1 \"x\"""#), true);
        check(&without(r#","objectRef":{"resource":"pods","apiVersion":"v1"}"#), true);
        check(&LINE.replace("ResponseComplete", "Panic"), true);
        check(&LINE.replace("\"code\":200", "\"code\":70000"), true);
        check(&LINE.replace("\"code\":200", "\"reason\":\"\\\"code\\\":5\""), true);
        // The full scan may find events in these, or none.
        check(&format!("{LINE}{LINE}"), false);
        check(&LINE.replace("\"Metadata\"", "\"Request\""), false);
        check(&LINE.replace("ResponseComplete", "Later"), false);
        check(&LINE.replace("\"username\":\"jane\",", ""), false);
        check(&LINE.replace("26.493066Z", "soon"), false);
        check(&LINE[..LINE.len() - 1], false);
        check(&LINE[..300], false);
    }

    proptest! {
        #[test]
        fn no_line_panics(cut in 0usize..700, at in 0usize..700, put in "[\"\\\\{}:,a1 ]{0,3}") {
            let mut line = LINE.to_owned();
            line.insert_str(at.min(LINE.len()), &put);
            line.truncate(line.len() - cut.min(line.len()));
            event(&line);
        }
    }
}
