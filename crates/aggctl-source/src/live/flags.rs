//! What flags change about what a kubeconfig says, as kubectl's change it.

use url::Url;

use super::connection::{Connection, Options};
use super::kubeconfig::User;
use super::secret::{Secret, decoded};
use crate::error::Error;

impl Options {
    /// Flags win over files.
    pub(super) fn override_with_flags(&self, connection: &mut Connection) -> Result<(), Error> {
        let Connection { server, cluster, user, .. } = connection;
        if self.insecure_skip_tls_verify && self.certificate_authority.is_some() {
            return Err(Error::usage(
                "--insecure-skip-tls-verify and --certificate-authority exclude each other",
            ));
        }
        // Each of them takes the place of all that the file says about trust.
        if self.insecure_skip_tls_verify || self.certificate_authority.is_some() {
            cluster.certificate_authority.clone_from(&self.certificate_authority);
            cluster.certificate_authority_data = None;
            cluster.insecure_skip_tls_verify = self.insecure_skip_tls_verify;
        }
        // The file's name for TLS belongs to the file's server.
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
        // For plugins, in the form in which people write it.
        let written = if server.path() == "/" {
            server.as_str().trim_end_matches('/')
        } else {
            server.as_str()
        };
        cluster.server = Secret::from(written);
        Ok(())
    }

    /// A name and a password in the URL are credentials like others. As in Go they come before
    /// those of the file, but a token on the command line comes first.
    fn take_userinfo(&self, server: &mut Url, user: &mut User) {
        if server.username().is_empty() && server.password().is_none() {
            return;
        }
        if self.token.is_none() {
            forget_login(user);
            user.username = Some(decoded(server.username()));
            user.password = Some(Secret::from(decoded(server.password().unwrap_or_default())));
        }
        // Fails only for URLs without a host, of which none gets here.
        let _ = server.set_username("");
        let _ = server.set_password(None);
    }
}

/// Removes what a file says about who somebody is, all but a certificate.
fn forget_login(user: &mut User) {
    (user.token, user.token_file) = (None, None);
    (user.username, user.password) = (None, None);
    (user.exec, user.auth_provider) = (None, None);
}
