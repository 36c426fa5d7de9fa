//! One file a command. This one only says which there are.

mod lint;

use std::io::Write;

pub use lint::LintArgs;

/// Where a command writes.
pub struct Terminal<'a> {
    /// Data.
    pub out: &'a mut dyn Write,
    /// Everything else.
    pub err: &'a mut dyn Write,
    /// Whether data may be coloured.
    pub color: bool,
    /// The columns of the terminal.
    pub width: usize,
}

impl std::fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").field("color", &self.color).finish_non_exhaustive()
    }
}

/// How a command that could answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Exit code 0.
    Ok,
    /// Exit code 1.
    Findings,
}

/// Explains the Kubernetes API aggregation layer.
#[derive(Debug, clap::Parser)]
#[command(name = "aggctl", version)]
pub enum Command {
    /// Check APIService manifests.
    Lint(LintArgs),
}

impl Command {
    /// Runs it.
    ///
    /// # Errors
    /// Where the question cannot be answered.
    pub fn run(self, term: &mut Terminal<'_>) -> anyhow::Result<Status> {
        match self {
            Self::Lint(args) => args.run(term),
        }
    }
}
