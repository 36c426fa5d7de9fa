//! The snapshot that an answer is about: as it is, or a what-if without some objects.

use std::borrow::Cow;

use super::site::Site;
use kube_aggregation::model::Snapshot;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use kube_aggregation::what_if::{self, Changes, Unknown};

/// A snapshot, and what the controllers would do after the removals.
#[derive(Debug)]
pub(super) struct World<'s> {
    pub snapshot: Cow<'s, Snapshot>,
    pub effects: Vec<String>,
}

impl<'s> World<'s> {
    /// Returns the snapshot of a site without some APIServices, CRDs or Services.
    pub(super) fn new(site: &Site<'s>, without: &[String]) -> Result<Self, Unknown> {
        if without.is_empty() {
            return Ok(Self { snapshot: Cow::Borrowed(site.snapshot), effects: vec![] });
        }
        let changes = Changes { applied: None, replace: false, removed: without };
        let mut changed = what_if::changed(site.snapshot, &changes)?;
        changed.snapshot.origin.name.push_str(&format!(" without {}", without.join(", ")));
        Ok(Self { snapshot: Cow::Owned(changed.snapshot), effects: changed.effects })
    }
}

/// Calls a function with the control plane of a site: the server of the page, with this registry,
/// and then its peers. `None` if there are no peers.
pub(super) fn with_plane<T>(
    site: &Site<'_>,
    without: &[String],
    registry: &Registry<'_>,
    call: impl FnOnce(Option<&ControlPlane<'_, '_>>) -> T,
) -> T {
    if site.peers.is_empty() {
        return call(None);
    }
    // The servers share their objects, so all of them lack what is removed.
    let changes = Changes { applied: None, replace: false, removed: without };
    let mut snapshots: Vec<Cow<'_, Snapshot>> = vec![];
    for (_, peer) in site.peers {
        let changed = (!without.is_empty()).then(|| what_if::changed(peer, &changes));
        snapshots.push(match changed {
            Some(Ok(changed)) => Cow::Owned(changed.snapshot),
            _ => Cow::Borrowed(peer),
        });
    }
    let registries: Vec<Registry<'_>> = snapshots.iter().map(|one| Registry::new(one)).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    let own = Router::new(registry);
    let asked = site.servers.map_or("", |servers| servers.asked.as_str());
    let names = std::iter::once(asked).chain(site.peers.iter().map(|(name, _)| name.as_str()));
    let all = names.zip(std::iter::once(&own).chain(&routers));
    call(Some(&ControlPlane::new(all)))
}
