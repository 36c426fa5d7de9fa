//! The API servers of one control plane: dumps in one folder, or live servers by their addresses.

use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::files::FileError;
use crate::live;
use crate::needs::{Needs, ServerDocument as D};
use crate::progress::Watch;
use crate::resolved::{ResolvedSource, Source};
use crate::selection::SourceSelection;
use kube_aggregation::ingest::manifest;

/// The folder that contains a server's dump, if the server's folder also contains other files.
const DUMP: &str = "dump";

/// An API server: its name, and its source or why it has none.
pub type ResolvedMember = (String, Result<ResolvedSource, SourceError>);

impl SourceSelection {
    /// Resolves a folder to the dumps of a control plane's API servers: `DIR/NAME/dump` if that
    /// exists, otherwise `DIR/NAME` or `DIR/NAME.tar.gz`. Returns each with its name, sorted by
    /// name, and an error for a folder that contains several dumps.
    ///
    /// # Errors
    /// If the folder cannot be read or has no folders.
    pub fn resolve_members(
        &self,
        dir: &Path,
        needs: &Needs,
    ) -> Result<Vec<ResolvedMember>, SourceError> {
        let name = dir.display().to_string();
        let unreadable = |error: std::io::Error| SourceError::File(FileError::new(&name, error));
        let mut found = folders(dir).map_err(unreadable)?;
        found.extend(archives(dir).map_err(unreadable)?);
        found.sort();
        let mut members = vec![];
        for (server, path) in found {
            let own = path.join(DUMP);
            let several = if own.is_dir() { None } else { several_dumps(&path, MAX_DEPTH) };
            let member = match several {
                Some(folder) => Err(SourceError::SeveralDumps(folder)),
                None => {
                    let source = Source::ServerDump(if own.is_dir() { own } else { path });
                    Ok(self.resolved(needs, source))
                }
            };
            members.push((server, member));
        }
        if members.is_empty() {
            let has_files = std::fs::read_dir(dir).map_err(unreadable)?.next().is_some();
            return Err(SourceError::NoServers { dir: dir.to_owned(), has_files });
        }
        Ok(members)
    }
}

/// Returns the folders in a folder, each with its name. Skips hidden ones.
fn folders(dir: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = vec![];
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name.filter(|name| !name.starts_with('.'))
            && path.is_dir()
        {
            found.push((name, path));
        }
    }
    Ok(found)
}

/// Returns the archives in a folder, each with its name.
fn archives(dir: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut found = vec![];
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".tar.gz"));
        if let Some(name) = name.map(str::to_owned).filter(|_| path.is_file()) {
            found.push((name, path));
        }
    }
    Ok(found)
}

/// How deep several dumps are looked for below the folder of a server.
const MAX_DEPTH: usize = 3;

/// Returns the folder at or below `dir` that contains several dumps, or the folders of several
/// servers with their dumps. A dump that is not marked as one is not found.
fn several_dumps(dir: &Path, depth: usize) -> Option<PathBuf> {
    if is_dump(dir) {
        return None;
    }
    let within = folders(dir).ok()?;
    if within.iter().filter(|(_, path)| is_dump(path) || has_dump(path)).count() > 1 {
        return Some(dir.to_owned());
    }
    let deeper = depth.checked_sub(1)?;
    within.iter().find_map(|(_, path)| several_dumps(path, deeper))
}

/// Returns whether a folder is a dump that aggctl wrote.
fn is_dump(dir: &Path) -> bool {
    dir.join(manifest::FILE).is_file()
}

/// Returns whether a folder contains a dump: in the folder `dump`, or in an archive of that name.
fn has_dump(dir: &Path) -> bool {
    let is_it = |name: &str| name == DUMP || name.starts_with("dump.tar");
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| name.to_str().is_some_and(is_it))
}

/// The name for which every API server's serving certificate must be valid, because peers verify
/// it.
const PEER_NAME: &str = "kubernetes.default.svc";

impl ResolvedSource {
    /// Finds the API servers of a live control plane, and resolves each to a source that contacts
    /// it directly. Their addresses are in the identity Leases, and in the EndpointSlices of the
    /// Service `default/kubernetes`.
    ///
    /// # Errors
    /// If this is not a cluster, it cannot be read, or it publishes no server address.
    pub fn resolve_servers(
        &self,
        watch: Watch<'_>,
    ) -> Result<Vec<(String, ResolvedSource)>, SourceError> {
        let Source::Live(connection) = &self.source else { return Err(SourceError::NoCluster) };
        let needs = Needs::new([D::Version, D::Leases, D::EndpointSlices]);
        let (snapshot, ..) = live::load(connection, &needs, watch)?;
        let mut found: Vec<(String, String)> = vec![];
        for lease in snapshot.leases.items() {
            if let Some(address) = &lease.address
                && !found.iter().any(|(_, known)| known == address)
            {
                let name = if lease.host.is_empty() { address } else { &lease.host };
                found.push((name.clone(), address.clone()));
            }
        }
        // Servers before 1.36 publish no address in their Lease.
        let slices = snapshot.endpoint_slices.items().iter();
        let own = slices
            .filter(|s| s.namespace == "default" && s.service.as_deref() == Some("kubernetes"));
        for slice in own {
            let port = slice.ports.iter().find_map(|port| port.port).unwrap_or(443);
            for address in slice.endpoints.iter().flat_map(|one| &one.addresses) {
                let v6 = address.contains(':');
                let at =
                    if v6 { format!("[{address}]:{port}") } else { format!("{address}:{port}") };
                if !found.iter().any(|(_, known)| *known == at) {
                    found.push((address.clone(), at));
                }
            }
        }
        if found.is_empty() {
            return Err(SourceError::NoAddresses);
        }
        found.sort();
        let resolved = |(name, address): (String, String)| {
            let direct = connection.directly(&name, &address, PEER_NAME)?;
            let source = Source::Live(Box::new(direct));
            Some((name, ResolvedSource { source, note: None, ..self.clone() }))
        };
        Ok(found.into_iter().filter_map(resolved).collect())
    }
}
