//! From flags, kubeconfig and service account to the clusters that are meant.

use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::budget::Sizes;
use super::etag_cache::EtagCache;
use super::in_cluster;
use super::kubeconfig::{Cluster, Kubeconfig, User};
use super::secret::Secret;
use crate::error::Error;

/// What the user said about the cluster; the flags have the names that kubectl gives them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are kubectl's flags")]
pub struct Options {
    pub kubeconfig: Option<PathBuf>,
    pub contexts: Vec<String>,
    pub all_contexts: bool,
    pub cluster: Option<String>,
    pub user: Option<String>,
    pub server: Option<Secret>,
    pub token: Option<Secret>,
    pub certificate_authority: Option<PathBuf>,
    pub tls_server_name: Option<String>,
    pub insecure_skip_tls_verify: bool,
    pub impersonate: Option<String>,
    pub impersonate_groups: Vec<String>,
    pub impersonate_uid: Option<String>,
    pub limits: Limits,
}

/// How long to wait, and how much to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one request.
    pub request: Duration,
    /// For everything that a command asks of one cluster.
    pub whole: Duration,
    /// For what comes back.
    pub sizes: Sizes,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { request: seconds(20), whole: seconds(30), sizes: Sizes::default() }
    }
}

/// One API server, and how to talk to it. Nothing has been sent yet.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The context, or where there is none what stands for it.
    pub name: String,
    pub(super) server: Url,
    pub(super) cluster: Cluster,
    pub(super) user: User,
    /// Whether a credential was given with the question itself, and not by a file.
    pub(super) credential_given: bool,
    pub(crate) limits: Limits,
    pub(super) memory: EtagCache,
}

impl Connection {
    /// The same, for being asked again and again: what did not change is not sent again.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.memory = EtagCache::fresh();
        self
    }
}

/// What the flags and files lead to.
#[derive(Debug, Clone)]
pub enum Found {
    /// These clusters, in order, and what to say about the choice. A context that leads nowhere
    /// does not spoil the others.
    Clusters(Vec<Result<Connection, Error>>, Option<String>),
    /// One of these contexts, but nothing says which.
    Choose(Vec<String>),
    /// No cluster.
    Nothing,
}

impl Options {
    /// Whether the user asked for a cluster, beyond having a kubeconfig lying about.
    pub fn is_explicit(&self) -> bool {
        let plain = Self { limits: self.limits, ..Self::default() };
        *self != plain
    }

    /// Finds the clusters that are meant.
    ///
    /// # Errors
    /// Where a file cannot be read, or names something that is not there.
    pub fn find(&self) -> Result<Found, Error> {
        self.find_in(&Kubeconfig::load(self.kubeconfig.as_deref(), self.limits.whole)?)
    }

    /// The same in the bytes of a kubeconfig, wherever they come from.
    ///
    /// # Errors
    /// As for [`Options::find`].
    pub fn find_in_bytes(&self, bytes: &[u8]) -> Result<Found, Error> {
        self.find_in(&Kubeconfig::of_bytes(bytes)?)
    }

    fn find_in(&self, config: &Kubeconfig) -> Result<Found, Error> {
        let names = if self.all_contexts {
            config.context_names()
        } else if !self.contexts.is_empty() {
            self.contexts.clone()
        } else if !config.current_context.is_empty() {
            vec![config.current_context.clone()]
        } else {
            return self.without_context(config);
        };
        if names.is_empty() {
            return Err(Error::source("the kubeconfig has no contexts")
                .with_hint("name a server with --server"));
        }
        Ok(Found::Clusters(names.iter().map(|name| self.of_context(config, name)).collect(), None))
    }

    fn without_context(&self, config: &Kubeconfig) -> Result<Found, Error> {
        if self.server.is_some() || self.cluster.is_some() {
            return Ok(Found::Clusters(vec![self.connection(config, None, "", "")], None));
        }
        match config.contexts.as_slice() {
            [] => match in_cluster::find(|name| std::env::var(name).ok()) {
                Some((cluster, user)) => {
                    let server = parse_server(cluster.server.expose())?;
                    let connection = self.reach("in-cluster".to_owned(), server, cluster, user)?;
                    Ok(Found::Clusters(vec![Ok(connection)], None))
                }
                None => Ok(Found::Nothing),
            },
            [(name, _)] => {
                let why =
                    format!("the kubeconfig has no current context: using {name}, its only one");
                Ok(Found::Clusters(vec![self.of_context(config, name)], Some(why)))
            }
            _ => Ok(Found::Choose(config.context_names())),
        }
    }

