//! The result of a lint run.

use super::finding::{Located, Severity};
use super::rules::unrendered_template;

/// The result of a lint run.
#[derive(Debug, Clone, Default)]
pub struct LintReport {
    /// The findings, in input order.
    pub findings: Vec<Located>,
    /// Suppressed findings, in input order.
    pub suppressed: Vec<Located>,
    /// The number of files checked.
    pub files: usize,
    /// The number of documents in those files.
    pub documents: usize,
    /// The number of APIServices in them.
    pub api_services: usize,
    /// The number of templates that do not even mention APIServices.
    pub templates: usize,
    /// The number of patches for objects elsewhere.
    pub patches: usize,
    /// Files that were not checked completely, by index, and why.
    pub skipped: Vec<(usize, Skipped)>,
}

/// Why a file, or a part of it, was not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// A template that was not rendered.
    Template,
    /// A patch for objects elsewhere.
    Patch,
    /// A file that is not a manifest.
    NotManifest,
}

impl LintReport {
    /// Returns the number of findings with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|l| l.finding.severity == severity).count()
    }

    /// Returns how many findings an input file suppresses, by its index.
    pub fn hidden_by(&self, file: usize) -> usize {
        let by = |l: &&Located| l.suppressed.as_ref().is_some_and(|s| s.file == file);
        self.suppressed.iter().filter(by).count()
    }

    /// Returns whether none of the APIServices could be checked, because all are in unrendered
    /// templates that were found in directories. That must not count as clean, even if each is only
    /// a warning.
    pub fn is_unseen(&self) -> bool {
        let template = |l: &Located| std::ptr::eq(l.finding.rule, &unrendered_template::RULE);
        self.api_services == 0
            && !self.reaches(Severity::Error)
            && self.findings.iter().any(template)
    }

    /// Returns the number of findings that `--fix` can fix.
    pub fn fixable(&self) -> usize {
        self.findings.iter().filter(|l| l.finding.fix.is_some()).count()
    }

    /// Returns whether any finding has at least this severity.
    pub fn reaches(&self, severity: Severity) -> bool {
        self.findings.iter().any(|l| l.finding.severity >= severity)
    }
}
