//! Limits how much one run reads, before and after decompression.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of bytes read in one run. A cluster's dump has a few megabytes.
const MAX_READ: u64 = 512 << 20;

/// The maximum size of one file after decompression. Files are kept in memory as a whole.
const MAX_FILE: u64 = 128 << 20;

/// Compressed data may always grow to this size. Beyond it, it may grow tenfold.
const FREE_GROWTH: u64 = 64 << 20;

/// Counts the bytes read so far. Shared by threads.
#[derive(Debug, Default)]
pub(super) struct Budget {
    read: AtomicU64,
    unpacked: AtomicU64,
}

impl Budget {
    /// Wraps a reader and counts its bytes as read from files.
    pub(super) fn reading<R: Read>(&self, source: R) -> impl Read {
        Counted { source, take: move |bytes| self.take_read(bytes) }
    }

    /// Wraps a reader and counts its bytes as decompressed.
    pub(super) fn unpacking<R: Read>(&self, source: R) -> impl Read {
        Counted { source, take: move |bytes| self.take_unpacked(bytes) }
    }

    /// Adds bytes that were read from files.
    pub(super) fn take_read(&self, bytes: u64) -> io::Result<()> {
        let all = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        refuse(all > MAX_READ, || format!("more than {} MiB in all", MAX_READ >> 20))
    }

    fn take_unpacked(&self, bytes: u64) -> io::Result<()> {
        let all = self.unpacked.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let most = FREE_GROWTH.max(self.read.load(Ordering::Relaxed).saturating_mul(10));
        refuse(all > most, || format!("grows to more than {} MiB when unpacked", most >> 20))
    }
}

/// Reads the rest of a file that starts with `start`, if it is not too large.
pub(super) fn rest(mut start: Vec<u8>, file: File) -> io::Result<Vec<u8>> {
    let size = usize::try_from(file.metadata()?.len().min(MAX_FILE)).unwrap_or(0);
    start.reserve_exact(size.saturating_sub(start.len()));
    all(start, file)
}

/// Reads all bytes of a file, if it is not too large.
pub(super) fn whole(source: impl Read) -> io::Result<Vec<u8>> {
    all(vec![], source)
}

fn all(mut bytes: Vec<u8>, source: impl Read) -> io::Result<Vec<u8>> {
    source.take(MAX_FILE + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    let too_large = bytes.len() as u64 > MAX_FILE;
    refuse(too_large, || format!("larger than {} MiB", MAX_FILE >> 20))?;
    // A buffer that grew may have twice the capacity that it needs.
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// Fails if `too_much`, with an error kind that no other error of these readers has.
fn refuse(too_much: bool, why: impl FnOnce() -> String) -> io::Result<()> {
    if too_much { Err(io::Error::new(io::ErrorKind::QuotaExceeded, why())) } else { Ok(()) }
}

struct Counted<R, F> {
    source: R,
    take: F,
}

impl<R: Read, F: FnMut(u64) -> io::Result<()>> Read for Counted<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        (self.take)(read as u64)?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_bound() {
        let refused = |result: io::Result<Vec<u8>>| result.unwrap_err().to_string();
        assert_eq!(refused(whole(io::repeat(0))), "larger than 128 MiB");
        let budget = Budget::default();
        budget.take_read(1).unwrap();
        let bomb = |size| budget.unpacking(io::repeat(0).take(size));
        io::copy(&mut bomb(FREE_GROWTH), &mut io::sink()).unwrap();
        assert_eq!(refused(whole(bomb(1))), "grows to more than 64 MiB when unpacked");
        budget.take_read(FREE_GROWTH).unwrap();
        assert_eq!(whole(bomb(3)).unwrap().len(), 3);
        assert!(budget.take_read(MAX_READ).is_err());
    }
}
