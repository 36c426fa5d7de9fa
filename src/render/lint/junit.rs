//! The JUnit XML of `lint`: a suite per file, a case per finding.

use super::answer::Lint;
use crate::render::junit::{self, JunitCase, JunitStatus, JunitSuite};
use aggctl_lint::{Located, Skipped};
use std::collections::HashMap;

/// Returns the report as JUnit XML. A case fails if its finding makes the command fail; other
/// findings are in the output of the suite. A file without findings is one passed case, and a file
/// that was not checked is a skipped one.
pub(super) fn junit(lint: &Lint<'_>) -> String {
    let skipped: HashMap<usize, Skipped> = lint.report.skipped.iter().copied().collect();
    let mut findings = lint.report.findings.iter().peekable();
    let mut suites = Vec::new();
    for (number, input) in lint.inputs.iter().enumerate() {
        let mut cases = Vec::new();
        while let Some(next) = findings.next_if(|l| l.finding.place.file == number) {
            cases.push(case(lint, next, &input.name));
        }
        if input.is_config() || input.is_context() {
            // Only findings about them are of interest.
        } else if let Some(why) = skipped.get(&number) {
            let name = "not checked".to_owned();
            cases.push(JunitCase {
                name,
                status: JunitStatus::Skipped,
                details: words(*why).to_owned(),
            });
        } else if cases.is_empty() {
            let name = "no problems".to_owned();
            cases.push(JunitCase { name, status: JunitStatus::Passed, details: String::new() });
        }
        if !cases.is_empty() {
            suites.push(JunitSuite { name: input.name.clone(), cases });
        }
    }
    let unread = lint.unread.iter().map(|text| JunitCase {
        name: text.clone(),
        status: JunitStatus::Error,
        details: text.clone(),
    });
    let cases: Vec<JunitCase> = unread.collect();
    if !cases.is_empty() {
        suites.push(JunitSuite { name: "input".to_owned(), cases });
    }
    junit::junit(suites, lint.now)
}

fn words(why: Skipped) -> &'static str {
    match why {
        Skipped::Template => "a template that was not rendered",
        Skipped::Patch => "a patch for an object elsewhere",
        Skipped::NotManifest => "not a manifest",
    }
}

fn case(lint: &Lint<'_>, located: &Located, file: &str) -> JunitCase {
    let finding = &located.finding;
    let place = format!("{}:{}", located.start.line, located.start.column);
    let object = finding.object.as_ref().map(|object| format!("{object} ")).unwrap_or_default();
    let (severity, message) = (finding.severity, &finding.message);
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    JunitCase {
        name: format!("{} {object}{place}", finding.rule.name),
        status: match (lint.fails)(&severity) {
            true => JunitStatus::Failed {
                kind: severity.as_str(),
                message: format!("{severity}: {message}"),
            },
            false => JunitStatus::Passed,
        },
        details: format!("{file}:{place}: {severity}: {message}{help}"),
    }
}
