//! A request target (path and query), decoded and split as the server does.
//!
//! Paths are decoded first and never cleaned: `//`, `.` and `..` are kept.

use std::borrow::Cow;
use std::fmt;

use super::method::Method;

/// Why a string is not a valid request target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetError {
    /// It is neither a URL nor starts with a slash.
    NoSlash,
    /// A `%` is not followed by two hexadecimal digits; the server answers 400.
    BadEscape,
    /// It contains a control character; the server answers 400.
    ControlCharacter,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlash => "a path begins with a slash",
            Self::BadEscape => "a % must be followed by two hexadecimal digits",
            Self::ControlCharacter => "a path has no control characters",
        })
    }
}

impl std::error::Error for TargetError {}

/// A method and a request target, decoded.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The method.
    pub method: Method,
    /// The path with its percent escapes decoded.
    pub path: Cow<'a, str>,
    query: &'a str,
}

impl<'a> Target<'a> {
    /// Parses a path with an optional query, or a full URL.
    ///
    /// # Errors
    /// If the text is not a valid request target.
    pub fn parse(method: Method, text: &'a str) -> Result<Self, TargetError> {
        let target = strip_authority(text);
        if !target.starts_with('/') {
            return Err(TargetError::NoSlash);
        }
        if target.bytes().any(|byte| byte.is_ascii_control()) {
            return Err(TargetError::ControlCharacter);
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path = match path.contains('%') {
            true => Cow::Owned(decode(path, false)?),
            false => Cow::Borrowed(path),
        };
        Ok(Self { method, path, query })
    }

    /// Replaces the query.
    #[must_use]
    pub fn with_query(self, query: &'a str) -> Self {
        Self { query, ..self }
    }

    /// Splits the path as the server does for everything except matching: at every slash, ignoring
    /// slashes at both ends.
    pub(super) fn segments(&self) -> Vec<&str> {
        match self.path.trim_matches('/') {
            "" => vec![],
            trimmed => trimmed.split('/').collect(),
        }
    }

    /// Returns the first value of a query parameter, decoded.
    pub fn parameter(&self, name: &str) -> Option<Cow<'a, str>> {
        if self.query.is_empty() {
            return None;
        }
        self.query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let plain = |text: &'a str| {
                if text.contains(['%', '+']) {
                    decode(text, true).ok().map(Cow::Owned)
                } else {
                    Some(text.into())
                }
            };
            (plain(key)? == name).then(|| plain(value)).flatten()
        })
    }
}

/// Removes everything before the path from `https://host:port/path`.
fn strip_authority(text: &str) -> &str {
    if text.starts_with('/') {
        return text;
    }
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match rest {
        Some(rest) => match rest.find(['/', '?']) {
            Some(at) if rest.as_bytes().get(at) == Some(&b'/') => &rest[at..],
            _ => "/",
        },
        None => text,
    }
}

/// Decodes percent escapes (and `+` in queries). Bytes that are not UTF-8 become U+FFFD. No
/// registered path contains that character, so such a path matches nothing either way.
fn decode(text: &str, plus_is_space: bool) -> Result<String, TargetError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                match (digit(), digit()) {
                    (Some(high), Some(low)) => (high * 16 + low) as u8,
                    _ => return Err(TargetError::BadEscape),
                }
            }
            b'+' if plus_is_space => b' ',
            other => other,
        });
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rejects_what_is_not_a_target() {
        let parse = |text| Target::parse(Method::Get, text).map(|t| t.path.into_owned());
        assert_eq!(parse("api/v1"), Err(TargetError::NoSlash));
        assert_eq!(parse(""), Err(TargetError::NoSlash));
        assert_eq!(parse("/%zz"), Err(TargetError::BadEscape));
        assert_eq!(parse("/a%2"), Err(TargetError::BadEscape));
        assert_eq!(parse("/a\u{1b}[31m"), Err(TargetError::ControlCharacter));
        assert_eq!(parse("/a%ffb"), Ok("/a\u{fffd}b".to_owned()));
        assert_eq!(parse("//api"), Ok("//api".to_owned()));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in ".{0,60}", method in 0..Method::ALL.len()) {
            if let Ok(target) = Target::parse(Method::ALL[method], &text) {
                let _ = target.info();
            }
        }

        #[test]
        fn no_path_panics(parts in proptest::collection::vec("(api|apis|v1|watch|proxy|namespaces|status|%2F||[a-z]{1,3})", 0..14)) {
            let text = format!("/{}", parts.join("/"));
            let target = Target::parse(Method::Get, &text).unwrap();
            let _ = target.info();
        }
    }
}
