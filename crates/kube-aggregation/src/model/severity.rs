//! How bad something is: one scale for everything that aggctl finds.

use std::fmt;

use super::words;

words! {
    /// How bad it is, if it is true.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// Good to know.
        Info = "info",
        /// Works, until something happens; somebody will stumble over it.
        Warning = "warning",
        /// Does not work, or breaks others.
        Error = "error",
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
