//! The temporary kubeconfig that points kubectl at the running server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::rand;
use base64::Engine;
use serde_json::json;

use super::{Certificate, Token};

/// A kubeconfig in its own directory. Both are removed when this value is dropped.
#[derive(Debug)]
pub struct Kubeconfig(PathBuf);

impl Kubeconfig {
    /// Writes a kubeconfig for `server`, with its certificate and the token that it demands.
    ///
    /// Any user may write to the directory for temporary files, and could take a predictable name
    /// first. So the file is in a new directory that only its owner may enter.
    ///
    /// # Errors
    /// If the directory or the file cannot be created.
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
        // Over TLS, kubectl prompts for a password unless the user has a credential.
        let user = json!({"token": token.map_or("anybody", Token::secret)});
        let content = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "aggctl", "cluster": cluster}],
            "users": [{"name": "aggctl", "user": user}],
            "contexts": [{"name": "aggctl", "context": {"cluster": "aggctl", "user": "aggctl"}}],
            "current-context": "aggctl",
        });
        let directory = private_directory()?;
        // From here on, dropping it removes the directory.
        let written = Self(directory.join("kubeconfig"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&written.0)?;
        writeln!(file, "{content:#}")?;
        Ok(written)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Kubeconfig {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        // Fails if the user put something else into it, which stays.
        let _ = self.0.parent().map(std::fs::remove_dir);
    }
}

/// Creates a directory with a random name, which only its owner may enter.
fn private_directory() -> io::Result<PathBuf> {
    let mut bytes = [0; 8];
    rand::fill(&mut bytes).map_err(io::Error::other)?;
    let name = format!("aggctl-{:016x}", u64::from_ne_bytes(bytes));
    let path = std::env::temp_dir().join(name);
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // Fails if the name exists, even as a link.
    builder.create(&path)?;
    Ok(path)
}
