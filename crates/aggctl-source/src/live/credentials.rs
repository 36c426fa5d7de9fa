//! Who is asking: from a kubeconfig user to what a request carries.

use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::bounded;
use super::connection::Connection;
use super::exec;
use super::kubeconfig::{Cluster, Exec, User};
use super::secret::Secret;
use super::tls::Identity;
use crate::error::Error;
use crate::trust::Trusted;
use aggctl_certificate::Bundle;

/// The largest token, certificate, key or bundle of authorities that is read.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// What proves who we are.
#[derive(Debug, Default)]
pub(super) struct Credentials {
    /// A client certificate.
    pub(super) identity: Option<Identity>,
    /// The headers of every request: authorization and impersonation.
    pub(super) headers: HeaderMap,
    /// Everything that must not be seen in a text that comes back.
    pub(super) secrets: Vec<Secret>,
    /// The exec plugin that told who we are, and what it said.
    pub(super) plugin: Option<(Exec, exec::Credential)>,
    /// What is not sent, in words, because the server is not to be told over plain http.
    pub(super) unsent: Vec<&'static str>,
    /// How long an exec plugin took that had nobody to ask.
    pub(super) took: Duration,
    /// How long one took that had somebody.
    pub(super) attended: Duration,
}

/// Collects the credentials of a connection, running its exec plugin if it has one.
pub(super) async fn collect(
    connection: &Connection,
    limit: Duration,
) -> Result<Credentials, Error> {
    let user = &connection.user;
    let mut credentials = Credentials::default();
    impersonate(user, &mut credentials.headers)?;
    // As in kubectl: nobody proves an identity over a line that everybody can read.
    if connection.server.scheme() != "https" {
        credentials.unsent = proofs(user);
        return Ok(credentials);
    }
    credentials.identity = identity(user, limit)?;
    let mut token = bearer(user, limit)?;
    // As in client-go, a plugin is asked only where nothing else tells who somebody is.
    if let Some(exec) = plugin(user).filter(|_| credentials.identity.is_none()) {
        let exec::Got { credential: got, took, attended } =
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
        let message = format!(
            "auth-provider {:?} of the kubeconfig is gone since Kubernetes 1.26",
            provider.name
        );
        return Err(Error::source(message).with_hint("use an exec plugin, or give --token"));
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

/// What a kubeconfig says. As in kubectl, what is empty says nothing.
fn given<T: Default + PartialEq>(value: &Option<T>) -> Option<&T> {
    value.as_ref().filter(|value| **value != T::default())
}

/// The exec plugin that tells who a user is, where neither a token nor a name does.
fn plugin(user: &User) -> Option<&Exec> {
    let token = given(&user.token).is_some() || given(&user.token_file).is_some();
    user.exec.as_ref().filter(|_| !token && given(&user.username).is_none())
}

/// What a user could prove an identity with, in words.
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
    fn authorize(&mut self, value: String, what: &str) -> Result<(), Error> {
        let mut value = HeaderValue::from_str(&value).map_err(|_| {
            Error::source(format!(
                "the {what} of the kubeconfig has characters that no header may have"
            ))
        })?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(())
    }
}

/// A token file that can be read wins over a token: files are rotated.
fn bearer(user: &User, limit: Duration) -> Result<Option<Secret>, Error> {
    let written = given(&user.token).cloned();
    let Some(path) = given(&user.token_file) else { return Ok(written) };
    let text = bounded::read(path, MAX_BYTES, limit)
        .map(|bytes| Secret::from(String::from_utf8_lossy(&bytes).trim()));
    match text {
        Ok(token) if !token.is_empty() => Ok(Some(token)),
        _ if written.is_some() => Ok(written),
        Ok(_) => Err(Error::source(format!("token file {} is empty", path.display()))),
        Err(why) => Err(Error::source(format!("cannot read token file {}: {why}", path.display()))),
    }
}

fn identity(user: &User, limit: Duration) -> Result<Option<Identity>, Error> {
    let written = given(&user.client_certificate_data).map(String::as_str);
    let certificate = data("client-certificate", written, &user.client_certificate, limit)?;
    let written = given(&user.client_key_data).map(Secret::expose);
    let key = data("client-key", written, &user.client_key, limit)?;
    let lone = |has: &str, lacks: &str| {
        Err(Error::source(format!("the kubeconfig has a {has}, but no {lacks}")))
    };
    match (certificate, key) {
        (Some(certificates), Some(key)) => {
            let key = String::from_utf8(key)
                .map_err(|_| Error::source("the client-key of the kubeconfig is no PEM"))?;
            Ok(Some(Identity { certificates, key: Secret::from(key) }))
        }
        (None, None) => Ok(None),
        (Some(_), None) => lone("client-certificate", "client-key"),
        (None, Some(_)) => lone("client-key", "client-certificate"),
    }
}

/// Something that stands in the kubeconfig itself, as base64, or in a file that it names.
fn data(
    what: &str,
    written: Option<&str>,
    path: &Option<PathBuf>,
    limit: Duration,
) -> Result<Option<Vec<u8>>, Error> {
    if let Some(written) = written {
        let plain: String = written.split_ascii_whitespace().collect();
        let bytes = STANDARD.decode(plain);
        return bytes
            .map(Some)
            .map_err(|_| Error::source(format!("{what}-data of the kubeconfig is not base64")));
    }
    let Some(path) = given(path) else { return Ok(None) };
    let bytes = bounded::read(path, MAX_BYTES, limit);
    bytes
        .map(Some)
        .map_err(|why| Error::source(format!("cannot read {what} {}: {why}", path.display())))
}

/// Whose certificates are believed.
pub(super) fn trusted(cluster: &Cluster, limit: Duration) -> Result<Trusted, Error> {
    let written = given(&cluster.certificate_authority_data).map(String::as_str);
    match data("certificate-authority", written, &cluster.certificate_authority, limit)? {
        // As in kubectl: to name an authority and to believe everybody contradict each other.
        Some(_) if cluster.insecure_skip_tls_verify => Err(Error::source(
            "the kubeconfig's cluster has both a certificate-authority and insecure-skip-tls-verify",
        )
        .with_hint("remove one of them; --insecure-skip-tls-verify and --certificate-authority win")),
        Some(pem) => Ok(Trusted::Bundle(Bundle::read(&pem))),
        None if cluster.insecure_skip_tls_verify => Ok(Trusted::Anybody),
        None => Ok(Trusted::System),
    }
}

fn impersonate(user: &User, headers: &mut HeaderMap) -> Result<(), Error> {
    let uid = given(&user.impersonate_uid);
    let Some(name) = given(&user.impersonate) else {
        let alone = uid.is_some()
            || !user.impersonate_groups.is_empty()
            || !user.impersonate_extra.is_empty();
        return if alone {
            Err(Error::usage("--as-group and --as-uid mean nothing without --as"))
        } else {
            Ok(())
        };
    };
    let value = |text: &str| {
        HeaderValue::from_str(text)
            .map_err(|_| Error::usage(format!("nobody can be named {text:?} in a header")))
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
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
            Error::source(format!("as-user-extra {key:?} of the kubeconfig cannot be a header"))
        })?;
        for text in values {
            headers.append(name.clone(), value(text)?);
        }
    }
    Ok(())
}

/// Percent escapes for what a header's name may not have.
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
        assert_eq!(read, Ok(Some(b"A".to_vec())));
        assert_eq!((given(&Some(String::new())), given(&Some(PathBuf::new()))), (None, None));
        let error = data("client-key", Some("hunter2!"), &None, LIMIT).unwrap_err();
        assert_eq!(error.to_string(), "client-key-data of the kubeconfig is not base64");
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
