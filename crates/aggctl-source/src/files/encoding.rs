//! Converts bytes to text.

use super::error::Unreadable;

/// Converts UTF-16, which Windows shells write when output is redirected, to UTF-8. Returns whether
/// it did. Other bytes are unchanged.
pub(super) fn from_utf16(bytes: Vec<u8>) -> (Vec<u8>, bool) {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        let units = units.map(|pair| unit([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        text.into_bytes()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => (utf16(u16::from_le_bytes), true),
        [0xfe, 0xff, ..] => (utf16(u16::from_be_bytes), true),
        _ => (bytes, false),
    }
}

/// Returns the text without its byte order mark.
///
/// # Errors
/// If it is not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) if looks_like_text(error.as_bytes()) => {
            let at = error.utf8_error().valid_up_to();
            Err(Unreadable::Malformed(format!("is not UTF-8: byte {} is wrong", at + 1)))
        }
        Err(_) => Err(Unreadable::Binary),
    }
}

pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    ["{", "[", "apiVersion", "---"].iter().any(|begin| start.starts_with(begin.as_bytes()))
}
