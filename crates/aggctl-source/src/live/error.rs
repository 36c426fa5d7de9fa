//! Errors of finding, reaching and reading a cluster.

use std::error::Error;
use std::fmt;
use std::io;

use super::credentials::CredentialError;
use super::failure::RequestFailure;
use super::kubeconfig::KubeconfigError;
use super::settings::SettingsError;
use crate::files::plain;

/// Why a cluster could not be found, reached or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// The kubeconfig and the options do not identify a cluster.
    Kubeconfig(KubeconfigError),
    /// The credentials cannot be used.
    Credentials(CredentialError),
    /// The TLS or proxy settings of a cluster cannot be used.
    Settings {
        /// The cluster.
        cluster: String,
        /// What is wrong.
        why: SettingsError,
    },
    /// The operating system does not allow network connections.
    Runtime(io::Error),
    /// The requests failed.
    Requests(Box<FailedRead>),
}

/// A read that failed because of its requests.
#[derive(Debug)]
pub struct FailedRead {
    /// What could not be read: a cluster, or its APIServices.
    pub what: &'static str,
    /// The cluster.
    pub cluster: String,
    /// Its address, if that is not its name.
    pub address: Option<String>,
    /// The most relevant failure.
    pub failure: RequestFailure,
    /// Which credentials were not sent, and why.
    pub unsent: Option<String>,
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kubeconfig(error) => error.fmt(f),
            Self::Credentials(error) => error.fmt(f),
            Self::Settings { cluster, why } => write!(f, "cannot use cluster {cluster}: {why}"),
            Self::Runtime(error) => write!(f, "cannot talk to a cluster: {}", plain(error)),
            Self::Requests(read) => {
                let FailedRead { what, cluster, failure, .. } = &**read;
                write!(f, "cannot read {what} {cluster}")?;
                if let Some(address) = &read.address {
                    write!(f, " ({address})")?;
                }
                write!(f, ": {failure}")
            }
        }
    }
}

impl Error for ClusterError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Kubeconfig(error) => error.source(),
            Self::Credentials(error) => error.source(),
            Self::Settings { why, .. } => why.source(),
            Self::Runtime(error) => Some(error),
            Self::Requests(read) => read.failure.source(),
        }
    }
}

impl From<KubeconfigError> for ClusterError {
    fn from(error: KubeconfigError) -> Self {
        Self::Kubeconfig(error)
    }
}

impl From<CredentialError> for ClusterError {
    fn from(error: CredentialError) -> Self {
        Self::Credentials(error)
    }
}
