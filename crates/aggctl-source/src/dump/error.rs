//! Why a dump or manifests could not be read, or a dump not be written.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::files::FileError;
use kube_aggregation::model::Unread;

/// What files are read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Documents of an API server.
    Dump,
    /// Objects to apply.
    Manifests,
}

/// Why a dump or manifests could not be read, or a dump not be written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum DumpError {
    /// A file cannot be read.
    File(FileError, InputKind),
    /// There is no file, or no file with useful content.
    Nothing {
        /// The paths that were read.
        name: String,
        /// How many files they have.
        files: usize,
        /// The kinds of objects found instead, most frequent first.
        kinds: Vec<String>,
        /// What was expected.
        input: InputKind,
    },
    /// The target of a dump exists.
    TargetExists(PathBuf),
    /// The target of a dump exists and is something else.
    NotReplaceable {
        /// The target.
        target: PathBuf,
        /// What it is.
        why: NotReplaceable,
    },
    /// A cluster failed while it was read, so that the dump would be incomplete.
    Incomplete {
        /// The cluster.
        cluster: String,
        /// The first document that is missing.
        document: String,
        /// How many others are missing.
        more: usize,
        /// Why it is missing.
        unread: Unread,
    },
}

/// Why a dump must not replace a file or directory, as a phrase that follows its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotReplaceable {
    /// It is a device, a socket or the like.
    Special,
    /// It is another file.
    File,
    /// It is another directory.
    Directory,
    /// It is a dump with another file in it.
    Contains(String),
}

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error, _) => error.fmt(f),
            Self::Nothing { name, files: 0, .. } => {
                write!(f, "{name} is empty: there is nothing to read")
            }
            Self::Nothing { name, files, kinds, input } => {
                let does = match input {
                    InputKind::Dump => "contains API server data",
                    InputKind::Manifests => "can be applied",
                };
                write!(f, "nothing in {name} {does}: ")?;
                match (kinds.as_slice(), files) {
                    ([], 1) => f.write_str("it is not JSON or YAML of Kubernetes"),
                    ([], files) => write!(f, "none of {files} files is JSON or YAML of Kubernetes"),
                    (kinds, _) => write!(f, "it holds {}", kinds.join(", ")),
                }
            }
            Self::TargetExists(target) => write!(f, "{} is there already", target.display()),
            Self::NotReplaceable { target, why } => {
                write!(f, "{} {why}: it is not replaced", target.display())
            }
            Self::Incomplete { cluster, document, more, unread } => {
                write!(f, "cannot dump cluster {cluster}: could not read {document}")?;
                if *more > 0 {
                    write!(f, ", nor {more} more documents")?;
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
