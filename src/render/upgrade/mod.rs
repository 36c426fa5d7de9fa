//! What an upgrade does to a cluster.

mod json;
mod rolling;
mod text;

pub(in crate::render) use json::{FindingJson, UpgradeJson};
pub use rolling::{RollingAnswer, rolling_markdown};
pub(in crate::render) use rolling::{RollingJson, StepJson};
pub use text::upgrade_markdown;

use serde::Serialize;

use super::usage::{RowJson, UsageJson};
use super::{Answer, ResponseMeta, TextOptions};
use aggctl_usage::UsageReport;
use kube_aggregation::model::Origin;
use kube_aggregation::upgrade::Upgrade;

/// What an upgrade does to a cluster.
#[derive(Debug)]
pub struct UpgradeAnswer<'a> {
    /// The cluster.
    pub origin: &'a Origin,
    /// What becomes of it.
    pub upgrade: &'a Upgrade,
    /// The requests of audit logs that end differently, and whether reading them was ended early.
    pub requests: Option<(&'a UsageReport, bool)>,
    pub basis: ResponseMeta<'a>,
}

impl Answer for UpgradeAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        let requests = self.requests.map(|(report, ended)| UsageJson::new(report, ended));
        self.basis.answer("Upgrade", UpgradeJson::new(self.upgrade, requests))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let findings = self.upgrade.findings.iter().map(FindingJson::new).map(Line::Finding);
        let reports = self.requests.into_iter().map(|(report, _)| report);
        let rows = reports
            .flat_map(|r| r.rows.iter().map(move |row| Line::Row(Box::new(RowJson::new(r, row)))));
        let kind = |line: &Line<'_>| match line {
            Line::Finding(_) => "UpgradeFinding",
            Line::Row(_) => "UsageRow",
        };
        findings.chain(rows).map(move |line| self.basis.answer(kind(&line), line))
    }
}

/// One line of what is written line by line.
#[derive(Serialize)]
#[serde(untagged)]
enum Line<'a> {
    Finding(FindingJson<'a>),
    Row(Box<RowJson<'a>>),
}
