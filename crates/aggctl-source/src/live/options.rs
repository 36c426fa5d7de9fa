//! Finds the clusters selected by options, the kubeconfig or a service account.

use std::collections::BTreeMap;
use std::path::PathBuf;

use globset::Glob;
use url::Url;

use super::connection::{Connection, KubectlDefaults, address};
use super::etag_cache::EtagCache;
use super::in_cluster;
use super::kubeconfig::{Cluster, Context, Kubeconfig, KubeconfigError, User};
use super::limits::Limits;
use super::secret::{Secret, decoded};

/// The maximum number of names that an error suggests.
const MAX_NAMES: usize = 20;

/// The user's cluster options, named like kubectl's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of kubectl's options")]
pub struct ClusterOptions {
    /// Whether a cluster is requested without naming one; then kubectl's default is used.
    pub requested: bool,
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
    pub impersonate_extra: BTreeMap<String, Vec<String>>,
    pub limits: Limits,
}

/// Clusters by their contexts. One that cannot be reached in principle has an error.
pub(crate) type NamedClusters = Vec<(String, Result<Connection, KubeconfigError>)>;

/// Returns whether the name of a context is a pattern.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// The clusters that the options select.
#[derive(Debug)]
pub enum Found {
    /// These clusters, in order, and a note about the choice. An unusable context does not affect
    /// the others.
    Clusters(Vec<Result<Connection, KubeconfigError>>, Option<String>),
    /// One of these contexts, but none is selected.
    Choose(Vec<String>),
    /// No cluster.
    Nothing,
}

impl ClusterOptions {
    /// Returns whether they name a cluster, or how to reach it. Impersonation and limits do not
    /// count.
    pub fn name_cluster(&self) -> bool {
        let rest = Self {
            limits: Limits::default(),
            impersonate: None,
            impersonate_groups: vec![],
            impersonate_uid: None,
            impersonate_extra: BTreeMap::new(),
            ..self.clone()
        };
        rest != Self::default()
    }

    /// Returns whether they request impersonation.
    pub fn impersonate_user(&self) -> bool {
        self.impersonate.is_some()
            || !self.impersonate_groups.is_empty()
            || self.impersonate_uid.is_some()
            || !self.impersonate_extra.is_empty()
    }

    /// Finds the clusters that the options select in kubectl's kubeconfig.
    ///
    /// # Errors
    /// If a file cannot be read, or refers to a missing entry.
    pub fn find(&self) -> Result<Found, KubeconfigError> {
        self.find_in(&Kubeconfig::load(self.kubeconfig.as_deref(), self.limits.whole)?)
    }

    /// Finds the clusters that the options select in a kubeconfig with these bytes.
    ///
    /// # Errors
    /// Same as [`ClusterOptions::find`].
    pub fn find_in_bytes(&self, bytes: &[u8]) -> Result<Found, KubeconfigError> {
        self.find_in(&Kubeconfig::of_bytes(bytes)?)
    }

    fn find_in(&self, config: &Kubeconfig) -> Result<Found, KubeconfigError> {
        let names = if self.all_contexts || !self.contexts.is_empty() {
            self.names(config)?
        } else if !config.current_context.is_empty() {
            vec![config.current_context.clone()]
        } else {
            return self.without_context(config);
        };
        if names.is_empty() {
            return Err(KubeconfigError::NoContexts);
        }
        Ok(Found::Clusters(names.iter().map(|name| self.of_context(config, name)).collect(), None))
    }

    /// Finds the clusters of the contexts that the options name, with their contexts.
    ///
    /// # Errors
    /// Same as [`ClusterOptions::find`].
    pub(crate) fn find_each(&self) -> Result<NamedClusters, KubeconfigError> {
        let config = Kubeconfig::load(self.kubeconfig.as_deref(), self.limits.whole)?;
        let names = self.names(&config)?;
        if names.is_empty() {
            return Err(KubeconfigError::NoContexts);
        }
        let cluster = |name: String| {
            let connection = self.of_context(&config, &name);
            (name, connection)
        };
        Ok(names.into_iter().map(cluster).collect())
    }

    /// Returns whether a name may match several contexts.
    pub(crate) fn has_pattern(&self) -> bool {
        self.contexts.iter().any(|name| is_pattern(name))
    }

