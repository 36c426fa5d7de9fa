//! What a user can do about each error of the library crates, in terms of command-line options.
//!
//! Library errors name no options and no exit codes. This module adds both.

use std::error::Error as StdError;

use crate::error::{Error, ErrorKind};
use aggctl_source::SourceError;
use aggctl_source::dump::{DumpError, InputKind};
use aggctl_source::files::{FileError, Unreadable};
use aggctl_source::kubectl_cache::CacheError;
use aggctl_source::live::{
    Advice, ClusterError, CredentialError, FailedRead, KubeconfigError, PluginError, PluginProblem,
    SettingsError,
};
use aggctl_source::manifests::ManifestError;
use kube_aggregation::model::{Cause, Origin, SourceKind};
use kube_aggregation::what_if::Unknown;

/// The hint at sources that need no cluster.
pub(super) const WITHOUT_CLUSTER: &str = "use --dump or --builtin to run without a cluster";

const OTHER_CLUSTER: &str = "name another cluster with --context, --kubeconfig or --server";

const CHECK_ETCD: &str =
    "the server answers but cannot read objects; check etcd with `aggctl health`";

const DUMP: &str =
    "write one with `aggctl dump DIR`, or save the output of `kubectl get apiservices,crd -o json`";

const MANIFESTS: &str =
    "expected YAML or JSON of APIServices, CRDs, Services, EndpointSlices, roles or bindings";

/// The most contexts that a hint lists.
const MAX_CONTEXTS: usize = 10;

/// An error of a library crate that a user may cause.
trait Hinted: StdError {
    fn hint(&self) -> Option<String>;

    fn kind(&self) -> ErrorKind {
        ErrorKind::Source
    }
}

/// Returns the kind of an expected error and its hint; `None` for any other error.
pub fn advise(error: &anyhow::Error) -> Option<(ErrorKind, Option<String>)> {
    fn of<E: Hinted + Send + Sync + 'static>(
        error: &anyhow::Error,
    ) -> Option<(ErrorKind, Option<String>)> {
        error.downcast_ref::<E>().map(|error| (error.kind(), error.hint()))
    }
    if let Some(own) = error.downcast_ref::<Error>() {
        return Some((own.kind(), own.hint().map(str::to_owned)));
    }
    of::<SourceError>(error)
        .or_else(|| of::<FileError>(error))
        .or_else(|| of::<DumpError>(error))
        .or_else(|| of::<ManifestError>(error))
        .or_else(|| of::<CacheError>(error))
}

/// Returns the hint for data that a source lacks, and that these commands print.
pub(super) fn add_output(origin: &Origin, commands: &str) -> String {
    match origin.kind {
        SourceKind::Dump => format!("add the output of {commands} to the dump"),
        SourceKind::Builtin => "name a cluster or a dump; built-in data has none".to_owned(),
        SourceKind::Live => {
            format!(
                "write a dump with `aggctl dump`, add the output of {commands} to it, and use --dump"
            )
        }
    }
}

/// Returns a hint for a command that cannot run without a cluster.
pub(super) fn for_a_cluster(hint: String) -> String {
    match hint.strip_suffix(WITHOUT_CLUSTER) {
        None => hint,
        Some("") => OTHER_CLUSTER.to_owned(),
        Some(before) => format!("{before}{OTHER_CLUSTER}"),
    }
}

impl<E: Hinted + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        let own = Self::new(error.kind(), error.to_string());
        own.with_any_hint(error.hint()).caused_by(error)
    }
}

