//! Parses the lint configuration file, `aggctl.toml`.

use std::fmt;
use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use located_document::{Position, Positions, Span};
use serde::Deserialize;
use toml::Spanned;

/// The name of the file, which is searched for in the input's directory and above.
pub const FILE_NAME: &str = "aggctl.toml";

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    lint: Config,
}

/// The lint section of the file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Same as `--fail-on`.
    pub fail_on: Option<Spanned<String>>,
    /// Same as `--select`.
    #[serde(default)]
    pub select: Vec<Spanned<String>>,
    /// Same as `--ignore`.
    #[serde(default)]
    pub ignore: Vec<Spanned<String>>,
    /// Same as `--exclude`, relative to the configuration file.
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    /// Same as `--expires-within`.
    pub expires_within: Option<Spanned<String>>,
    /// Same as `--kubernetes-version`.
    pub kubernetes_version: Option<Spanned<String>>,
    /// Allowed findings.
    #[serde(default)]
    pub allow: Vec<Spanned<Allow>>,
}

/// An allowed finding, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// The rule.
    pub rule: String,
    /// A pattern for files, relative to the configuration file. Without it, all files.
    pub files: Option<String>,
    /// The name of an APIService. Without it, all APIServices.
    pub object: Option<String>,
    /// The reason.
    #[serde(default)]
    pub reason: String,
}

impl Config {
    /// Parses a configuration file.
    ///
    /// # Errors
    /// If it is not a valid configuration file.
    pub fn parse(bytes: &[u8]) -> Result<Self, ConfigError> {
        let text = std::str::from_utf8(bytes).map_err(ConfigError::NotUtf8)?;
        let file: File = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            ConfigError::Toml(Positions::new(bytes).of(offset), error)
        })?;
        for pattern in &file.lint.exclude {
            let position = Positions::new(bytes).of(pattern.span().start);
            file_pattern(pattern.get_ref())
                .map_err(|error| ConfigError::Pattern(position, error))?;
        }
        for allow in &file.lint.allow {
            let pattern = allow.get_ref().files.as_deref().unwrap_or("*");
            file_pattern(pattern).map_err(|error| {
                ConfigError::Pattern(Positions::new(bytes).of(allow.span().start), error)
            })?;
        }
        Ok(file.lint)
    }
}

/// Why a configuration file is invalid. Displayed as one line, with the location in the file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ConfigError {
    /// It is not text.
    NotUtf8(std::str::Utf8Error),
    /// It is not TOML, or has an unknown field.
    Toml(Position, toml::de::Error),
    /// A pattern of file names is malformed.
    Pattern(Position, globset::Error),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(_) => f.write_str("it is not UTF-8"),
            Self::Toml(at, error) => {
                let message = error.message().lines().next().unwrap_or_default();
                write!(f, "{}:{}: {message}", at.line, at.column)
            }
            Self::Pattern(at, error) => write!(f, "{}:{}: {error}", at.line, at.column),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotUtf8(error) => Some(error),
            Self::Toml(_, error) => Some(error),
            Self::Pattern(_, error) => Some(error),
        }
    }
}

/// Patterns of files that are not checked.
#[derive(Debug, Clone, Default)]
pub struct Exclusions(Vec<GlobMatcher>);

impl Exclusions {
    /// Compiles patterns.
    ///
    /// # Errors
    /// If a pattern is malformed.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, globset::Error> {
        let compile = |text: &str| file_pattern(text.trim_end_matches('/'));
        patterns.into_iter().map(compile).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether a pattern matches a file, or a folder that it is in.
    pub fn matches(&self, file: &str) -> bool {
        let file = Path::new(file.strip_prefix("./").unwrap_or(file));
        self.0.iter().any(|pattern| file.ancestors().any(|part| pattern.is_match(part)))
    }
}

/// Compiles a file name pattern. `*` matches within one directory, `**` across directories.
pub(super) fn file_pattern(text: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(GlobBuilder::new(text).literal_separator(true).build()?.compile_matcher())
}

/// Returns the place of an entry in the file.
pub(super) fn span(allow: &Spanned<Allow>) -> Span {
    Span::new(allow.span().start, allow.span().start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_is_documented() {
        let config = Config::parse(
            b"[lint]\nfail-on = 'warning'\nignore = ['priority-tie']\n\n[[lint.allow]]\nrule = 'missing-ca-bundle'\nfiles = 'vendor/**'\nreason = 'injected'\n",
        )
        .unwrap();
        assert_eq!(config.fail_on.unwrap().get_ref(), "warning");
        assert_eq!(config.allow[0].get_ref().files.as_deref(), Some("vendor/**"));
    }

    #[test]
    fn a_folder_excludes_what_is_in_it() {
        let exclusions = Exclusions::new(["examples/", "**/testdata", "a/*.json"]).unwrap();
        for file in ["examples/x.yaml", "./examples/a/b.yaml", "x/testdata/y.yaml", "a/b.json"] {
            assert!(exclusions.matches(file), "{file}");
        }
        for file in ["x/examples/y.yaml", "a/b/c.json", "testdata.yaml"] {
            assert!(!exclusions.matches(file), "{file}");
        }
    }

    #[test]
    fn says_where_it_is_wrong() {
        let error = |text: &str| Config::parse(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("[lint]\nfail = 1\n"),
            "2:1: unknown field `fail`, expected one of `fail-on`, `select`, `ignore`, `exclude`, `expires-within`, `kubernetes-version`, `allow`"
        );
        assert!(error("[lint\n").starts_with("1:6: "), "{}", error("[lint\n"));
        assert!(error("[[lint.allow]]\nrule = 'x'\nfiles = '['\n").starts_with("1:1: "));
    }
}
