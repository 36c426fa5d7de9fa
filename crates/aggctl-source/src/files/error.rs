//! Errors of reading a file.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// A file that could not be read. Displayed as `cannot read NAME: why`.
#[derive(Debug, Clone)]
pub struct FileError {
    /// The file, as reports name it.
    pub name: String,
    /// What is wrong with the file.
    pub why: Unreadable,
}

/// What is wrong with a file, as a phrase that follows its name and a colon.
#[derive(Debug, Clone)]
pub enum Unreadable {
    /// It is not text, for example a picture or a database.
    Binary,
    /// It is a directory, a named pipe, a socket or a device; the text says which.
    NotAFile(&'static str),
    /// It was found in a directory, and is a link to a file outside that directory.
    LinkOutside,
    /// The operating system or a size limit refused it.
    Io(Arc<io::Error>),
    /// Its content is malformed, or compressed in an unsupported format.
    Malformed(String),
}

impl FileError {
    pub(crate) fn new(name: impl Into<String>, why: impl Into<Unreadable>) -> Self {
        Self { name: name.into(), why: why.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.name, self.why)
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.why.source()
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary => f.write_str("it is not text"),
            Self::NotAFile(what) => write!(f, "it is {what}, not a file"),
            Self::LinkOutside => f.write_str("it is a link to a file outside the directory"),
            Self::Io(error) => f.write_str(&describe(error)),
            Self::Malformed(why) => f.write_str(why),
        }
    }
}

impl Error for Unreadable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Binary | Self::NotAFile(_) | Self::LinkOutside | Self::Malformed(_) => None,
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        own.cloned().unwrap_or_else(|| Self::Io(Arc::new(error)))
    }
}

impl From<String> for Unreadable {
    fn from(why: String) -> Self {
        Self::Malformed(why)
    }
}

/// Describes an I/O error as a lowercase phrase without the operating system's error number.
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

/// Like [`plain`], with clearer wording for errors in compressed files.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::UnexpectedEof => "its gzip data is cut off".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("is not valid gzip ({error})")
        }
        io::ErrorKind::Other | io::ErrorKind::QuotaExceeded => error.to_string(),
        _ => plain(error),
    }
}
