//! When Kubernetes served what.

mod json;
mod text;

pub(in crate::render) use json::{HistoryJson, RowJson};
pub use text::history_markdown;

use serde::Serialize;

use super::{Answer, Basis, Page};
use crate::baseline::Row;

/// Group versions and resources in time.
#[derive(Debug)]
pub struct HistoryAnswer<'a> {
    /// Each group version, followed by its resources.
    pub rows: &'a [Row],
    /// Say in words what took the place of what is gone.
    pub explain: bool,
}

impl Answer for HistoryAnswer<'_> {
    fn text(&self, page: Page) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        Basis::none().answer("VersionHistory", HistoryJson::new(self.rows))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let rows = self.rows.iter().map(RowJson::new);
        rows.map(|row| Basis::none().answer("ServedVersion", row))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let whole = self.rows.iter().filter(|row| row.resource.is_none());
        whole.map(|row| row.group_version.to_string())
    }
}
