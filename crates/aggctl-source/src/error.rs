//! Errors of resolving and reading a source. They contain no advice; the command line adds hints.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::dump::DumpError;
use crate::files::FileError;
use crate::live::{ClusterError, KubeconfigError};
use kube_aggregation::what_if::Unknown;

/// Why a source could not be resolved or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// Both the dump and the manifests are read from standard input.
    BothStandardInput,
    /// No source is named, and there is no cluster.
    NothingFound,
    /// A cluster is required, and there is none.
    NoCluster,
    /// The kubeconfig has these contexts, and none is selected.
    ChooseContext(Vec<String>),
    /// One cluster is required, and several are named.
    SeveralClusters,
    /// The name matches both a file and a context.
    AmbiguousSource(String),
    /// The name matches neither a file nor a context.
    UnknownSource(String),
    /// The text is not a minor version.
    InvalidMinor(String),
    /// An object to remove is not in the source.
    NotInSource(Unknown),
    /// A folder of a control plane has no dump of a server.
    NoServers {
        /// The folder.
        dir: PathBuf,
        /// Whether it has files, as the dump of one server has.
        has_files: bool,
    },
    /// A folder that should be one dump contains several.
    SeveralDumps(PathBuf),
    /// The cluster does not publish the addresses of its API servers.
    NoAddresses,
    /// A file cannot be read.
    File(FileError),
    /// A dump or manifests cannot be read or written.
    Dump(DumpError),
    /// A cluster cannot be found or read.
    Cluster(ClusterError),
    /// The thread that reads a cluster ended without a result.
    Lost,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BothStandardInput => {
                f.write_str("cannot read both the dump and the manifests from standard input")
            }
            Self::NothingFound => f.write_str("no cluster or dump found"),
            Self::NoCluster => {
                f.write_str("no cluster found: no kubeconfig and no Pod service account")
            }
            Self::ChooseContext(_) => {
                f.write_str("the kubeconfig has several contexts and no current one")
            }
            Self::SeveralClusters => f.write_str("this command supports one cluster at a time"),
            Self::AmbiguousSource(word) => {
                write!(f, "{word:?} is both a file and a kubeconfig context")
            }
            Self::UnknownSource(word) => {
                write!(f, "{word:?} is neither a file nor a kubeconfig context")
            }
            Self::InvalidMinor(text) => {
                write!(f, "{text:?} is not a Kubernetes version")
            }
            Self::NotInSource(unknown) => write!(
                f,
                "no APIService, CRD or Service {:?} in the source",
                unknown.name
            ),
            Self::NoAddresses => f.write_str(
                "cannot find the API servers: neither their Leases nor the EndpointSlices of default/kubernetes name an address",
            ),
            Self::NoServers { dir, .. } => {
                write!(f, "{} has no folder with the dump of an API server", dir.display())
            }
            Self::SeveralDumps(dir) => {
                write!(f, "{} is not one dump: it contains several", dir.display())
            }
            Self::File(error) => error.fmt(f),
            Self::Dump(error) => error.fmt(f),
            Self::Cluster(error) => error.fmt(f),
            Self::Lost => f.write_str("reading a cluster ended unexpectedly"),
        }
    }
}

impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => error.source(),
            Self::Dump(error) => error.source(),
            Self::Cluster(error) => error.source(),
            _ => None,
        }
    }
}

impl From<FileError> for SourceError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<DumpError> for SourceError {
    fn from(error: DumpError) -> Self {
        Self::Dump(error)
    }
}

impl From<ClusterError> for SourceError {
    fn from(error: ClusterError) -> Self {
        Self::Cluster(error)
    }
}

impl From<KubeconfigError> for SourceError {
    fn from(error: KubeconfigError) -> Self {
        Self::Cluster(error.into())
    }
}

impl From<Unknown> for SourceError {
    fn from(unknown: Unknown) -> Self {
        Self::NotInSource(unknown)
    }
}
