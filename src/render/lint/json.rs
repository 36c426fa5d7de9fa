//! The JSON of `lint`.

use super::answer::Lint;
use aggctl_lint::{Confidence, LintInput, Located, Role, Severity, Skipped};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
pub(crate) struct LintReportJson<'a> {
    findings: Vec<LintFindingJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<Vec<LintFindingJson<'a>>>,
    /// The configuration files in effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    configs: Vec<LintConfigJson<'a>>,
    /// What could not be read or checked. If it is not empty, the report is not complete.
    unread: &'a [String],
    /// Files that were not checked completely.
    skipped: Vec<SkippedJson<'a>>,
    summary: LintSummaryJson,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LintConfigJson<'a> {
    file: &'a str,
    /// Whether it counts for the whole run; otherwise only for its own folder.
    of_run: bool,
    /// How many findings it suppresses.
    suppressed: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LintFindingJson<'a> {
    rule: &'static str,
    severity: &'static str,
    confidence: &'static str,
    message: &'a str,
    field: Option<&'a str>,
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    document: usize,
    object: Option<&'a str>,
    server_rejects: bool,
    help: Option<&'a str>,
    fixable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppression: Option<SuppressionJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SkippedJson<'a> {
    file: &'a str,
    /// `template`, `patch` or `other`.
    reason: &'static str,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SuppressionJson<'a> {
    by: &'static str,
    reason: &'a str,
    /// The file that allows it.
    file: &'a str,
    /// The line in that file; null if the file leaves the rule out as a whole.
    line: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LintSummaryJson {
    files: usize,
    documents: usize,
    api_services: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    suppressed: usize,
    fixable: usize,
    templates: usize,
    patches: usize,
}

/// Returns the document of a report.
pub(super) fn report<'a>(lint: &'a Lint<'_>) -> LintReportJson<'a> {
    let report = lint.report;
    let all = |list: &'a [Located]| list.iter().map(|l| finding(l, lint)).collect();
    LintReportJson {
        findings: all(&report.findings),
        suppressed: lint.show_suppressed.then(|| all(&report.suppressed)),
        configs: configs(lint),
        unread: lint.unread,
        skipped: (report.skipped.iter())
            .map(|(file, why)| SkippedJson { file: lint.name(*file), reason: reason(*why) })
            .collect(),
        summary: LintSummaryJson {
            files: report.files,
            documents: report.documents,
            api_services: report.api_services,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            suppressed: report.suppressed.len(),
            fixable: report.fixable(),
            templates: report.templates,
            patches: report.patches,
        },
    }
}

fn reason(why: Skipped) -> &'static str {
    match why {
        Skipped::Template => "template",
        Skipped::Patch => "patch",
        Skipped::NotManifest => "other",
    }
}

fn configs<'a>(lint: &Lint<'a>) -> Vec<LintConfigJson<'a>> {
    let config = |(number, input): (usize, &'a LintInput)| match input.role {
        Role::Config { of_run } => {
            let suppressed = lint.report.hidden_by(number);
            Some(LintConfigJson { file: &input.name, of_run, suppressed })
        }
        Role::Manifest { .. } | Role::Context => None,
    };
    lint.inputs.iter().enumerate().filter_map(config).collect()
}

/// Returns the document of a finding.
pub(super) fn finding<'a>(located: &'a Located, lint: &'a Lint<'_>) -> LintFindingJson<'a> {
    let finding = &located.finding;
    LintFindingJson {
        rule: finding.rule.name,
        severity: finding.severity.as_str(),
        confidence: Confidence::as_str(finding.confidence),
        message: &finding.message,
        field: finding.field.as_deref(),
        file: lint.name(finding.place.file),
        line: located.start.line,
        column: located.start.column,
        end_line: located.end.line,
        end_column: located.end.column,
        document: finding.place.document,
        object: finding.object.as_deref(),
        server_rejects: finding.rule.server_rejects(),
        help: finding.help.as_deref(),
        fixable: finding.fix.is_some(),
        suppression: located.suppressed.as_ref().map(|s| {
            let (file, line) = (lint.name(s.file), s.line);
            SuppressionJson { by: s.by, reason: &s.reason, file, line }
        }),
    }
}
