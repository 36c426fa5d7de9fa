//! Unpacks gzip and tar in memory, and names unsupported formats in errors.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::budget::{Budget, whole};
use super::content::{Content, Entry};
use super::encoding::{from_utf16, looks_like_text};
use super::error::Unreadable;

/// The maximum nesting depth of archives.
const MAX_LEVELS: usize = 3;

/// The number of leading bytes that identify a format.
const HEAD: usize = 512;

/// The offset and value of the magic bytes of every tar since 1988.
const TAR: (usize, &[u8]) = (257, b"ustar");

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Unsupported formats, with their magic bytes.
const OTHERS: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"BZh", "compressed with bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "compressed with lz4"),
];

/// Returns the format of a file that starts with `head`, if it is unsupported.
pub(crate) fn unread_packing(head: &[u8]) -> Option<&'static str> {
    OTHERS.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, words)| words)
}

/// Reads a file, or each file packed into it.
pub(super) fn file(
    budget: &Budget,
    entry: &Entry,
    source: Box<dyn Read + '_>,
    take: &mut dyn FnMut(Content),
) {
    let mut whole = entry.content(Ok(vec![]));
    let source = Box::new(budget.reading(source));
    unpack(budget, &mut whole, source, MAX_LEVELS, take);
}

/// Like [`file()`], for bytes in memory. Most are not packed and are not copied.
pub(super) fn bytes(budget: &Budget, entry: &Entry, bytes: Vec<u8>, take: &mut dyn FnMut(Content)) {
    let mut whole = entry.content(Ok(vec![]));
    if !matches!(Packing::of(&bytes, &whole, MAX_LEVELS), Packing::None) {
        return file(budget, entry, Box::new(bytes.as_slice()), take);
    }
    whole.bytes = match budget.take_read(bytes.len() as u64) {
        Ok(()) => {
            let (bytes, converted) = from_utf16(bytes);
            whole.path = whole.path.filter(|_| !converted);
            Ok(bytes)
        }
        Err(error) => Err(error.into()),
    };
    take(whole);
}

/// Returns whether a file that starts with `start` must be unpacked, or has an unsupported format.
pub(super) fn is_packed(entry: &Entry, start: &[u8]) -> bool {
    !matches!(Packing::of(start, &entry.content(Ok(vec![])), MAX_LEVELS), Packing::None)
}

/// The compression or archive format of a file.
enum Packing {
    None,
    Gzip,
    Tar,
    /// An unsupported format, with the reason.
    Unsupported(String),
}

impl Packing {
    fn of(head: &[u8], at: &Content, levels: usize) -> Self {
        let (offset, word) = TAR;
        let is_tar = head.get(offset..offset + word.len()) == Some(word);
        let is_gzip = head.starts_with(GZIP);
        let claims_gzip = at.name.ends_with(".gz") && !at.name.ends_with(".tar.gz");
        if let Some(what) = unread_packing(head) {
            Self::Unsupported(format!("is {what}, which aggctl does not read: unpack it first"))
        } else if levels == 0 && (is_tar || is_gzip) {
            Self::Unsupported("is nested in too many archives".to_owned())
        } else if is_gzip {
            Self::Gzip
        } else if is_tar {
            Self::Tar
        } else if at.path.is_some() && claims_gzip && !looks_like_text(head) {
            Self::Unsupported("is not gzip, although its name ends in .gz".to_owned())
        } else {
            Self::None
        }
    }
}

/// Unpacks `source`. `at` describes the file being read, without its bytes.
fn unpack(
    budget: &Budget,
    at: &mut Content,
    mut source: Box<dyn Read + '_>,
    levels: usize,
    take: &mut dyn FnMut(Content),
) {
    let give = |at: &Content, bytes| Content {
        name: at.name.clone(),
        path: at.path.clone(),
        found: at.found,
        bytes,
    };
    let mut head = vec![];
    if let Err(error) = source.by_ref().take(HEAD as u64).read_to_end(&mut head) {
        return take(give(at, Err(error.into())));
    }
    let packing = Packing::of(&head, at, levels);
    let source = Cursor::new(head).chain(source);
    match packing {
        Packing::Unsupported(why) => take(give(at, Err(Unreadable::Malformed(why)))),
        Packing::Gzip => {
            at.path = None;
            let unpacked = Box::new(budget.unpacking(MultiGzDecoder::new(source)));
            unpack(budget, at, unpacked, levels - 1, take);
        }
        Packing::Tar => {
            at.path = None;
            tar(budget, at, source, levels - 1, take);
        }
        Packing::None => {
            let (bytes, converted) = match whole(source) {
                Ok(bytes) => from_utf16(bytes),
                Err(error) => return take(give(at, Err(error.into()))),
            };
            if converted {
                at.path = None;
            }
            take(give(at, Ok(bytes)));
        }
    }
}

/// Reads every file of an archive. Problems of the archive itself are reported under its name.
fn tar(
    budget: &Budget,
    at: &Content,
    source: impl Read,
    levels: usize,
    take: &mut dyn FnMut(Content),
) {
    let problem = |why: Unreadable| Content {
        name: at.name.clone(),
        path: None,
        found: true,
        bytes: Err(why),
    };
    let malformed = |why: &str| problem(Unreadable::Malformed(why.to_owned()));
    let cut = || malformed("is cut off: the rest of the archive is missing");
    let mut tail = Tail { source, zeros: 0 };
    let mut archive = tar::Archive::new(&mut tail);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return take(problem(error.into())),
    };
    let mut links = 0usize;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
                return take(problem(error.into()));
            }
            Err(_) => return take(cut()),
        };
        let kind = entry.header().entry_type();
        if !kind.is_file() {
            links += usize::from(kind.is_symlink() || kind.is_hard_link() || kind.is_gnu_sparse());
            continue;
        }
        let name = format!("{}/{}", at.name, String::from_utf8_lossy(&entry.path_bytes()));
        let size = entry.size();
        let mut got = 0u64;
        {
            let counted = Counted { source: &mut entry, got: &mut got };
            let mut inner = Content { name, path: None, found: true, bytes: Ok(vec![]) };
            unpack(budget, &mut inner, Box::new(counted), levels, take);
        }
        match io::copy(&mut entry, &mut io::sink()) {
            Ok(rest) if got + rest < size => return take(cut()),
            Ok(_) => {}
            Err(error) => return take(problem(error.into())),
        }
    }
    if tail.zeros < HEAD as u64 {
        take(cut());
    } else if links > 0 {
        let files = if links == 1 { "a link or sparse file" } else { "links or sparse files" };
        let count = if links == 1 { String::new() } else { format!("{links} ") };
        take(malformed(&format!("has {count}{files}, which aggctl does not follow")));
    }
}

/// Counts the bytes read from one file of an archive.
struct Counted<'a, R> {
    source: R,
    got: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        *self.got += read as u64;
        Ok(read)
    }
}

/// Counts trailing zeros. A complete archive ends in blocks of them.
struct Tail<R> {
    source: R,
    zeros: u64,
}

impl<R: Read> Read for Tail<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let last = buffer[..read].iter().rposition(|byte| *byte != 0);
        self.zeros = match last {
            Some(at) => (read - at - 1) as u64,
            None => self.zeros + read as u64,
        };
        Ok(read)
    }
}
