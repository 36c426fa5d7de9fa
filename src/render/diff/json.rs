//! A diff, as the JSON contract has it: complete, so that it can be applied.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::DiffAnswer;
use super::fields::{FieldChange, changes, section};
use super::summary::{Line, parts};
use crate::diff::{Change, Diff, Difference, OrderChange};
use crate::render::json::{API_VERSION, SourceJson};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DiffJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    differences: Vec<DifferenceJson>,
    orders: Vec<OrderJson<'a>>,
    assumptions: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DifferenceJson {
    section: &'static str,
    subject: String,
    change: &'static str,
    fields: BTreeMap<&'static str, FieldChange>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OrderJson<'a> {
    form: &'static str,
    before: &'a [String],
    after: &'a [String],
}

impl<'a> DiffJson<'a> {
    pub(super) fn new(answer: &DiffAnswer<'a>) -> Self {
        Self {
            api_version: API_VERSION,
            kind: "Diff",
            from: answer.from.into(),
            to: answer.to.into(),
            differences: answer.diff.differences.iter().map(difference).collect(),
            orders: answer.diff.orders.iter().map(order).collect(),
            assumptions: assumptions(answer.diff),
        }
    }
}

fn assumptions(diff: &Diff) -> Vec<String> {
    diff.assumptions.iter().map(ToString::to_string).collect()
}

/// One document for each difference: orders of groups are differences too.
pub(super) fn lines<'a>(answer: &DiffAnswer<'a>) -> Vec<LineJson<'a>> {
    let diff = answer.diff;
    let line = |kind, what| LineJson {
        api_version: API_VERSION,
        kind,
        from: answer.from.into(),
        to: answer.to.into(),
        what,
        assumptions: assumptions(diff),
    };
    let differences = diff
        .differences
        .iter()
        .map(|one| line("Difference", WhatJson::Difference(difference(one))));
    let orders = diff.orders.iter().map(|one| line("OrderDifference", WhatJson::Order(order(one))));
    differences.chain(orders).collect()
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct LineJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    #[serde(flatten)]
    what: WhatJson<'a>,
    assumptions: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum WhatJson<'a> {
    Difference(DifferenceJson),
    Order(OrderJson<'a>),
}

fn order(one: &OrderChange) -> OrderJson<'_> {
    OrderJson { form: one.form, before: &one.before, after: &one.after }
}

fn difference(one: &Difference) -> DifferenceJson {
    let change = match &one.change {
        Change::Added(_) => "added",
        Change::Removed(_) => "removed",
        Change::Changed(..) => "changed",
    };
    DifferenceJson {
        section: section(&one.subject),
        subject: one.subject.to_string(),
        change,
        fields: changes(&one.change),
    }
}

/// A diff in the lines that people read, as the page asks for it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct SummaryJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    parts: Vec<PartJson>,
    assumptions: Vec<String>,
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

impl<'a> SummaryJson<'a> {
    pub(super) fn new(answer: &DiffAnswer<'a>) -> Self {
        let line = |line: Line| SummaryLineJson {
            mark: line.mark.as_str(),
            subject: line.subject,
            detail: line.detail,
        };
        let parts = parts(answer.diff).into_iter().map(|part| PartJson {
            title: part.title,
            counts: part.counts(),
            lines: part.lines.into_iter().map(line).collect(),
        });
        Self {
            api_version: API_VERSION,
            kind: "DiffSummary",
            from: answer.from.into(),
            to: answer.to.into(),
            parts: parts.collect(),
            assumptions: assumptions(answer.diff),
        }
    }
}
