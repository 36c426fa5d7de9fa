//! The terminal that the picker draws on. It never hides the cursor, because Ctrl-C ends the
//! process before the picker could show it again.

use dialoguer::console::Term;

#[cfg(unix)]
pub(super) fn terminal() -> Term {
    Term::read_write_pair(std::io::stdin(), unix::CursorStays(std::io::stderr()))
}

#[cfg(not(unix))]
pub(super) fn terminal() -> Term {
    Term::stderr()
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Stderr, Write};
    use std::os::fd::{AsRawFd, RawFd};

    /// The escape sequence that hides the cursor.
    const HIDE: &[u8] = b"\x1b[?25l";

    /// Standard error, without the escape sequence that hides the cursor.
    #[derive(Debug)]
    pub(super) struct CursorStays(pub(super) Stderr);

    impl Write for CursorStays {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes == HIDE { Ok(bytes.len()) } else { self.0.write(bytes) }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl AsRawFd for CursorStays {
        fn as_raw_fd(&self) -> RawFd {
            self.0.as_raw_fd()
        }
    }
}
