//! Writes the issues of a control plane.

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::{TextBuilder, TextOptions, sanitize};
use aggctl_diagnose::control_plane::PlaneFinding;
use kube_aggregation::model::Severity;

/// One issue of the control plane.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlaneFindingJson<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    reason: &'a str,
}

impl<'a> From<&'a PlaneFinding> for PlaneFindingJson<'a> {
    fn from(one: &'a PlaneFinding) -> Self {
        let severity = one.severity.as_str();
        Self { code: one.code, severity, message: &one.message, reason: &one.reason }
    }
}

/// Returns the issues of a control plane, one paragraph each. `version` is that of all servers, if
/// they run the same.
pub fn plane_text(findings: &[PlaneFinding], version: Option<&str>, page: TextOptions) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    let version = version.map(|v| format!("  Kubernetes {}", sanitize(v.trim_start_matches('v'))));
    let version = version.unwrap_or_default();
    sheet.line(format_args!("{}{}", paint.strong("CONTROL PLANE"), paint.faint(version)));
    if findings.is_empty() {
        sheet.line("The API servers agree.");
    }
    for (index, one) in findings.iter().enumerate() {
        let sign = match one.severity {
            Severity::Info => paint.faint("·"),
            Severity::Warning => paint.odd("!"),
            Severity::Error => paint.bad("✗"),
        };
        let text = format!("{} [{}]", sanitize(&one.message), one.code);
        sheet.paragraph(format_args!("{sign} "), "  ", text);
        // Print a repeated reason only once.
        let told = findings.iter().take(index).any(|other| other.reason == one.reason);
        if !told {
            sheet.indented(4, &one.reason);
        }
    }
    sheet.gap();
    sheet.into_text()
}
