//! One audit event with the fields that usage needs, borrowed from its line.

use std::borrow::Cow;

use super::scan::{Raw, leading_string, member, number, string};
use super::time::micros;
use kube_aggregation::routing::{Method, Target, TargetError};

/// The stage of a request at which an event was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The request was received, and not answered yet.
    RequestReceived,
    /// The response to a long-running request has begun.
    ResponseStarted,
    /// The response is complete.
    ResponseComplete,
    /// The server panicked, which ends the request too.
    Panic,
}

impl Stage {
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        Some(match text {
            b"RequestReceived" => Self::RequestReceived,
            b"ResponseStarted" => Self::ResponseStarted,
            b"ResponseComplete" => Self::ResponseComplete,
            b"Panic" => Self::Panic,
            _ => return None,
        })
    }

    /// Returns whether no further event follows.
    pub fn is_last(self) -> bool {
        self >= Self::ResponseComplete
    }
}

/// One audit event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// The ID shared by all events of a request; empty if there is none.
    pub audit_id: Cow<'a, [u8]>,
    /// The stage of the request.
    pub stage: Stage,
    /// The path, without the query.
    pub path: Cow<'a, str>,
    /// The verb of a resource request, such as `list`, or the method in lower case.
    pub verb: Cow<'a, str>,
    /// The user that sent the request.
    pub user: Raw<'a>,
    /// The user agent that sent the request.
    pub agent: Raw<'a>,
    /// The status of the response.
    pub code: Option<u16>,
    /// When the request was received, in microseconds since 1970.
    pub received: Option<i64>,
    /// When the event was written.
    pub at: Option<i64>,
    /// The number of requests counted by a metric, which have no client; `None` for an audit event.
    pub times: Option<u64>,
}

impl Event<'_> {
    /// Returns whether user and agent can be decoded.
    pub(super) fn is_readable(&self) -> bool {
        self.user.text().is_some() && self.agent.text().is_some()
    }

    /// Returns the HTTP method, as far as the verb shows it. HEAD and GET have the same verb.
    pub fn method(&self) -> Method {
        match self.verb.as_ref() {
            "create" => Method::Post,
            "update" => Method::Put,
            "deletecollection" => Method::Delete,
            // OPTIONS and similar methods have no verb for resources.
            "" => Method::Options,
            verb => Method::parse(verb).unwrap_or(Method::Get),
        }
    }

    /// Returns the target of the request, including the query that makes it a watch.
    ///
    /// # Errors
    /// If no server accepts such a request.
    pub fn target(&self) -> Result<Target<'_>, TargetError> {
        let target = Target::parse(self.method(), &self.path)?;
        Ok(if self.verb == "watch" { target.with_query("watch=true") } else { target })
    }
}

/// The raw values of an object that may be an event, for the fields that matter.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    audit_id: &'a [u8],
    stage: &'a [u8],
    uri: &'a [u8],
    verb: &'a [u8],
    user: &'a [u8],
    agent: &'a [u8],
    status: &'a [u8],
    received: &'a [u8],
    at: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Keeps the value of a field that matters. Returns whether the field matters.
    #[inline]
    pub(super) fn take(&mut self, key: &[u8], value: &'a [u8]) -> bool {
        *match key {
            b"auditID" => &mut self.audit_id,
            b"stage" => &mut self.stage,
            b"requestURI" => &mut self.uri,
            b"verb" => &mut self.verb,
            b"user" => &mut self.user,
            b"userAgent" => &mut self.agent,
            b"responseStatus" => &mut self.status,
            b"requestReceivedTimestamp" => &mut self.received,
            b"stageTimestamp" => &mut self.at,
            _ => return false,
        } = value;
        true
    }

    /// Returns the event, if the fields form one. A field that is present but invalid makes it
    /// `None`.
    pub(super) fn event(&self) -> Option<Event<'a>> {
        let text = |raw: &'a [u8]| match raw {
            b"" | b"null" => Some(Cow::Borrowed("")),
            raw => string(raw),
        };
        let time = |raw: &'a [u8]| string(raw).and_then(|text| micros(text.as_bytes()));
        let stage = Stage::parse(string(self.stage)?.as_bytes())?;
        let path = path(leading_string(self.uri)?.0)?;
        let user = text(member(self.user, b"username")?)?;
        let code = number(member(self.status, b"code")?);
        let code = code.and_then(|code| u16::try_from(code).ok()).filter(|code| *code > 0);
        Some(Event {
            audit_id: bytes(text(self.audit_id)?),
            stage,
            path,
            verb: text(self.verb)?,
            user: user.into(),
            agent: text(self.agent)?.into(),
            code,
            received: time(self.received),
            at: time(self.at),
            times: None,
        })
    }
}

