//! Errors of reading a dump or manifests, and of writing a dump.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::files::FileError;
use kube_aggregation::model::Unread;

/// How files are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Responses of an API server.
    Dump,
    /// Objects to apply.
    Manifests,
}

/// Why a dump or manifests could not be read, or why a dump could not be written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum DumpError {
    /// A file cannot be read.
    File(FileError, InputKind),
    /// There is no file, or no file with useful content.
    Nothing {
        /// The paths that were read.
        name: String,
        /// The number of files read.
        files: usize,
        /// The kinds of objects found instead, most frequent first.
        kinds: Vec<String>,
        /// The expected input.
        input: InputKind,
    },
    /// The target of a dump already exists.
    TargetExists(PathBuf),
    /// The target of a dump exists and must not be replaced.
    NotReplaceable {
        /// The target.
        target: PathBuf,
        /// Why it must not be replaced.
        why: NotReplaceable,
    },
    /// A cluster failed while it was read, so the dump would be incomplete.
    Incomplete {
        /// The cluster.
        cluster: String,
        /// The first document that is missing.
        document: String,
        /// How many other documents are missing.
        more: usize,
        /// Why it is missing.
        unread: Unread,
    },
}

/// Why a dump must not replace a file or directory, as a phrase that follows its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotReplaceable {
    /// It is a special file, such as a device or a socket.
    Special,
    /// It is a file that is not a dump.
    File,
    /// It is a directory that is not a dump.
    Directory,
    /// It is a dump that also contains this other file.
    Contains(String),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error, _) => error.fmt(f),
            Self::Nothing { name, files: 0, .. } => {
                write!(f, "{name} is empty")
            }
            Self::Nothing { name, files, kinds, input } => {
                let does = match input {
                    InputKind::Dump => "contains API server data",
                    InputKind::Manifests => "can be applied",
                };
                write!(f, "nothing in {name} {does}: ")?;
                match (kinds.as_slice(), files) {
                    ([], 1) => f.write_str("it has no Kubernetes objects"),
                    ([], files) => write!(f, "none of {files} files has Kubernetes objects"),
                    (kinds, _) => write!(f, "found {}", kinds.join(", ")),
                }
            }
            Self::TargetExists(target) => write!(f, "{} already exists", target.display()),
            Self::NotReplaceable { target, why } => {
                write!(f, "cannot replace {}: it {why}", target.display())
            }
            Self::Incomplete { cluster, document, more, unread } => {
                write!(f, "cannot dump cluster {cluster}: could not read {document}")?;
                match more {
                    0 => {}
                    1 => f.write_str(" and 1 more document")?,
                    more => write!(f, " and {more} more documents")?,
                }
                write!(f, ": {}", unread.why)
            }
        }
    }
}

impl Error for DumpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error, _) => error.source(),
            _ => None,
        }
    }
}

impl fmt::Display for NotReplaceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Special => f.write_str("is neither a file nor a directory"),
            Self::File => f.write_str("is a file, not a dump"),
            Self::Directory => f.write_str("is a directory, not a dump"),
            Self::Contains(name) => write!(f, "contains {name:?}, which is not part of the dump"),
        }
    }
}
