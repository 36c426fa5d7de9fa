//! Responses that kubectl keeps in `http/`, to ask only for what changed.
//!
//! A file is named after the SHA-256 of the URL, and starts with the SHA-256 of the rest, which is
//! the response as it was received. kubectl sends its ETag along and uses the body if the server
//! answers 304. A discovery document is never used without asking, because the server forbids it.

/// One response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpEntry {
    /// The header ETag.
    pub etag: Option<String>,
    /// The header Accept of the request that it answered.
    pub accept: Option<String>,
    /// The version of aggregated discovery, if it is such a document.
    pub aggregated: Option<String>,
}

/// A response that cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedEntry;

/// The paths whose responses tell something about the client.
const PATHS: [&str; 2] = ["/api", "/apis"];

/// Returns the URLs of the discovery documents of a server, as kubectl requests them, with their
/// paths.
pub fn http_urls(server: &str) -> impl Iterator<Item = (&'static str, String)> {
    let server = server.trim_end_matches('/').to_owned();
    PATHS.into_iter().map(move |path| (path, format!("{server}{path}?timeout=32s")))
}

impl HttpEntry {
    /// Parses a response.
    ///
    /// # Errors
    /// If it is not an HTTP response.
    pub fn parse(response: &[u8]) -> Result<Self, MalformedEntry> {
        // httparse does not know HTTP/2.0, which Go writes into the first line.
        let end = response.iter().position(|byte| *byte == b'\n').ok_or(MalformedEntry)?;
        let (line, rest) = response.split_at(end + 1);
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let headers = match httparse::parse_headers(rest, &mut headers) {
            Ok(httparse::Status::Complete((_, headers))) if line.starts_with(b"HTTP/") => headers,
            _ => return Err(MalformedEntry),
        };
        let header = |name: &str| {
            let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            let text = found.and_then(|header| std::str::from_utf8(header.value).ok());
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let parameters = header("content-type").unwrap_or_default();
        let parameter = |name: &str| {
            let mut all = parameters.split(';').filter_map(|pair| pair.trim().split_once('='));
            all.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
        };
        let aggregated = parameter("as").is_some_and(|kind| kind == "APIGroupDiscoveryList");
        Ok(Self {
            etag: header("etag"),
            accept: header("x-varied-accept"),
            aggregated: parameter("v").filter(|_| aggregated),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_a_response_says_about_the_client() {
        let response = b"HTTP/2.0 200 OK\r\nEtag: \"4F\"\r\nContent-Type: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList\r\nX-Varied-Accept: a,b\r\n\r\n{}";
        let want = HttpEntry {
            etag: Some("\"4F\"".to_owned()),
            accept: Some("a,b".to_owned()),
            aggregated: Some("v2".to_owned()),
        };
        assert_eq!(HttpEntry::parse(response), Ok(want));
        assert_eq!(HttpEntry::parse(b"nonsense"), Err(MalformedEntry));
        assert_eq!(HttpEntry::parse(&response[..30]), Err(MalformedEntry));
    }
}