impl Hinted for SourceError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::BothStandardInput
            | Self::SeveralClusters
            | Self::AmbiguousSource(_)
            | Self::InvalidMinor(_)
            | Self::NotInSource(_) => ErrorKind::Usage,
            Self::Dump(error) => error.kind(),
            Self::Cluster(error) => error.kind(),
            _ => ErrorKind::Source,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::BothStandardInput => "write one of them to a file".to_owned(),
            Self::NothingFound => {
                "name one with --dump PATH or --kubeconfig FILE, or use --builtin".to_owned()
            }
            Self::NoCluster => "name one with --kubeconfig FILE or --server URL".to_owned(),
            Self::ChooseContext(names) => {
                let some = names.iter().take(MAX_CONTEXTS).map(String::as_str);
                let more = if names.len() > MAX_CONTEXTS { ", …" } else { "" };
                let some = some.collect::<Vec<_>>().join(", ");
                format!("select one with --context: {some}{more}")
            }
            Self::SeveralClusters => {
                "select one with --context; lint, test, usage, verify, explain, dump, report, serve and mcp take one".to_owned()
            }
            Self::AmbiguousSource(word) => format!("write dump:{word} or context:{word}"),
            Self::UnknownSource(_) => {
                "a source is dump:PATH, context:NAME, builtin:1.33, or - for standard input"
                    .to_owned()
            }
            Self::InvalidMinor(_) => "write it as 1.36".to_owned(),
            Self::NotInSource(unknown) => {
                return unknown.nearest.as_ref().map(|near| format!("did you mean {near}?"));
            }
            Self::NoServers { dir, has_files: true } => {
                format!("if it is the dump of one server, use --dump {}", dir.display())
            }
            Self::NoServers { .. } => {
                "write one dump per server with `aggctl dump --server URL DIR/NAME`".to_owned()
            }
            Self::SeveralDumps(dir) => format!("--control-plane {}", dir.display()),
            Self::File(error) => return error.hint(),
            Self::Dump(error) => return error.hint(),
            Self::Cluster(error) => return error.hint(),
            _ => return None,
        })
    }
}

impl From<Unknown> for Error {
    fn from(unknown: Unknown) -> Self {
        SourceError::NotInSource(unknown).into()
    }
}

impl Hinted for CacheError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Directory(error) => error.hint(),
            Self::SeveralServers { servers, .. } => {
                let servers: Vec<String> =
                    servers.iter().map(|server| server.display().to_string()).collect();
                Some(format!("pass one of them to --cache-dir: {}", servers.join(", ")))
            }
        }
    }
}

impl Hinted for FileError {
    fn hint(&self) -> Option<String> {
        match self.why {
            Unreadable::NotAFile(_) => Some("pipe it into standard input and use -".to_owned()),
            Unreadable::LinkOutside => Some("pass the file itself to read it".to_owned()),
            _ => None,
        }
    }
}

impl Hinted for ManifestError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidPattern(_) => ErrorKind::Usage,
            _ => ErrorKind::Source,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::File(error) => error.hint(),
            Self::NoManifest(_) => {
                Some("name the files, or pipe them into `aggctl lint -`".to_owned())
            }
            _ => None,
        }
    }
}

impl Hinted for DumpError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TargetExists(_) | Self::NotReplaceable { .. } => ErrorKind::Usage,
            _ => ErrorKind::Source,
        }
    }

    fn hint(&self) -> Option<String> {
        let expected = |input: &InputKind| match input {
            InputKind::Dump => DUMP.to_owned(),
            InputKind::Manifests => MANIFESTS.to_owned(),
        };
        Some(match self {
            Self::File(error, input) => error.hint().unwrap_or_else(|| expected(input)),
            Self::Nothing { input, .. } => expected(input),
            Self::TargetExists(_) => "replace it with --force".to_owned(),
            Self::NotReplaceable { .. } => "choose another target".to_owned(),
            Self::Incomplete { unread, .. } if unread.cause == Cause::OutOfTime => {
                "allow more time with --timeout".to_owned()
            }
            Self::Incomplete { document, unread, .. } if is_etcd(document, unread.cause) => {
                format!("nothing was written; {CHECK_ETCD}")
            }
            Self::Incomplete { .. } => {
                "nothing was written: a dump is complete or not written".to_owned()
            }
            _ => return None,
        })
    }
}

impl Hinted for ClusterError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Kubeconfig(KubeconfigError::AuthorityAndInsecure)
            | Self::Credentials(
                CredentialError::ImpersonationWithoutUser | CredentialError::ImpersonatedName(_),
            ) => ErrorKind::Usage,
            _ => ErrorKind::Source,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Kubeconfig(error) => kubeconfig(error),
            Self::Credentials(error) => credentials(error),
            Self::Settings { why: SettingsError::Ipv6ThroughProxy, .. } => {
                Some("use a host name, or add the address to NO_PROXY".to_owned())
            }
            Self::Requests(read) => requests(read),
            _ => None,
        }
    }
}

fn kubeconfig(error: &KubeconfigError) -> Option<String> {
    Some(match error {
        KubeconfigError::File { .. } => WITHOUT_CLUSTER.to_owned(),
        KubeconfigError::Missing(_) => format!("unset $KUBECONFIG, or {WITHOUT_CLUSTER}"),
        KubeconfigError::NoContexts => "name one with --kubeconfig FILE or --server URL".to_owned(),
        KubeconfigError::Unknown { known, .. } if known.is_empty() => WITHOUT_CLUSTER.to_owned(),
        KubeconfigError::Unknown { known, .. } => format!("known names: {}", known.join(", ")),
        KubeconfigError::InvalidServer => "write it as https://HOST:PORT".to_owned(),
        KubeconfigError::AuthorityAndInsecure => {
            "use either --certificate-authority or --insecure-skip-tls-verify".to_owned()
        }
        _ => return None,
    })
}

