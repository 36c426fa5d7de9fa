//! Converts byte offsets to lines and columns.

/// A line and a column, both counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// Converts byte offsets to positions in one pass over the text.
///
/// With ascending offsets, a whole file takes a single pass, regardless of its line lengths. An
/// offset before the previous one starts over.
#[derive(Debug, Clone)]
pub struct Positions<'a> {
    bytes: &'a [u8],
    offset: usize,
    at: Position,
}

impl<'a> Positions<'a> {
    /// Starts at the beginning of a file. A byte order mark takes no column.
    pub fn new(bytes: &'a [u8]) -> Self {
        let offset = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        Self { bytes, offset, at: Position { line: 1, column: 1 } }
    }

    /// Starts at an offset that is known to be the start of this line.
    pub(super) fn at_line(bytes: &'a [u8], offset: usize, line: usize) -> Self {
        Self { bytes, offset, at: Position { line, column: 1 } }
    }

    /// Returns the position of a byte offset.
    pub fn of(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        if offset < self.offset {
            *self = Self::new(self.bytes);
        }
        if offset <= self.offset {
            return self.at;
        }
        let passed = &self.bytes[self.offset..offset];
        let lines = memchr::memchr_iter(b'\n', passed).count();
        let rest = match memchr::memrchr(b'\n', passed) {
            Some(newline) => {
                self.at.line += lines;
                self.at.column = 1;
                &passed[newline + 1..]
            }
            None => passed,
        };
        self.at.column += characters(rest);
        self.offset = offset;
        self.at
    }
}

/// Returns the number of characters in these bytes. UTF-8 continuation bytes do not count.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b & 0xC0) != 0x80).count()
}

/// The UTF-8 byte order mark.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters() {
        let text = "ab\nçd: x\r\nlast".as_bytes();
        let mut positions = Positions::new(text);
        let mut of = |offset| {
            let p = positions.of(offset);
            (p.line, p.column)
        };
        assert_eq!(of(0), (1, 1));
        assert_eq!(of(3), (2, 1));
        assert_eq!(of(5), (2, 2));
        assert_eq!(of(11), (3, 1));
        assert_eq!(of(1), (1, 2));
        assert_eq!(of(1000), (3, 5));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        assert_eq!(Positions::new(b"\xEF\xBB\xBFa").of(3), Position { line: 1, column: 1 });
    }
}
