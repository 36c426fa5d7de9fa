//! Verdicts for reports of tests.

use crate::expectation::{Mismatch, Verdict};
use crate::render::junit::{self, Case, Suite};

/// Verdicts as JUnit XML.
pub fn verdicts_junit(files: &[(String, Vec<Verdict<'_>>)]) -> String {
    let suite = |(file, verdicts): &(String, Vec<Verdict<'_>>)| Suite {
        name: file.clone(),
        cases: verdicts.iter().map(case).collect(),
    };
    junit::junit("aggctl test", files.iter().map(suite))
}

fn case(verdict: &Verdict<'_>) -> Case {
    let one = verdict.expectation;
    let mismatch = |m: &Mismatch| format!("{}: expected {}, got {}", m.field, m.expected, m.got);
    let message = verdict.mismatches.iter().map(mismatch).collect::<Vec<_>>().join("; ");
    let details = std::iter::once(message.clone()).chain(verdict.why.iter().cloned());
    Case {
        name: format!("{} {}", one.method, one.path),
        line: Some(one.position.line),
        details: details.collect::<Vec<_>>().join("\n"),
        fails: !message.is_empty(),
        message: (!message.is_empty()).then_some(message),
    }
}
