//! Resolves YAML scalars as Kubernetes clients do.
//!
//! Clients convert YAML to JSON before they send it, with a library that implements YAML 1.1: `yes`
//! is true, `010` is eight, `1e3` is the integer 1000 and a date stays a string. These functions
//! mirror that.

use super::node::Value;
use std::borrow::Cow;

/// The error of a scalar that JSON cannot represent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotJson;

/// Resolves a plain (unquoted, untagged) scalar.
pub(super) fn plain(text: Cow<'_, str>) -> Result<Value<'_>, NotJson> {
    let Some(first) = text.bytes().next() else { return Ok(Value::Null) };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => {
            Ok(word(&text).unwrap_or(Value::String(text)))
        }
        b'.' => match &*text {
            ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" => Err(NotJson),
            other => match go_float(other) {
                Some(number) => Ok(Value::Number(float(number)?.into())),
                None => Ok(Value::String(text)),
            },
        },
        b'+' | b'-' | b'0'..=b'9' => number(text),
        _ => Ok(Value::String(text)),
    }
}

fn word(text: &str) -> Option<Value<'static>> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Value::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Value::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Value::Null,
        _ => return None,
    })
}

fn number(text: Cow<'_, str>) -> Result<Value<'_>, NotJson> {
    if matches!(&*text, "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF") {
        return Err(NotJson);
    }
    if is_canonical_integer(&text) {
        return Ok(Value::Number(text));
    }
    if looks_like_date(&text) {
        return Ok(Value::String(text));
    }
    let bare: Cow<'_, str> =
        if text.contains('_') { text.replace('_', "").into() } else { Cow::Borrowed(&text) };
    if let Some(integer) = integer(&bare) {
        return Ok(Value::Number(integer.into()));
    }
    if is_decimal(&bare) {
        // A decimal beyond the range of 64-bit floats stays a string.
        return match bare.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Number(float(number)?.into())),
            _ => Ok(Value::String(text)),
        };
    }
    Ok(Value::String(text))
}

/// Returns whether this is a small integer that is already spelled as in JSON.
fn is_canonical_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let bytes = digits.as_bytes();
    bytes.len() < 18
        && bytes.iter().all(u8::is_ascii_digit)
        && match bytes {
            [] => false,
            [b'0'] => digits.len() == text.len(),
            [first, ..] => *first != b'0',
        }
}

/// Parses an integer with an optional base prefix as in Go: `0x`, `0o`, `0b`; a leading zero means
/// octal.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (base, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    match u128::from_str_radix(digits, base) {
        Ok(0) => Some("0".to_owned()),
        Ok(value) => Some(format!("{sign}{value}")),
        Err(_)
            if base == 10 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Some(format!("{sign}{digits}"))
        }
        Err(_) => None,
    }
}

/// Returns whether this consists only of digits, at most one point, and an optional exponent.
fn is_decimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let mantissa_ok = match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            all_digits(whole) && all_digits(fraction) && !(whole.is_empty() && fraction.is_empty())
        }
        None => !mantissa.is_empty() && all_digits(mantissa),
    };
    let exponent_ok = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && all_digits(e)
    });
    mantissa_ok && exponent_ok
}

/// Parses a text that starts with a point like Go's float parser.
fn go_float(text: &str) -> Option<f64> {
    is_decimal(text).then(|| text.parse().ok()).flatten()
}

/// Returns whether this looks like a date, `2024-01-31…`, which stays a string.
fn looks_like_date(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && text.as_bytes().get(4) == Some(&b'-')
}

/// Formats a float as Go does in JSON: with plain digits unless there are too many, so `1e3` and
/// `1000.0` become the integer 1000.
fn float(number: f64) -> Result<String, NotJson> {
    if !number.is_finite() {
        return Err(NotJson);
    }
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        return Ok(format!("{number:e}"));
    }
    Ok(format!("{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let got = match plain(Cow::Borrowed(text)) {
            Ok(Value::Null) => "null".to_owned(),
            Ok(Value::Bool(b)) => b.to_string(),
            Ok(Value::Number(n)) => n.into_owned(),
            Ok(Value::String(s)) => format!("{s:?}"),
            Ok(other) => format!("{other:?}"),
            Err(NotJson) => "error".to_owned(),
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn booleans_and_null_have_many_spellings() {
        for word in ["y", "Yes", "ON", "true", "True"] {
            check(word, "true");
        }
        for word in ["n", "No", "off", "FALSE"] {
            check(word, "false");
        }
        for word in ["", "~", "null", "NULL"] {
            check(word, "null");
        }
        check("nULL", "\"nULL\"");
        check("tRUE", "\"tRUE\"");
        check("yesterday", "\"yesterday\"");
    }

    #[test]
    fn integers_have_bases() {
        check("443", "443");
        check("-1", "-1");
        check("+5", "5");
        check("-0", "0");
        check("010", "8");
        check("0x1F", "31");
        check("-0x1f", "-31");
        check("0b101", "5");
        check("0o17", "15");
        check("1_000", "1000");
        check("18446744073709551616", "18446744073709551616");
        check("08", "8");
        check("0x", "\"0x\"");
        check("0x-1", "\"0x-1\"");
    }

    #[test]
    fn floats_become_json_numbers() {
        check("1.5", "1.5");
        check("1e3", "1000");
        check("1000.0", "1000");
        check("1e30", "1e30");
        check(".5", "0.5");
        check("1.", "1");
        check(".", "\".\"");
        check("..", "\"..\"");
        check(".inf", "error");
        check("-.INF", "error");
        check("1e999", "\"1e999\"");
    }

    #[test]
    fn what_only_looks_like_a_number_is_text() {
        check("2024-01-31", "\"2024-01-31\"");
        check("2024-01-31T10:00:00Z", "\"2024-01-31T10:00:00Z\"");
        check("1.2.3", "\"1.2.3\"");
        check("10:20", "\"10:20\"");
        check("-", "\"-\"");
        check("v1", "\"v1\"");
        check("1a", "\"1a\"");
    }
}
