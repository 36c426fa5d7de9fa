//! Errors of kubeconfig files.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::live::bounded::BoundedReadError;

/// Why no cluster could be found with the kubeconfig and the options.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// A file cannot be read or is malformed.
    File {
        /// The file; `-` for bytes that are not from a file.
        path: PathBuf,
        /// What is wrong with it.
        why: MalformedKubeconfig,
    },
    /// None of the files in `$KUBECONFIG` exists; its value.
    Missing(String),
    /// All contexts were requested, and there are none.
    NoContexts,
    /// A context, cluster or user does not exist.
    Unknown {
        /// The kind of entry.
        entry: &'static str,
        /// Its name.
        name: String,
        /// Some existing names.
        known: Vec<String>,
    },
    /// A cluster has no server.
    NoServer(String),
    /// The server is not a URL. It is not quoted, because it may contain a password.
    InvalidServer,
    /// The options set a certificate authority and also disable verification.
    AuthorityAndInsecure,
}

/// What is wrong with a kubeconfig file. `Display` never quotes values, which may be secret.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum MalformedKubeconfig {
    /// It cannot be read.
    Unreadable(BoundedReadError),
    /// It is neither YAML nor JSON at this line and column.
    Syntax(usize, usize),
    /// It is YAML, but not a kubeconfig.
    NotAKubeconfig,
    /// A field that must be a string is a number or a boolean.
    NotText(String),
    /// A field has the wrong type; the expected one.
    WrongType(Option<String>),
    /// A name occurs twice among the clusters, contexts or users.
    Duplicate(&'static str, String),
}

impl fmt::Display for KubeconfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, why } => {
                write!(f, "cannot read kubeconfig {}: {why}", path.display())
            }
            Self::Missing(list) => write!(f, "no such file: {list} (from $KUBECONFIG)"),
            Self::NoContexts => f.write_str("the kubeconfig has no contexts"),
            Self::Unknown { entry, name, .. } => {
                write!(f, "the kubeconfig has no {entry} {name:?}")
            }
            Self::NoServer(cluster) => {
                write!(f, "kubeconfig cluster {cluster:?} has no server")
            }
            Self::InvalidServer => f.write_str("the cluster's server is not a valid URL"),
            Self::AuthorityAndInsecure => f.write_str(
                "a certificate authority and skipping verification are mutually exclusive",
            ),
        }
    }
}

impl Error for KubeconfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { why, .. } => why.source(),
            _ => None,
        }
    }
}

impl fmt::Display for MalformedKubeconfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Syntax(line, column) => {
                write!(f, "{line}:{column}: not valid YAML or JSON")
            }
            Self::NotAKubeconfig => f.write_str("it is not a kubeconfig"),
            Self::NotText(field) => {
                write!(f, "{field} is not a string; quote values that look like numbers")
            }
            Self::WrongType(Some(expected)) => {
                write!(f, "a value of the wrong type, expected {expected}")
            }
            Self::WrongType(None) => f.write_str("it is not a valid kubeconfig"),
            Self::Duplicate(entry, name) => write!(f, "duplicate {entry} {name:?}"),
        }
    }
}

impl Error for MalformedKubeconfig {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable(error) => error.source(),
            _ => None,
        }
    }
}
