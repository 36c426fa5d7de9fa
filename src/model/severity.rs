//! How bad something is: one scale for everything that aggctl finds.

use std::fmt;

/// How bad it is, if it is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Works, until something happens; somebody will stumble over it.
    Warning,
    /// Does not work, or breaks others.
    Error,
}

impl Severity {
    /// The word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
