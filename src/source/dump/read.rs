//! From paths to the text of files: walking, standard input, gzip, encodings.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// The largest file that is read, after decompression. A discovery dump is a few megabytes; what
/// is larger is something else, or an attack.
pub(super) const MAX_BYTES: u64 = 512 << 20;

/// How deep directories are walked.
const MAX_DEPTH: usize = 32;

/// One file of a dump.
#[derive(Debug)]
pub(super) struct TextFile {
    /// As the user can find it; `<stdin>` for standard input.
    pub name: String,
    /// Whether it came out of an archive: one of many, that nobody named.
    pub packed: bool,
    /// Its text, or why there is none.
    pub text: Result<String, Unreadable>,
}

/// Why a file gave no text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is no text: a picture, a database. Not worth a word in a directory.
    Binary,
    /// It should have been readable.
    Broken(String),
}

/// All files behind a path, in a stable order.
pub(super) fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    if path.is_dir() {
        walk(path, MAX_DEPTH, &mut found)?;
        found.sort();
    } else {
        // Opened by whoever reads it; a path that is not there fails here, with its name.
        fs::metadata(path)?;
        found.push(path.to_owned());
    }
    Ok(found)
}

fn walk(directory: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if depth > 0 {
                // A directory that cannot be opened hides its files, not those of the others.
                let _ = walk(&entry.path(), depth - 1, found);
            }
        } else if kind.is_file() || (kind.is_symlink() && entry.path().is_file()) {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Reads standard input.
pub(super) fn standard_input() -> Vec<TextFile> {
    texts("<stdin>", read(io::stdin().lock(), ""))
}

/// Reads one file, or all that are packed into it.
pub(super) fn file(path: &Path) -> Vec<TextFile> {
    let name = path.display().to_string();
    let bytes = match File::open(path) {
        Ok(file) => read(file, &name),
        Err(error) => Err(Unreadable::Broken(describe(&error))),
    };
    texts(&name, bytes)
}

fn read(source: impl Read, name: &str) -> Result<Vec<u8>, Unreadable> {
    let bytes = bounded(source)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return bounded(MultiGzDecoder::new(bytes.as_slice()));
    }
    if name.ends_with(".gz") && !looks_like_text(&bytes) {
        return Err(Unreadable::Broken("is not gzip, for all its name says".to_owned()));
    }
    Ok(bytes)
}

fn texts(name: &str, bytes: Result<Vec<u8>, Unreadable>) -> Vec<TextFile> {
    match bytes {
        Ok(bytes) if is_archive(&bytes) => unpack(name, &bytes),
        Ok(bytes) => vec![TextFile { name: name.to_owned(), packed: false, text: decode(bytes) }],
        Err(why) => vec![TextFile { name: name.to_owned(), packed: false, text: Err(why) }],
    }
}

/// Every tar since 1988 has this word at this place.
fn is_archive(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// The files in an archive. Nothing is written anywhere, so names cannot lead astray; sizes are
/// bounded by that of the archive, which is in memory already.
fn unpack(archive: &str, bytes: &[u8]) -> Vec<TextFile> {
    let mut found = vec![];
    let broken = |why: String| TextFile {
        name: archive.to_owned(),
        packed: true,
        text: Err(Unreadable::Broken(why)),
    };
    let mut tar = tar::Archive::new(bytes);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(error) => return vec![broken(describe(&error))],
    };
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(_) => {
                found.push(broken("ends in the middle of the archive".to_owned()));
                break;
            }
        };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = format!("{archive}/{}", String::from_utf8_lossy(&entry.path_bytes()));
        let text = read(&mut entry, &name).and_then(decode);
        found.push(TextFile { name, packed: true, text });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn bounded(source: impl Read) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = vec![];
    source
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Unreadable::Broken(describe(&error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        let mebibytes = MAX_BYTES >> 20;
        return Err(Unreadable::Broken(format!("is larger than {mebibytes} MiB")));
    }
    Ok(bytes)
}

/// An I/O error without the operating system's number.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::UnexpectedEof => "ends in the middle of its gzip data".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("is not valid gzip ({error})")
        }
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

fn looks_like_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.starts_with(b"{")
        || start.starts_with(b"[")
        || start.starts_with(b"apiVersion")
        || start.starts_with(b"---")
}

/// Text from UTF-8, or from the UTF-16 that a Windows shell writes when it redirects output.
fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        let units = units.map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => return Ok(utf16(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => return Ok(utf16(u16::from_be_bytes)),
        _ => {}
    }
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) if looks_like_text(error.as_bytes()) => {
            let at = error.utf8_error().valid_up_to();
            Err(Unreadable::Broken(format!("is not UTF-8: byte {} is no text", at + 1)))
        }
        Err(_) => Err(Unreadable::Binary),
    }
}
