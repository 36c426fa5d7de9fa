//! Errors of exec plugins.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::live::kubeconfig::Exec;
use crate::live::units::seconds;

/// An exec plugin that did not provide a credential.
#[derive(Debug, Clone)]
pub struct PluginError {
    /// Its command.
    pub command: String,
    /// What went wrong.
    pub problem: PluginProblem,
}

/// What went wrong with an exec plugin. `Display` never quotes its output.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum PluginProblem {
    /// The user's kuberc at this path does not allow it.
    NotAllowed(PathBuf),
    /// The user's kuberc at this path cannot be used, for this reason.
    Kuberc(PathBuf, String),
    /// The kubeconfig requests this apiVersion, which is not supported.
    Version(String),
    /// The kubeconfig lacks the interactiveMode, which v1 requires.
    NoInteractiveMode,
    /// It requires a terminal, and standard input is not one.
    NeedsTerminal,
    /// The program does not exist. The kubeconfig may contain an install hint.
    NotFound(String),
    /// It is not executable.
    NotPermitted,
    /// It could not be started.
    CannotRun(Arc<io::Error>),
    /// Its output could not be read.
    NoOutput,
    /// It printed too much.
    TooLong,
    /// It did not end in time.
    Late(Duration),
    /// It failed with this exit code, or was killed by a signal.
    Failed(Option<i32>),
    /// Waiting for its end failed.
    Lost(Arc<io::Error>),
    /// Its output is not an ExecCredential.
    NotACredential,
    /// It printed an ExecCredential of another version.
    OtherVersion,
    /// It printed an ExecCredential without a status.
    NoStatus,
    /// It printed a certificate without a key, or a key without a certificate.
    HalfCertificate,
    /// It printed neither a token nor a certificate.
    NoCredential,
}

impl PluginError {
    pub(super) fn new(exec: &Exec, problem: PluginProblem) -> Self {
        Self { command: exec.command.clone(), problem }
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exec plugin {:?} {}", self.command, self.problem)
    }
}

impl fmt::Display for PluginProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAllowed(path) => return write!(f, "is not allowed by {}", path.display()),
            Self::Kuberc(path, why) => {
                return write!(f, "was not run: cannot use {}: {why}", path.display());
            }
            Self::Version(version) => return write!(f, "uses apiVersion {version:?}"),
            Self::NoInteractiveMode => "has no interactiveMode",
            Self::NeedsTerminal => "is interactive, but standard input is not a terminal",
            Self::NotFound(_) => "was not found",
            Self::NotPermitted => "is not executable",
            Self::CannotRun(error) => return write!(f, "cannot be run: {}", error.kind()),
            Self::NoOutput => "has no readable output",
            Self::TooLong => "printed more than 1 MiB, which is not a credential",
            Self::Late(limit) => return write!(f, "did not finish within {}", seconds(*limit)),
            Self::Failed(Some(code)) => return write!(f, "failed with exit code {code}"),
            Self::Failed(None) => "was killed by a signal",
            Self::Lost(error) => return write!(f, "was lost: {}", error.kind()),
            Self::NotACredential => "did not print an ExecCredential",
            Self::OtherVersion => {
                "printed an ExecCredential of another version than the kubeconfig names"
            }
            Self::NoStatus => "printed an ExecCredential without a status",
            Self::HalfCertificate => {
                "printed a certificate without its key, or a key without its certificate"
            }
            Self::NoCredential => "printed neither a token nor a certificate",
        })
    }
}

impl Error for PluginError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            PluginProblem::CannotRun(error) | PluginProblem::Lost(error) => Some(error),
            _ => None,
        }
    }
}
