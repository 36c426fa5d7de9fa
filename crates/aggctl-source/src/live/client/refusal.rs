//! What an answer other than 200 means.

use super::*;

impl Client {
    pub(super) async fn refused(&self, status: StatusCode, mut response: Response) -> Failed {
        if status == StatusCode::NOT_MODIFIED {
            let why = "the server answers 304 (not modified), though it was not asked for changes";
            return RequestFailure::unusable(why).into();
        }
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|v| v.to_str().ok());
            let to = to.and_then(|to| self.base.join(to).ok()).map(|url| address(&url));
            let to = to.map_or_else(|| "somewhere".to_owned(), |to| self.quoted(&to));
            return RequestFailure::unusable(format!(
                "the server redirects to {to}, which is not followed"
            ))
            .into();
        }
        let wait =
            response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
        // The reason is good to have, but not worth an error of its own.
        let said = self.body(&mut response, 64 << 10).await.ok();
        let said = said.and_then(|bytes| message(&bytes)).map(|said| self.quoted(&said));
        let words = match status {
            StatusCode::UNAUTHORIZED => {
                "the server does not accept the credentials (401)".to_owned()
            }
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
        // As in client-go: a server error is worth another try only if the server says so.
        let again = match status {
            StatusCode::TOO_MANY_REQUESTS => wait.or(Some(1)),
            _ => wait.filter(|_| status.is_server_error()),
        };
        Failed { failure: RequestFailure::new(cause, why), again: again.map(Duration::from_secs) }
    }
}

/// The sentence in a Status object, or in a short plain text.
fn message(bytes: &[u8]) -> Option<String> {
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

/// Enough of a text from outside to understand it.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_sentence_in_an_error() {
        assert_eq!(message(br#"{"kind":"Status","message":"no way"}"#).as_deref(), Some("no way"));
        assert_eq!(message(b"service unavailable\n").as_deref(), Some("service unavailable"));
        assert_eq!(message(b"<html>"), None);
        assert_eq!(message(b""), None);
        assert_eq!(message(&[b'a'; 5000]), None);
        assert_eq!(shortened("no\nway"), "no");
        assert_eq!(shortened(&"\u{e4}".repeat(1000)).chars().count(), 301);
    }
}
