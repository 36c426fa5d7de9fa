//! Reads standard input and pipes, which may block forever, until Ctrl-C.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::files;

/// The size of a read.
const CHUNK: usize = 1 << 18;

/// How often a blocked reader checks for an interrupt.
const TICK: Duration = Duration::from_millis(100);

/// Standard input or a pipe, as a reader that ends on an interrupt. A background thread reads it
/// and may stay blocked until the process ends.
pub(super) struct Interruptible<'a> {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    interrupted: &'a dyn Fn() -> bool,
}

impl<'a> Interruptible<'a> {
    /// # Errors
    /// If there is no thread for it.
    pub(super) fn open(path: &Path, interrupted: &'a dyn Fn() -> bool) -> io::Result<Self> {
        let (send, chunks) = sync_channel(2);
        let path = path.to_owned();
        std::thread::Builder::new().spawn(move || {
            let mut source = files::open(&path);
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = match &mut source {
                    Ok(source) => source.read(&mut chunk),
                    Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                };
                let end = !matches!(read, Ok(1..));
                let sent = send.send(read.map(|read| {
                    chunk.truncate(read);
                    chunk
                }));
                if end || sent.is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Cursor::default(), interrupted })
    }
}

impl Read for Interruptible<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.chunk.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            match self.chunks.recv_timeout(TICK) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) if !(self.interrupted)() => {}
                Err(_) => return Ok(0),
            }
        }
    }
}
