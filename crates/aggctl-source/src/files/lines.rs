//! Reads lines in constant memory.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read, StdinLock};

use super::error::{FileError, Unreadable};

/// The maximum length of a line. URLs that servers accept have a few kilobytes.
const MAX_LINE: u64 = 1 << 20;

/// The size of a read.
const CHUNK: usize = 1 << 18;

/// A reader of lines.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    bytes: Vec<u8>,
    number: u64,
}

/// Reads the lines of standard input.
pub fn standard_input_lines() -> Lines<BufReader<StdinLock<'static>>> {
    Lines::new(BufReader::with_capacity(CHUNK, std::io::stdin().lock()))
}

impl<R: BufRead> Lines<R> {
    /// Reads the lines of a source.
    pub fn new(source: R) -> Self {
        Self { source, bytes: vec![], number: 0 }
    }

    /// Returns the next line, trimmed.
    ///
    /// # Errors
    /// If it cannot be read, or is too long.
    pub fn next_line(&mut self) -> Result<Option<Cow<'_, str>>, FileError> {
        let cannot = |why: Unreadable| FileError::new("standard input", why);
        self.bytes.clear();
        let mut bounded = self.source.by_ref().take(MAX_LINE + 1);
        let read = bounded.read_until(b'\n', &mut self.bytes).map_err(|e| cannot(e.into()))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if read as u64 > MAX_LINE {
            let why = format!("line {} is longer than 1 MiB", self.number);
            return Err(cannot(Unreadable::Malformed(why)));
        }
        Ok(Some(String::from_utf8_lossy(self.bytes.trim_ascii())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_an_end() {
        let mut lines = Lines::new(&b" a \n\nb"[..]);
        let mut all = vec![];
        while let Some(line) = lines.next_line().unwrap() {
            all.push(line.into_owned());
        }
        assert_eq!(all, ["a", "", "b"]);
        let mut endless = Lines::new(std::io::BufReader::new(std::io::repeat(b'x')));
        let error = endless.next_line().unwrap_err();
        assert_eq!(error.to_string(), "cannot read standard input: line 1 is longer than 1 MiB");
    }
}
