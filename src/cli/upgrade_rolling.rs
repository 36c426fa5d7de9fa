//! `aggctl upgrade --rolling`: an upgrade or rollback, server by server.

use super::control_plane::Members;
use super::output::Format;
use super::source::{LoadedSource, running};
use super::terminal::{Status, Terminal};
use super::upgrade::UpgradeArgs;
use super::usage_logs::complete;
use crate::render::{ResponseMeta, RollingAnswer, rolling_markdown};
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::peers::rolling;

/// How many servers a control plane is taken to have if nothing tells.
const USUAL_SERVERS: usize = 3;

impl UpgradeArgs {
    /// Plays the upgrade of each server, in the order of their names.
    pub(super) fn answer_rolling(
        &self,
        members: &Members<'_>,
        to: Minor,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let Some(first) = members.sources.first() else { return Ok(Status::Ok) };
        let from = running(&first.snapshot)?;
        let (servers, assumed) = servers(members, first);
        let rolling = rolling(&servers, to);
        let mut assumptions: Vec<String> =
            rolling.assumptions.iter().map(ToString::to_string).collect();
        assumptions.extend(assumed);
        for one in &assumptions {
            terminal.warn(one)?;
        }
        let counted = self.requests(&first.snapshot, [from, to], terminal)?;
        let basis = ResponseMeta::new(&first.snapshot.origin, &assumptions);
        let requests = counted.as_ref().map(|(report, _)| report);
        let answer = RollingAnswer { to, rolling: &rolling, requests, basis };
        match self.output {
            Format::Markdown => terminal.print(rolling_markdown(&answer))?,
            format => terminal.answer(format, &answer)?,
        }
        complete(counted.as_ref().map_or(&[], |(_, counted)| &counted.failed))?;
        let breaks = rolling.steps.iter().any(|step| {
            !step.deletes.is_empty() || step.differing.iter().any(|one| !one.missing_at.is_empty())
        });
        Ok(Status::findings_if(breaks && self.fails_on_breaks()))
    }
}

/// The servers by name: those of the control plane, those that the Leases name, or as many as are
/// usual. Returns also what that assumes.
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
        false => (hosts, "all API servers are taken to be like the one in the source".to_owned()),
        true => (
            (1..=USUAL_SERVERS).map(|number| format!("server {number}")).collect(),
            format!("the number of API servers is not in the source: taken for {USUAL_SERVERS}"),
        ),
    };
    let assumed = (names.len() > 1).then_some(assumed);
    (names.into_iter().map(|name| (name, snapshot.clone())).collect(), assumed)
}
