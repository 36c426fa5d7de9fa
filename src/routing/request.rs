//! A request as the server sees it: decoded path, request info, verb.
//!
//! Mirrors the API server's `RequestInfo` resolver. Paths are decoded before anything looks at
//! them and cleaned by nobody: `//`, `.` and `..` stay as they are.

use std::borrow::Cow;
use std::fmt;

/// The HTTP methods that the server can be asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of HTTP")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
    Options,
    Connect,
    Trace,
}

impl Method {
    /// All of them, in the order in which people think of them.
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::Head,
        Self::Post,
        Self::Put,
        Self::Patch,
        Self::Delete,
        Self::Options,
        Self::Connect,
        Self::Trace,
    ];

    /// Reads a method in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.as_str().eq_ignore_ascii_case(text))
    }

    /// The method as HTTP writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Connect => "CONNECT",
            Self::Trace => "TRACE",
        }
    }

    /// The verb of a request that is not about a resource.
    fn lowercase(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Head => "head",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::Options => "options",
            Self::Connect => "connect",
            Self::Trace => "trace",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

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
    fn parameter(&self, name: &str) -> Option<Cow<'a, str>> {
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
    fn split(path: &'a str) -> Self {
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
    fn are_unfinished(&self) -> bool {
        match self.kept() {
            ["api", _, verb] => matches!(*verb, "watch" | "proxy"),
            ["apis", _, _, verb] => matches!(*verb, "watch" | "proxy"),
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

/// `/watch` or `/proxy` with nothing behind it: the server answers 500 before it routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfinishedVerb;

/// What the server takes a request to be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestInfo<'a> {
    /// Whether it is about a resource, not a document or a health check.
    pub resource_request: bool,
    /// `get`, `list`, `watch`, …; for other methods of resource requests empty, as in the server.
    pub verb: &'a str,
    /// The group, empty for the core group.
    pub group: &'a str,
    /// The version.
    pub version: &'a str,
    /// The namespace, empty for none.
    pub namespace: &'a str,
    /// The resource, such as `pods`.
    pub resource: &'a str,
    /// The object's name, empty for none.
    pub name: Cow<'a, str>,
    /// The subresource, empty for none.
    pub subresource: &'a str,
}

impl<'a> RequestInfo<'a> {
    #[inline]
    pub(super) fn resolve(
        target: &'a Target<'_>,
        segments: &Segments<'a>,
    ) -> Result<Self, UnfinishedVerb> {
        let mut info = Self {
            resource_request: false,
            verb: target.method.lowercase(),
            group: "",
            version: "",
            namespace: "",
            resource: "",
            name: Cow::Borrowed(""),
            subresource: "",
        };
        let mut parts = match segments.kept() {
            ["api", version, rest @ ..] if !rest.is_empty() => {
                info.version = version;
                rest
            }
            ["apis", group, version, rest @ ..] if !rest.is_empty() => {
                (info.group, info.version) = (group, version);
                rest
            }
            _ => return Ok(info),
        };
        info.resource_request = true;
        info.verb = match target.method {
            Method::Post => "create",
            Method::Get | Method::Head => "get",
            Method::Put => "update",
            Method::Patch => "patch",
            Method::Delete => "delete",
            Method::Options | Method::Connect | Method::Trace => "",
        };
        if let [special @ ("watch" | "proxy"), rest @ ..] = parts {
            if rest.is_empty() {
                return Err(UnfinishedVerb);
            }
            (info.verb, parts) = (special, rest);
        }
        if let ["namespaces", namespace, rest @ ..] = parts {
            info.namespace = namespace;
            if rest.first().is_some_and(|next| !matches!(*next, "status" | "finalize")) {
                parts = rest;
            }
        }
        info.resource = parts.first().copied().unwrap_or("");
        info.name = parts.get(1).copied().unwrap_or("").into();
        if info.verb != "proxy" {
            info.subresource = parts.get(2).copied().unwrap_or("");
        }
        if info.name.is_empty() {
            info.without_name(target);
        }
        Ok(info)
    }

    /// Without a name, get is list or watch, and delete is deletecollection.
    fn without_name(&mut self, target: &'a Target<'_>) {
        match self.verb {
            "get" => {
                let watch = target.parameter("watch").is_some_and(|value| {
                    !value.eq_ignore_ascii_case("false") && value.as_ref() != "0"
                });
                self.verb = if watch { "watch" } else { "list" };
                if let Some(selector) = target.parameter("fieldSelector") {
                    self.name = Cow::Owned(selected_name(&selector).unwrap_or_default().to_owned());
                }
            }
            "delete" => self.verb = "deletecollection",
            _ => {}
        }
    }
}

/// The name that a field selector pins down: `metadata.name=x`.
fn selected_name(selector: &str) -> Option<&str> {
    let value = selector.split(',').find_map(|term| {
        let value = term.strip_prefix("metadata.name=")?;
        Some(value.strip_prefix('=').unwrap_or(value))
    })?;
    let valid = !value.is_empty() && !matches!(value, "." | "..") && !value.contains(['/', '%']);
    valid.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `verb group/version namespace resource name subresource`, `-` for what is not there.
    fn check(request: &str, want: &str) {
        let (method, text) = request.split_once(' ').unwrap();
        let target = Target::parse(Method::parse(method).unwrap(), text).unwrap();
        let got = match target.info() {
            Err(UnfinishedVerb) => "500".to_owned(),
            Ok(i) if !i.resource_request => format!("{} non-resource", i.verb),
            Ok(i) => [i.verb, i.group, i.version, i.namespace, i.resource, &i.name, i.subresource]
                .map(|part| if part.is_empty() { "-" } else { part })
                .join(" "),
        };
        assert_eq!(got, want, "{request}");
    }

    #[test]
    fn request_info() {
        check("GET /api/v1/pods", "list - v1 - pods - -");
        check("HEAD /api/v1/pods", "list - v1 - pods - -");
        check("GET /api/v1/pods?watch=1", "watch - v1 - pods - -");
        check("GET /api/v1/pods?watch", "watch - v1 - pods - -");
        check("GET /api/v1/pods?watch=FALSE", "list - v1 - pods - -");
        check("GET /api/v1/pods?watch=0&limit=1", "list - v1 - pods - -");
        check("GET /api/v1/pods?fieldSelector=metadata.name%3Dx", "list - v1 - pods x -");
        check("GET /api/v1/namespaces", "list - v1 - namespaces - -");
        check("GET /api/v1/namespaces/a", "get - v1 a namespaces a -");
        check("PUT /api/v1/namespaces/a/finalize", "update - v1 a namespaces a finalize");
        check("GET /api/v1/namespaces/a/pods/b/log", "get - v1 a pods b log");
        check(
            "DELETE /apis/apps/v1/namespaces/a/deployments",
            "deletecollection apps v1 a deployments - -",
        );
        check("POST /apis/apps/v1/watch/deployments", "watch apps v1 - deployments - -");
        check("GET /apis/g/v/proxy/namespaces/a/r/n/s", "proxy g v a r n -");
        check("OPTIONS /apis/apps/v1/deployments", "- apps v1 - deployments - -");
        check("GET /apis/%61pps/v1/deploy%2Fx", "get apps v1 - deploy x -");
        check(
            "GET /apis//v1/pods/",
            "get  v1 - pods - -".replace("  ", " - ").replace("get", "list").as_str(),
        );
        check("GET /api/v1/watch", "500");
        check("POST /apis/apps/v1/proxy/", "500");
        check("GET /apis/apps/v1", "get non-resource");
        check("GET /", "get non-resource");
        check("GET https://host:6443/api/v1/pods?limit=1", "list - v1 - pods - -");
        check("GET https://host", "get non-resource");
    }

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
