//! The answer of `conflicts`: group versions and names that several owners claim.

mod json;
mod text;

pub(in crate::render) use json::{ConflictJson, ConflictsJson, NameJson};

use serde::Serialize;

use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextOptions, joined};
use aggctl_diagnose::conflict::WordedConflict;
use kube_aggregation::names::{Candidate, NameConflict};

/// Conflicts over group versions, and over names.
#[derive(Debug)]
pub struct ConflictsAnswer<'a> {
    /// Conflicts over group versions.
    pub conflicts: Vec<WordedConflict>,
    /// Conflicts over names.
    pub names: Vec<NameConflict>,
    pub meta: ResponseMeta<'a>,
}

impl Answer for ConflictsAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        text::text(&self.conflicts, &self.names, self.meta.assumptions().is_empty(), page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("ConflictList", ConflictsJson::new(&self.conflicts, &self.names))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let conflicts = self
            .conflicts
            .iter()
            .map(|one| self.meta.answer("Conflict", json::ConflictLineJson::Conflict(one.into())));
        let names = self
            .names
            .iter()
            .map(|one| self.meta.answer("NameConflict", json::ConflictLineJson::Name(one.into())));
        conflicts.chain(names)
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let conflicts = self.conflicts.iter().map(|one| one.over.clone());
        conflicts.chain(self.names.iter().map(|one| one.name.clone()))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let conflicts = self.conflicts.iter().map(|one| {
            let parties = joined(&one.parties, ", ");
            [one.code.as_str().to_owned(), one.over.clone(), parties, one.outcome.clone()]
        });
        let names = self.names.iter().map(|one| {
            let candidates = joined(one.candidates.iter().map(Candidate::full_name), ", ");
            ["name".to_owned(), one.name.clone(), candidates, one.why.words()]
        });
        let rows: Vec<[String; 4]> = conflicts.chain(names).collect();
        let table = Table::new(&rows, options)
            .column("CODE", |[code, ..]| code)
            .column("OVER", |[_, over, ..]| over)
            .column("CLAIMED BY", |[_, _, claimants, _]| claimants)
            .column("OUTCOME", |[.., outcome]| outcome);
        Some(table.grid())
    }
}
