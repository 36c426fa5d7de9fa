//! The severity scale for everything that aggctl reports.

use std::fmt;

use super::words;

words! {
    /// How severe a reported issue is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// Useful to know.
        Info = "info",
        /// Works now, but is likely to cause trouble later.
        Warning = "warning",
        /// Broken, or breaks something else.
        Error = "error",
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
