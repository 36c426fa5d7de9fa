//! One audit event, as far as it matters here, borrowed from its line.

use std::borrow::Cow;

use super::scan::{Raw, leading_string, member, number, string};
use super::time::micros;
use kube_aggregation::routing::{Method, Target, TargetError};

/// How far a request was when an event was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Nobody has answered yet.
    RequestReceived,
    /// The answer to a long-running request has begun.
    ResponseStarted,
    /// It is over.
    ResponseComplete,
    /// The server panicked; it is over, too.
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

    /// Whether no further event follows.
    pub fn is_last(self) -> bool {
        self >= Self::ResponseComplete
    }
}

/// What one event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// The same in all events of a request; empty where there is none.
    pub audit_id: Cow<'a, [u8]>,
    /// How far the request was.
    pub stage: Stage,
    /// The path, without the query.
    pub path: Cow<'a, str>,
    /// What the server took it to do: `list`, or the method of what is no resource.
    pub verb: Cow<'a, str>,
    /// Who asked.
    pub user: Raw<'a>,
    /// With which program.
    pub agent: Raw<'a>,
    /// The status that was answered.
    pub code: Option<u16>,
    /// When the request came, in microseconds since 1970.
    pub received: Option<i64>,
    /// When the event was written.
    pub at: Option<i64>,
    /// How many requests it stands for, where metrics tell of them; these have no client.
    pub times: Option<u64>,
}

impl Event<'_> {
    /// Whether everything in it can be read.
    pub(super) fn is_readable(&self) -> bool {
        self.user.text().is_some() && self.agent.text().is_some()
    }

    /// The HTTP method, as far as the verb tells: HEAD and GET are one verb.
    pub fn method(&self) -> Method {
        match self.verb.as_ref() {
            "create" => Method::Post,
            "update" => Method::Put,
            "deletecollection" => Method::Delete,
            // Resources have no verb for OPTIONS and the like.
            "" => Method::Options,
            verb => Method::parse(verb).unwrap_or(Method::Get),
        }
    }

    /// What the server was asked, with what makes it a watch.
    ///
    /// # Errors
    /// Where no server takes such a request.
    pub fn target(&self) -> Result<Target<'_>, TargetError> {
        let target = Target::parse(self.method(), &self.path)?;
        Ok(if self.verb == "watch" { target.with_query("watch=true") } else { target })
    }
}

/// The raw values that matter, of an object that may be an event.
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
    /// Keeps a value if it matters, and says whether it does.
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

    /// The event that they make, if they make one. A field that is there but cannot be read makes
    /// none.
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

/// The path of a request URI. Its query is often the longer part, full of escapes.
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

/// A verb; most requests have one of these few.
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
