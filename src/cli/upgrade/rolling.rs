//! `aggctl upgrade --rolling`: an upgrade or rollback, server by server.

use super::super::audit_logs::require_complete;
use super::super::output::Reply;
use super::super::source::{LoadedSource, Members, running};
use super::UpgradeArgs;
use crate::render::{ResponseMeta, RollingAnswer};
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::peers::rolling;

/// The assumed number of servers of a control plane if the source does not show it.
const USUAL_SERVERS: usize = 3;

/// Simulates the upgrade of each server, in the order of their names.
pub(super) fn answer(
    args: &UpgradeArgs,
    members: &Members<'_>,
    to: Minor,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    let Some(first) = members.sources.first() else { return Ok(()) };
    let from = running(&first.snapshot)?;
    let (servers, assumed) = servers(members, first);
    let rolling = rolling(&servers, to);
    let mut assumptions: Vec<String> =
        rolling.assumptions.iter().map(ToString::to_string).collect();
    assumptions.extend(assumed);
    for one in &assumptions {
        reply.terminal.warn(one)?;
    }
    let counted = args.requests(&first.snapshot, [from, to], reply.terminal)?;
    let meta = ResponseMeta::new(&first.snapshot.origin, &assumptions);
    let requests = counted.as_ref().map(|(report, _)| report);
    reply.answer(&RollingAnswer { to, rolling: &rolling, requests, meta })?;
    require_complete(counted.as_ref().map_or(&[], |(_, counted)| &counted.failed))?;
    let breaks = rolling.steps.iter().any(|step| {
        !step.deletes.is_empty() || step.differing.iter().any(|one| !one.missing_at.is_empty())
    });
    reply.fail_if(breaks && !args.fail_on.is_never());
    Ok(())
}

/// Returns the servers by name: those of the control plane, those that the Leases name, or the
/// usual number. Also returns what that assumes.
fn servers(
    members: &Members<'_>,
    first: &LoadedSource,
) -> (Vec<(String, Snapshot)>, Option<String>) {
    if members.are_named() {
        let names = members.names.iter().map(|name| (*name).to_owned());
        let sources = members.sources.iter().map(|source| source.snapshot.clone());
        return (names.zip(sources).collect(), None);
    }
    let snapshot = &first.snapshot;
    let hosts: Vec<String> = snapshot.leases.items().iter().map(|l| l.host.clone()).collect();
    let (names, assumed) = match hosts.is_empty() {
        false => (hosts, "all API servers are assumed to be like the one in the source".to_owned()),
        true => (
            (1..=USUAL_SERVERS).map(|number| format!("server {number}")).collect(),
            format!("the number of API servers is not in the source; assuming {USUAL_SERVERS}"),
        ),
    };
    let assumed = (names.len() > 1).then_some(assumed);
    (names.into_iter().map(|name| (name, snapshot.clone())).collect(), assumed)
}
