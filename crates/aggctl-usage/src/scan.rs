//! Scans JSON without parsing it: finds members by counting brackets and quotes, and decodes only
//! requested values.
//!
//! An audit event has about forty values, and only ten matter. Scanning is two to three times as
//! fast as serde or a SIMD parser that validates unused values (`benches/usage.rs`). The scan ends
//! at anything that is not JSON. Nesting uses no stack.

use std::borrow::Cow;

use memchr::memchr2;

/// Calls `each` with every key and raw value of the object at the beginning of the text. Returns
/// the length of the object; `None` if it is incomplete.
pub(super) fn members<'a>(
    text: &'a [u8],
    mut each: impl FnMut(&'a [u8], &'a [u8]),
) -> Option<usize> {
    let mut at = begin(text, b'{')?;
    if text.get(at)? == &b'}' {
        return Some(at + 1);
    }
    loop {
        let (key, value, end) = pair(text, at)?;
        each(key, value);
        match text.get(end)? {
            b',' => at = blank(text, end + 1),
            b'}' => return Some(end + 1),
            _ => return None,
        }
    }
}

/// Returns a raw member of an object; empty if it is absent. Returns `None` if the object is broken
/// before it.
pub(super) fn member<'a>(object: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    if matches!(object, b"" | b"null") {
        return Some(b"");
    }
    let mut at = begin(object, b'{')?;
    while object.get(at)? != &b'}' {
        let (key, value, end) = pair(object, at)?;
        if key == name {
            return Some(value);
        }
        at = if object.get(end)? == &b',' { blank(object, end + 1) } else { end };
    }
    Some(b"")
}

/// Returns the member that begins at an offset: its key, its raw value, and the offset of the next
/// byte that is not blank.
#[inline]
fn pair(text: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    let end = string_end(text, at)?;
    let key = text.get(at + 1..end - 1)?;
    let colon = blank(text, end);
    if text.get(colon)? != &b':' {
        return None;
    }
    let start = blank(text, colon + 1);
    let end = value_end(text, start)?;
    Some((key, text.get(start..end)?, blank(text, end)))
}

