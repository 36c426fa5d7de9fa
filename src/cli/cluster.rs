//! The arguments that select a cluster, with the names and meaning of kubectl's.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args, ValueHint};
use clap_complete::ArgValueCandidates;

use super::typed_line;

use aggctl_diagnose::doctor::quoted;
use aggctl_source::live::{ClusterOptions, Limits, Secret};

/// Which cluster, and how to reach it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct ClusterArgs {
    /// Kubeconfig context, or a pattern such as 'prod-*'
    ///
    /// Repeat it to run for several contexts. The answer begins with a summary, worst first; JSON is
    /// one document.
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(typed_line::contexts))]
    pub(super) context: Vec<String>,

    /// Kubeconfig file [default: same as kubectl]
    ///
    /// Without it: $KUBECONFIG, then ~/.kube/config, then the Pod's service account.
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,

    /// Kubeconfig cluster, overriding the context
    ///
    /// For `aggctl lint`, write --cluster=NAME. There, --cluster alone checks the manifests against
    /// the cluster that kubectl would use.
    #[arg(long, value_name = "NAME", hide_short_help = true, value_hint = ValueHint::Other)]
    pub(super) cluster: Option<String>,

    /// Kubeconfig user, overriding the context
    #[arg(long, value_name = "NAME", hide_short_help = true, value_hint = ValueHint::Other)]
    pub(super) user: Option<String>,

    /// API server URL, overriding the kubeconfig
    #[arg(long, value_name = "URL", hide_short_help = true, value_parser = |text: &str| Ok::<_, String>(Secret::from(text)))]
    pub(super) server: Option<Secret>,

    /// Bearer token
    #[arg(long, value_name = "TOKEN", hide_short_help = true, value_parser = secret)]
    pub(super) token: Option<Secret>,

    /// CA bundle for verifying the API server
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) certificate_authority: Option<PathBuf>,

    /// Name to expect in the API server's certificate
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(super) tls_server_name: Option<String>,

    /// Do not verify the API server's certificate (unsafe: exposes credentials)
    #[arg(long, hide_short_help = true, conflicts_with = "certificate_authority")]
    pub(super) insecure_skip_tls_verify: bool,

    /// Impersonate this user (`route` also evaluates its access, on any source)
    #[arg(long = "as", value_name = "USER", hide_short_help = true)]
    pub(super) impersonate: Option<String>,

    /// Impersonate this group (repeatable)
    #[arg(long = "as-group", value_name = "GROUP", hide_short_help = true)]
    pub(super) impersonate_group: Vec<String>,

    /// Impersonate this UID
    #[arg(long = "as-uid", value_name = "UID", hide_short_help = true)]
    pub(super) impersonate_uid: Option<String>,

    /// Impersonate this extra field of the user, as KEY=VALUE (repeatable)
    #[arg(long = "as-user-extra", value_name = "KEY=VALUE", hide_short_help = true, value_parser = extra)]
    pub(super) impersonate_extra: Vec<(String, String)>,

    /// Time limit per request, such as 5s or 1m (0 to use --timeout)
    #[arg(long, value_name = "TIME", default_value = "20s", hide_short_help = true, value_parser = duration)]
    pub(super) request_timeout: Duration,

    /// Time limit for all requests to a cluster
    #[arg(long, value_name = "TIME", default_value = "30s", hide_short_help = true, value_parser = bounded)]
    pub(super) timeout: Duration,
}

/// For commands that take one cluster: does not mention several.
pub(super) fn one_context(argument: Arg) -> Arg {
    argument.help("Kubeconfig context").long_help(None::<&str>)
}

/// Hides an argument that makes no sense for a command.
pub(super) fn not_here(argument: Arg) -> Arg {
    argument.hide(true)
}

/// For `lint`: what follows `--cluster` is a file, unless it is written as `--cluster=NAME`.
pub(super) fn optional_name(argument: Arg) -> Arg {
    argument.num_args(0..=1).require_equals(true).default_missing_value("")
}

