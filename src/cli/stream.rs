//! The output streams of the process. Their readers may close them early.

use std::cell::Cell;
use std::io::{self, Write};

/// Standard output. When its reader closes the pipe, the rest is dropped, so that the command still
/// reaches its verdict: `aggctl doctor -o json | head -c1` fails as it does without `head`.
#[derive(Debug)]
pub struct Out<'a, W> {
    inner: W,
    closed: &'a Cell<bool>,
}

impl<'a, W: Write> Out<'a, W> {
    /// Sets `closed` when the reader has left.
    pub fn new(inner: W, closed: &'a Cell<bool>) -> Self {
        Self { inner, closed }
    }

    /// Returns the stream.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn unless_closed<T>(
        &mut self,
        dropped: T,
        write: impl FnOnce(&mut W) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.closed.get() {
            return Ok(dropped);
        }
        write(&mut self.inner).or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => {
                self.closed.set(true);
                Ok(dropped)
            }
            _ => Err(error),
        })
    }
}

impl<W: Write> Write for Out<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}

/// Standard error. A message that cannot be written is dropped, because it cannot be reported
/// anywhere and does not change the verdict. While a pager has the terminal, messages wait.
#[derive(Debug)]
pub struct Messages<'a, W: Write> {
    inner: W,
    paging: &'a Cell<bool>,
    waiting: Vec<u8>,
}

impl<'a, W: Write> Messages<'a, W> {
    /// Holds messages back while `paging` is set.
    pub fn new(inner: W, paging: &'a Cell<bool>) -> Self {
        Self { inner, paging, waiting: vec![] }
    }
}

impl<W: Write> Write for Messages<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.paging.get() {
            self.waiting.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        Ok(self.inner.write(bytes).unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.paging.get() {
            let _ = self.inner.write_all(&std::mem::take(&mut self.waiting));
            let _ = self.inner.flush();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(io::ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn only_a_reader_that_left_is_no_error() {
        let closed = Cell::new(false);
        let mut full = Out::new(Failing(io::ErrorKind::StorageFull), &closed);
        assert!(full.write_all(b"x").is_err() && full.flush().is_err() && !closed.get());
        let mut pipe = Out::new(Failing(io::ErrorKind::BrokenPipe), &closed);
        pipe.write_all(b"x").unwrap();
        assert!(closed.get());
        pipe.flush().unwrap();
        let paging = Cell::new(false);
        Messages::new(Failing(io::ErrorKind::StorageFull), &paging).write_all(b"x").unwrap();
    }

    #[test]
    fn messages_wait_for_the_pager() {
        let (mut shown, paging) = (vec![], Cell::new(true));
        let mut messages = Messages::new(&mut shown, &paging);
        messages.write_all(b"hint").unwrap();
        messages.flush().unwrap();
        paging.set(false);
        messages.flush().unwrap();
        assert_eq!(shown, b"hint");
    }
}
