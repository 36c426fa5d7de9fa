//! What an upgrade does to a cluster.

mod json;
mod text;

pub(in crate::render) use json::{FindingJson, UpgradeJson};
pub use text::upgrade_markdown;

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::Basis;
use crate::model::Origin;
use crate::upgrade::Upgrade;

/// What an upgrade does to a cluster.
#[derive(Debug)]
pub struct UpgradeAnswer<'a> {
    /// The cluster.
    pub origin: &'a Origin,
    /// What becomes of it.
    pub upgrade: &'a Upgrade,
    /// What it rests on.
    pub basis: Basis<'a>,
}

impl Answer for UpgradeAnswer<'_> {
    fn text(&self, page: Page) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("Upgrade", UpgradeJson::new(self.upgrade))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let findings = self.upgrade.findings.iter().map(FindingJson::new);
        findings.map(|finding| self.basis.answer("UpgradeFinding", finding))
    }
}
