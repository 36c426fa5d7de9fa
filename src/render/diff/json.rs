//! The JSON of `diff`: complete, so that it could be applied.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::DiffAnswer;
use super::fields::{FieldChange, changes, section};
use super::summary::{DiffLine, DiffPart, parts};
use crate::render::{API_VERSION, SourceJson};
use kube_aggregation::diff::{Change, Difference, OrderChange};

// A document about two sources. A doc comment would appear in the schema of each kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ComparedJson<'a, T> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    #[serde(flatten)]
    body: T,
    assumptions: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct DiffJson<'a> {
    differences: Vec<DifferenceJson>,
    orders: Vec<OrderChangeJson<'a>>,
}

// One difference, or one changed order of groups.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::render) enum DiffLineJson<'a> {
    Difference(DifferenceJson),
    Order(OrderChangeJson<'a>),
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct DifferenceJson {
    section: &'static str,
    subject: String,
    change: &'static str,
    fields: BTreeMap<&'static str, FieldChange>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct OrderChangeJson<'a> {
    form: &'static str,
    before: &'a [String],
    after: &'a [String],
}

/// A diff as lines for people, for the page.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct DiffSummaryJson {
    parts: Vec<PartJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PartJson {
    title: &'static str,
    counts: String,
    lines: Vec<SummaryLineJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SummaryLineJson {
    mark: &'static str,
    subject: String,
    detail: String,
}

impl<'a> DiffAnswer<'a> {
    fn document<T>(&self, kind: &'static str, body: T) -> ComparedJson<'a, T> {
        let assumptions = self.diff.assumptions.iter().map(ToString::to_string).collect();
        let (from, to) = (self.from.into(), self.to.into());
        ComparedJson { api_version: API_VERSION, kind, from, to, body, assumptions }
    }

    pub(super) fn whole(&self) -> ComparedJson<'a, DiffJson<'a>> {
        self.document("Diff", self.body())
    }

    pub(super) fn body(&self) -> DiffJson<'a> {
        let differences = self.diff.differences.iter().map(DifferenceJson::from).collect();
        let orders = self.diff.orders.iter().map(OrderChangeJson::from).collect();
        DiffJson { differences, orders }
    }

    pub(super) fn each(&self) -> impl Iterator<Item = ComparedJson<'a, DiffLineJson<'a>>> {
        let differences = self.diff.differences.iter();
        let orders = self.diff.orders.iter();
        differences
            .map(|one| self.document("Difference", DiffLineJson::Difference(one.into())))
            .chain(
                orders.map(|one| self.document("OrderDifference", DiffLineJson::Order(one.into()))),
            )
    }

    pub(super) fn summary(&self) -> ComparedJson<'a, DiffSummaryJson> {
        let parts = parts(self.diff).into_iter().map(PartJson::from).collect();
        self.document("DiffSummary", DiffSummaryJson { parts })
    }
}

impl<'a> From<&'a OrderChange> for OrderChangeJson<'a> {
    fn from(one: &'a OrderChange) -> Self {
        Self { form: one.form, before: &one.before, after: &one.after }
    }
}

impl From<&Difference> for DifferenceJson {
    fn from(one: &Difference) -> Self {
        Self {
            section: section(&one.subject),
            subject: one.subject.to_string(),
            change: match &one.change {
                Change::Added(_) => "added",
                Change::Removed(_) => "removed",
                Change::Changed(..) => "changed",
            },
            fields: changes(&one.change),
        }
    }
}

impl From<DiffPart> for PartJson {
    fn from(part: DiffPart) -> Self {
        let line = |DiffLine { mark, subject, detail, .. }| SummaryLineJson {
            mark: mark.as_str(),
            subject,
            detail,
        };
        Self {
            title: part.title,
            counts: part.counts(),
            lines: part.lines.into_iter().map(line).collect(),
        }
    }
}
