//! Verdicts as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use super::VerdictsAnswer;
use crate::expectation::Verdict;

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ReportJson<'a> {
    passed: usize,
    failed: usize,
    items: Vec<ItemJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ItemJson<'a> {
    file: &'a str,
    line: usize,
    method: &'static str,
    path: &'a str,
    holds: bool,
    mismatches: Vec<MismatchJson<'a>>,
    why: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct MismatchJson<'a> {
    field: &'static str,
    expected: &'a str,
    got: &'a str,
}

impl<'a> ReportJson<'a> {
    pub(super) fn new(answer: &VerdictsAnswer<'a>) -> Self {
        let items: Vec<ItemJson<'a>> = answer.all().map(ItemJson::from).collect();
        let passed = items.iter().filter(|item| item.holds).count();
        Self { passed, failed: items.len() - passed, items }
    }
}

impl<'a> From<(&'a str, &'a Verdict<'a>)> for ItemJson<'a> {
    fn from((file, verdict): (&'a str, &'a Verdict<'a>)) -> Self {
        let expectation = verdict.expectation;
        Self {
            file,
            line: expectation.position.line,
            method: expectation.method.as_str(),
            path: &expectation.path,
            holds: verdict.mismatches.is_empty(),
            mismatches: (verdict.mismatches.iter())
                .map(|m| MismatchJson { field: m.field, expected: &m.expected, got: &m.got })
                .collect(),
            why: &verdict.why,
        }
    }
}
