//! Verdicts for reports of tests.

use super::{Judged, mismatch};
use crate::expectation::Verdict;
use crate::render::joined;
use crate::render::junit::{self, Case, Suite};

/// Verdicts as JUnit XML.
pub fn verdicts_junit(files: &[Judged<'_>]) -> String {
    let suite = |(file, verdicts): &Judged<'_>| Suite {
        name: file.clone(),
        cases: verdicts.iter().map(case).collect(),
    };
    junit::junit("aggctl test", files.iter().map(suite))
}

fn case(verdict: &Verdict<'_>) -> Case {
    let one = verdict.expectation;
    let message = joined(verdict.mismatches.iter().map(mismatch), "; ");
    let details = std::iter::once(&message).chain(&verdict.why);
    Case {
        name: format!("{} {}", one.method, one.path),
        line: Some(one.position.line),
        details: joined(details, "\n"),
        fails: !message.is_empty(),
        message: (!message.is_empty()).then_some(message),
    }
}
