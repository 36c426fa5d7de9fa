//! The files of a run.

use std::path::PathBuf;

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LintInput {
    /// How it is called in the report.
    pub name: String,
    /// Its content, as UTF-8 as far as its first bytes tell.
    pub bytes: Vec<u8>,
    /// Where these very bytes are, so that they can be mended there: nowhere for standard input
    /// and for what was unpacked or converted.
    pub path: Option<PathBuf>,
    /// What it is for.
    pub role: Role,
    /// Whether it was found in a directory, so that it may not be a manifest at all.
    pub found: bool,
    /// Whether its name says that it becomes a manifest only later.
    pub template: bool,
}

/// What a file is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// It is checked.
    Manifest {
        /// The configuration file that applies to it, by its number, and the
        /// path from there to here.
        config: Option<(usize, String)>,
    },
    /// It is a configuration file.
    Config,
}

impl LintInput {
    /// A manifest without a configuration file.
    pub fn manifest(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let role = Role::Manifest { config: None };
        Self {
            name: name.into(),
            bytes: bytes.into(),
            path: None,
            role,
            found: false,
            template: false,
        }
    }
}
