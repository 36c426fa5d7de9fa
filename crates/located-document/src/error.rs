//! Why a document could not be read.

use super::Position;
use std::fmt;

/// A document that could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong, as a lowercase phrase without a place.
    pub message: String,
    /// The byte where it was noticed.
    pub offset: usize,
    /// The same place for people.
    pub position: Position,
    /// Which part of the file could not be read, as a range of bytes.
    pub document: std::ops::Range<usize>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.position.line, self.position.column, self.message)
    }
}

impl std::error::Error for Error {}

/// An error that does not know its line yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) offset: usize,
    /// Whether a limit was reached: another parser would only reach it too.
    pub(super) limit: bool,
    /// Whether a quoted text goes on at the left of where YAML 1.2 wants it.
    pub(super) unindented: bool,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>, offset: usize) -> Self {
        Self { message: message.into(), offset, limit: false, unindented: false }
    }

    pub(super) fn limit(message: impl Into<String>, offset: usize) -> Self {
        Self { limit: true, ..Self::new(message, offset) }
    }
}
