//! The server's first step: strict decoding of JSON into a struct.
//!
//! Go's decoder continues after a wrong type. All errors are collected here, although the server
//! reports only the first. Unknown and duplicate fields are errors with `fieldValidation=Strict`,
//! kubectl's default.

use super::schema::{Field, Shape};
use super::{Rejections, ServerRejection};
use kube_aggregation::ca_bundle::base64;
use located_document::{Entry, Node, Span, Value};
use std::collections::HashSet;

/// The path to a node, as a linked list on the stack, because only errors need its text.
#[derive(Clone, Copy)]
enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl Path<'_> {
    fn text(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(Self::Root, key) => (*key).to_owned(),
            Self::Key(parent, key) => format!("{}.{key}", parent.text()),
            Self::Index(parent, index) => format!("{}[{index}]", parent.text()),
        }
    }
}

/// Checks a complete object. Adds what a server of that minor version cannot decode to `out`.
pub(super) fn decode(node: &Node<'_>, shape: &Shape, minor: u32, out: &mut Rejections) {
    Decoder { minor, out }.value(node, shape, &Path::Root);
}

struct Decoder<'a> {
    minor: u32,
    out: &'a mut Rejections,
}

impl Decoder<'_> {
    fn value(&mut self, node: &Node<'_>, shape: &Shape, path: &Path<'_>) {
        match (shape, &node.value) {
            (Shape::Any, _)
            | (_, Value::Null)
            | (Shape::String, Value::String(_))
            | (Shape::Bool, Value::Bool(_)) => {}
            (Shape::Int32, Value::Number(text)) => self.integer::<i32>(node, text, path),
            (Shape::Int64, Value::Number(text)) => self.integer::<i64>(node, text, path),
            (Shape::Time, Value::String(text)) => {
                if !is_rfc3339(text) {
                    self.wrong(path, node.span, "must be a time such as 2026-01-31T12:00:00Z");
                }
            }
            (Shape::Bytes, Value::String(text)) => {
                if let Err(problem) = base64::decode(text.as_bytes()) {
                    let message = format!("is not base64: {problem}");
                    self.out.push(ServerRejection::Base64, &path.text(), node.span, message);
                }
            }
            (Shape::Bytes, Value::Sequence(items)) => {
                for (index, item) in items.iter().enumerate() {
                    match &item.value {
                        Value::Null => {}
                        Value::Number(text) => {
                            self.integer::<u8>(item, text, &Path::Index(path, index));
                        }
                        _ => self.mismatch(item, "a byte", &Path::Index(path, index)),
                    }
                }
            }
            (Shape::Strings, Value::Mapping(entries)) => {
                self.duplicates(entries, path);
                for entry in entries {
                    // The server names the map, not the key.
                    self.value(&entry.value, &Shape::String, path);
                }
            }
            (Shape::List(shape), Value::Sequence(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.value(item, shape, &Path::Index(path, index));
                }
            }
            (Shape::Struct(fields), Value::Mapping(entries)) => {
                self.object(entries, fields, path);
            }
            _ => self.mismatch(node, wanted(shape), path),
        }
    }

    fn object(&mut self, entries: &[Entry<'_>], fields: &[Field], path: &Path<'_>) {
        self.duplicates(entries, path);
        for entry in entries {
            let below = Path::Key(path, &entry.key);
            let known = fields
                .iter()
                .find(|f| f.name == entry.key && f.until.is_none_or(|last| self.minor <= last));
            match known {
                Some(field) => self.value(&entry.value, &field.shape, &below),
                None => self.unknown(entry, entries, fields, &below),
            }
        }
    }

    fn unknown(
        &mut self,
        entry: &Entry<'_>,
        beside: &[Entry<'_>],
        fields: &[Field],
        path: &Path<'_>,
    ) {
        let message = format!("unknown field `{}`", entry.key);
        self.out.push(ServerRejection::UnknownField, &path.text(), entry.key_span, message);
        if let Some(name) =
            kube_aggregation::nearest::nearest(&entry.key, fields.iter().map(|f| f.name))
        {
            // A field that is already set cannot be the intended one.
            match beside.iter().any(|other| other.key == name) {
                true => self.out.help(format!("remove it: `{name}` is already set")),
                false => self.out.help(format!("did you mean `{name}`?")),
            }
        }
    }

    /// Reports every duplicate of a key. Merged keys may be overridden.
    fn duplicates(&mut self, entries: &[Entry<'_>], path: &Path<'_>) {
        if entries.len() < 2 {
            return;
        }
        let own = entries.iter().filter(|e| !e.merged);
        let mut report = |entry: &Entry<'_>| {
            let message = format!("duplicate key `{}`", entry.key);
            let path = Path::Key(path, &entry.key).text();
            self.out.push(ServerRejection::DuplicateField, &path, entry.key_span, message);
        };
        if entries.len() <= 8 {
            for (index, entry) in own.clone().enumerate() {
                if own.clone().take(index).any(|e| e.key == entry.key) {
                    report(entry);
                }
            }
        } else {
            let mut seen = HashSet::with_capacity(entries.len());
            own.filter(|e| !seen.insert(&*e.key)).for_each(report);
        }
    }

    fn integer<T: std::str::FromStr>(&mut self, node: &Node<'_>, text: &str, path: &Path<'_>) {
        if text.parse::<T>().is_ok() {
            return;
        }
        let message = match text.contains(['.', 'e', 'E']) {
            true => format!("must be a whole number, not {text}"),
            false => format!("the number {text} is out of range"),
        };
        self.wrong(path, node.span, message);
    }

    fn mismatch(&mut self, node: &Node<'_>, wanted: &str, path: &Path<'_>) {
        let got = match &node.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "an object",
        };
        self.wrong(path, node.span, format!("must be {wanted}, not {got}"));
        if let (Value::Bool(_) | Value::Number(_), "a string") = (&node.value, wanted) {
            self.out.help("put quotes around it");
        }
        if let (Value::String(_), "a whole number" | "a boolean") = (&node.value, wanted) {
            self.out.help("remove the quotes");
        }
    }

    fn wrong(&mut self, path: &Path<'_>, span: Span, message: impl Into<String>) {
        self.out.push(ServerRejection::WrongType, &path.text(), span, message);
    }
}