impl ClusterArgs {
    /// Returns what was typed, without clap.
    pub(super) fn options(&self) -> ClusterOptions {
        let request =
            if self.request_timeout.is_zero() { self.timeout } else { self.request_timeout };
        ClusterOptions {
            requested: self.cluster.is_some(),
            kubeconfig: self.kubeconfig.clone(),
            contexts: self.context.clone(),
            all_contexts: false,
            cluster: self.cluster.clone().filter(|name| !name.is_empty()),
            user: self.user.clone(),
            server: self.server.clone(),
            token: self.token.clone(),
            certificate_authority: self.certificate_authority.clone(),
            tls_server_name: self.tls_server_name.clone(),
            insecure_skip_tls_verify: self.insecure_skip_tls_verify,
            impersonate: self.impersonate.clone(),
            impersonate_groups: self.impersonate_group.clone(),
            impersonate_uid: self.impersonate_uid.clone(),
            impersonate_extra: self.extra_fields(),
            limits: Limits { request, whole: self.timeout, ..Limits::default() },
        }
    }

    /// Returns the values of each extra field to impersonate.
    fn extra_fields(&self) -> BTreeMap<String, Vec<String>> {
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (key, value) in &self.impersonate_extra {
            fields.entry(key.clone()).or_default().push(value.clone());
        }
        fields
    }

    /// Returns the options that select this cluster again, for aggctl and kubectl alike. A variable
    /// replaces the token, and passwords in an address are removed.
    pub(super) fn again(&self, context: Option<&str>) -> Vec<String> {
        let mut words = vec![];
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        if let Some(context) = context.or(self.context.first().map(String::as_str)) {
            words.extend(option("--context", context));
        }
        for (name, value) in [
            ("--kubeconfig", self.kubeconfig.as_ref().map(path)),
            ("--cluster", self.cluster.clone().filter(|name| !name.is_empty())),
            ("--user", self.user.clone()),
            ("--server", self.server.as_ref().and_then(Secret::address)),
            ("--certificate-authority", self.certificate_authority.as_ref().map(path)),
            ("--tls-server-name", self.tls_server_name.clone()),
            ("--as", self.impersonate.clone()),
            ("--as-uid", self.impersonate_uid.clone()),
        ] {
            if let Some(value) = value {
                words.extend(option(name, &value));
            }
        }
        for group in &self.impersonate_group {
            words.extend(option("--as-group", group));
        }
        for (key, value) in &self.impersonate_extra {
            words.extend(option("--as-user-extra", &format!("{key}={value}")));
        }
        if self.token.is_some() {
            words.extend(["--token".to_owned(), "\"$TOKEN\"".to_owned()]);
        }
        if self.insecure_skip_tls_verify {
            words.push("--insecure-skip-tls-verify".to_owned());
        }
        words
    }
}

/// Returns an option and its value, quoted for a shell.
pub(super) fn option(name: &str, value: &str) -> [String; 2] {
    [name.to_owned(), quoted(value).into_owned()]
}

/// Parses an extra field of a user.
fn extra(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

/// Refuses an empty token, which an unset variable leaves behind.
fn secret(text: &str) -> Result<Secret, String> {
    if text.is_empty() {
        Err("empty token; check for an unset shell variable".to_owned())
    } else {
        Ok(Secret::from(text))
    }
}

/// Parses a duration of at most a day; a bare number means seconds, as for kubectl.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const MAX: Duration = Duration::from_secs(24 * 3600);
    let seconds = || text.parse::<u32>().ok().map(|seconds| Duration::from_secs(seconds.into()));
    seconds()
        .or_else(|| crate::duration::parse(text).filter(|time| *time <= MAX))
        .ok_or_else(|| "expected a duration such as 500ms, 5s or 1m30s".to_owned())
}

/// Parses a duration of more than zero.
pub(super) fn bounded(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("expected more than 0".to_owned()),
        some => Ok(some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_in_go() {
        for (text, millis) in [
            ("5", 5000),
            ("5s", 5000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("0", 0),
            ("0s", 0),
            ("1.5s", 1500),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "5x", "-1s", "1m30", "1e9h", "999999h", "..s", "5s "] {
            assert!(duration(text).is_err(), "{text:?}");
        }
        assert!(bounded("0").is_err());
    }
}
