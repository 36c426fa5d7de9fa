//! The dumps of one control plane: a folder with one dump per API server.

use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::files::FileError;
use crate::needs::Needs;
use crate::resolved::{ResolvedSource, Source};
use crate::selection::SourceSelection;

/// The folder of a server that holds its dump, if the server's folder holds other files as well.
const DUMP: &str = "dump";

impl SourceSelection {
    /// Resolves a folder to the dumps of a control plane's API servers: `DIR/NAME/dump` if that
    /// exists, otherwise `DIR/NAME`. Returns each with its name, sorted by name.
    ///
    /// # Errors
    /// If the folder cannot be read or has no folders.
    pub fn resolve_members(
        &self,
        dir: &Path,
        needs: &Needs,
    ) -> Result<Vec<(String, ResolvedSource)>, SourceError> {
        let name = dir.display().to_string();
        let unreadable = |error: std::io::Error| SourceError::File(FileError::new(&name, error));
        let mut found: Vec<(String, PathBuf)> = vec![];
        for entry in std::fs::read_dir(dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let (true, Some(server)) = (path.is_dir(), path.file_name()) else { continue };
            let server = server.to_string_lossy().into_owned();
            if server.starts_with('.') {
                continue;
            }
            let own = path.join(DUMP);
            found.push((server, if own.is_dir() { own } else { path }));
        }
        if found.is_empty() {
            return Err(SourceError::NoServers(dir.to_owned()));
        }
        found.sort();
        let resolved = |(server, path)| {
            let source = Source::Dump(vec![path]);
            (server, self.resolved(needs, source))
        };
        Ok(found.into_iter().map(resolved).collect())
    }
}
