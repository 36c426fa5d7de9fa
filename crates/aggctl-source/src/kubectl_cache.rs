//! Reads kubectl's discovery cache. The files are untrusted: they may be cut off, foreign or huge.
//! Nothing is ever written.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, SHA256_OUTPUT_LEN, digest};

use crate::clock;
use crate::files::{self, FileError, plain};
use aggctl_client::{
    CacheFile, DiscoveryCache, HttpEntry, SkippedFile, Unusable, decode_groups, decode_resources,
    host_directory, http_urls,
};

/// The maximum size of a file. The largest list of a real cluster has a few hundred kilobytes.
const MAX_FILE: u64 = 16 << 20;

/// The maximum size of all files.
const MAX_CACHE: u64 = 256 << 20;

/// How many servers an error names.
const MAX_SERVERS: usize = 5;

const GROUPS: &str = "servergroups.json";
const RESOURCES: &str = "serverresources.json";

/// Why there is no cache to read.
#[derive(Debug)]
pub enum CacheError {
    /// The directory cannot be read.
    Directory(FileError),
    /// It has the caches of several servers, and none was named.
    SeveralServers {
        /// The directory.
        directory: PathBuf,
        /// The directories of some servers.
        servers: Vec<PathBuf>,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(error) => error.fmt(f),
            Self::SeveralServers { directory, .. } => {
                write!(f, "{} has the caches of several API servers", directory.display())
            }
        }
    }
}

impl std::error::Error for CacheError {}

/// Returns kubectl's cache directory: `$KUBECACHEDIR`, or `.kube/cache` in the home directory.
pub fn default_directory() -> Option<PathBuf> {
    if let Some(directory) = std::env::var_os("KUBECACHEDIR").filter(|value| !value.is_empty()) {
        return Some(directory.into());
    }
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map(|home| home.join(".kube").join("cache"))
}

/// Reads the cache of a server from kubectl's cache directory, or from the directory of one server.
/// `server` is its address as the kubeconfig has it. Returns `None` if there is no cache of it.
///
/// # Errors
/// If the directory cannot be read, or has several servers and none was named.
pub fn read(directory: &Path, server: Option<&str>) -> Result<Option<DiscoveryCache>, CacheError> {
    let host = match server {
        _ if directory.join(GROUPS).exists() => Some(directory.to_owned()),
        Some(server) => return of_server(directory, server),
        None => only_server(directory)?,
    };
    let Some(host) = host else { return Ok(None) };
    let mut cache = of_host(&host)?;
    if let Some(server) = server {
        read_responses(&directory.join("http"), server, &mut cache);
    }
    Ok(Some(cache))
}

/// Reads the cache of exactly this server from kubectl's cache directory. Returns `None` if there is
/// no cache of it.
///
/// # Errors
/// If the directory cannot be read.
pub fn of_server(directory: &Path, server: &str) -> Result<Option<DiscoveryCache>, CacheError> {
    let place = host_directory(server);
    let is_below =
        !place.is_empty() && !place.split('/').any(|part| matches!(part, "" | "." | ".."));
    let host = directory.join("discovery").join(place);
    if !is_below || !host.is_dir() {
        // The directory must be readable, even if it has no cache of this server.
        return match std::fs::metadata(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(CacheError::Directory(FileError::new(directory.display().to_string(), error)))
            }
            _ => Ok(None),
        };
    }
    let mut cache = of_host(&host)?;
    read_responses(&directory.join("http"), server, &mut cache);
    Ok(Some(cache))
}

/// Returns the directory of the only server.
fn only_server(directory: &Path) -> Result<Option<PathBuf>, CacheError> {
    let root = directory.join("discovery");
    if !root.is_dir() {
        return Ok(None);
    }
    // The lists of a server are below its list of groups, and need not be visited.
    let is_groups = |path: &Path, is_dir: bool| match is_dir {
        true => !path.parent().is_some_and(|parent| parent.join(GROUPS).exists()),
        false => path.ends_with(GROUPS),
    };
    let found = files::walk(&root, &is_groups).map_err(CacheError::Directory)?;
    let mut servers: Vec<PathBuf> = vec![];
    for entry in found.files {
        servers.extend(entry.path.parent().map(Path::to_owned));
    }
    match <[PathBuf; 1]>::try_from(servers) {
        Ok([only]) => Ok(Some(only)),
        Err(servers) if servers.is_empty() => Ok(None),
        Err(mut servers) => {
            servers.truncate(MAX_SERVERS);
            Err(CacheError::SeveralServers { directory: directory.to_owned(), servers })
        }
    }
}

