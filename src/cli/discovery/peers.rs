//! `aggctl discovery --merged` for the servers of a control plane: the document that clients get,
//! merged with that of peers.

use super::super::output::Reply;
use super::super::source::Members;
use crate::render::{DiscoveryAnswer, ResponseMeta, sanitize};
use kube_aggregation::discovery::{self, DiscoveryDocument};
use kube_aggregation::model::{AggregatedGroup, DiscoveryForm, GroupVersion};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// Shows the aggregated document of each server that is asked.
pub(super) fn answer(
    path: &str,
    members: &Members<'_>,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    let registries: Vec<Registry<'_>> =
        members.sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    let plane = ControlPlane::new(members.names.iter().copied().zip(&routers));
    for (index, asked) in members.asked.iter().enumerate() {
        let Some(registry) = registries.get(*asked) else { continue };
        if members.asked.len() > 1 {
            let name = sanitize(plane.name(*asked));
            reply.terminal.begin_source(reply.format(), index, &name)?;
        }
        let own = plane.groups(*asked, false);
        let groups = plane.groups(*asked, members.with_peers);
        let Some(mut page) = discovery::page(registry, path, DiscoveryForm::Aggregated, true)
        else {
            continue;
        };
        let mut assumptions: Vec<String> = page.assumed.iter().map(ToString::to_string).collect();
        for one in plane.assumptions(*asked, members.with_peers) {
            reply.terminal.warn(&one.to_string())?;
            assumptions.push(one.to_string());
        }
        let by_peers = of_peers(&own, &groups);
        page.document = DiscoveryDocument::Aggregated(groups);
        page.origins.extend(by_peers.into_iter().map(|gv| (gv, discovery::Behind::Peer)));
        let meta = ResponseMeta::new(&registry.snapshot.origin, &assumptions);
        reply.answer(&DiscoveryAnswer { path, page: &page, meta })?;
        reply.terminal.out.flush()?;
    }
    Ok(())
}

/// Returns the group versions that only peers serve resources of.
fn of_peers(own: &[AggregatedGroup], merged: &[AggregatedGroup]) -> Vec<GroupVersion> {
    let is_own = |gv: &GroupVersion| {
        let groups = own.iter().filter(|group| group.name == gv.group);
        groups.flat_map(|group| &group.versions).any(|one| one.version == gv.version)
    };
    let versions = merged.iter().flat_map(|group| {
        let served = group.versions.iter().filter(|version| !version.resources.is_empty());
        served.map(|version| GroupVersion::new(&*group.name, &*version.version))
    });
    versions.filter(|gv| !is_own(gv)).collect()
}