    fn of_context(&self, config: &Kubeconfig, name: &str) -> Result<Connection, Error> {
        let Some(context) = config.context(name) else {
            return Err(unknown("context", name, config.contexts.iter().map(|(name, _)| name)));
        };
        self.connection(config, Some(name), &context.cluster, &context.user)
    }

    fn connection(
        &self,
        config: &Kubeconfig,
        context: Option<&str>,
        cluster: &str,
        user: &str,
    ) -> Result<Connection, Error> {
        let cluster_name = self.cluster.as_deref().unwrap_or(cluster);
        let user_name = self.user.as_deref().unwrap_or(user);
        let cluster = match config.clusters.get(cluster_name) {
            Some(cluster) => cluster.clone(),
            None if self.server.is_some() && self.cluster.is_none() => Cluster::default(),
            None => return Err(unknown("cluster", cluster_name, config.clusters.keys())),
        };
        let user = match config.users.get(user_name) {
            Some(user) => user.clone(),
            None if user_name.is_empty() => User::default(),
            // kubectl goes on as nobody, and then asks for a password.
            None => return Err(unknown("user", user_name, config.users.keys())),
        };
        let said = self.server.as_ref().unwrap_or(&cluster.server);
        if said.is_empty() {
            return Err(Error::source(format!(
                "cluster {cluster_name:?} of the kubeconfig has no server"
            )));
        }
        let server = parse_server(said.expose())?;
        let name = match context {
            Some(context) => context.to_owned(),
            None if !cluster_name.is_empty() => cluster_name.to_owned(),
            None => address(&server),
        };
        self.reach(name, server, cluster, user)
    }

    fn reach(
        &self,
        name: String,
        server: Url,
        cluster: Cluster,
        user: User,
    ) -> Result<Connection, Error> {
        let mut connection = Connection {
            name,
            credential_given: self.token.is_some() || !server.username().is_empty(),
            server,
            cluster,
            user,
            limits: self.limits,
            memory: EtagCache::default(),
        };
        self.override_with_flags(&mut connection)?;
        Ok(connection)
    }
}

/// Host and port, which is all of a URL that may be shown.
pub(super) fn address(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a String>) -> Error {
    let known: Vec<&str> = known.take(20).map(String::as_str).collect();
    let error = Error::source(format!("the kubeconfig has no {what} {name:?}"));
    if known.is_empty() {
        error.with_hint("--builtin and --dump answer without a cluster")
    } else {
        error.with_hint(format!("it has {}", known.join(", ")))
    }
}