/// Reads the directory of one server.
fn of_host(host: &Path) -> Result<DiscoveryCache, CacheError> {
    let found = files::walk(host, &|_, _| true).map_err(CacheError::Directory)?;
    let mut cache =
        DiscoveryCache { directory: host.display().to_string(), ..DiscoveryCache::default() };
    for error in found.skipped {
        let why = Unusable::Unreadable(error.why.to_string());
        cache.skipped.push(SkippedFile { path: error.name, why });
    }
    let mut budget = MAX_CACHE;
    for entry in found.files {
        let path = &entry.path;
        let place = path.strip_prefix(host).unwrap_or(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let parts: Vec<String> =
            place.components().map(|part| part.as_os_str().to_string_lossy().into()).collect();
        let skip = |why| SkippedFile { path: path.display().to_string(), why };
        let (is_groups, group_version) = match parts.as_slice() {
            [file] if file == GROUPS => (true, String::new()),
            [group_version @ .., file]
                if file == RESOURCES && matches!(group_version.len(), 1 | 2) =>
            {
                (false, group_version.join("/"))
            }
            // The cache of a server whose address has a path is below that of its host.
            [_, _, _, ..] if name == GROUPS || name == RESOURCES => continue,
            // kubectl was interrupted while it wrote a file.
            _ if name.starts_with(GROUPS) || name.starts_with(RESOURCES) => continue,
            _ => {
                cache.skipped.push(skip(Unusable::Foreign));
                continue;
            }
        };
        let (bytes, modified) = match content(path, &mut budget) {
            Ok(read) => read,
            Err(error) => {
                cache.skipped.push(skip(Unusable::Unreadable(plain(&error))));
                continue;
            }
        };
        let decoded = if is_groups {
            let content = decode_groups(&bytes);
            let decoded = content.is_some();
            cache.groups = Some(CacheFile { modified, content });
            decoded
        } else {
            let content = decode_resources(&bytes);
            let decoded = content.is_some();
            cache.lists.insert(group_version, CacheFile { modified, content });
            decoded
        };
        if !decoded {
            cache.skipped.push(skip(Unusable::NotDiscovery));
        }
    }
    Ok(cache)
}

/// Reads a file of limited size, and when it was written.
fn content(path: &Path, budget: &mut u64) -> io::Result<(Vec<u8>, jiff::Timestamp)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let modified = clock::of(metadata.modified()?);
    let most = MAX_FILE.min(*budget);
    // One read for the content, and one for its end.
    let size = metadata.len().min(most) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    file.take(most + 1).read_to_end(&mut bytes)?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    *budget = budget.saturating_sub(size);
    if size > most {
        let why = format!("is larger than {} MiB", most >> 20);
        return Err(io::Error::other(why));
    }
    Ok((bytes, modified))
}

/// Reads the responses that kubectl keeps of a server's discovery documents.
fn read_responses(directory: &Path, server: &str, cache: &mut DiscoveryCache) {
    let mut found = BTreeMap::new();
    for (path, url) in http_urls(server) {
        let name: String = digest(&SHA256, url.as_bytes())
            .as_ref()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let file = directory.join(name);
        let Ok((bytes, _)) = content(&file, &mut MAX_CACHE.clone()) else { continue };
        let entry = match bytes.split_at_checked(SHA256_OUTPUT_LEN) {
            Some((sum, response)) if digest(&SHA256, response).as_ref() == sum => {
                HttpEntry::parse(response).map_err(|_| Unusable::NotDiscovery)
            }
            _ => Err(Unusable::Checksum),
        };
        match entry {
            Ok(entry) => {
                found.insert(path, entry);
            }
            Err(why) => {
                cache.skipped.push(SkippedFile { path: file.display().to_string(), why });
            }
        }
    }
    cache.http = found;
}
