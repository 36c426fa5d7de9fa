//! Removes our credentials from what a server sends back.
//!
//! A server, or a proxy or gateway before it, may repeat the headers of a request anywhere: in an
//! error, in `gitVersion`, in a condition or a label. Everything is scrubbed where it comes in, so
//! that neither output nor a dump can contain a credential.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::secret::Secret;

const PLACEHOLDER: &str = "[secret]";

/// The minimum length of a credential to search for in documents. A shorter one may be an ordinary
/// word; real tokens are longer.
const MIN_LENGTH: usize = 8;

/// Removes secrets from a message.
pub(super) fn message(text: &str, secrets: &[Secret]) -> String {
    let written = secrets.iter().flat_map(forms);
    written.fold(text.to_owned(), |text, form| hidden(&text, &form))
}

/// Hides one form of a secret in a text. A short one is hidden only as a separate word, so that
/// words that contain it stay readable.
fn hidden(text: &str, form: &str) -> String {
    if form.len() >= MIN_LENGTH {
        return plain(text, &[form.to_owned()]).into_owned();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(form) {
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let inside = joins(before.chars().next_back().or(shown.chars().next_back()))
            || joins(after.chars().next());
        shown.push_str(before);
        shown.push_str(if inside { form } else { PLACEHOLDER });
        rest = after;
    }
    shown += rest;
    encoded(&shown, form).unwrap_or(shown)
}

/// Removes secrets from a document, including those that its JSON escapes.
pub(super) fn document(text: String, secrets: &[Secret]) -> String {
    let long = secrets.iter().filter(|secret| secret.expose().len() >= MIN_LENGTH);
    let forms: Vec<String> = long.flat_map(forms).collect();
    if forms.is_empty() {
        return text;
    }
    let text = match plain(&text, &forms) {
        Cow::Owned(scrubbed) => scrubbed,
        Cow::Borrowed(_) => text,
    };
    escaped(&text, &forms).unwrap_or(text)
}

/// Returns the forms in which a secret may occur: plain, and what base64 makes of it at the start
/// and inside of other data. All may also be percent-encoded.
fn forms(secret: &Secret) -> impl Iterator<Item = String> + use<> {
    let text = secret.expose().to_owned();
    let is_long = text.len() >= MIN_LENGTH;
    let mut all = vec![STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)];
    // Of three bytes, base64 makes four characters. Those at the ends belong to other data, too.
    for (before, first) in [(0, 0), (1, 2), (2, 3)].into_iter().filter(|_| is_long) {
        let data = [&b"\0\0"[..before], text.as_bytes()].concat();
        let end = data.len() * 8 / 6;
        let inside = |encoded: String| encoded.get(first..end).map(str::to_owned);
        all.extend(inside(STANDARD_NO_PAD.encode(&data)));
        all.extend(inside(URL_SAFE_NO_PAD.encode(&data)));
    }
    std::iter::once(text).chain(all).filter(|form| !form.is_empty())
}

fn plain<'t>(text: &'t str, forms: &[String]) -> Cow<'t, str> {
    let mut scrubbed = Cow::Borrowed(text);
    for form in forms {
        if memchr::memmem::find(scrubbed.as_bytes(), form.as_bytes()).is_some() {
            scrubbed = Cow::Owned(scrubbed.replace(form, PLACEHOLDER));
        }
        if let Some(decoded) = encoded(&scrubbed, form) {
            scrubbed = Cow::Owned(decoded);
        }
    }
    scrubbed
}

