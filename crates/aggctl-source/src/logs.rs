//! Reads logs of any size on all cores, in little memory.
//!
//! A plain file is split into ranges, and each idle reader takes the next one. A line belongs to
//! the range in which it starts. Compressed files and standard input can only be read from the
//! start: one reader decompresses them and hands blocks of lines to idle readers.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use flate2::read::MultiGzDecoder;

use crate::files::{self, Entry, FileError};
use crate::interruptible::Interruptible;
use crate::zstd::ZstdReader;

/// The size of a read: small enough to stay in a core's cache until it is counted.
const BLOCK: usize = 1 << 18;

/// The maximum length of a line, and of a document that spans several lines.
const MAX_LINE: usize = 64 << 20;

/// The number of leading bytes that identify a compression format.
const HEAD: u64 = 8;

/// How many times its size a compressed file may grow, beyond what is always allowed. Audit logs
/// grow a hundredfold at most, and gzip a thousandfold.
const MAX_GROWTH: u64 = 1_000;
const FREE_GROWTH: u64 = 64 << 20;

/// The maximum number of blocks that wait for an idle reader.
const MAX_WAITING: usize = 4;

/// A part of a log.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// Complete lines.
    Lines(&'a [u8]),
    /// A JSON document that spans several lines.
    Document(&'a [u8]),
    /// The start of a line that is too long.
    TooLong(&'a [u8]),
}

/// The logs to read.
#[derive(Debug)]
pub struct Logs {
    files: Vec<Entry>,
    work: Vec<Work>,
    /// The total size in bytes; `None` if one is standard input or a pipe.
    pub size: Option<u64>,
    /// Skipped entries of directories, one line each.
    pub skipped: Vec<String>,
}

/// One unit of work: a range of a plain file, or a whole file.
#[derive(Debug, Clone, Copy)]
struct Work {
    file: usize,
    range: Option<(u64, u64)>,
}

/// The progress and the failures of a read.
#[derive(Debug, Default)]
pub struct Reading {
    /// The bytes read so far.
    pub done: AtomicU64,
    next: AtomicUsize,
    stop: std::sync::atomic::AtomicBool,
    failed: Mutex<Vec<String>>,
}

impl Reading {
    /// Stops reading.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns whether reading was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the failures, one line each, sorted.
    pub fn failed(&self) -> Vec<String> {
        let mut all = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        all.sort();
        all
    }
}

/// Passes pieces to one reader until none are left.
pub type Feed<'a> = &'a dyn Fn(&mut dyn FnMut(Piece<'_>));

impl Logs {
    /// Lists the files of these paths; `-` is standard input.
    ///
    /// # Errors
    /// If a path cannot be read.
    pub fn find(paths: &[PathBuf]) -> Result<Self, FileError> {
        let mut logs = Self { files: vec![], work: vec![], size: Some(0), skipped: vec![] };
        for path in paths {
            let walk = files::walk(path, &|_, _| true)?;
            let skipped = walk.skipped.iter();
            logs.skipped.extend(skipped.map(|file| format!("{}: {}", file.name, file.why)));
            for entry in walk.files {
                logs.add(entry)?;
            }
        }
        Ok(logs)
    }

    fn add(&mut self, entry: Entry) -> Result<(), FileError> {
        let file = self.files.len();
        let cannot = |error: io::Error| FileError::new(entry.name(), error);
        let plain = match files::is_standard_input(&entry.path) {
            true => None,
            false => Some(std::fs::metadata(&entry.path).map_err(cannot)?).filter(|m| m.is_file()),
        };
        match plain.map(|metadata| metadata.len()) {
            // A pipe can be read only once.
            None => {
                self.size = None;
                self.work.push(Work { file, range: None });
            }
            Some(size) => {
                let mut start = vec![];
                let opened = File::open(&entry.path).map_err(cannot)?;
                opened.take(BLOCK as u64).read_to_end(&mut start).map_err(cannot)?;
                self.size = self.size.map(|all| all + size);
                let packed = packing(&start).is_some() || files::unread_packing(&start).is_some();
                if size <= BLOCK as u64 || packed || is_document(&start) {
                    self.work.push(Work { file, range: None });
                } else {
                    let starts = (0..size).step_by(BLOCK);
                    let ranges = starts.map(|at| (at, size.min(at + BLOCK as u64)));
                    self.work.extend(ranges.map(|range| Work { file, range: Some(range) }));
                }
            }
        }
        self.files.push(entry);
        Ok(())
    }

    /// Reads everything with `readers` threads. Each calls `reader`, which pulls pieces until none
    /// are left. Meanwhile `wait` runs; its channel closes when all threads are done.
    pub fn read<T: Send>(
        &self,
        readers: usize,
        reading: &Reading,
        reader: impl Fn(Feed<'_>) -> T + Sync,
        mut wait: impl FnMut(&Receiver<()>),
    ) -> Vec<T> {
        let (send, receive) = sync_channel::<Vec<u8>>(MAX_WAITING);
        let shared = Mutex::new(receive);
        let (done, all_done) = sync_channel::<()>(readers);
        std::thread::scope(|scope| {
            let (shared, reader) = (&shared, &reader);
            let run = move |send: SyncSender<Vec<u8>>, done: SyncSender<()>| {
                let send = Mutex::new(Some(send));
                let result = reader(&|take| self.feed(reading, &send, shared, take));
                drop(done);
                result
            };
            let start = |_| {
                let (send, done) = (send.clone(), done.clone());
                thread::Builder::new().spawn_scoped(scope, move || run(send, done)).ok()
            };
            let readers: Vec<_> = (0..readers).filter_map(start).collect();
            // Without a thread, this one reads. Readers wait until no other has a sender.
            let own = match readers.is_empty() {
                true => Some(run(send, done)),
                false => {
                    drop((send, done));
                    None
                }
            };
            wait(&all_done);
            let joined = readers.into_iter().filter_map(|reader| reader.join().ok());
            joined.chain(own).collect()
        })
    }

    fn feed(
        &self,
        reading: &Reading,
        send: &Mutex<Option<SyncSender<Vec<u8>>>>,
        shared: &Mutex<Receiver<Vec<u8>>>,
        take: &mut dyn FnMut(Piece<'_>),
    ) {
        let mut bytes = Vec::with_capacity(BLOCK + (BLOCK >> 2));
        let mut open: Option<(usize, File)> = None;
        let sender = send.lock().unwrap_or_else(PoisonError::into_inner).take();
        while let Some(work) = self.work.get(reading.next.fetch_add(1, Ordering::Relaxed)) {
            if reading.is_stopped() {
                break;
            }
            let Some(entry) = self.files.get(work.file) else { continue };
            let result = match work.range {
                Some(range) => opened(&mut open, work.file, &entry.path)
                    .and_then(|file| read_range(file, range, reading, &mut bytes, take)),
                None => read_stream(&entry.path, reading, sender.as_ref(), take),
            };
            if let Err(error) = result {
                let text = FileError::new(entry.name(), error).to_string();
                reading.failed.lock().unwrap_or_else(PoisonError::into_inner).push(text);
            }
        }
        // No files are left: take the blocks that other readers decompress.
        drop(sender);
        loop {
            let block = shared.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(block) = block else { return };
            take(Piece::Lines(&block));
        }
    }
}

/// Returns the file of a unit of work, which is usually already open.
fn opened<'f>(
    open: &'f mut Option<(usize, File)>,
    number: usize,
    path: &Path,
) -> io::Result<&'f mut File> {
    let file = match open.take().filter(|(of, _)| *of == number) {
        Some((_, file)) => file,
        None => File::open(path)?,
    };
    Ok(&mut open.insert((number, file)).1)
}

/// Passes on the lines that start in a range of a file.
fn read_range(
    file: &mut File,
    (start, end): (u64, u64),
    reading: &Reading,
    bytes: &mut Vec<u8>,
    take: &mut dyn FnMut(Piece<'_>),
) -> io::Result<()> {
    // A line starts at `start` if the preceding byte is a line break.
    let before = start.saturating_sub(1);
    file.seek(SeekFrom::Start(before))?;
    bytes.clear();
    file.by_ref().take(end - before).read_to_end(bytes)?;
    reading.done.fetch_add(end - start, Ordering::Relaxed);
    let first = match start {
        0 => 0,
        _ => match memchr::memchr(b'\n', bytes) {
            Some(at) => at + 1,
            None => return Ok(()),
        },
    };
    // The last line may continue after the range.
    let mut searched = bytes.len();
    let whole = |bytes: &[u8], from: usize| {
        bytes.get(from..).and_then(|rest| memchr::memchr(b'\n', rest)).map(|at| from + at)
    };
    let mut stop = bytes.last().filter(|last| **last == b'\n').map(|_| bytes.len());
    while stop.is_none() && first < bytes.len() {
        let read = file.by_ref().take(BLOCK as u64 >> 3).read_to_end(bytes)?;
        stop = whole(bytes, searched).or_else(|| (read == 0).then_some(bytes.len()));
        searched = bytes.len();
        if stop.is_none() && bytes.len() > MAX_LINE {
            let begun = memchr::memrchr(b'\n', bytes).map_or(first, |at| at + 1).max(first);
            take(Piece::Lines(bytes.get(first..begun).unwrap_or_default()));
            take(Piece::TooLong(bytes.get(begun..).unwrap_or_default()));
            return Ok(());
        }
    }
    take(Piece::Lines(stop.and_then(|stop| bytes.get(first..stop)).unwrap_or_default()));
    Ok(())
}

/// Reads a file from its start, decompressing it.
fn read_stream(
    path: &Path,
    reading: &Reading,
    others: Option<&SyncSender<Vec<u8>>>,
    take: &mut dyn FnMut(Piece<'_>),
) -> io::Result<()> {
    let called = || reading.is_stopped();
    let source: Box<dyn Read + '_> = match path.is_file() {
        true => files::open(path)?,
        // Without a thread for it, an interrupt waits for the next bytes.
        false => match Interruptible::open(path, &called) {
            Ok(source) => Box::new(source),
            Err(_) => files::open(path)?,
        },
    };
    let packed = AtomicU64::new(0);
    let mut source = Counted { source: Counted { source, done: &reading.done }, done: &packed };
    let mut head = vec![];
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    let (packing, unread) = (packing(&head), files::unread_packing(&head));
    let source = io::Cursor::new(head).chain(source);
    if let (None, Some(packing)) = (packing, unread) {
        return Err(io::Error::other(format!("it is {packing}: unpack it first")));
    }
    let mut source: Box<dyn Read + '_> = match packing {
        Some(Packing::Gzip) => {
            let source = io::BufReader::with_capacity(1 << 18, source);
            Box::new(Unpacked::new(MultiGzDecoder::new(source), &packed))
        }
        Some(Packing::Zstd) => {
            let source = io::BufReader::with_capacity(1 << 18, source);
            Box::new(Unpacked::new(ZstdReader::new(source), &packed))
        }
        None => Box::new(source),
    };
    let (mut bytes, mut document, mut first) = (Vec::with_capacity(BLOCK), false, true);
    let mut too_long = false;
    while !reading.is_stopped() {
        let read = source.by_ref().take(BLOCK as u64).read_to_end(&mut bytes);
        // Data read before an error still counts.
        let ended = !matches!(read, Ok(read) if read > 0);
        document |= std::mem::take(&mut first) && is_document(&bytes);
        let cut = match memchr::memrchr(b'\n', &bytes) {
            // A stopped reader may have a partial line.
            _ if ended && !reading.is_stopped() => bytes.len(),
            _ if document => 0,
            Some(at) => at + 1,
            None => 0,
        };
        if cut == 0 && bytes.len() > MAX_LINE {
            if document {
                return Err(io::Error::other(format!(
                    "one document of more than {} MiB: split it into lines with `jq -c .[]`",
                    MAX_LINE >> 20
                )));
            }
            if !std::mem::replace(&mut too_long, true) {
                take(Piece::TooLong(&bytes));
            }
            bytes.clear();
        } else if cut > 0 {
            let rest = bytes.split_off(cut);
            let mut block = std::mem::replace(&mut bytes, rest);
            bytes.reserve(BLOCK);
            if std::mem::take(&mut too_long) {
                let line = memchr::memchr(b'\n', &block).map_or(block.len(), |at| at + 1);
                block.drain(..line);
            }
            if document {
                take(Piece::Document(&block));
            } else {
                hand_over(block, others, take);
            }
        }
        read?;
        if ended {
            break;
        }
    }
    Ok(())
}

/// Limits how much a file grows when it is unpacked. Four bytes of zstd can encode 128 KiB.
struct Unpacked<'a, R> {
    source: R,
    packed: &'a AtomicU64,
    bytes: u64,
}

impl<'a, R> Unpacked<'a, R> {
    fn new(source: R, packed: &'a AtomicU64) -> Self {
        Self { source, packed, bytes: 0 }
    }
}

impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes += read as u64;
        let most = self.packed.load(Ordering::Relaxed).saturating_mul(MAX_GROWTH);
        if self.bytes > most.max(FREE_GROWTH) {
            let why = format!("grows to more than {MAX_GROWTH} times its size when unpacked");
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, why));
        }
        Ok(read)
    }
}

