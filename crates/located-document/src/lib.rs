//! YAML and JSON with places.
//!
//! [`parse`] turns the bytes of a file into documents: trees of [`Node`]s that
//! know where in the file they stand. It reads what Kubernetes clients read
//! (see `scalar.rs`), keeps duplicate keys, and takes any bytes: what cannot be
//! read is a [`DocumentError`] with a line and a column, and the documents after it are
//! still read.
//!
//! Bounds: nesting is at most [`MAX_DEPTH`] deep, a document
//! has at most [`MAX_VALUES`] values or one for every few bytes, aliases may let it
//! grow only so much, and everything else is linear in the input.

mod comment;
mod convert;
mod error;
mod json;
mod node;
mod position;
mod scalar;
mod split;
mod threads;
mod unindented;
mod yaml;

#[cfg(test)]
mod tests;

pub use comment::Comment;
pub use error::{DocumentError, DocumentErrorKind};
pub use node::{Entry, Node, Span, Value};
pub use position::{Position, Positions};
pub use threads::prepare_threads;

use error::Fault;
use rayon::prelude::*;
use split::Piece;

/// How deeply values may be nested. The server's own objects stay far below.
pub const MAX_DEPTH: usize = 500;

/// How many values a document may have, however short it is. No object of a cluster has as many.
pub const MAX_VALUES: usize = 1_000_000;

/// A longer document may have one more for each so many bytes, which lists of objects never reach: a
/// value takes some forty bytes of memory.
const BYTES_A_VALUE: usize = 8;

/// The most values of a document of that length.
fn most_values(length: usize) -> usize {
    MAX_VALUES + length / BYTES_A_VALUE
}

/// From how many documents on they are read on all cores.
const WORTH_SHARING: usize = 64;

/// A comment is kept only where this word makes it one for us.
const COMMENT_MARK: &[u8] = b"aggctl";

/// One document of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// Its content; [`Value::Null`] for an empty document.
    pub root: Node<'a>,
    /// The comments that mention this program, in order.
    pub comments: Vec<Comment>,
    /// Whether it is written in JSON.
    pub json: bool,
    /// The bytes of the file that belong to it, markers included.
    pub span: Span,
}

impl Document<'_> {
    /// The document as plain JSON, places forgotten. The last of duplicate
    /// keys wins.
    pub fn to_json_value(&self) -> serde_json::Value {
        self.root.to_json_value()
    }
}

/// Reads all documents of a file, in order.
///
/// A file that is not text at all gives a single error. An empty file, or one
/// with only comments, has no documents; an empty document between two others
/// is one whose root is null.
pub fn parse(bytes: &[u8]) -> Vec<Result<Document<'_>, DocumentError>> {
    let text = match text(bytes) {
        Ok(text) => text,
        Err(fault) => return vec![Err(place(bytes, fault, 0, 1, 0..bytes.len()))],
    };
    let keep_comments = memchr::memmem::find(bytes, COMMENT_MARK).is_some();
    let pieces = split::pieces(text);
    let one = |piece: &Piece| {
        let (start, line, range) = (piece.start, piece.line, piece.start..piece.end);
        let results = read(text, piece, keep_comments).into_iter();
        results.map(move |result| {
            result.map_err(|fault| place(bytes, fault, start, line, range.clone()))
        })
    };
    if pieces.len() < WORTH_SHARING {
        return pieces.iter().flat_map(one).collect();
    }
    prepare_threads();
    pieces.par_iter().with_min_len(16).flat_map_iter(one).collect()
}

fn read<'a>(text: &'a str, piece: &Piece, keep_comments: bool) -> Vec<Result<Document<'a>, Fault>> {
    let span = Span::new(piece.start, piece.end);
    let mut json_fault = None;
    if piece.may_be_json {
        match json::parse(&text[..piece.end], piece.content) {
            Ok(root) => {
                return vec![Ok(Document { root, comments: Vec::new(), json: true, span })];
            }
            Err(fault) if fault.kind == DocumentErrorKind::Limit => return vec![Err(fault)],
            Err(fault) => json_fault = Some(fault),
        }
    }
    let yaml = yaml::parse(&text[piece.start..piece.end], piece.start, keep_comments);
    // What looks like JSON and is not YAML either is meant as JSON, and the
    // error should speak of that.
    if let (Some(fault), [Err(_)]) = (json_fault, yaml.as_slice())
        && piece.starts_like_json_object(text)
    {
        return vec![Err(fault)];
    }
    yaml.into_iter()
        .map(|parsed| parsed.map(|(root, comments)| Document { root, comments, json: false, span }))
        .collect()
}

/// The text of a file, if it is text.
fn text(bytes: &[u8]) -> Result<&str, Fault> {
    if bytes.len() >= u32::MAX as usize {
        return Err(Fault::not_text("the file is larger than 4 GiB", 0));
    }
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(Fault::not_text("the file is UTF-16; save it as UTF-8", 0));
    }
    if let Some(offset) = memchr::memchr(0, bytes) {
        return Err(Fault::not_text("a NUL byte: this is not a text file", offset));
    }
    std::str::from_utf8(bytes)
        .map_err(|error| Fault::not_text("a byte that is not UTF-8", error.valid_up_to()))
}

fn place(
    bytes: &[u8],
    fault: Fault,
    start: usize,
    line: usize,
    document: std::ops::Range<usize>,
) -> DocumentError {
    let offset = fault.offset.min(bytes.len());
    let mut positions =
        if start == 0 { Positions::new(bytes) } else { Positions::at_line(bytes, start, line) };
    let (kind, message) = (fault.kind, fault.message);
    DocumentError { kind, message, offset, position: positions.of(offset), document }
}

fn too_many(most: usize) -> String {
    format!("the document has more than {most} values")
}

fn too_deep() -> String {
    format!("values are nested more than {MAX_DEPTH} deep")
}
