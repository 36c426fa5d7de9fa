//! Version strings in order, and why they sort as they do.

mod json;
mod text;

pub(in crate::render) use json::{VersionJson, VersionOrderJson};

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::Basis;

/// Version strings in order.
#[derive(Debug)]
pub struct VersionsAnswer<'a> {
    /// Preferred first.
    pub versions: &'a [String],
    /// Say why each stands where it stands.
    pub explain: bool,
}

impl Answer for VersionsAnswer<'_> {
    fn text(&self, page: Page) -> String {
        if self.explain || page.wide {
            return text::table(self.versions, page);
        }
        let line = |name: &String| format!("{}\n", super::sanitise(name));
        self.versions.iter().map(line).collect()
    }

    fn json(&self) -> impl Serialize {
        Basis::none().answer("VersionOrder", json::VersionOrderJson::new(self.versions))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let versions = self.versions.iter().map(|version| json::VersionJson::new(version));
        versions.map(|version| Basis::none().answer("Version", version))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.versions.iter().cloned()
    }
}
