//! Requests and responses as plain values.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;

/// The relevant parts of an HTTP request. Bodies are never read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The method, as sent.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// The header Accept.
    pub accept: String,
    /// The header If-None-Match.
    pub if_none_match: String,
    /// When it was sent. Ages in tables are measured against it.
    pub now: Timestamp,
    /// What a watch has sent already, if it continues with a source that was read again.
    pub seen: Option<SeenObjects>,
}

/// An HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body.
    pub body: Body,
    /// How long to wait before it is sent.
    pub delay: Duration,
}

/// The body of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    Whole(Bytes),
    Watch(Box<Watch>),
}

/// What a watch sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Events to send now.
    pub events: Bytes,
    /// The bookmark event, for clients that want it.
    pub bookmark: Option<Bytes>,
    /// When it ends.
    pub lasts: Duration,
    /// What the client has seen then, for when the source is read again.
    pub seen: SeenObjects,
}

/// The objects that a client knows: namespace and name, and a checksum.
pub type SeenObjects = BTreeMap<(String, String), u64>;

/// The header that tells aggctl as a client what the source lacks.
pub(super) const NOT_COLLECTED: &str = "x-aggctl-not-collected";

pub(super) const JSON: &str = "application/json";

impl Response {
    fn new(status: u16, content_type: &'static str, body: Bytes) -> Self {
        let headers = vec![("content-type", content_type.into())];
        Self { status, headers, body: Body::Whole(body), delay: Duration::ZERO }
    }

    /// Returns a JSON response.
    pub(super) fn json(status: u16, body: Bytes) -> Self {
        Self::new(status, JSON, body)
    }

    /// Returns a line of text, as Go's `http.Error` writes it.
    pub(crate) fn text(status: u16, line: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", format!("{line}\n").into())
    }

    /// Returns the `ok` of a health check, which has no newline.
    pub(super) fn ok() -> Self {
        Self::new(200, "text/plain; charset=utf-8", Bytes::from_static(b"ok"))
    }

    pub(super) fn html(status: u16, text: String) -> Self {
        Self::new(status, "text/html; charset=utf-8", text.into())
    }

    /// Adds a header.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds a warning, which kubectl prints.
    pub(super) fn warn(self, text: &str) -> Self {
        let safe = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
        let text: String = text.chars().map(safe).collect::<String>().replace(['"', '\\'], "'");
        self.with("warning", format!("299 aggctl \"{text}\""))
    }

    /// Adds a warning that the source lacks what was requested. aggctl as a client takes it as not
    /// read; other clients need a response.
    pub(super) fn not_collected(self, text: &str) -> Self {
        self.warn(text).with(NOT_COLLECTED, "all")
    }

    /// Adds a warning that the source lacks some of the requested objects. aggctl as a client takes
    /// the list as incomplete.
    pub(super) fn partly_collected(self, text: &str) -> Self {
        self.warn(text).with(NOT_COLLECTED, "some")
    }

    /// Adds an entity tag. The body is left out if the client has it already.
    pub(super) fn tagged(self, etag: &str, request: &Request) -> Self {
        let tagged = self.with("etag", etag.to_owned()).with("vary", "Accept");
        let mut known = request.if_none_match.split(',').map(str::trim);
        if known.any(|tag| tag == etag) {
            return Self { status: 304, body: Body::Whole(Bytes::new()), ..tagged };
        }
        tagged
    }

    /// Returns a file of the page, with its content security policy.
    pub fn page(
        status: u16,
        content_type: &'static str,
        body: Bytes,
        policy: &'static str,
    ) -> Self {
        Self::new(status, content_type, body).with("content-security-policy", policy)
    }

    /// Returns a redirect.
    pub fn redirect(to: &str) -> Self {
        Self::text(302, "Found").with("location", to.to_owned())
    }

    /// Returns the body, unless it is a watch.
    pub fn whole(&self) -> &[u8] {
        match &self.body {
            Body::Whole(bytes) => bytes,
            Body::Watch(_) => &[],
        }
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_ref())
    }
}

/// Returns a line of JSON, as Go's encoder writes it.
pub(super) fn json_line(value: &impl serde::Serialize) -> Bytes {
    // Only maps with string keys and finite numbers are written, so this cannot fail.
    let mut line = serde_json::to_vec(value).unwrap_or_default();
    line.push(b'\n');
    line.into()
}
