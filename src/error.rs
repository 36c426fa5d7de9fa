//! The error that a user sees: what went wrong, and what may help.
//!
//! Library crates have typed errors without advice. `cli::hints` turns them into this one.

use std::error::Error as StdError;
use std::sync::Arc;
use std::{fmt, io};

use aggctl_source::files::{IsLink, plain};

/// The kind of an error, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line is wrong: exit code 2.
    Usage,
    /// A source could not be read, or an output not be written: exit code 3.
    Source,
}

/// A lowercase phrase that says what was tried and where, and often a hint.
///
/// Displayed as one line; [`Terminal`](crate::cli::Terminal) prints the hint and the causes.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    cause: Option<Arc<dyn StdError + Send + Sync>>,
}

impl Error {
    /// Creates a command-line error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// Creates an error for a source that could not be read.
    pub fn source(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Source, message)
    }

    /// Creates an error for an output that could not be written.
    pub fn cannot_write(what: impl fmt::Display, error: &io::Error) -> Self {
        let is_link = error.get_ref().is_some_and(|inner| inner.is::<IsLink>());
        let hint = is_link.then_some("remove the link, or name its target");
        let own = Self::source(format!("cannot write {what}: {}", plain(error)));
        let own = own.with_any_hint(hint);
        match error.raw_os_error() {
            Some(code) => own.caused_by(io::Error::from_raw_os_error(code)),
            None => own,
        }
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, cause: None }
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        self.with_any_hint(Some(hint))
    }

    /// Adds what the user can do about it, if anything.
    #[must_use]
    pub fn with_any_hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.hint = hint.map(Into::into).or(self.hint);
        self
    }

    /// Adds the error that this one replaces, or that caused it.
    #[must_use]
    pub(crate) fn caused_by(mut self, cause: impl StdError + Send + Sync + 'static) -> Self {
        self.cause = Some(Arc::new(cause));
        self
    }

    /// Returns its kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns what the user can do about it, if anything.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Returns the library error that this one replaces, if it has this type.
    pub(crate) fn cause<E: StdError + 'static>(&self) -> Option<&E> {
        self.cause.as_deref()?.downcast_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    /// Skips a library error that this one replaces, because its message would be repeated.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let cause = self.cause.as_deref()?;
        if cause.to_string() == self.message { cause.source() } else { Some(cause) }
    }
}
