//! Escapes names from a cluster, for use as path segments and as file names.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::model::GroupVersion;

/// The characters to escape in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters to escape in a file name, including capitals: some file systems ignore case.
const FILE_NAME: &AsciiSet = &{
    let mut set = NON_ALPHANUMERIC.remove(b'-').remove(b'.');
    let mut letter = b'A';
    while letter <= b'Z' {
        set = set.add(letter);
        letter += 1;
    }
    set
};

/// Escapes a name from the cluster so that it stays a single path segment.
pub(super) fn escape(segment: &str) -> String {
    match segment {
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        _ => escaped(segment, SEGMENT),
    }
}

fn escaped(text: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(text, set).to_string()
}

/// Decodes percent escapes. Returns `None` if one is invalid, or if the result is not UTF-8.
pub(super) fn unescape(text: &str) -> Option<String> {
    let whole = |escape: &str| {
        let digits = escape.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !text.split('%').skip(1).all(whole) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// The maximum length of a file name before its suffix. All common file systems allow 255 bytes.
const LONGEST_NAME: usize = 200;

/// Returns the file name of an APIResourceList. It is unique per group version and valid on every
/// file system, even if that ignores case or reserves some words.
pub(super) fn resources_file(gv: &GroupVersion) -> String {
    let (group, version) = (escaped(&gv.group, FILE_NAME), escaped(&gv.version, FILE_NAME));
    let stem =
        if group.is_empty() { format!("api_{version}") } else { format!("apis_{group}_{version}") };
    named(stem)
}

/// Returns the file name of a document in the `/openapi/v3` index.
pub(super) fn openapi_file(key: &str) -> String {
    named(format!("openapi-v3_{}", escaped(key, FILE_NAME)))
}

fn named(stem: String) -> String {
    if stem.len() <= LONGEST_NAME {
        return stem + ".json";
    }
    // FNV-1a. The name does not have to be decoded again: the content shows what a file is.
    let hash = stem.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let start = stem.get(..LONGEST_NAME).unwrap_or(&stem).trim_end_matches('.');
    format!("{start}~{hash:016x}.json")
}