fn credentials(error: &CredentialError) -> Option<String> {
    let hint = match error {
        CredentialError::AuthProvider(_) => "use an exec plugin or --token",
        CredentialError::AuthorityAndInsecure => {
            "remove one of them, or override it with --insecure-skip-tls-verify or --certificate-authority"
        }
        CredentialError::ImpersonationWithoutUser => {
            "add --as: --as-group, --as-uid and --as-user-extra need it"
        }
        CredentialError::Plugin(error) => return plugin(error),
        _ => return None,
    };
    Some(hint.to_owned())
}

fn plugin(error: &PluginError) -> Option<String> {
    let hint = match &error.problem {
        PluginProblem::NotAllowed(_) => "add it to credentialPluginAllowlist, as for kubectl",
        PluginProblem::Kuberc(..) => "correct the file, or ignore it with KUBERC=off",
        PluginProblem::Version(_) => {
            "use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1"
        }
        PluginProblem::NoInteractiveMode => {
            "set it to Never, IfAvailable or Always (required in v1)"
        }
        PluginProblem::NotFound(install) if install.is_empty() => {
            "install it, or add its directory to PATH"
        }
        PluginProblem::NotFound(install) => install,
        PluginProblem::Late(_) => "allow more time with --timeout",
        PluginProblem::Failed(_) => "run it yourself to see its output",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns whether etcd may be the reason that a document is missing. Objects come from etcd, and
/// the other documents do not.
fn is_etcd(document: &str, cause: Cause) -> bool {
    matches!(cause, Cause::Silence | Cause::Status(500 | 504))
        && (document.starts_with("APIServices") || document.starts_with("objects"))
}

fn requests(read: &FailedRead) -> Option<String> {
    if let Some(unsent) = &read.unsent {
        return Some(unsent.clone());
    }
    let hint = match (read.failure.advice, read.failure.cause) {
        (Some(Advice::ServerName), _) => "set the name in the certificate with --tls-server-name",
        (Some(Advice::Authority), _) => "pass its CA with --certificate-authority",
        (Some(Advice::ClientCertificate), _) => {
            "the client certificate may have expired or belong to another cluster"
        }
        (Some(Advice::PlainHttp), _) => "for a server without TLS, write http://HOST:PORT",
        (_, Cause::Unauthorized) => "log in again, or check the user of this context",
        (_, cause) if is_etcd(read.what, cause) => CHECK_ETCD,
        (_, Cause::Silence) => {
            return Some(format!("allow more time with --request-timeout, or {WITHOUT_CLUSTER}"));
        }
        (_, Cause::OutOfTime) => {
            return Some(format!("allow more time with --timeout, or {WITHOUT_CLUSTER}"));
        }
        (_, Cause::Connection) => WITHOUT_CLUSTER,
        (_, Cause::Forbidden) => "aggctl needs read access; docs/permissions.md has a ClusterRole",
        _ => return None,
    };
    Some(hint.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_errors_get_a_kind_and_a_hint() {
        let check = |error: SourceError, kind: ErrorKind, hint: &str| {
            let wrapped = anyhow::Error::from(error);
            let (found, text) = advise(&wrapped).unwrap();
            assert_eq!((found, text.as_deref()), (kind, Some(hint)), "{wrapped}");
        };
        check(SourceError::InvalidMinor("x".into()), ErrorKind::Usage, "write it as 1.36");
        check(
            SourceError::NoCluster,
            ErrorKind::Source,
            "name one with --kubeconfig FILE or --server URL",
        );
        let names = (0..12).map(|number| number.to_string()).collect();
        let hint = "select one with --context: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …";
        check(SourceError::ChooseContext(names), ErrorKind::Source, hint);
        assert!(advise(&anyhow::anyhow!("other")).is_none());
    }

    #[test]
    fn causes_survive() {
        let why = std::io::Error::from(std::io::ErrorKind::NotFound);
        let name = "a".to_owned();
        let file = FileError { name, why: Unreadable::from(why) };
        let error = Error::from(SourceError::File(file));
        assert_eq!(error.to_string(), "cannot read a: no such file or directory");
        assert_eq!(error.source().unwrap().to_string(), "entity not found");
    }
}
