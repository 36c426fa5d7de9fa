//! Reads one HTTP response, and checks whether it is a discovery document.

use std::io::{self, ErrorKind, Read};

use kube_aggregation::ingest::Envelope;

/// Limits on the bytes and header fields that are read.
const MAX_HEAD: usize = 64 << 10;
const MAX_BODY: usize = 1 << 20;
const MAX_FIELDS: usize = 128;

/// An HTTP response.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    kind: String,
    body: Body,
}

/// The complete body, or why it could not be read.
type Body = Result<Vec<u8>, &'static str>;

const CUT: Body = Err("the response is cut off");
const TOO_LARGE: Body = Err("the response is larger than 1 MiB");

impl Answer {
    /// Reads a response; `None` if it is not HTTP.
    pub(super) fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = vec![];
        while !bytes.windows(4).any(|w| w == b"\r\n\r\n") && bytes.len() <= MAX_HEAD {
            if !more(stream, &mut bytes)? {
                // A status line alone is a valid response.
                bytes.extend(b"\r\n\r\n");
            }
        }
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let mut head = httparse::Response::new(&mut fields);
        let Ok(httparse::Status::Complete(end)) = head.parse(&bytes) else { return Ok(None) };
        let Some(status) = head.code.filter(|status| (100..600).contains(status)) else {
            return Ok(None);
        };
        let field = |name: &str| {
            let found = head.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
            found.map(|field| String::from_utf8_lossy(field.value).trim().to_owned())
        };
        let kind = field("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_owned();
        let rest = bytes.get(end..).unwrap_or_default().to_vec();
        // The body of an error is not used.
        let body = if !(200..300).contains(&status) {
            Ok(vec![])
        } else if field("transfer-encoding").is_some_and(|v| v.eq_ignore_ascii_case("chunked")) {
            chunked(stream, rest)
        } else {
            plain(stream, rest, field("content-length").and_then(|v| v.parse().ok()))
        };
        Ok(Some(Self { status, kind, body }))
    }

    /// Checks that it is a discovery document; the error says what it is instead.
    pub(super) fn discovery(&self) -> Result<(), String> {
        let body = self.body.as_ref().map_err(|why| (*why).to_owned())?;
        if !self.kind.is_empty() && self.kind != "application/json" {
            let kind: String = self.kind.chars().take(80).collect();
            return Err(format!("the response is {kind}, not JSON"));
        }
        if body.is_empty() {
            return Err("the response is empty".to_owned());
        }
        let envelope: Envelope<'_> = serde_json::from_slice(body).map_err(|error| {
            format!("the response is invalid JSON at {}:{}", error.line(), error.column())
        })?;
        match envelope.kind.as_ref() {
            "APIResourceList" => Ok(()),
            "" => Err("the response is JSON without a kind".to_owned()),
            kind => {
                let what: String =
                    format!("{} {kind}", envelope.api_version).trim().chars().take(80).collect();
                Err(format!("the response is {what}, not an APIResourceList"))
            }
        }
    }
}

/// Reads more bytes. Returns false at the end, whether or not the connection was closed cleanly.
fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer) {
        Ok(0) => Ok(false),
        Ok(n) => {
            bytes.extend_from_slice(buffer.get(..n).unwrap_or_default());
            Ok(true)
        }
        Err(error) if error.kind() == ErrorKind::UnexpectedEof && !bytes.is_empty() => Ok(false),
        Err(error) => Err(error),
    }
}

fn plain(stream: &mut impl Read, mut bytes: Vec<u8>, length: Option<usize>) -> Body {
    loop {
        if let Some(length) = length
            && bytes.len() >= length
        {
            bytes.truncate(length);
            return if length > MAX_BODY { TOO_LARGE } else { Ok(bytes) };
        }
        if bytes.len() > MAX_BODY {
            return TOO_LARGE;
        }
        match more(stream, &mut bytes) {
            Ok(true) => {}
            Ok(false) if length.is_none_or(|length| length == 0) => return Ok(bytes),
            Ok(false) | Err(_) => return CUT,
        }
    }
}

/// Reads a body in chunked transfer encoding.
fn chunked(stream: &mut impl Read, mut bytes: Vec<u8>) -> Body {
    let (mut whole, mut at) = (vec![], 0);
    loop {
        if bytes.len() > 2 * MAX_BODY || whole.len() > MAX_BODY {
            return TOO_LARGE;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let size = match httparse::parse_chunk_size(rest) {
            Ok(httparse::Status::Complete((_, 0))) => return Ok(whole),
            Ok(size) => size,
            Err(_) => return CUT,
        };
        if let httparse::Status::Complete((start, size)) = size {
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            if size > MAX_BODY {
                return TOO_LARGE;
            }
            if let Some(part) = rest.get(start..start + size)
                && rest.len() >= start + size + 2
            {
                whole.extend_from_slice(part);
                at += start + size + 2;
                continue;
            }
        }
        if !matches!(more(stream, &mut bytes), Ok(true)) {
            return CUT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_line_is_parsed() {
        for (answer, want) in [
            ("HTTP/1.1 200 OK\r\n", Some(200)),
            ("HTTP/1.0 403\r\nx: y", Some(403)),
            ("HTTP/1.1 999 x\r\n", None),
            ("HTTP/1.1\r\n", None),
            ("SSH-2.0-x\r\n", None),
            ("", None),
        ] {
            let read = Answer::read(&mut answer.as_bytes()).unwrap();
            assert_eq!(read.map(|answer| answer.status), want, "{answer:?}");
        }
    }

    #[test]
    fn only_a_list_is_discovery() {
        let check = |answer: &str, want: Result<(), &str>| {
            let read = Answer::read(&mut answer.as_bytes()).unwrap().unwrap();
            assert_eq!(read.discovery(), want.map_err(str::to_owned), "{answer:?}");
        };
        let list = r#"{"kind":"APIResourceList"}"#;
        check(&format!("HTTP/1.1 200 OK\r\n\r\n{list}"), Ok(()));
        check(&format!("HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n{list}more"), Ok(()));
        let cut = Err("the response is cut off");
        check(&format!("HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n{list}"), cut);
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        check(&format!("{chunked}1\r\n{{\r\n19;x=y\r\n{}\r\n0\r\n\r\n", &list[1..]), Ok(()));
        check(&format!("{chunked}1a\r\n{list}"), cut);
        check(&format!("{chunked}ffffff\r\n"), Err("the response is larger than 1 MiB"));
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html; x\r\n\r\n<html>";
        check(html, Err("the response is text/html, not JSON"));
        check("HTTP/1.1 200 OK\r\n\r\n{", Err("the response is invalid JSON at 1:1"));
        check("HTTP/1.1 200 OK\r\n\r\n", Err("the response is empty"));
        let pod = r#"{"kind":"Pod","apiVersion":"v1"}"#;
        let other = Err("the response is v1 Pod, not an APIResourceList");
        check(&format!("HTTP/1.1 200 OK\r\n\r\n{pod}"), other);
    }
}
