//! Turns a kubeconfig user into request credentials: a client certificate and headers.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::bounded::{self, BoundedReadError};
use super::connection::Connection;
use super::exec::{self, PluginError};
use super::kubeconfig::{Cluster, Exec, User};
use super::secret::Secret;
use super::tls::Identity;
use crate::trust::Trusted;
use aggctl_certificate::Bundle;

/// The maximum size of a token, certificate, key or CA bundle.
const MAX_BYTES: usize = 4 << 20;

/// Why credentials cannot be used. `Display` never quotes them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum CredentialError {
    /// The kubeconfig uses an auth-provider, which kubectl no longer supports.
    AuthProvider(String),
    /// A credential is not valid in a header.
    NotAHeader(&'static str),
    /// A token file is empty.
    EmptyTokenFile(PathBuf),
    /// A file that the kubeconfig names cannot be read.
    File {
        /// The purpose of the file.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: BoundedReadError,
    },
    /// The kubeconfig has a certificate without a key, or a key without a certificate.
    Lone {
        /// What it has.
        has: &'static str,
        /// What it lacks.
        lacks: &'static str,
    },
    /// The client key is not PEM.
    KeyNotPem,
    /// A field in the kubeconfig is not valid base64.
    NotBase64(&'static str),
    /// The kubeconfig sets a certificate authority and also disables verification.
    AuthorityAndInsecure,
    /// A group or UID should be impersonated, but no user.
    ImpersonationWithoutUser,
    /// A name to impersonate is not valid in a header.
    ImpersonatedName(String),
    /// The key of an extra field to impersonate is not valid as a header.
    ImpersonatedExtra(String),
    /// The exec plugin failed.
    Plugin(PluginError),
}

impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AuthProvider(name) => {
                write!(f, "auth-provider {name:?} in the kubeconfig was removed in Kubernetes 1.26")
            }
            Self::NotAHeader(what) => {
                write!(f, "the {what} in the kubeconfig contains characters that are invalid in a header")
            }
            Self::EmptyTokenFile(path) => write!(f, "token file {} is empty", path.display()),
            Self::File { what, path, why } => {
                write!(f, "cannot read {what} {}: {why}", path.display())
            }
            Self::Lone { has, lacks } => write!(f, "the kubeconfig has a {has}, but no {lacks}"),
            Self::KeyNotPem => f.write_str("the client-key in the kubeconfig is not valid PEM"),
            Self::NotBase64(what) => write!(f, "{what}-data in the kubeconfig is not valid base64"),
            Self::AuthorityAndInsecure => f.write_str(
                "the kubeconfig's cluster has both a certificate-authority and insecure-skip-tls-verify",
            ),
            Self::ImpersonationWithoutUser => {
                f.write_str("impersonating a group, UID or extra field needs a user")
            }
            Self::ImpersonatedName(name) => {
                write!(f, "the name {name:?} is not valid in a header")
            }
            Self::ImpersonatedExtra(key) => {
                write!(f, "as-user-extra {key:?} in the kubeconfig is not valid in a header")
            }
            Self::Plugin(error) => error.fmt(f),
        }
    }
}

impl Error for CredentialError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { why, .. } => why.source(),
            Self::Plugin(error) => error.source(),
            _ => None,
        }
    }
}

impl From<PluginError> for CredentialError {
    fn from(error: PluginError) -> Self {
        Self::Plugin(error)
    }
}

/// The credentials of requests.
#[derive(Debug, Default)]
pub(super) struct Credentials {
    /// The client certificate.
    pub(super) identity: Option<Identity>,
    /// The headers of every request: authorization and impersonation.
    pub(super) headers: HeaderMap,
    /// Values that must not appear in text that a server returns.
    pub(super) secrets: Vec<Secret>,
    /// The exec plugin that was used, and its credential.
    pub(super) plugin: Option<(Exec, exec::Credential)>,
    /// The kinds of credentials that are not sent, because the server does not use TLS.
    pub(super) unsent: Vec<&'static str>,
    /// How long the exec plugin took, if it was not interactive.
    pub(super) took: Duration,
    /// How long it took, if it was interactive.
    pub(super) attended: Duration,
}

