//! A stream of lines in constant memory.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read, StdinLock};

use crate::error::{Error, plain};

/// The longest line. A URL that servers take has some kilobytes.
const LONGEST: u64 = 1 << 20;

/// As much is read at once, where there is as much.
const AT_ONCE: usize = 1 << 18;

/// Lines with their numbers.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    bytes: Vec<u8>,
    number: u64,
}

/// The lines of standard input.
pub fn standard_input_lines() -> Lines<BufReader<StdinLock<'static>>> {
    Lines::new(BufReader::with_capacity(AT_ONCE, std::io::stdin().lock()))
}

impl<R: BufRead> Lines<R> {
    /// The lines of a source.
    pub fn new(source: R) -> Self {
        Self { source, bytes: vec![], number: 0 }
    }

    /// The next line without white space around it.
    ///
    /// # Errors
    /// Where it cannot be read, or is too long.
    pub fn next_line(&mut self) -> Result<Option<Cow<'_, str>>, Error> {
        let cannot = |why: String| Error::source(format!("cannot read standard input: {why}"));
        self.bytes.clear();
        let mut bounded = self.source.by_ref().take(LONGEST + 1);
        let read = bounded.read_until(b'\n', &mut self.bytes).map_err(|e| cannot(plain(&e)))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if read as u64 > LONGEST {
            return Err(cannot(format!("line {} is longer than 1 MiB", self.number)));
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
