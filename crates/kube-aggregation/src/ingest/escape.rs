//! Names that come from a cluster, as segments of paths and as names of files.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::model::GroupVersion;

/// What stays as it is in a segment of a path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What stays as it is in a file's name: capitals do not, for some file systems do not know them.
const FILE_NAME: &AsciiSet = &{
    let mut set = NON_ALPHANUMERIC.remove(b'-').remove(b'.');
    let mut letter = b'A';
    while letter <= b'Z' {
        set = set.add(letter);
        letter += 1;
    }
    set
};

/// Names come from the cluster, and a path must stay a path.
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

/// None where an escape is broken, or does not give text.
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

/// The longest name that a file gets; no file system of today takes fewer bytes than 255.
const LONGEST_NAME: usize = 200;

/// A file name that every file system takes, and that no other group version has: there are those
/// that know no difference between A and a, and those that know words which are no names.
pub(super) fn resources_file(gv: &GroupVersion) -> String {
    let (group, version) = (escaped(&gv.group, FILE_NAME), escaped(&gv.version, FILE_NAME));
    let stem =
        if group.is_empty() { format!("api_{version}") } else { format!("apis_{group}_{version}") };
    named(stem)
}

/// The file of a document of the index.
pub(super) fn openapi_file(key: &str) -> String {
    named(format!("openapi-v3_{}", escaped(key, FILE_NAME)))
}

fn named(stem: String) -> String {
    if stem.len() <= LONGEST_NAME {
        return stem + ".json";
    }
    // FNV-1a. The name need not lead back: what is in a file says what it is.
    let hash = stem.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let start = stem.get(..LONGEST_NAME).unwrap_or(&stem).trim_end_matches('.');
    format!("{start}~{hash:016x}.json")
}