/// Removes a secret of which some characters are percent-encoded; `None` if it does not occur.
/// Encoders differ in what they encode, and in upper and lower case.
fn encoded(text: &str, form: &str) -> Option<String> {
    let bytes = text.as_bytes();
    memchr::memchr(b'%', bytes)?;
    let first = *form.as_bytes().first()?;
    let (mut scrubbed, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr2(b'%', first, &bytes[at..]) {
        at += found;
        let end = form.bytes().try_fold(at, |at, byte| {
            let digits = bytes.get(at..at + 3).and_then(|code| code.strip_prefix(b"%"));
            let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
            let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            let length = if code == Some(byte) { 3 } else { 1 };
            (length == 3 || bytes.get(at) == Some(&byte)).then_some(at + length)
        });
        let end = end.filter(|end| end - at > form.len());
        // Percent-encoding may end inside a character; a secret cannot.
        let Some(after) = end.and_then(|end| text.get(end..)) else {
            at += 1;
            continue;
        };
        scrubbed.push_str(text.get(kept..at)?);
        scrubbed.push_str(PLACEHOLDER);
        at = text.len() - after.len();
        kept = at;
    }
    (kept > 0).then(|| scrubbed + &text[kept..])
}

/// Removes secrets from strings with escapes; `None` if no such string has a secret.
fn escaped(text: &str, forms: &[String]) -> Option<String> {
    let mut scrubbed = String::new();
    let mut kept = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'"', &bytes[at..]).map(|found| at + found) {
        let (end, has_escapes) = string_end(bytes, start + 1);
        at = end;
        let literal = text.get(start..end).filter(|_| has_escapes);
        let Some(Ok(string)) = literal.map(serde_json::from_str::<String>) else { continue };
        let Cow::Owned(clean) = plain(&string, forms) else { continue };
        scrubbed.push_str(&text[kept..start]);
        scrubbed.push_str(&serde_json::Value::String(clean).to_string());
        kept = end;
    }
    if kept == 0 {
        return None;
    }
    scrubbed.push_str(&text[kept..]);
    Some(scrubbed)
}

/// Returns the end of a string, after its closing quotation mark, and whether it has escapes.
fn string_end(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let mut has_escapes = false;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return (at + 1, has_escapes);
        }
        has_escapes = true;
        at = (at + 2).min(bytes.len());
    }
    (bytes.len(), has_escapes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let secrets = [Secret::from("hunter2/ünd+me"), Secret::from("short")];
        for (text, want) in [
            (r#"{"a":"hunter2/ünd+me"}"#, r#"{"a":"[secret]"}"#),
            (r#"{"hunter2/ünd+me":1}"#, r#"{"[secret]":1}"#),
            (r#"["x\"\u0068unter2\/\u00fcnd+me\\","short"]"#, r#"["x\"[secret]\\","short"]"#),
            (r#"["\u0062y","aHVudGVyMi_DvG5kK21l"]"#, r#"["\u0062y","[secret]"]"#),
            ("hunter2%2F%C3%BCnd%2Bme", "[secret]"),
            ("100% %68unter2%2f%c3%bcnd+me%", "100% [secret]%"),
            ("%2hunter2/ünd%2Bme", "%2[secret]"),
            ("%hunter2/ün", "%hunter2/ün"),
            // "Bearer SECRET;", "xxSECRET;" and "SECRET;"
            ("QmVhcmVyIGh1bnRlcjIvw7xuZCttZTs=", "QmVhcmVyIG[secret]Ts="),
            ("eHhodW50ZXIyL8O8bmQrbWU7", "eHh[secret]U7"),
            ("aHVudGVyMi%2fDvG5kK21lOw", "[secret]Ow"),
            (r#"["\"#, r#"["\"#),
            (r#"{"a":"b\n"}"#, r#"{"a":"b\n"}"#),
        ] {
            assert_eq!(document(text.to_owned(), &secrets), want);
        }
        assert_eq!(message("a short one", &secrets), "a [secret] one");
        let short = [Secret::from("p@ss/1")];
        assert_eq!(message("http://a:p%40ss%2F1@b", &short), "http://a:[secret]@b");
        assert_eq!(message("http://a:p@ss%2f1@b", &short), "http://a:[secret]@b");
        assert_eq!(message("100% xp@ss/1", &short), "100% xp@ss/1");
        assert_eq!(document("{}".to_owned(), &[]), "{}");
    }

    #[test]
    fn a_short_secret_garbles_no_word() {
        assert_eq!(
            hidden("discovery.k8s.io: disc, xdisc", "disc"),
            "discovery.k8s.io: [secret], xdisc"
        );
        assert_eq!(hidden("Bearer disc", "disc"), "Bearer [secret]");
        assert_eq!(hidden("aaa aa", "aa"), "aaa [secret]");
        assert_eq!(hidden("xlong-secretx", "long-secret"), "x[secret]x");
    }
}