/// Collects the credentials of a connection, running its exec plugin if it has one.
pub(super) async fn collect(
    connection: &Connection,
    limit: Duration,
) -> Result<Credentials, CredentialError> {
    let user = &connection.user;
    let mut credentials = Credentials::default();
    impersonate(user, &mut credentials.headers)?;
    // As in kubectl, credentials are never sent over an unencrypted connection.
    if connection.server.scheme() != "https" {
        credentials.unsent = proofs(user);
        return Ok(credentials);
    }
    credentials.identity = identity(user, limit)?;
    let mut token = bearer(user, limit)?;
    // As in client-go, a plugin runs only if there are no other credentials.
    if let Some(exec) = plugin(user).filter(|_| credentials.identity.is_none()) {
        let exec::PluginRun { credential: got, took, attended } =
            exec::credential(exec, &connection.cluster, limit).await?;
        credentials.plugin = Some((exec.clone(), got.clone()));
        if attended {
            credentials.attended = took;
        } else {
            credentials.took = took;
        }
        let certificate = got.client_certificate_data.filter(|data| !data.is_empty());
        if let (Some(certificate), Some(key)) = (certificate, got.client_key_data) {
            credentials.identity = Some(Identity { certificates: certificate.into_bytes(), key });
        }
        token = got.token.filter(|token| !token.is_empty());
    } else if let (Some(provider), None) = (&user.auth_provider, &token) {
        return Err(CredentialError::AuthProvider(provider.name.clone()));
    }
    if let Some(identity) = &credentials.identity {
        credentials.secrets.push(identity.key.clone());
    }
    if let Some(token) = token {
        credentials.authorize(format!("Bearer {}", token.expose()), "token")?;
        credentials.secrets.push(token);
    } else if let Some(name) = given(&user.username) {
        let password = user.password.clone().unwrap_or_default();
        let pair = Secret::basic(name, password.expose());
        credentials.authorize(format!("Basic {}", pair.expose()), "user name and password")?;
        credentials.secrets.extend([pair, password]);
    }
    credentials.secrets.retain(|secret| !secret.is_empty());
    Ok(credentials)
}

/// Returns a value of the kubeconfig. As in kubectl, an empty value counts as absent.
fn given<T: Default + PartialEq>(value: &Option<T>) -> Option<&T> {
    value.as_ref().filter(|value| **value != T::default())
}

/// Returns the exec plugin of a user without a token and without a user name.
fn plugin(user: &User) -> Option<&Exec> {
    let token = given(&user.token).is_some() || given(&user.token_file).is_some();
    user.exec.as_ref().filter(|_| !token && given(&user.username).is_none())
}

/// Describes the kinds of credentials that a user has.
fn proofs(user: &User) -> Vec<&'static str> {
    let token = given(&user.token).is_some() || given(&user.token_file).is_some();
    let name = given(&user.username).is_some() || given(&user.password).is_some();
    let certificate =
        given(&user.client_certificate_data).is_some() || given(&user.client_certificate).is_some();
    let all = [
        ("the token", token),
        ("the user name and password", name),
        ("the client certificate", certificate),
        ("what the exec plugin prints", user.exec.is_some()),
    ];
    all.iter().filter(|(_, there)| *there).map(|(what, _)| *what).collect()
}

impl Credentials {
    fn authorize(&mut self, value: String, what: &'static str) -> Result<(), CredentialError> {
        let mut value =
            HeaderValue::from_str(&value).map_err(|_| CredentialError::NotAHeader(what))?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(())
    }
}

/// Returns the token. A readable file takes precedence over a literal token, because files are
/// rotated.
fn bearer(user: &User, limit: Duration) -> Result<Option<Secret>, CredentialError> {
    let written = given(&user.token).cloned();
    let Some(path) = given(&user.token_file) else { return Ok(written) };
    let text = bounded::read(path, MAX_BYTES, limit)
        .map(|bytes| Secret::from(String::from_utf8_lossy(&bytes).trim()));
    match text {
        Ok(token) if !token.is_empty() => Ok(Some(token)),
        _ if written.is_some() => Ok(written),
        Ok(_) => Err(CredentialError::EmptyTokenFile(path.clone())),
        Err(why) => Err(CredentialError::File { what: "token file", path: path.clone(), why }),
    }
}

fn identity(user: &User, limit: Duration) -> Result<Option<Identity>, CredentialError> {
    let written = given(&user.client_certificate_data).map(String::as_str);
    let certificate = data("client-certificate", written, &user.client_certificate, limit)?;
    let written = given(&user.client_key_data).map(Secret::expose);
    let key = data("client-key", written, &user.client_key, limit)?;
    match (certificate, key) {
        (Some(certificates), Some(key)) => {
            let key = String::from_utf8(key).map_err(|_| CredentialError::KeyNotPem)?;
            Ok(Some(Identity { certificates, key: Secret::from(key) }))
        }
        (None, None) => Ok(None),
        (Some(_), None) => {
            Err(CredentialError::Lone { has: "client-certificate", lacks: "client-key" })
        }
        (None, Some(_)) => {
            Err(CredentialError::Lone { has: "client-key", lacks: "client-certificate" })
        }
    }
}

