//! The input files of a lint run.

use std::path::PathBuf;

/// An input file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintInput {
    /// Its name in the report.
    pub name: String,
    /// Its content, converted to UTF-8 if it starts as UTF-16.
    pub bytes: Vec<u8>,
    /// The file with exactly these bytes, so that it can be fixed. `None` for standard input, and
    /// for unpacked or converted data.
    pub path: Option<PathBuf>,
    /// Its role.
    pub role: Role,
    /// Whether it was found in a directory, so that it may not be a manifest at all.
    pub found: bool,
    /// Whether its name is that of a template.
    pub template: bool,
    /// Its path from the root of the repository, if files are related by that rather than by name.
    pub relative: Option<String>,
}

/// The role of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A manifest to check.
    Manifest {
        /// The indices of the configuration files that count for it, and its path relative to each.
        configs: Vec<(usize, String)>,
    },
    /// A manifest that others are applied with. It is read for cross-checks, and not checked itself.
    Context,
    /// A configuration file.
    Config {
        /// Whether it counts for the whole run rather than for its own folder.
        of_run: bool,
    },
}

impl LintInput {
    /// Returns whether it is only read for cross-checks.
    pub fn is_context(&self) -> bool {
        self.role == Role::Context
    }

    /// Returns whether it is a configuration file.
    pub fn is_config(&self) -> bool {
        matches!(self.role, Role::Config { .. })
    }

    /// Creates a manifest without a configuration file.
    pub fn manifest(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let role = Role::Manifest { configs: vec![] };
        Self {
            name: name.into(),
            bytes: bytes.into(),
            path: None,
            role,
            found: false,
            template: false,
            relative: None,
        }
    }

    /// Returns the path that references between files are resolved with.
    pub(super) fn location(&self) -> &str {
        self.relative.as_deref().unwrap_or(&self.name)
    }
}