/// Hands a block to an idle reader, or uses it here if there is none.
fn hand_over(
    block: Vec<u8>,
    others: Option<&SyncSender<Vec<u8>>>,
    take: &mut dyn FnMut(Piece<'_>),
) {
    let Some(others) = others else { return take(Piece::Lines(&block)) };
    if let Err(TrySendError::Full(block) | TrySendError::Disconnected(block)) =
        others.try_send(block)
    {
        take(Piece::Lines(&block));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Gzip,
    Zstd,
}

fn packing(head: &[u8]) -> Option<Packing> {
    match head {
        [0x1f, 0x8b, ..] => Some(Packing::Gzip),
        // A frame, or one to skip: compressors that use several threads begin with that.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
        _ => None,
    }
}

/// Returns whether one JSON document spans several lines: the first line ends with an open bracket.
fn is_document(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    let Some(end) = memchr::memchr(b'\n', start) else { return false };
    let line = start.get(..end).unwrap_or_default().trim_ascii_end();
    matches!(line.first(), Some(b'{' | b'[')) && matches!(line.last(), Some(b'{' | b'['))
}

/// Counts the bytes read from a file.
struct Counted<'a, R> {
    source: R,
    done: &'a AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.done.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn read(readers: usize, bytes: &[u8]) -> (usize, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, bytes).unwrap();
        let reading = Reading::default();
        let count = |feed: Feed<'_>| {
            let mut count = 0;
            feed(&mut |piece| match piece {
                Piece::Lines(some) | Piece::Document(some) | Piece::TooLong(some) => {
                    count += some.iter().filter(|byte| **byte == b'{').count();
                }
            });
            count
        };
        let logs = Logs::find(&[path]).unwrap();
        let counts = logs.read(readers, &reading, count, |done| {
            let _ = done.recv();
        });
        (counts.into_iter().sum(), reading.failed())
    }

    #[test]
    fn logs_are_read_without_a_thread() {
        let log = b"{}\n".repeat(1 << 18);
        for readers in [0, 1, 3] {
            assert_eq!(read(readers, &log), (1 << 18, vec![]));
            let packed = compress_to_vec(&log[..log.len() / 4], CompressionLevel::Fastest);
            assert_eq!(read(readers, &packed).0, 1 << 16);
            let skipped_first = [b"\x50\x2a\x4d\x18\x01\0\0\0{", &packed[..]].concat();
            assert_eq!(read(readers, &skipped_first), (1 << 16, vec![]));
        }
    }

    /// A frame of blocks that repeat one byte: four bytes for 128 KiB each.
    #[test]
    fn a_small_file_cannot_grow_without_end() {
        let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
        bomb.extend([0x02, 0x00, 0x10, b'\n'].repeat(40_000));
        let (_, failed) = read(1, &bomb);
        let want = "grows to more than 1000 times its size when unpacked";
        assert!(failed.len() == 1 && failed[0].ends_with(want), "{failed:?}");
    }
}