/// Calls `each` with every raw value of the array at the beginning of the text. Returns the length
/// of the array; `None` if it is incomplete.
pub(super) fn elements<'a>(text: &'a [u8], mut each: impl FnMut(&'a [u8])) -> Option<usize> {
    let mut at = begin(text, b'[')?;
    if text.get(at)? == &b']' {
        return Some(at + 1);
    }
    loop {
        let end = value_end(text, at)?;
        each(text.get(at..end)?);
        at = blank(text, end);
        match text.get(at)? {
            b',' => at = blank(text, at + 1),
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Decodes a string; `None` if it is not a valid one.
pub(super) fn string(raw: &[u8]) -> Option<Cow<'_, str>> {
    match leading_string(raw).filter(|(_, rest)| rest.is_empty())?.0 {
        Raw::Plain(inner) => std::str::from_utf8(inner).ok().map(Cow::Borrowed),
        other => other.text().map(|text| Cow::Owned(text.into_owned())),
    }
}

/// Parses a number without a fraction.
pub(super) fn number(raw: &[u8]) -> Option<i64> {
    std::str::from_utf8(raw).ok()?.parse().ok()
}

/// Returns the offset of the first byte after an opening bracket and blanks.
fn begin(text: &[u8], bracket: u8) -> Option<usize> {
    (text.first()? == &bracket).then(|| blank(text, 1))
}

/// Returns the offset of the first byte from `at` on that is not blank.
fn blank(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// Returns whether a text is exactly one JSON value, judging by its brackets and quotes.
pub fn is_one_value(text: &[u8]) -> bool {
    value_end(text, 0) == Some(text.len())
}

/// Returns the offset after the value that begins at `start`.
pub(super) fn value_end(text: &[u8], start: usize) -> Option<usize> {
    match text.get(start)? {
        b'"' => string_end(text, start),
        b'{' | b'[' => {
            let (mut at, mut depth) = (start, 0usize);
            loop {
                match text.get(at)? {
                    b'"' => {
                        at = string_end(text, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        b't' | b'f' | b'n' | b'-' | b'0'..=b'9' => {
            let ends =
                |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
            Some(start + text.get(start..)?.iter().position(ends)?)
        }
        _ => None,
    }
}

/// Returns the offset after the string that begins at `start`.
#[inline]
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    if text.get(start)? != &b'"' {
        return None;
    }
    let mut at = start + 1;
    loop {
        at = special(text, at)?;
        if text.get(at)? == &b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Splits a text into the string that it begins with and the rest.
#[inline]
pub(super) fn leading_string(text: &[u8]) -> Option<(Raw<'_>, &[u8])> {
    let inside = text.strip_prefix(b"\"")?;
    let first = special(inside, 0)?;
    if let (inner, [b'"', rest @ ..]) = inside.split_at_checked(first)? {
        return Some((Raw::Plain(inner), rest));
    }
    let (whole, rest) = text.split_at_checked(string_end(text, 0)?)?;
    Some((Raw::Escaped(whole), rest))
}

/// A string that may not be decoded yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Raw<'a> {
    /// The bytes between the quotes, which contain no escapes.
    Plain(&'a [u8]),
    /// The bytes with the quotes, which contain escapes.
    Escaped(&'a [u8]),
    /// A decoded string.
    Text(String),
}

impl<'a> Raw<'a> {
    /// Returns the bytes of a string without escapes.
    pub(super) fn plain(self) -> Option<&'a [u8]> {
        match self {
            Self::Plain(inner) => Some(inner),
            Self::Escaped(_) | Self::Text(_) => None,
        }
    }

    /// Decodes the string; `None` if it is invalid.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Plain(inner) => std::str::from_utf8(inner).ok().map(Cow::Borrowed),
            Self::Escaped(raw) => serde_json::from_slice(raw).ok().map(Cow::Owned),
            Self::Text(text) => Some(text.into()),
        }
    }
}

impl<'a> From<Cow<'a, str>> for Raw<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Plain(text.as_bytes()),
            Cow::Owned(text) => Self::Text(text),
        }
    }
}

/// Returns the offset of the first quote or backslash from `at` on.
///
/// Most strings are too short for a call to memchr to pay off. Instead, eight bytes are compared at
/// once: XOR turns each matching byte into zero, and subtracting one from every byte reveals the
/// lowest zero.
#[inline]
fn special(text: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    for _ in 0..4 {
        let Some(bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            let found = text.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
            return Some(at + found);
        };
        let word = u64::from_le_bytes(*bytes);
        let found = zeros(word ^ (ONES * b'"' as u64)) | zeros(word ^ (ONES * b'\\' as u64));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    Some(at + memchr2(b'"', b'\\', text.get(at..)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn found(text: &str) -> Option<Vec<(String, String)>> {
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut all = vec![];
        let end = members(text.as_bytes(), |key, value| all.push((text_of(key), text_of(value))));
        end.map(|_| all)
    }

    #[test]
    fn members_are_found_without_parsing_them() {
        let check = |text: &str, want: Option<&[(&str, &str)]>| {
            let want = want.map(|all| {
                all.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<Vec<_>>()
            });
            assert_eq!(found(text), want, "{text}");
        };
        check("{}", Some(&[]));
        check(
            "{ \"a\" : [1, {\"]\": \"}\"}] , \"b\":-1}",
            Some(&[("a", r#"[1, {"]": "}"}]"#), ("b", "-1")]),
        );
        check(r#"{"a":"\"}\\"}"#, Some(&[("a", r#""\"}\\""#)]));
        for broken in [
            "",
            "[]",
            "{",
            "{\"",
            "{\"a",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":\"\\",
            "{\"a\":1 2}",
            "{a:1}",
            "{\"a\" 1}",
            "{\"a\":[1}",
            "{\"a\":x}",
        ] {
            check(broken, None);
        }
    }

    #[test]
    fn strings_are_decoded_when_asked_for() {
        assert_eq!(string(br#""/a?b\u0026c""#).as_deref(), Some("/a?b&c"));
        assert!(matches!(string(b"\"plain\""), Some(Cow::Borrowed("plain"))));
        assert_eq!(string(b"1"), None);
        assert_eq!(string(b"\"\xff\""), None);
        assert_eq!(string(br#""\ud800""#), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80), json in r#"[{}\[\]",:\\a1 ]{0,60}"#) {
            members(&bytes, |_, _| {});
            members(json.as_bytes(), |_, value| { string(value); elements(value, |_| {}); });
        }

        #[test]
        fn what_a_parser_finds_is_found(keys in proptest::collection::vec(("[a-c\"\\\\]{0,3}", "[x\\]}\"]{0,4}", any::<i32>()), 0..6)) {
            let mut object = serde_json::Map::new();
            for (key, text, number) in &keys {
                object.insert(key.clone(), serde_json::json!({"t": text, "n": [number, null]}));
            }
            let text = serde_json::to_string_pretty(&object).unwrap();
            let mut seen = serde_json::Map::new();
            let end = members(text.as_bytes(), |key, value| {
                let key: String = serde_json::from_str(&format!("\"{}\"", std::str::from_utf8(key).unwrap())).unwrap();
                seen.insert(key, serde_json::from_slice::<Value>(value).unwrap());
            });
            prop_assert_eq!(end, Some(text.len()));
            prop_assert_eq!(seen, object);
        }
    }
}
