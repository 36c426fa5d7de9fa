//! Finds the cluster that this process runs in, through the service account of its Pod.

use std::path::Path;

use super::kubeconfig::{Cluster, User};
use super::secret::Secret;

/// Where the kubelet mounts the service account.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Returns the cluster and user of the Pod that this process runs in, if any.
pub(super) fn find(variable: impl Fn(&str) -> Option<String>) -> Option<(Cluster, User)> {
    at(Path::new(SERVICE_ACCOUNT), variable)
}

fn at(account: &Path, variable: impl Fn(&str) -> Option<String>) -> Option<(Cluster, User)> {
    let host = variable("KUBERNETES_SERVICE_HOST").filter(|host| !host.is_empty())?;
    let port = variable("KUBERNETES_SERVICE_PORT").filter(|port| !port.is_empty())?;
    let token = account.join("token");
    if !token.is_file() {
        return None;
    }
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    let ca = account.join("ca.crt");
    let cluster = Cluster {
        server: Secret::from(format!("https://{host}:{port}")),
        certificate_authority: ca.is_file().then_some(ca),
        ..Cluster::default()
    };
    Some((cluster, User { token_file: Some(token), ..User::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_account_gives_a_cluster() {
        let account = tempfile::tempdir().unwrap();
        let variable =
            |name: &str| Some(if name.ends_with("HOST") { "fd00::1" } else { "443" }.to_owned());
        assert_eq!(at(account.path(), variable), None, "no token");
        std::fs::write(account.path().join("token"), "t").unwrap();
        let (cluster, user) = at(account.path(), variable).unwrap();
        assert_eq!(cluster.server.expose(), "https://[fd00::1]:443");
        assert_eq!(cluster.certificate_authority, None);
        assert_eq!(user.token_file, Some(account.path().join("token")));
        assert_eq!(at(account.path(), |_| None), None);
    }
}
