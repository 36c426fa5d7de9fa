//! Interprets responses with a status other than 200.

use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;

use crate::live::failure::RequestFailure;
use kube_aggregation::model::Cause;

/// A failed attempt.
pub(super) struct Failed {
    pub(super) failure: RequestFailure,
    /// How long to wait before the next attempt, if the server asks for one.
    pub(super) again: Option<Duration>,
}

impl From<RequestFailure> for Failed {
    fn from(failure: RequestFailure) -> Self {
        Self { failure, again: None }
    }
}

/// Describes a status. `said` is the server's message, `wait` its `Retry-After` in seconds.
pub(super) fn refusal(status: StatusCode, said: Option<String>, wait: Option<u64>) -> Failed {
    let words = match status {
        StatusCode::UNAUTHORIZED => "the server does not accept the credentials (401)".to_owned(),
        StatusCode::FORBIDDEN => "forbidden (403)".to_owned(),
        StatusCode::NOT_FOUND => "not found (404)".to_owned(),
        StatusCode::TOO_MANY_REQUESTS => "the server asks for fewer requests (429)".to_owned(),
        _ => format!("the server answers {}", status.as_u16()),
    };
    let why = match said {
        Some(said) if !said.is_empty() => format!("{words}: {said}"),
        _ => words,
    };
    let cause = match status {
        StatusCode::UNAUTHORIZED => Cause::Unauthorized,
        StatusCode::FORBIDDEN => Cause::Forbidden,
        StatusCode::NOT_FOUND => Cause::NotFound,
        _ => Cause::Status(status.as_u16()),
    };
    // As in client-go, a server error is retried only if the server says so.
    let again = match status {
        StatusCode::TOO_MANY_REQUESTS => wait.or(Some(1)),
        _ => wait.filter(|_| status.is_server_error()),
    };
    Failed { failure: RequestFailure::new(cause, why), again: again.map(Duration::from_secs) }
}

/// Returns the message of a Status object, or a short plain text.
pub(super) fn message(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Status {
        message: String,
    }
    if let Ok(Status { message }) = serde_json::from_slice(bytes) {
        return Some(message).filter(|message| !message.is_empty());
    }
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let plain = !text.is_empty()
        && text.len() < 1000
        && !text.starts_with(['<', '{', '['])
        && !text.contains('\n');
    plain.then(|| text.to_owned())
}

/// Returns the start of the first line of a text.
pub(super) fn shortened(text: &str) -> String {
    const MAX: usize = 300;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_message_of_an_error() {
        assert_eq!(message(br#"{"kind":"Status","message":"no way"}"#).as_deref(), Some("no way"));
        assert_eq!(message(b"service unavailable\n").as_deref(), Some("service unavailable"));
        assert_eq!(message(b"<html>"), None);
        assert_eq!(message(b""), None);
        assert_eq!(message(&[b'a'; 5000]), None);
        assert_eq!(shortened("no\nway"), "no");
        assert_eq!(shortened(&"\u{e4}".repeat(1000)).chars().count(), 301);
    }
}
