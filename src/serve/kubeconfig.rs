//! The file that points kubectl here, while we are.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use serde_json::json;

use super::{Certificate, Token};

/// A kubeconfig that is removed with this value.
#[derive(Debug)]
pub struct Kubeconfig(PathBuf);

impl Kubeconfig {
    /// Writes one for a server, to a new file that only its owner may read; with what proves the
    /// server, and what it wants to know.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn write(
        server: &str,
        certificate: Option<&Certificate>,
        token: Option<&Token>,
    ) -> io::Result<Self> {
        let mut cluster = json!({"server": server});
        if let Some(certificate) = certificate {
            let data = base64::engine::general_purpose::STANDARD.encode(&certificate.pem);
            cluster["certificate-authority-data"] = data.into();
        }
        // Over TLS kubectl asks for a password where it has nothing to say who it is.
        let user = json!({"token": token.map_or("anybody", Token::secret)});
        let content = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "aggctl", "cluster": cluster}],
            "users": [{"name": "aggctl", "user": user}],
            "contexts": [{"name": "aggctl", "context": {"cluster": "aggctl", "user": "aggctl"}}],
            "current-context": "aggctl",
        });
        let name = format!("aggctl-{}.kubeconfig", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = match options.open(&path) {
            // The number belonged to a process that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                std::fs::remove_file(&path)?;
                options.open(&path)?
            }
            opened => opened?,
        };
        let written = Self(path);
        writeln!(file, "{content:#}")?;
        Ok(written)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Kubeconfig {
    fn drop(&mut self) {
        // What cannot be removed is somebody else's by now.
        let _ = std::fs::remove_file(&self.0);
    }
}
