//! kubectl's cache: which one a command reads, and what is wrong with its files.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::source::LoadedSource;
use super::terminal::Terminal;
use crate::error::Error;
use crate::render::{KubectlVersion, skipped_file};
use aggctl_client::{DiscoveryCache, Kubectl};
use aggctl_source::kubectl_cache;

/// The most files that are reported one by one without -v.
const MAX_FILES: usize = 5;

/// Which cache to read.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct CacheArgs {
    /// kubectl's cache directory, or the directory of one API server in it
    ///
    /// For a live cluster, the default is the same as for kubectl: $KUBECACHEDIR, or ~/.kube/cache. For other sources,
    /// no cache is read by default.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) cache_dir: Option<PathBuf>,
}

impl CacheArgs {
    /// Reads the cache that kubectl would use for a source; `None` if there is none.
    pub(super) fn read(
        &self,
        source: Option<&LoadedSource>,
    ) -> Result<Option<DiscoveryCache>, Error> {
        let server = source.and_then(|source| source.kubectl.as_ref());
        let server = server.map(|kubectl| kubectl.server.as_str());
        let Some(named) = &self.cache_dir else {
            let server = server.filter(|server| !server.is_empty());
            let place = server.zip(kubectl_cache::default_directory());
            let Some((server, directory)) = place else { return Ok(None) };
            return Ok(kubectl_cache::of_server(&directory, server)?);
        };
        let found = kubectl_cache::read(named, server)?;
        if found.is_none() && !named.is_dir() {
            let error =
                Error::source(format!("cannot read {}: no such directory", named.display()));
            return Err(error.with_hint("kubectl keeps its cache in ~/.kube/cache"));
        }
        Ok(found)
    }

    /// Reads the cache of a source, and reports what is wrong with it.
    pub(super) fn load(
        &self,
        source: Option<&LoadedSource>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<DiscoveryCache>> {
        let found = match self.read(source) {
            // A cache that was not named may be unreadable without harm.
            Err(error) if self.cache_dir.is_none() => {
                terminal.warn(&error.to_string())?;
                None
            }
            read => read?,
        };
        if let (Some(named), None) = (&self.cache_dir, &found) {
            terminal.warn(&format!("{} has no cache of this API server", named.display()))?;
        }
        tell_skipped(found.as_ref(), terminal)?;
        Ok(found)
    }

    /// Returns whether a cache can be expected, without knowing the server.
    pub(super) fn may_exist(&self) -> bool {
        let default = kubectl_cache::default_directory();
        self.cache_dir.is_some() || default.is_some_and(|one| one.join("discovery").is_dir())
    }
}

/// Returns the release that a cache suggests, or else the newest one.
pub(super) fn assumed_version(cache: Option<&DiscoveryCache>) -> KubectlVersion {
    match cache.and_then(DiscoveryCache::written_by) {
        Some((oldest, newest)) => {
            KubectlVersion { used: newest, oldest: Some(oldest), given: false }
        }
        None => KubectlVersion { used: Kubectl::NEWEST, oldest: None, given: false },
    }
}

/// Warns about the files of a cache that are not used, one line each.
fn tell_skipped(cache: Option<&DiscoveryCache>, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let skipped = cache.map(|cache| cache.skipped.as_slice()).unwrap_or_default();
    let most = if terminal.verbose { usize::MAX } else { MAX_FILES };
    for file in skipped.iter().take(most) {
        terminal.warn(&skipped_file(file))?;
    }
    if skipped.len() > most {
        let more = skipped.len() - most;
        terminal.warn(&format!("{more} more files of the cache are not used (-v lists them)"))?;
    }
    Ok(())
}
