//! A request target, decoded and split as the server does it.
//!
//! Paths are decoded before anything looks at them and cleaned by nobody: `//`, `.` and `..` stay
//! as they are. This runs for every line of a stream: one pass over the bytes classifies them, and
//! one more finds the slashes for all servers of the chain (`benches/routing.rs`).

use std::borrow::Cow;

use super::request::{Method, RequestInfo, UnfinishedVerb};

/// Why a request target is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetError {
    /// It does not begin with a slash and is no URL.
    NoSlash,
    /// A `%` is not followed by two hexadecimal digits; the server answers 400.
    BadEscape,
    /// It contains a control character; the server answers 400.
    ControlCharacter,
}

// What a byte of a request target may be.
const CONTROL: u8 = 1;
const ESCAPE: u8 = 2;
const QUERY: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = CONTROL;
        byte += 1;
    }
    classes[0x7f] = CONTROL;
    classes[b'%' as usize] = ESCAPE;
    classes[b'?' as usize] = QUERY;
    classes
};

/// A method and a request target, decoded.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The method.
    pub method: Method,
    /// The path with its percent escapes decoded.
    pub path: Cow<'a, str>,
    query: &'a str,
    slashes: Slashes,
}

impl<'a> Target<'a> {
    /// Reads a path with an optional query, or a full URL.
    ///
    /// # Errors
    /// Says what about the text is not a request target.
    #[inline]
    pub fn parse(method: Method, text: &'a str) -> Result<Self, TargetError> {
        let target = strip_authority(text);
        if !target.starts_with('/') {
            return Err(TargetError::NoSlash);
        }
        // One look at every byte instead of a search for each kind.
        let classes = target.bytes().fold(0, |all, byte| all | CLASSES[usize::from(byte)]);
        if classes & CONTROL != 0 {
            return Err(TargetError::ControlCharacter);
        }
        let (path, query) = match classes & QUERY {
            0 => (target, ""),
            _ => target.split_once('?').unwrap_or((target, "")),
        };
        let path = match classes & ESCAPE {
            0 => Cow::Borrowed(path),
            _ => Cow::Owned(decode(path, false)?),
        };
        let slashes = Slashes::of(&path);
        Ok(Self { method, path, query, slashes })
    }

    /// The same with another query.
    pub fn with_query(self, query: &'a str) -> Self {
        Self { query, ..self }
    }

    /// Where the path's slashes are.
    pub(super) fn slashes(&self) -> &Slashes {
        &self.slashes
    }

    /// What the request is about, or the 500 that the server answers before it routes.
    pub fn info(&self) -> Result<RequestInfo<'_>, UnfinishedVerb> {
        RequestInfo::resolve(self, &self.segments())
    }

    /// Whether the server answers 500 before it routes, as [`UnfinishedVerb`] says.
    pub(super) fn is_unfinished(&self) -> bool {
        // Most paths end with neither `watch` nor `proxy`, and need no splitting for that.
        let last = self.path.bytes().rev().find(|byte| *byte != b'/');
        matches!(last, Some(b'h' | b'y')) && self.segments().are_unfinished()
    }

    /// The path's segments as the server splits it for everything but matching.
    pub fn segments(&self) -> Segments<'_> {
        Segments::new(&self.path, &self.slashes)
    }

    /// The first value of a query parameter, decoded.
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

/// `https://host:port/path` without everything before the path.
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

/// Decodes percent escapes (and `+` in queries). Bytes that are not UTF-8 become U+FFFD: no
/// registered path contains it, so they match as little as the bytes themselves would.
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

/// No rule looks further: prefix, group, version, `watch`, `namespaces`, namespace, resource,
/// name, subresource, and one more to tell "longer" from "just that".
const KEPT: usize = 10;

/// Where the slashes of a path are: the first ones, as many as any rule looks at, and how many
/// there are. Found once for all servers of the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slashes {
    at: [u32; KEPT + 1],
    count: usize,
}

