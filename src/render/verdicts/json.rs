//! Verdicts as the JSON contract has them.

use schemars::JsonSchema;
use serde::Serialize;

use super::Judged;
use crate::expectation::Verdict;

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ReportJson<'a> {
    passed: usize,
    failed: usize,
    items: Vec<ItemJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
    pub(super) fn new(files: &'a [Judged<'a>]) -> Self {
        let items = items(files);
        let passed = items.iter().filter(|item| item.holds).count();
        Self { passed, failed: items.len() - passed, items }
    }
}

pub(super) fn items<'a>(files: &'a [Judged<'a>]) -> Vec<ItemJson<'a>> {
    let all = files.iter().flat_map(|(file, verdicts)| verdicts.iter().map(move |v| (file, v)));
    let item = |(file, verdict): (&'a String, &'a Verdict<'a>)| ItemJson {
        file,
        line: verdict.expectation.position.line,
        method: verdict.expectation.method.as_str(),
        path: &verdict.expectation.path,
        holds: verdict.mismatches.is_empty(),
        mismatches: (verdict.mismatches.iter())
            .map(|m| MismatchJson { field: m.field, expected: &m.expected, got: &m.got })
            .collect(),
        why: &verdict.why,
    };
    all.map(item).collect()
}
