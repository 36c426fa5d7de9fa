//! The answer of `upgrade`: what an upgrade does to a cluster.

mod answer;
mod json;
mod rolling;
mod text;

pub use answer::UpgradeAnswer;
pub(in crate::render) use json::{UpgradeFindingJson, UpgradeJson};
pub use rolling::RollingAnswer;
pub(in crate::render) use rolling::{RollingJson, StepJson};

use serde::Serialize;

use super::format::Format;
use super::table::{Grid, Table};
use super::usage::{UsageJson, UsageRowJson};
use super::{Answer, TextOptions};
use kube_aggregation::model::Minor;

impl Answer for UpgradeAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Markdown, Format::Name, Format::Csv];

    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        let requests = self.requests.map(|(report, ended)| UsageJson::new(report, ended));
        self.meta.answer("Upgrade", UpgradeJson::new(self.upgrade, requests))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let findings =
            self.upgrade.findings.iter().map(UpgradeFindingJson::new).map(UpgradeLineJson::Finding);
        let reports = self.requests.into_iter().map(|(report, _)| report);
        let rows = reports.flat_map(|r| {
            r.rows.iter().map(move |row| UpgradeLineJson::Row(Box::new(UsageRowJson::new(r, row))))
        });
        let kind = |line: &UpgradeLineJson<'_>| match line {
            UpgradeLineJson::Finding(_) => "UpgradeFinding",
            UpgradeLineJson::Row(_) => "UsageRow",
        };
        findings.chain(rows).map(move |line| self.meta.answer(kind(&line), line))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.upgrade.findings.iter().flat_map(|finding| finding.what.subjects())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let since = |minor: Option<Minor>| minor.map(|minor| minor.to_string());
        let table = Table::new(&self.upgrade.findings, options)
            .column("WEIGHT", |finding| finding.weight.as_str())
            .column("SINCE", |finding| since(finding.since).unwrap_or_default())
            .column("CODE", |finding| finding.what.code())
            .column("SUBJECTS", |finding| finding.what.subjects().join(" "))
            .column("MESSAGE", |finding| finding.what.to_string())
            .column("ADVICE", |finding| finding.what.advice().unwrap_or_default());
        Some(table.grid())
    }

    fn markdown(&self) -> Option<String> {
        Some(text::markdown(self))
    }
}

/// One line of `-o jsonl`.
#[derive(Serialize)]
#[serde(untagged)]
enum UpgradeLineJson<'a> {
    Finding(UpgradeFindingJson<'a>),
    Row(Box<UsageRowJson<'a>>),
}
