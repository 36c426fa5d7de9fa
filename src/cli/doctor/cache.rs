//! Notes that kubectl's cache of a live cluster contradicts it.

use jiff::Timestamp;

use crate::cli::client_cache::{CacheArgs, assumed_version};
use crate::cli::source::LoadedSource;
use crate::render::CacheNote;
use aggctl_client::{Disagreement, ServerDiscovery, disagreements};

/// Compares kubectl's own cache of a live cluster with the aggregated document that was read anyway.
/// Returns `None` without a cache, without that document, and if kubectl finds everything.
pub(super) fn note(source: &LoadedSource, now: Timestamp) -> Option<CacheNote> {
    let groups = source.current().aggregated_groups.loaded()?;
    let cache = CacheArgs::default().read(Some(source)).ok()??;
    let kubectl = assumed_version(Some(&cache)).used;
    let form = kubectl.aggregated_forms().first().copied().unwrap_or_default();
    let server = ServerDiscovery::of_aggregated(groups, kubectl, form);
    let mut found = disagreements(&cache, &server, kubectl, now).all;
    found.retain(Disagreement::misleads);
    let age = cache.groups.as_ref()?.age(now);
    (!found.is_empty()).then_some(CacheNote { directory: cache.directory, age, found })
}