/// Returns data that the kubeconfig contains as base64, or as a file name.
fn data(
    what: &'static str,
    written: Option<&str>,
    path: &Option<PathBuf>,
    limit: Duration,
) -> Result<Option<Vec<u8>>, CredentialError> {
    if let Some(written) = written {
        let plain: String = written.split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(plain);
        return bytes.map(Some).map_err(|_| CredentialError::NotBase64(what));
    }
    let Some(path) = given(path) else { return Ok(None) };
    let bytes = bounded::read(path, MAX_BYTES, limit);
    bytes.map(Some).map_err(|why| CredentialError::File { what, path: path.clone(), why })
}

/// Returns the certificates to verify a cluster's server against.
pub(super) fn trusted(cluster: &Cluster, limit: Duration) -> Result<Trusted, CredentialError> {
    let written = given(&cluster.certificate_authority_data).map(String::as_str);
    match data("certificate-authority", written, &cluster.certificate_authority, limit)? {
        // As in kubectl, the two contradict each other.
        Some(_) if cluster.insecure_skip_tls_verify => Err(CredentialError::AuthorityAndInsecure),
        Some(pem) => Ok(Trusted::Bundle(Bundle::read(&pem))),
        None if cluster.insecure_skip_tls_verify => Ok(Trusted::Unverified),
        None => Ok(Trusted::System),
    }
}

fn impersonate(user: &User, headers: &mut HeaderMap) -> Result<(), CredentialError> {
    let uid = given(&user.impersonate_uid);
    let Some(name) = given(&user.impersonate) else {
        let alone = uid.is_some()
            || !user.impersonate_groups.is_empty()
            || !user.impersonate_extra.is_empty();
        return if alone { Err(CredentialError::ImpersonationWithoutUser) } else { Ok(()) };
    };
    let value = |text: &str| {
        HeaderValue::from_str(text).map_err(|_| CredentialError::ImpersonatedName(text.to_owned()))
    };
    headers.insert(HeaderName::from_static("impersonate-user"), value(name)?);
    if let Some(uid) = uid {
        headers.insert(HeaderName::from_static("impersonate-uid"), value(uid)?);
    }
    for group in &user.impersonate_groups {
        headers.append(HeaderName::from_static("impersonate-group"), value(group)?);
    }
    for (key, values) in &user.impersonate_extra {
        let name = format!("impersonate-extra-{}", escape(key));
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| CredentialError::ImpersonatedExtra(key.clone()))?;
        for text in values {
            headers.append(name.clone(), value(text)?);
        }
    }
    Ok(())
}

/// Percent-encodes characters that are not valid in a header name.
fn escape(key: &str) -> String {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&'*+-.^_`|~".contains(&byte);
    key.to_lowercase()
        .bytes()
        .map(|b| if token(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn a_token_file_wins_over_a_token() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        let user =
            User { token: Some("old".into()), token_file: Some(path.clone()), ..User::default() };
        assert_eq!(bearer(&user, LIMIT).unwrap(), Some("old".into()));
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!(bearer(&user, LIMIT).unwrap(), Some("new".into()));
        let lone = User { token: None, ..user };
        std::fs::write(&path, " \n").unwrap();
        assert!(bearer(&lone, LIMIT).unwrap_err().to_string().ends_with("is empty"));
    }

    #[test]
    fn data_wins_over_files_and_errors_quote_nothing() {
        let read = data("x", Some("Q\nQ=="), &Some("nowhere".into()), LIMIT);
        assert_eq!(read.unwrap(), Some(b"A".to_vec()));
        assert_eq!((given(&Some(String::new())), given(&Some(PathBuf::new()))), (None, None));
        let error = data("client-key", Some("hunter2!"), &None, LIMIT).unwrap_err();
        assert_eq!(error.to_string(), "client-key-data in the kubeconfig is not valid base64");
        let lone = User { client_key_data: Some("QQ==".into()), ..User::default() };
        assert!(identity(&lone, LIMIT).is_err());
    }

    #[test]
    fn impersonation_headers() {
        let mut headers = HeaderMap::new();
        let mut user = User { impersonate_groups: vec!["a".into(), "b".into()], ..User::default() };
        assert!(impersonate(&user, &mut headers).is_err());
        user.impersonate = Some("eve".into());
        user.impersonate_extra.insert("acme.com/Project".into(), vec!["x".into()]);
        impersonate(&user, &mut headers).unwrap();
        assert_eq!(headers.get_all("impersonate-group").iter().count(), 2);
        assert_eq!(headers["impersonate-extra-acme.com%2fproject"], "x");
    }
}
