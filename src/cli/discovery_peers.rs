//! `aggctl discovery` for the servers of a control plane: the document that clients get, merged with
//! that of peers.

use super::control_plane::Members;
use super::discovery::DiscoveryArgs;
use super::terminal::{Status, Terminal};
use crate::render::{DiscoveryAnswer, ResponseMeta, sanitise};
use kube_aggregation::discovery::{self, DiscoveryDocument};
use kube_aggregation::model::{AggregatedGroup, DiscoveryForm, GroupVersion};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

impl DiscoveryArgs {
    /// Whether peers change the document.
    pub(super) fn is_merged_with_peers(&self) -> bool {
        let path = self.path.trim_matches('/');
        path == "apis" && self.form() != Some(DiscoveryForm::Legacy) && self.merged
    }

    /// Shows the aggregated document of each server that is asked.
    pub(super) fn answer_members(
        &self,
        members: &Members<'_>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let registries: Vec<Registry<'_>> =
            members.sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
        let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
        let plane = ControlPlane::new(members.names.iter().copied().zip(&routers));
        for (index, asked) in members.asked.iter().enumerate() {
            let Some(registry) = registries.get(*asked) else { continue };
            if members.asked.len() > 1 && self.output.is_for_people() {
                let gap = if index == 0 { "" } else { "\n" };
                let name = terminal.paint.strong(sanitise(plane.name(*asked)));
                writeln!(terminal.out, "{gap}==> {name} <==")?;
            }
            let own = plane.groups(*asked, false);
            let groups = plane.groups(*asked, members.with_peers);
            let Some(mut page) =
                discovery::page(registry, &self.path, DiscoveryForm::Aggregated, true)
            else {
                continue;
            };
            let mut assumptions: Vec<String> =
                page.assumed.iter().map(ToString::to_string).collect();
            for one in plane.assumptions(*asked, members.with_peers) {
                terminal.warn(&one.to_string())?;
                assumptions.push(one.to_string());
            }
            let by_peers = of_peers(&own, &groups);
            page.document = DiscoveryDocument::Aggregated(groups);
            page.origins
                .extend(by_peers.iter().map(|(gv, _)| (gv.clone(), discovery::Behind::Peer)));
            let basis = ResponseMeta::new(&registry.snapshot.origin, &assumptions);
            let answer = DiscoveryAnswer { path: &self.path, page: &page, basis };
            terminal.answer(self.output, &answer)?;
            terminal.out.flush()?;
        }
        Ok(Status::Ok)
    }
}

/// The group versions of which a merged document has resources that only peers serve, with these.
fn of_peers(
    own: &[AggregatedGroup],
    merged: &[AggregatedGroup],
) -> Vec<(GroupVersion, Vec<String>)> {
    let mut found = vec![];
    for group in merged {
        for version in &group.versions {
            let known = own.iter().filter(|one| one.name == group.name);
            let mut known = known.flat_map(|one| &one.versions);
            let known = known.find(|one| one.version == version.version);
            let is_own = |name: &str| {
                known.is_some_and(|known| known.resources.iter().any(|one| one.resource == name))
            };
            let others = version.resources.iter().map(|one| one.resource.clone());
            let others: Vec<String> = others.filter(|name| !is_own(name)).collect();
            if known.is_none() && !others.is_empty() {
                found.push((GroupVersion::new(&*group.name, &*version.version), others));
            }
        }
    }
    found
}