impl Slashes {
    #[inline]
    pub(super) fn of(path: &str) -> Self {
        let mut slashes = Self { at: [0; KEPT + 1], count: 0 };
        let mut found = |at: usize| {
            if let Some(slot) = slashes.at.get_mut(slashes.count) {
                *slot = at as u32;
            }
            slashes.count += 1;
        };
        // Eight bytes at a time: a byte that is a slash becomes zero, and only a zero byte leaves
        // its highest bit set. Paths are short and full of slashes, so this beats a search.
        let (chunks, rest) = path.as_bytes().as_chunks::<8>();
        for (index, chunk) in chunks.iter().enumerate() {
            const LOW: u64 = u64::from_le_bytes([0x7f; 8]);
            let bytes = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes([b'/'; 8]);
            let mut zeros = !(((bytes & LOW) + LOW) | bytes | LOW);
            while zeros != 0 {
                found(index * 8 + zeros.trailing_zeros() as usize / 8);
                zeros &= zeros - 1;
            }
        }
        let start = path.len() - rest.len();
        for (index, _) in rest.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            found(start + index);
        }
        slashes
    }

    /// The positions of the first ones.
    pub(super) fn kept(&self) -> &[u32] {
        &self.at[..self.count.min(self.at.len())]
    }

    /// The positions of the first so many, or of all where there are fewer.
    pub(super) fn first(&self, count: usize) -> &[u32] {
        self.kept().get(..count).unwrap_or(self.kept())
    }

    /// How many there are, kept or not.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

/// The segments of a path: slashes trimmed from both ends, split at every slash between.
#[derive(Debug, Clone, Copy)]
pub struct Segments<'a> {
    first: [&'a str; KEPT],
    count: usize,
}

impl<'a> Segments<'a> {
    #[inline]
    fn new(path: &'a str, slashes: &Slashes) -> Self {
        let bytes = path.as_bytes();
        let plain = bytes.len() > 1 && bytes[1] != b'/' && bytes.last() != Some(&b'/');
        if !plain {
            return Self::split(path);
        }
        let mut segments = Self { first: [""; KEPT], count: slashes.count };
        let mut start = 1;
        for (index, slot) in segments.first.iter_mut().enumerate().take(slashes.count) {
            let end = match slashes.kept().get(index + 1) {
                Some(at) => *at as usize,
                None => path.len(),
            };
            *slot = path.get(start..end).unwrap_or("");
            start = end + 1;
        }
        segments
    }

    /// The slow way, for paths with slashes at their ends.
    pub(super) fn split(path: &'a str) -> Self {
        let mut segments = Self { first: [""; KEPT], count: 0 };
        let trimmed = path.trim_matches('/');
        if trimmed.is_empty() {
            return segments;
        }
        for segment in trimmed.split('/') {
            if let Some(slot) = segments.first.get_mut(segments.count) {
                *slot = segment;
            }
            segments.count += 1;
        }
        segments
    }

    /// Whether they end with a verb and no resource, as [`UnfinishedVerb`] says.
    pub(super) fn are_unfinished(&self) -> bool {
        match self.kept() {
            ["api", _, verb] | ["apis", _, _, verb] => matches!(*verb, "watch" | "proxy"),
            _ => false,
        }
    }

    /// How many there are, kept or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The first ones, as many as any rule looks at.
    pub fn kept(&self) -> &[&'a str] {
        &self.first[..self.count.min(KEPT)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rejects_what_is_no_target() {
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
        fn slashes_are_where_they_are(path in "[a./0é]{0,40}") {
            let want: Vec<u32> = path.match_indices('/').map(|(at, _)| at as u32).collect();
            let slashes = Slashes::of(&path);
            prop_assert_eq!(slashes.count(), want.len());
            prop_assert_eq!(slashes.kept(), &want[..want.len().min(KEPT + 1)]);
        }

        #[test]
        fn segments_are_what_splitting_gives(path in "/[a/]{0,40}") {
            let slashes = Slashes::of(&path);
            let (fast, slow) = (Segments::new(&path, &slashes), Segments::split(&path));
            prop_assert_eq!(fast.kept(), slow.kept());
            prop_assert_eq!(fast.count(), slow.count());
        }

        #[test]
        fn no_path_panics(parts in proptest::collection::vec("(api|apis|v1|watch|proxy|namespaces|status|%2F||[a-z]{1,3})", 0..14)) {
            let text = format!("/{}", parts.join("/"));
            let target = Target::parse(Method::Get, &text).unwrap();
            prop_assert_eq!(target.info().is_err(), target.segments().are_unfinished());
        }
    }
}
