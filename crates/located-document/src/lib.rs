//! Parses YAML and JSON into trees with locations.
//!
//! [`parse`] turns the bytes of a file into documents: trees of [`Node`]s that know their location
//! in the file. It parses what Kubernetes clients accept (see `scalar.rs`), keeps duplicate keys,
//! and accepts any bytes. A document that cannot be parsed becomes a [`DocumentError`] with a line
//! and a column, and the documents after it are still parsed.
//!
//! Resources are bounded: nesting is at most [`MAX_DEPTH`] deep, a document has at most
//! [`MAX_VALUES`] values plus one per few bytes, aliases may enlarge it only by a fixed factor, and
//! everything else is linear in the input.

mod comment;
mod deserialize;
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

/// The maximum nesting depth. The server's own objects stay far below.
pub const MAX_DEPTH: usize = 500;

/// The maximum number of values in a short document. No object of a cluster has this many.
pub const MAX_VALUES: usize = 1_000_000;

/// A longer document may have one more value per this number of bytes. Lists of objects never reach
/// the limit. A value takes about forty bytes of memory.
const BYTES_A_VALUE: usize = 8;

/// Returns the maximum number of values in a document of this length.
fn most_values(length: usize) -> usize {
    MAX_VALUES + length / BYTES_A_VALUE
}

/// The minimum number of documents for which parsing in parallel pays off.
const WORTH_SHARING: usize = 64;

/// Only comments that contain this word are kept.
const COMMENT_MARK: &[u8] = b"aggctl";

/// One document of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// The content; [`Value::Null`] for an empty document.
    pub root: Node<'a>,
    /// The comments that mention aggctl, in order.
    pub comments: Vec<Comment>,
    /// Whether it is written in JSON.
    pub json: bool,
    /// The byte range of the document in the file, including markers.
    pub span: Span,
}

impl Document<'_> {
    /// Converts the document to plain JSON without locations. The last of duplicate keys wins.
    pub fn to_json_value(&self) -> serde_json::Value {
        self.root.to_json_value()
    }
}

/// Parses all documents of a file, in order.
///
/// A file that is not text gives a single error. An empty file, or one with only comments, has no
/// documents. An empty document between two others has a null root.
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
    // A document that looks like JSON and is invalid YAML was meant as JSON, so report the JSON
    // error.
    if let (Some(fault), [Err(_)]) = (json_fault, yaml.as_slice())
        && piece.starts_like_json_object(text)
    {
        return vec![Err(fault)];
    }
    yaml.into_iter()
        .map(|parsed| parsed.map(|(root, comments)| Document { root, comments, json: false, span }))
        .collect()
}

/// Returns the text of a file, or an error if it is not text.
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
