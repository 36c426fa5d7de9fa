//! Requests and responses as plain values.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;

use super::watch::{Seen, Watch};

/// What of an HTTP request matters. Bodies are never read.
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
    /// When it was sent: what ages in tables are measured against.
    pub now: Timestamp,
    /// What a watch has sent already, where it goes on with a source that was read again.
    pub seen: Option<Seen>,
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
    /// All of it.
    Whole(Bytes),
    /// One that goes on.
    Watch(Box<Watch>),
}

pub(super) const JSON: &str = "application/json";

impl Response {
    fn new(status: u16, content_type: &'static str, body: Bytes) -> Self {
        let headers = vec![("content-type", content_type.into())];
        Self { status, headers, body: Body::Whole(body), delay: Duration::ZERO }
    }

    /// A response of JSON.
    pub(super) fn json(status: u16, body: Bytes) -> Self {
        Self::new(status, JSON, body)
    }

    /// A line of text, as Go's `http.Error` writes it.
    pub(crate) fn text(status: u16, line: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", format!("{line}\n").into())
    }

    /// What a health check says, without an end of line.
    pub(super) fn ok() -> Self {
        Self::new(200, "text/plain; charset=utf-8", Bytes::from_static(b"ok"))
    }

    pub(super) fn html(status: u16, text: String) -> Self {
        Self::new(status, "text/html; charset=utf-8", text.into())
    }

    /// With one more header.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Says what the answer lacks. kubectl prints it.
    pub(super) fn warn(self, text: &str) -> Self {
        let safe = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
        let text: String = text.chars().map(safe).collect::<String>().replace(['"', '\\'], "'");
        self.with("warning", format!("299 aggctl \"{text}\""))
    }

    /// The same document under its entity tag; without a body where the client has it already.
    pub(super) fn tagged(self, etag: &str, request: &Request) -> Self {
        let tagged = self.with("etag", etag.to_owned()).with("vary", "Accept");
        let mut known = request.if_none_match.split(',').map(str::trim);
        if known.any(|tag| tag == etag) {
            return Self { status: 304, body: Body::Whole(Bytes::new()), ..tagged };
        }
        tagged
    }

    /// A document of the page, which says itself what it may load.
    pub fn page(
        status: u16,
        content_type: &'static str,
        body: Bytes,
        policy: &'static str,
    ) -> Self {
        Self::new(status, content_type, body).with("content-security-policy", policy)
    }

    /// What somebody hears whom the server does not know.
    pub fn unauthorized() -> Self {
        super::status::unauthorized()
    }

    /// What a client gets that watches too much; it tries again later.
    pub fn too_many_watches() -> Self {
        super::status::too_many_requests().with("retry-after", "10")
    }

    /// Elsewhere.
    pub fn redirect(to: &str) -> Self {
        Self::text(302, "Found").with("location", to.to_owned())
    }

    /// The body, where it is whole.
    pub fn whole(&self) -> &[u8] {
        match &self.body {
            Body::Whole(bytes) => bytes,
            Body::Watch(_) => &[],
        }
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_ref())
    }
}