fn wanted(shape: &Shape) -> &'static str {
    match shape {
        Shape::String => "a string",
        Shape::Bool => "a boolean",
        Shape::Int32 | Shape::Int64 => "a whole number",
        Shape::Time => "a time in a string",
        Shape::Bytes => "base64 in a string",
        Shape::List(_) => "a list",
        Shape::Any | Shape::Strings | Shape::Struct(_) => "an object",
    }
}

/// Returns whether Go's `time.RFC3339` layout accepts it.
fn is_rfc3339(text: &str) -> bool {
    let bytes = text.as_bytes();
    let number = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = bytes.get(range)?;
        part.iter().all(u8::is_ascii_digit).then_some(())?;
        std::str::from_utf8(part).ok()?.parse().ok()
    };
    let check = || -> Option<bool> {
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let mut rest = text.get(19..)?;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            (after.len() < fraction.len()).then_some(())?;
            rest = after;
        }
        let zone = match rest.as_bytes() {
            b"Z" => true,
            [b'+' | b'-', h1, h2, b':', m1, m2] => {
                let digits = [h1, h2, m1, m2];
                digits.iter().all(|d| d.is_ascii_digit())
                    && (h1 - b'0') * 10 + (h2 - b'0') <= 24
                    && *m1 < b'6'
            }
            _ => false,
        };
        let in_range = (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60;
        Some(separators.iter().all(|(at, b)| bytes.get(*at) == Some(b)) && zone && in_range)
    };
    check().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn times() {
        for good in ["2024-01-01T00:00:00Z", "2024-02-29T23:59:59.123+02:00"] {
            assert!(is_rfc3339(good), "{good}");
        }
        for bad in [
            "",
            "2024-01-01",
            "2024-02-30T00:00:00Z",
            "2024-01-01t00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00",
            "é024-01-01T00:00:00Z",
        ] {
            assert!(!is_rfc3339(bad), "{bad}");
        }
    }
}
