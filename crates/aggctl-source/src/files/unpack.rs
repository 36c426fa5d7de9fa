//! gzip and tar, without writing anything anywhere; other packings are named.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;

use super::budget::{Budget, whole};
use super::encoding::{from_utf16, looks_like_text};
use super::{Content, Entry, Unreadable, describe};

/// How deep archives lie in archives.
const MOST_LEVELS: usize = 3;

/// As many bytes as tell what a file is.
const HEAD: usize = 512;

/// Where every tar since 1988 has this word.
const TAR: (usize, &[u8]) = (257, b"ustar");

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Packings that are not read, by how their files begin.
const OTHERS: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"BZh", "compressed with bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "compressed with lz4"),
];

/// How a file is packed that begins so, where that packing is not read.
pub(crate) fn unread_packing(head: &[u8]) -> Option<&'static str> {
    OTHERS.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, words)| words)
}

/// Reads a file, or everything that is packed into it.
pub(super) fn file(
    budget: &Budget,
    entry: &Entry,
    source: Box<dyn Read + '_>,
    take: &mut dyn FnMut(Content),
) {
    let mut whole = entry.content(Ok(vec![]));
    let source = Box::new(budget.reading(source));
    unpack(budget, &mut whole, source, MOST_LEVELS, take);
}

/// The same for a file whose bytes are all there: most are not packed, and are not copied.
pub(super) fn bytes(budget: &Budget, entry: &Entry, bytes: Vec<u8>, take: &mut dyn FnMut(Content)) {
    let mut whole = entry.content(Ok(vec![]));
    if !matches!(Packing::of(&bytes, &whole, MOST_LEVELS), Packing::None) {
        return file(budget, entry, Box::new(bytes.as_slice()), take);
    }
    whole.bytes = match budget.take_read(bytes.len() as u64) {
        Ok(()) => {
            let (bytes, converted) = from_utf16(bytes);
            whole.path = whole.path.filter(|_| !converted);
            Ok(bytes)
        }
        Err(error) => Err(Unreadable::Broken(describe(&error))),
    };
    take(whole);
}

/// Whether a file that begins so has to be unpacked, or cannot be.
pub(super) fn is_packed(entry: &Entry, start: &[u8]) -> bool {
    !matches!(Packing::of(start, &entry.content(Ok(vec![])), MOST_LEVELS), Packing::None)
}

/// How a file is packed, told by how it begins.
enum Packing {
    None,
    Gzip,
    Tar,
    /// In a way that is not read, and why.
    Unread(String),
}

impl Packing {
    fn of(head: &[u8], at: &Content, levels: usize) -> Self {
        let (offset, word) = TAR;
        let is_tar = head.get(offset..offset + word.len()) == Some(word);
        let is_gzip = head.starts_with(GZIP);
        let claims_gzip = at.name.ends_with(".gz") && !at.name.ends_with(".tar.gz");
        if let Some(what) = unread_packing(head) {
            Self::Unread(format!("is {what}, which aggctl does not read: unpack it first"))
        } else if levels == 0 && (is_tar || is_gzip) {
            Self::Unread("is packed too many times".to_owned())
        } else if is_gzip {
            Self::Gzip
        } else if is_tar {
            Self::Tar
        } else if at.path.is_some() && claims_gzip && !looks_like_text(head) {
            Self::Unread("is not gzip, although its name ends in .gz".to_owned())
        } else {
            Self::None
        }
    }
}

/// `at` is what is being read, without its bytes.
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
    let broken = |why: String| Err(Unreadable::Broken(why));
    let mut head = vec![];
    if let Err(error) = source.by_ref().take(HEAD as u64).read_to_end(&mut head) {
        return take(give(at, broken(describe(&error))));
    }
    let packing = Packing::of(&head, at, levels);
    let source = Cursor::new(head).chain(source);
    match packing {
        Packing::Unread(why) => take(give(at, broken(why))),
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
                Err(error) => return take(give(at, broken(describe(&error)))),
            };
            if converted {
                at.path = None;
            }
            take(give(at, Ok(bytes)));
        }
    }
}

/// Every file of an archive. What is odd about the archive is said in its own name.
fn tar(
    budget: &Budget,
    at: &Content,
    source: impl Read,
    levels: usize,
    take: &mut dyn FnMut(Content),
) {
    let odd = |why: &str| Content {
        name: at.name.clone(),
        path: None,
        found: true,
        bytes: Err(Unreadable::Broken(why.to_owned())),
    };
    let cut = || odd("ends in the middle of the archive: what follows is missing");
    let mut tail = Tail { source, zeros: 0 };
    let mut archive = tar::Archive::new(&mut tail);
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return take(odd(&describe(&error))),
    };
    let mut links = 0usize;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
                return take(odd(&describe(&error)));
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
            Err(error) => return take(odd(&describe(&error))),
        }
    }
    if tail.zeros < HEAD as u64 {
        take(cut());
    } else if links > 0 {
        let files = if links == 1 { "a link or sparse file" } else { "links or sparse files" };
        let count = if links == 1 { String::new() } else { format!("{links} ") };
        take(odd(&format!("has {count}{files}, which aggctl does not follow")));
    }
}

/// Counts what was read of one file of an archive.
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

/// Remembers how many zeros came last: an archive ends in blocks of them, unless it was cut.
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
