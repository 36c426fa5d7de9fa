//! The JUnit XML of `lint`: a suite per file, a case per finding.

use super::answer::Lint;
use crate::render::junit::{self, JunitCase, JunitSuite};
use aggctl_lint::Located;

/// Returns the report as JUnit XML. A case fails if its finding makes the command fail; other
/// findings are the output of passed cases. A file without findings is one passed case.
pub(super) fn junit(lint: &Lint<'_>) -> String {
    let mut findings = lint.report.findings.iter().peekable();
    let mut suites = Vec::new();
    for (number, input) in lint.inputs.iter().enumerate() {
        let mut cases = Vec::new();
        while let Some(next) = findings.next_if(|l| l.finding.place.file == number) {
            cases.push(case(lint, next, &input.name));
        }
        if cases.is_empty() && !input.is_config() {
            let name = "no problems".to_owned();
            let details = String::new();
            cases.push(JunitCase { name, line: None, message: None, details, fails: false });
        }
        if !cases.is_empty() {
            suites.push(JunitSuite { name: input.name.clone(), cases });
        }
    }
    junit::junit("aggctl lint", suites)
}

fn case(lint: &Lint<'_>, located: &Located, file: &str) -> JunitCase {
    let finding = &located.finding;
    let place = format!("{}:{}", located.start.line, located.start.column);
    let object = finding.object.as_ref().map(|object| format!("{object} ")).unwrap_or_default();
    let (severity, message) = (finding.severity, &finding.message);
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    JunitCase {
        name: format!("{} {object}{place}", finding.rule.name),
        line: Some(located.start.line),
        message: Some(format!("{severity}: {message}")),
        details: format!("{file}:{place}: {severity}: {message}{help}"),
        fails: (lint.fails)(&severity),
    }
}
