//! The outcome of a run.

use super::finding::{Located, Severity};
use super::rules::unrendered_template;

/// What a run found.
#[derive(Debug, Clone, Default)]
pub struct LintReport {
    /// The findings, in the order of the input.
    pub findings: Vec<Located>,
    /// Findings that somebody allowed, in the order of the input.
    pub suppressed: Vec<Located>,
    /// How much was looked at.
    pub files: usize,
    /// How many documents those files have.
    pub documents: usize,
    /// How many APIServices are among them.
    pub api_services: usize,
    /// How many files are templates that do not even mention APIServices.
    pub templates: usize,
    /// How many are patches for objects elsewhere.
    pub patches: usize,
}

impl LintReport {
    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|l| l.finding.severity == severity).count()
    }

    /// How many findings a file of the input suppresses, by its number.
    pub fn hidden_by(&self, file: usize) -> usize {
        let by = |l: &&Located| l.suppressed.as_ref().is_some_and(|s| s.file == file);
        self.suppressed.iter().filter(by).count()
    }

    /// Whether there are APIServices that nobody named, and none that could be looked at. That is
    /// not clean, however little each of them matters.
    pub fn is_unseen(&self) -> bool {
        let template = |l: &Located| std::ptr::eq(l.finding.rule, &unrendered_template::RULE);
        self.api_services == 0
            && !self.reaches(Severity::Error)
            && self.findings.iter().any(template)
    }

    /// How many findings `--fix` can put right.
    pub fn fixable(&self) -> usize {
        self.findings.iter().filter(|l| l.finding.fix.is_some()).count()
    }

    /// Whether any finding is at least this bad.
    pub fn reaches(&self, severity: Severity) -> bool {
        self.findings.iter().any(|l| l.finding.severity >= severity)
    }
}