/// A server as kubectl takes it: a URL, or an address that is meant to be one.
fn parse_server(text: &str) -> Result<Url, Error> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let parsed = Url::parse(&whole)
        .ok()
        .filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    // The text itself is not repeated: there may be a password in it.
    parsed.ok_or_else(|| {
        Error::source("the cluster's server is no URL").with_hint("write it as https://HOST:PORT")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "
clusters:
- {name: one, cluster: {server: https://one:6443, certificate-authority-data: QQ==}}
- {name: two, cluster: {server: 'two.example:443/k8s/', insecure-skip-tls-verify: true}}
- {name: bad, cluster: {server: 'ftp://user:hunter2@x'}}
contexts:
- {name: a, context: {cluster: one, user: alice}}
- {name: b, context: {cluster: two, user: ''}}
- {name: c, context: {cluster: gone, user: alice}}
- {name: d, context: {cluster: one, user: gone}}
- {name: e, context: {cluster: bad}}
users:
- {name: alice, user: {exec: {command: plugin}, as-groups: [g]}}
";

    fn find(options: &Options, config: &str) -> Vec<Result<Connection, Error>> {
        match options.find_in_bytes(config.as_bytes()).unwrap() {
            Found::Clusters(clusters, _) => clusters,
            other => panic!("{other:?}"),
        }
    }

    fn of_context(name: &str) -> Options {
        Options { contexts: vec![name.into()], ..Options::default() }
    }

    /// The first cluster that options lead to.
    fn first(options: &Options) -> Connection {
        find(options, CONFIG).remove(0).unwrap()
    }

    #[test]
    fn contexts_lead_to_servers() {
        let found = Options::default().find_in_bytes(CONFIG.as_bytes()).unwrap();
        assert!(matches!(found, Found::Choose(names) if names.len() == 5));
        let b = first(&of_context("b"));
        assert_eq!((b.server.as_str(), b.name.as_str()), ("https://two.example/k8s/", "b"));
        let both = Options { contexts: vec!["b".into(), "a".into()], ..Options::default() };
        let a = find(&both, CONFIG).remove(1).unwrap();
        assert_eq!(a.server.as_str(), "https://one:6443/");
        assert!(a.user.exec.is_some());
    }

    #[test]
    fn flags_win_over_files() {
        let mut options = of_context("a");
        options.token = Some("t".into());
        options.impersonate_groups = vec!["h".into()];
        options.server = Some("https://me:hunter2@other".into());
        let found = first(&options);
        assert_eq!(found.user.exec, None);
        assert_eq!(found.user.impersonate_groups, ["h"]);
        assert_eq!(found.server.as_str(), "https://other/");
        assert_eq!(found.user.username, None, "the token is enough");
        assert!(!format!("{found:?}").contains("hunter2"));
        options.cluster = Some("two".into());
        options.server = None;
        assert_eq!(first(&options).server.host_str(), Some("two.example"));
    }

    #[test]
    fn a_password_in_a_url_is_what_it_stands_for() {
        let server = Some("https://me%2Fus:p%40ss+%25@other".into());
        let options = Options { server, ..of_context("a") };
        assert!(!format!("{options:?}").contains("p%40ss"));
        let found = first(&options);
        assert_eq!(found.user.username.as_deref(), Some("me/us"));
        assert_eq!(found.user.password, Some("p@ss+%".into()));
        assert_eq!(found.user.exec, None, "as in Go, the URL comes first");
        assert_eq!(found.cluster.server.expose(), "https://other");
    }

    #[test]
    fn flags_take_the_place_of_all_that_the_file_says_about_trust() {
        const CONFIG: &str = "
clusters:
- {name: one, cluster: {server: https://one, certificate-authority-data: QQ==, tls-server-name: name.example}}
- {name: two, cluster: {server: https://two, insecure-skip-tls-verify: true}}
contexts:
- {name: a, context: {cluster: one}}
- {name: b, context: {cluster: two}}
";
        let of = |context: &str, change: &dyn Fn(&mut Options)| {
            let mut options = of_context(context);
            change(&mut options);
            find(&options, CONFIG).remove(0).unwrap().cluster
        };
        let kept = of("a", &|_| {});
        assert_eq!(kept.tls_server_name.as_deref(), Some("name.example"));
        assert!(kept.certificate_authority_data.is_some());
        let elsewhere = of("a", &|options| options.server = Some("https://x".into()));
        assert_eq!(elsewhere.tls_server_name, None);
        assert!(elsewhere.certificate_authority_data.is_some(), "the authority stays");
        let named = of("a", &|options| {
            options.server = Some("https://x".into());
            options.tls_server_name = Some("m".into());
        });
        assert_eq!(named.tls_server_name.as_deref(), Some("m"));
        let insecure = of("a", &|options| options.insecure_skip_tls_verify = true);
        assert_eq!(insecure.certificate_authority_data, None);
        assert!(insecure.insecure_skip_tls_verify);
        let secure = of("b", &|options| options.certificate_authority = Some("ca".into()));
        assert_eq!(secure.certificate_authority, Some("ca".into()));
        assert!(!secure.insecure_skip_tls_verify);
    }

    #[test]
    fn what_is_not_there_is_named() {
        for (context, want) in [
            ("x", "the kubeconfig has no context \"x\""),
            ("c", "the kubeconfig has no cluster \"gone\""),
            ("d", "the kubeconfig has no user \"gone\""),
            ("e", "the cluster's server is no URL"),
        ] {
            let mut options = of_context(context);
            options.contexts.push("a".into());
            let found = find(&options, CONFIG);
            assert_eq!(found[0].as_ref().unwrap_err().to_string(), want);
            assert!(found[1].is_ok(), "it does not spoil the others");
        }
    }

    #[test]
    fn a_server_needs_no_kubeconfig_entry() {
        let options = Options { server: Some("10.0.0.1:6443".into()), ..Options::default() };
        let found = find(&options, "").remove(0).unwrap();
        assert_eq!(found.server.as_str(), "https://10.0.0.1:6443/");
        assert_eq!(found.name, "10.0.0.1:6443");
    }

    #[test]
    fn the_only_context_is_used_and_said() {
        let config = "
clusters: [{name: one, cluster: {server: https://x}}]
contexts: [{name: a, context: {cluster: one}}]
";
        let found = Options::default().find_in_bytes(config.as_bytes()).unwrap();
        let Found::Clusters(_, why) = found else { panic!() };
        assert_eq!(why.unwrap(), "the kubeconfig has no current context: using a, its only one");
    }

    #[test]
    fn limits_alone_ask_for_no_cluster() {
        let mut options = Options::default();
        options.limits.whole = Duration::from_secs(1);
        assert!(!options.is_explicit());
        options.insecure_skip_tls_verify = true;
        assert!(options.is_explicit());
    }
}