    /// Returns the contexts that the options name. A pattern such as `prod-*` names all that
    /// match, unless a context has this very name.
    fn names(&self, config: &Kubeconfig) -> Result<Vec<String>, KubeconfigError> {
        let known = config.context_names();
        if self.all_contexts {
            return Ok(known);
        }
        let mut names: Vec<String> = vec![];
        for wanted in &self.contexts {
            let glob = Some(wanted).filter(|name| is_pattern(name) && !known.contains(name));
            let Some(glob) = glob.and_then(|pattern| Glob::new(pattern).ok()) else {
                names.push(wanted.clone());
                continue;
            };
            let glob = glob.compile_matcher();
            let matching: Vec<&String> = known.iter().filter(|name| glob.is_match(name)).collect();
            if matching.is_empty() {
                return Err(unknown("context", wanted, known.iter()));
            }
            names.extend(
                matching
                    .into_iter()
                    .filter(|name| !names.contains(name))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
        }
        Ok(names)
    }

    fn without_context(&self, config: &Kubeconfig) -> Result<Found, KubeconfigError> {
        if self.server.is_some() || self.cluster.is_some() {
            return Ok(Found::Clusters(
                vec![self.connection(config, None, &Context::default())],
                None,
            ));
        }
        match config.contexts.as_slice() {
            [] => match in_cluster::find(|name| std::env::var(name).ok()) {
                Some((cluster, user)) => {
                    let server = parse_server(cluster.server.expose())?;
                    let kubectl = KubectlDefaults {
                        server: cluster.server.expose().to_owned(),
                        namespace: String::new(),
                    };
                    let name = "in-cluster".to_owned();
                    let connection = self.reach(name, server, cluster, user, kubectl)?;
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

    fn of_context(&self, config: &Kubeconfig, name: &str) -> Result<Connection, KubeconfigError> {
        let Some(context) = config.context(name) else {
            return Err(unknown("context", name, config.contexts.iter().map(|(name, _)| name)));
        };
        self.connection(config, Some(name), context)
    }

    fn connection(
        &self,
        config: &Kubeconfig,
        context_name: Option<&str>,
        context: &Context,
    ) -> Result<Connection, KubeconfigError> {
        let cluster_name = self.cluster.as_deref().unwrap_or(&context.cluster);
        let user_name = self.user.as_deref().unwrap_or(&context.user);
        let cluster = match config.clusters.get(cluster_name) {
            Some(cluster) => cluster.clone(),
            None if self.server.is_some() && self.cluster.is_none() => Cluster::default(),
            None => return Err(unknown("cluster", cluster_name, config.clusters.keys())),
        };
        let user = match config.users.get(user_name) {
            Some(user) => user.clone(),
            None if user_name.is_empty() => User::default(),
            // kubectl would continue without credentials, and then prompt for a password.
            None => return Err(unknown("user", user_name, config.users.keys())),
        };
        let said = self.server.as_ref().unwrap_or(&cluster.server);
        if said.is_empty() {
            return Err(KubeconfigError::NoServer(cluster_name.to_owned()));
        }
        let server = parse_server(said.expose())?;
        let has_password = !server.username().is_empty() || server.password().is_some();
        let written = if has_password { "" } else { said.expose() };
        let kubectl =
            KubectlDefaults { server: written.to_owned(), namespace: context.namespace.clone() };
        let name = match context_name {
            Some(context) => context.to_owned(),
            None if !cluster_name.is_empty() => cluster_name.to_owned(),
            None => address(&server),
        };
        self.reach(name, server, cluster, user, kubectl)
    }

    fn reach(
        &self,
        name: String,
        server: Url,
        cluster: Cluster,
        user: User,
        kubectl: KubectlDefaults,
    ) -> Result<Connection, KubeconfigError> {
        let mut connection = Connection {
            name,
            credential_given: self.token.is_some() || !server.username().is_empty(),
            server,
            cluster,
            user,
            kubectl,
            limits: self.limits,
            cache: EtagCache::default(),
        };
        self.apply_to(&mut connection)?;
        Ok(connection)
    }

    /// Overrides settings of the kubeconfig with those of the options, as kubectl does.
    fn apply_to(&self, connection: &mut Connection) -> Result<(), KubeconfigError> {
        let Connection { server, cluster, user, .. } = connection;
        if self.insecure_skip_tls_verify && self.certificate_authority.is_some() {
            return Err(KubeconfigError::AuthorityAndInsecure);
        }
        // Either option replaces all trust settings of the file.
        if self.insecure_skip_tls_verify || self.certificate_authority.is_some() {
            cluster.certificate_authority.clone_from(&self.certificate_authority);
            cluster.certificate_authority_data = None;
            cluster.insecure_skip_tls_verify = self.insecure_skip_tls_verify;
        }
        // The file's TLS server name belongs to the file's server.
        if self.tls_server_name.is_some() || self.server.is_some() {
            cluster.tls_server_name.clone_from(&self.tls_server_name);
        }
        if let Some(token) = &self.token {
            forget_login(user);
            user.token = Some(token.clone());
        }
        self.take_userinfo(server, user);
        if self.impersonate.is_some() {
            user.impersonate.clone_from(&self.impersonate);
        }
        if !self.impersonate_groups.is_empty() {
            user.impersonate_groups.clone_from(&self.impersonate_groups);
        }
        if self.impersonate_uid.is_some() {
            user.impersonate_uid.clone_from(&self.impersonate_uid);
        }
        if !self.impersonate_extra.is_empty() {
            user.impersonate_extra.clone_from(&self.impersonate_extra);
        }
        // Exec plugins get the server as users usually write it.
        let written = if server.path() == "/" {
            server.as_str().trim_end_matches('/')
        } else {
            server.as_str()
        };
        cluster.server = Secret::from(written);
        Ok(())
    }

    /// Turns a user name and password in the URL into credentials. As in Go, they take precedence
    /// over those of the file, but not over a token in the options.
    fn take_userinfo(&self, server: &mut Url, user: &mut User) {
        if server.username().is_empty() && server.password().is_none() {
            return;
        }
        if self.token.is_none() {
            forget_login(user);
            user.username = Some(decoded(server.username()));
            user.password = Some(Secret::from(decoded(server.password().unwrap_or_default())));
        }
        // Fails only for URLs without a host, which were already rejected.
        let _ = server.set_username("");
        let _ = server.set_password(None);
    }
}

/// Removes all credentials from a user, except certificates.
fn forget_login(user: &mut User) {
    (user.token, user.token_file) = (None, None);
    (user.username, user.password) = (None, None);
    (user.exec, user.auth_provider) = (None, None);
}

fn unknown<'a>(
    entry: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a String>,
) -> KubeconfigError {
    let known = known.take(MAX_NAMES).cloned().collect();
    KubeconfigError::Unknown { entry, name: name.to_owned(), known }
}

/// Parses a server as kubectl does: a URL, or an address without a scheme.
fn parse_server(text: &str) -> Result<Url, KubeconfigError> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let parsed = Url::parse(&whole)
        .ok()
        .filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    parsed.ok_or(KubeconfigError::InvalidServer)
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

    fn find(options: &ClusterOptions, config: &str) -> Vec<Result<Connection, KubeconfigError>> {
        match options.find_in_bytes(config.as_bytes()).unwrap() {
            Found::Clusters(clusters, _) => clusters,
            other => panic!("{other:?}"),
        }
    }

    fn of_context(name: &str) -> ClusterOptions {
        ClusterOptions { contexts: vec![name.into()], ..ClusterOptions::default() }
    }

    fn first(options: &ClusterOptions) -> Connection {
        find(options, CONFIG).remove(0).unwrap()
    }

    #[test]
    fn contexts_name_servers() {
        let found = ClusterOptions::default().find_in_bytes(CONFIG.as_bytes()).unwrap();
        assert!(matches!(found, Found::Choose(names) if names.len() == 5));
        let b = first(&of_context("b"));
        assert_eq!((b.server.as_str(), b.name.as_str()), ("https://two.example/k8s/", "b"));
        let both =
            ClusterOptions { contexts: vec!["b".into(), "a".into()], ..ClusterOptions::default() };
        let a = find(&both, CONFIG).remove(1).unwrap();
        assert_eq!(a.server.as_str(), "https://one:6443/");
        assert!(a.user.exec.is_some());
    }

    #[test]
    fn options_win_over_files() {
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
    fn a_password_in_a_url_is_decoded() {
        let server = Some("https://me%2Fus:p%40ss+%25@other".into());
        let options = ClusterOptions { server, ..of_context("a") };
        assert!(!format!("{options:?}").contains("p%40ss"));
        let found = first(&options);
        assert_eq!(found.user.username.as_deref(), Some("me/us"));
        assert_eq!(found.user.password, Some("p@ss+%".into()));
        assert_eq!(found.user.exec, None, "as in Go, the URL comes first");
        assert_eq!(found.cluster.server.expose(), "https://other");
    }

    #[test]
    fn options_replace_all_that_the_file_says_about_trust() {
        const CONFIG: &str = "
clusters:
- {name: one, cluster: {server: https://one, certificate-authority-data: QQ==, tls-server-name: name.example}}
- {name: two, cluster: {server: https://two, insecure-skip-tls-verify: true}}
contexts:
- {name: a, context: {cluster: one}}
- {name: b, context: {cluster: two}}
";
        let of = |context: &str, change: &dyn Fn(&mut ClusterOptions)| {
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
    fn missing_entries_are_named() {
        for (context, want) in [
            ("x", "the kubeconfig has no context \"x\""),
            ("c", "the kubeconfig has no cluster \"gone\""),
            ("d", "the kubeconfig has no user \"gone\""),
            ("e", "the cluster's server is not a valid URL"),
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
        let options =
            ClusterOptions { server: Some("10.0.0.1:6443".into()), ..ClusterOptions::default() };
        let found = find(&options, "").remove(0).unwrap();
        assert_eq!(found.server.as_str(), "https://10.0.0.1:6443/");
        assert_eq!(found.name, "10.0.0.1:6443");
    }

    #[test]
    fn the_only_context_is_used_with_a_note() {
        let config = "
clusters: [{name: one, cluster: {server: https://x}}]
contexts: [{name: a, context: {cluster: one}}]
";
        let found = ClusterOptions::default().find_in_bytes(config.as_bytes()).unwrap();
        let Found::Clusters(_, why) = found else { panic!() };
        assert_eq!(why.unwrap(), "the kubeconfig has no current context: using a, its only one");
    }

    #[test]
    fn limits_and_impersonation_name_no_cluster() {
        let mut options = ClusterOptions::default();
        options.limits.whole = std::time::Duration::from_secs(1);
        options.impersonate = Some("jane".to_owned());
        assert!(!options.name_cluster() && options.impersonate_user());
        options.insecure_skip_tls_verify = true;
        assert!(options.name_cluster());
    }
}
