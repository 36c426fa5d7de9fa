//! What an answer shows about the handler that wrote it.

use serde::Deserialize;

/// An answer, as received.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The status code.
    pub status: u16,
    /// The body; `None` if it was not read.
    pub body: Option<&'a str>,
}

/// What an answer shows about the handler that wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// A document of this kind; the kind is empty if it has none.
    Document(String),
    /// A successful answer that was not read, or that is not JSON.
    Success,
    /// `404 page not found`: the end of the chain.
    NoHandler,
    /// A 404 without a word: an OpenAPI document that does not exist.
    Silence,
    /// A `Status` that names no object: a web service without such a route.
    NoRoute,
    /// A `Status` that names an object: a handler looked for it, in this group.
    NoObject(String),
    /// A `Status` with 400.
    BadRequest,
    /// A `Status` with 405.
    WrongMethod,
    /// A redirect.
    Redirect,
    /// `service unavailable`: the aggregator did not try to reach the Service.
    Refused,
    /// The aggregator tried to reach the Service and failed.
    Unreachable,
    /// The aggregator cannot build a connection to the Service.
    NoTransport,
    /// The path ends with a verb, so that the server cannot parse it.
    Unparsed,
    /// The user is not known (401).
    Unauthorized,
    /// The user may not send the request (403).
    Forbidden,
    /// The server asks for fewer requests (429).
    Busy,
    /// Anything else.
    Other,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Envelope {
    kind: String,
    message: String,
    details: Option<Details>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    name: String,
    group: String,
    kind: String,
}

impl Evidence {
    /// Reads the evidence of an answer.
    pub fn new(response: Response<'_>) -> Self {
        match response.status {
            401 => return Self::Unauthorized,
            403 => return Self::Forbidden,
            429 => return Self::Busy,
            300..=399 => return Self::Redirect,
            _ => {}
        }
        let Some(body) = response.body else {
            return if response.status < 300 { Self::Success } else { Self::Other };
        };
        match serde_json::from_str::<Envelope>(body) {
            Ok(envelope) if envelope.kind == "Status" => Self::of_status(response.status, envelope),
            Ok(envelope) if response.status < 300 => {
                Self::Document(envelope.kind.chars().take(MAX_KIND).collect())
            }
            Err(_) if response.status < 300 => Self::Success,
            Ok(_) => Self::Other,
            Err(_) => Self::of_text(response.status, body.trim_end()),
        }
    }

    fn of_status(status: u16, envelope: Envelope) -> Self {
        let Details { name, group, kind } = envelope.details.unwrap_or_default();
        match status {
            400 => Self::BadRequest,
            404 if name.is_empty() && kind.is_empty() => Self::NoRoute,
            404 => Self::NoObject(group),
            405 => Self::WrongMethod,
            503 if envelope.message.starts_with(UNREACHABLE) => Self::Unreachable,
            _ => Self::Other,
        }
    }

    fn of_text(status: u16, text: &str) -> Self {
        match (status, text) {
            (404, "404 page not found") => Self::NoHandler,
            (404, "") => Self::Silence,
            (503, "service unavailable") => Self::Refused,
            (503, text) if text.starts_with(UNREACHABLE) => Self::Unreachable,
            (500, text) if text.contains("unable to load root certificates") => Self::NoTransport,
            (500, text) if text.contains("failed to create RequestInfo") => Self::Unparsed,
            _ => Self::Other,
        }
    }

    /// Returns the word that the JSON output uses.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Document(_) => "document",
            Self::Success => "success",
            Self::NoHandler => "no-handler",
            Self::Silence => "no-document",
            Self::NoRoute => "no-route",
            Self::NoObject(_) => "no-object",
            Self::BadRequest => "bad-request",
            Self::WrongMethod => "method-not-allowed",
            Self::Redirect => "redirect",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::NoTransport => "no-transport",
            Self::Unparsed => "unparsed",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::Busy => "busy",
            Self::Other => "other",
        }
    }
}

/// How many characters of a kind are kept. Those of Kubernetes are shorter.
const MAX_KIND: usize = 100;

/// How the aggregator's proxy begins its errors.
const UNREACHABLE: &str = "error trying to reach service";
