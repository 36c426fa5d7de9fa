//! A diff, as the JSON contract has it: complete, so that it can be applied.

use std::collections::BTreeMap;

use serde::Serialize;

use super::fields::{FieldChange, changes, section};
use crate::diff::{Change, Diff, Difference, OrderChange};
use crate::model::Origin;
use crate::render::json::{API_VERSION, SourceJson};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DiffJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    differences: Vec<DifferenceJson>,
    orders: Vec<OrderJson<'a>>,
    assumptions: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DifferenceJson {
    section: &'static str,
    subject: String,
    change: &'static str,
    fields: BTreeMap<&'static str, FieldChange>,
}

#[derive(Debug, Serialize)]
struct OrderJson<'a> {
    form: &'static str,
    before: &'a [String],
    after: &'a [String],
}

/// A diff as JSON.
pub fn diff_json<'a>(from: &'a Origin, to: &'a Origin, diff: &'a Diff) -> impl Serialize + 'a {
    DiffJson {
        api_version: API_VERSION,
        kind: "Diff",
        from: from.into(),
        to: to.into(),
        differences: diff.differences.iter().map(difference).collect(),
        orders: diff.orders.iter().map(order).collect(),
        assumptions: diff.assumptions.iter().map(ToString::to_string).collect(),
    }
}

/// A diff as JSON, a line a difference: orders of groups are differences too.
pub fn difference_lines<'a>(
    from: &'a Origin,
    to: &'a Origin,
    diff: &'a Diff,
) -> Vec<impl Serialize + 'a> {
    let line = move |kind, what| LineJson {
        api_version: API_VERSION,
        kind,
        from: from.into(),
        to: to.into(),
        what,
        assumptions: diff.assumptions.iter().map(ToString::to_string).collect(),
    };
    let differences = diff
        .differences
        .iter()
        .map(move |one| line("Difference", WhatJson::Difference(difference(one))));
    let orders =
        diff.orders.iter().map(move |one| line("OrderDifference", WhatJson::Order(order(one))));
    differences.chain(orders).collect()
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LineJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SourceJson<'a>,
    to: SourceJson<'a>,
    #[serde(flatten)]
    what: WhatJson<'a>,
    assumptions: Vec<String>,
}

#[derive(Debug, Serialize)]
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
