//! The one error that reaches a user: what went wrong, where, and what to do.

use std::{fmt, io};

use kube_aggregation::what_if::Unknown;

/// Why a command could not answer, which decides the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The question itself is malformed: exit code 2.
    Usage,
    /// The facts could not be read: exit code 3.
    Source,
}

/// A lowercase phrase that says what was tried and where, and often a hint.
///
/// Displayed as one line; the hint is printed on a line of its own by `main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    failure: ErrorKind,
    message: String,
    hint: Option<String>,
}

impl Error {
    /// A question that cannot be asked that way.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A source that could not be read.
    pub fn source(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Source, message)
    }

    /// Something that could not be written.
    pub fn cannot_write(what: impl fmt::Display, error: &io::Error) -> Self {
        Self::source(format!("cannot write {what}: {}", plain(error)))
    }

    fn new(failure: ErrorKind, message: impl Into<String>) -> Self {
        Self { failure, message: message.into(), hint: None }
    }

    /// Adds what the user can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds that, if anything is known to help.
    #[must_use]
    pub fn with_any_hint(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.with_hint(hint),
            None => self,
        }
    }

    /// The kind of failure.
    pub fn failure(&self) -> ErrorKind {
        self.failure
    }

    /// What the user can do about it, if anything is known to help.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

/// What an operating system says, as a lowercase phrase without its number.
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<Unknown> for Error {
    fn from(unknown: Unknown) -> Self {
        Self::usage(format!(
            "cannot leave out {:?}: the source has no such APIService, CRD or Service",
            unknown.name
        ))
        .with_any_hint(unknown.nearest.map(|near| format!("did you mean {near}?")))
    }
}
