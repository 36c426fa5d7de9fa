//! Whether kubectl's cache, the server or the name is the reason that a client did not find
//! something.

use super::ExplainArgs;
use crate::cli::client;
use crate::cli::client_cache::assumed_version;
use crate::cli::output::Reply;
use crate::cli::source::LoadedSource;
use crate::render::CacheVerdicts;
use aggctl_client::{Missing, ServerDiscovery, judge, missing};
use aggctl_source::{Needs, clock};
use kube_aggregation::registry::Registry;

/// Returns what to ask a live cluster for: what explains an APIService, and what kubectl reads.
pub(super) fn needs() -> Needs {
    let (mut needs, client) = (Needs::diagnosis(), client::needs());
    needs.documents.extend(client.documents);
    needs.with(client.resources)
}

impl ExplainArgs {
    /// Returns what a text reports as missing, if a cache can tell more about it. A dump has no
    /// cache unless one is named.
    pub(super) fn missing(&self, text: &str) -> Vec<Missing> {
        let may_exist = || !self.common.source.is_offline() && self.cache.may_exist();
        let expected = self.cache.cache_dir.is_some() || may_exist();
        if expected { missing(text) } else { vec![] }
    }

    /// Judges what is missing by the cache of the source; `None` without a cache.
    pub(super) fn verdicts(
        &self,
        missing: Vec<Missing>,
        source: Option<&LoadedSource>,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<Option<CacheVerdicts>> {
        if missing.is_empty() {
            return Ok(None);
        }
        let Some(cache) = self.cache.load(source, reply.terminal)? else { return Ok(None) };
        let kubectl = assumed_version(Some(&cache)).used;
        let server = source.map(|source| {
            let registry = Registry::new(&source.snapshot);
            ServerDiscovery::of(&registry, kubectl)
        });
        let now = clock::now();
        let one = |missing| judge(missing, &cache, server.as_ref(), kubectl, now);
        let verdicts = missing.into_iter().map(one).collect();
        Ok(Some(CacheVerdicts::new(&cache, kubectl, now, verdicts)))
    }
}