/// Returns the path of a request URI. The query is often longer than the path and full of escapes,
/// so it is cut off before decoding.
pub(super) fn path(uri: Raw<'_>) -> Option<Cow<'_, str>> {
    let (Raw::Plain(inner) | Raw::Escaped([b'"', inner @ ..])) = uri else { return None };
    let query = memchr::memchr(b'?', inner);
    let plain = match (&uri, query) {
        (_, Some(at)) => inner.get(..at).filter(|path| memchr::memchr(b'\\', path).is_none()),
        (Raw::Plain(_), None) => Some(inner),
        (_, None) => None,
    };
    match plain {
        Some(path) => std::str::from_utf8(path).ok().map(Cow::Borrowed),
        None => Some(Cow::Owned(uri.text()?.split('?').next().unwrap_or_default().to_owned())),
    }
}

/// Decodes a verb. Most requests have one of these few.
pub(super) fn verb(text: &[u8]) -> Option<Cow<'_, str>> {
    let known = ["get", "list", "watch", "update", "patch", "create", "delete"];
    match known.into_iter().find(|verb| verb.as_bytes() == text) {
        Some(verb) => Some(verb.into()),
        None => std::str::from_utf8(text).ok().map(Cow::Borrowed),
    }
}

pub(super) fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::members;
    use super::*;

    const EVENT: &str = r#"{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a-1","stage":"ResponseComplete","requestURI":"/apis/apps/v1/deployments?limit=5\u0026watch=0","verb":"list","user":{"username":"jane","groups":["dev"]},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl/v1.33.1","responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"1970-01-01T00:00:01.000000Z","stageTimestamp":"1970-01-01T00:00:01.002000Z"}"#;

    fn read(text: &str) -> Option<Event<'_>> {
        let mut fields = Fields::default();
        members(text.as_bytes(), |key, value| _ = fields.take(key, value))?;
        fields.event()
    }

    #[test]
    fn what_matters_of_an_event() {
        let event = read(EVENT).unwrap();
        let want = Event {
            audit_id: b"a-1".into(),
            stage: Stage::ResponseComplete,
            path: "/apis/apps/v1/deployments".into(),
            verb: "list".into(),
            user: Raw::Plain(b"jane"),
            agent: Raw::Plain(b"kubectl/v1.33.1"),
            code: Some(200),
            received: Some(1_000_000),
            at: Some(1_002_000),
            times: None,
        };
        assert_eq!(event, want);
        assert!(matches!(event.path, Cow::Borrowed(_)));
    }

    #[test]
    fn methods_follow_from_verbs() {
        let check = |verb: &str, want: Method| {
            let text = EVENT.replace("\"list\"", &format!("{verb:?}"));
            assert_eq!(read(&text).unwrap().method(), want, "{verb}");
        };
        check("list", Method::Get);
        check("watch", Method::Get);
        check("create", Method::Post);
        check("update", Method::Put);
        check("patch", Method::Patch);
        check("deletecollection", Method::Delete);
        check("head", Method::Head);
        check("post", Method::Post);
        check("", Method::Options);
    }

    #[test]
    fn what_is_no_event_is_none() {
        for (from, to) in [
            ("\"stage\"", "\"phase\""),
            ("ResponseComplete", "Later"),
            ("\"requestURI\"", "\"uri\""),
            ("\"jane\"", "5"),
            ("metadata", "metadata\"\""),
        ] {
            let text = EVENT.replace(from, to);
            assert_eq!(read(&text), None, "{to}");
        }
    }
}
