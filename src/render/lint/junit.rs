//! JUnit XML: a suite for each file, a case for each finding.

use super::Lint;
use crate::render::junit::{self, Case, Suite};
use aggctl_lint::Located;

impl Lint<'_> {
    /// The report as JUnit XML. It fails where the command does: findings below that pass, with
    /// output. A file without findings is one case that passed.
    pub fn junit(&self) -> String {
        let mut findings = self.report.findings.iter().peekable();
        let mut suites = Vec::new();
        for (number, input) in self.inputs.iter().enumerate() {
            let mut cases = Vec::new();
            while let Some(next) = findings.next_if(|l| l.finding.place.file == number) {
                cases.push(self.case(next, &input.name));
            }
            if cases.is_empty() && !input.is_config() {
                let name = "no problems".to_owned();
                let details = String::new();
                cases.push(Case { name, line: None, message: None, details, fails: false });
            }
            if !cases.is_empty() {
                suites.push(Suite { name: input.name.clone(), cases });
            }
        }
        junit::junit("aggctl lint", suites)
    }

    fn case(&self, located: &Located, file: &str) -> Case {
        let finding = &located.finding;
        let place = format!("{}:{}", located.start.line, located.start.column);
        let object = finding.object.as_ref().map(|object| format!("{object} ")).unwrap_or_default();
        let (severity, message) = (finding.severity, &finding.message);
        let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        Case {
            name: format!("{} {object}{place}", finding.rule.name),
            line: Some(located.start.line),
            message: Some(format!("{severity}: {message}")),
            details: format!("{file}:{place}: {severity}: {message}{help}"),
            fails: self.fail_on.is_some_and(|least| severity >= least),
        }
    }
}
