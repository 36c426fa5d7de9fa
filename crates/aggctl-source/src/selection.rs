//! The user's source options, and how they become one source to read.
//!
//! [`SourceSelection::named`] is the only place that decides which source the options name.

use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::files;
use crate::live::{ClusterOptions, Connection, Found};
use crate::needs::Needs;
use crate::resolved::{ResolvedSource, Source};
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;

/// A context, and the cluster that it selects if that can be used.
pub(crate) type NamedResolution = (String, Result<ResolvedSource, SourceError>);

/// The user's source options, independent of the command line.
#[derive(Debug, Clone, Default)]
pub struct SourceSelection {
    /// Files and directories of a dump; `-` is standard input.
    pub dumps: Vec<PathBuf>,
    /// Built-in data of a version; `Some(None)` for the newest.
    pub builtin: Option<Option<Minor>>,
    /// The cluster, and how to reach it.
    pub cluster: ClusterOptions,
    /// What-if manifests to apply.
    pub manifests: Vec<PathBuf>,
    /// Whether they replace objects instead of being merged into them.
    pub replace: bool,
    /// What-if deletions: APIServices, CRDs and Services.
    pub without: Vec<String>,
    /// Whether the command gives a verdict, which must not be based on built-in data by default.
    pub verdict: bool,
}

/// The source that the options name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedSource {
    /// A dump.
    Dump(Vec<PathBuf>),
    /// The dump in `$AGGCTL_DUMP`, because no option names another source.
    EnvironmentDump(Vec<PathBuf>),
    /// Built-in data.
    Builtin(Option<Minor>),
    /// A cluster.
    Cluster,
    /// None: use the cluster that kubectl would use, if any.
    Nothing,
}

impl SourceSelection {
    /// Returns the source that the options name. Impersonation implies a cluster, unless another
    /// source is named.
    pub fn named(&self) -> NamedSource {
        if !self.dumps.is_empty() {
            NamedSource::Dump(self.dumps.clone())
        } else if self.cluster.name_cluster() {
            NamedSource::Cluster
        } else if let Some(minor) = self.builtin {
            NamedSource::Builtin(minor)
        } else if let Some(paths) = dump_from_environment() {
            NamedSource::EnvironmentDump(paths)
        } else if self.cluster.impersonate_user() {
            NamedSource::Cluster
        } else {
            NamedSource::Nothing
        }
    }

    /// Returns whether an option, rather than the environment, names a source.
    pub fn is_given(&self) -> bool {
        !matches!(self.named(), NamedSource::EnvironmentDump(_) | NamedSource::Nothing)
    }

    /// Returns whether there are what-if changes.
    pub fn has_changes(&self) -> bool {
        !self.manifests.is_empty() || !self.without.is_empty()
    }

    /// Returns whether it may select several clusters.
    pub fn is_several(&self) -> bool {
        self.dumps.is_empty()
            && (self.cluster.all_contexts
                || self.cluster.contexts.len() > 1
                || self.cluster.has_pattern())
    }

    /// Returns whether standard input is one of the files.
    pub fn reads_standard_input(&self) -> bool {
        has_standard_input(&self.dumps) || has_standard_input(&self.manifests)
    }

    /// Returns the same selection with this context.
    #[must_use]
    pub fn in_context(&self, name: &str) -> Self {
        let cluster = ClusterOptions { contexts: vec![name.to_owned()], ..self.cluster.clone() };
        Self { cluster, ..self.clone() }
    }

    /// Resolves the selection to one source. Reads the environment and the kubeconfig.
    ///
    /// # Errors
    /// If several sources are named, or if none is found and one is required.
    /// [`SourceError::ChooseContext`] if the user must choose one of several contexts.
    pub fn resolve(&self, needs: &Needs) -> Result<ResolvedSource, SourceError> {
        if has_standard_input(&self.dumps) && has_standard_input(&self.manifests) {
            return Err(SourceError::BothStandardInput);
        }
        let named = self.named();
        let source = match named.clone() {
            NamedSource::Dump(paths) | NamedSource::EnvironmentDump(paths) => Source::Dump(paths),
            NamedSource::Builtin(minor) => Source::Builtin(minor),
            NamedSource::Cluster | NamedSource::Nothing => match self.connection()? {
                Some((connection, note)) => {
                    let source = Source::Live(Box::new(connection));
                    return Ok(ResolvedSource { note, ..self.resolved(needs, source) });
                }
                None if named == NamedSource::Cluster => return Err(SourceError::NoCluster),
                None if self.verdict => return Err(SourceError::NothingFound),
                None => {
                    let latest = baseline::LATEST;
                    let note = format!("no cluster found; using built-in Kubernetes {latest}");
                    let resolved = self.resolved(needs, Source::Builtin(None));
                    return Ok(ResolvedSource { note: Some(note), ..resolved });
                }
            },
        };
        Ok(self.resolved(needs, source))
    }

    /// Resolves the selection to all selected clusters, in order. An unusable context does not
    /// affect the others.
    ///
    /// # Errors
    /// If the kubeconfig cannot be read, or has no contexts.
    pub fn resolve_several(&self, needs: &Needs) -> Result<Vec<NamedResolution>, SourceError> {
        let clusters = self.cluster.find_each()?.into_iter().map(|(name, connection)| {
            let resolved = connection.map(|connection| ResolvedSource {
                context: Some(connection.name.clone()),
                ..self.resolved(needs, Source::Live(Box::new(connection)))
            });
            (name, resolved.map_err(Into::into))
        });
        Ok(clusters.collect())
    }

    /// Resolves a word to a source: `dump:PATH`, `context:NAME`, `builtin:MINOR`, `-`, or a file or
    /// context.
    ///
    /// # Errors
    /// If it names nothing, or both a file and a context.
    pub fn resolve_word(&self, word: &str, needs: &Needs) -> Result<ResolvedSource, SourceError> {
        let dump = |path: &str| Source::Dump(vec![PathBuf::from(path)]);
        let context = |name: &str| {
            let Found::Clusters(clusters, _) = self.in_context(name).cluster.find()? else {
                return Err(SourceError::NoCluster);
            };
            let connection = clusters.into_iter().next().ok_or(SourceError::NoCluster)??;
            Ok(Source::Live(Box::new(connection)))
        };
        let source = match word.split_once(':') {
            _ if word == "builtin" => Source::Builtin(None),
            Some(("builtin", version)) => Source::Builtin(minor(version)?),
            Some(("dump", path)) => dump(path),
            Some(("context", name)) => context(name)?,
            _ if word == "-" => dump(word),
            _ => match (Path::new(word).exists(), context(word)) {
                (true, Ok(_)) if !word.contains(std::path::MAIN_SEPARATOR) => {
                    return Err(SourceError::AmbiguousSource(word.to_owned()));
                }
                (true, _) => dump(word),
                (false, Ok(source)) => source,
                (false, Err(_)) => return Err(SourceError::UnknownSource(word.to_owned())),
            },
        };
        Ok(self.resolved(needs, source))
    }

    /// Creates the resolved source. What-if changes may affect anything, so they need the whole
    /// layer.
    pub(crate) fn resolved(&self, needs: &Needs, source: Source) -> ResolvedSource {
        let mut needs = needs.clone();
        if self.has_changes() {
            let layer = Needs::layer();
            needs.documents.extend(layer.documents);
            needs.resources = layer.resources;
        }
        let (manifests, without) = (self.manifests.clone(), self.without.clone());
        ResolvedSource {
            source,
            needs,
            manifests,
            replace: self.replace,
            without,
            note: None,
            context: None,
        }
    }

    /// Returns the selected cluster, or kubectl's default, and a note about the choice.
    fn connection(&self) -> Result<Option<(Connection, Option<String>)>, SourceError> {
        if self.cluster.all_contexts {
            return Err(SourceError::SeveralClusters);
        }
        match self.cluster.find()? {
            Found::Clusters(clusters, note) => {
                let clusters = clusters.into_iter().collect::<Result<Vec<_>, _>>()?;
                match <[Connection; 1]>::try_from(clusters) {
                    Ok([connection]) => Ok(Some((connection, note))),
                    Err(_) => Err(SourceError::SeveralClusters),
                }
            }
            Found::Choose(names) => Err(SourceError::ChooseContext(names)),
            Found::Nothing => Ok(None),
        }
    }
}

fn has_standard_input(paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| files::is_standard_input(path))
}

/// Returns the paths of `$AGGCTL_DUMP`, if it is set.
fn dump_from_environment() -> Option<Vec<PathBuf>> {
    let value = std::env::var_os("AGGCTL_DUMP").filter(|value| !value.is_empty())?;
    Some(std::env::split_paths(&value).collect())
}

/// Parses a minor version such as `1.36` or `36`; `None` for `latest`.
///
/// # Errors
/// If it is not a minor version.
pub fn minor(text: &str) -> Result<Option<Minor>, SourceError> {
    if text == "latest" {
        return Ok(None);
    }
    let parsed = match text.parse() {
        Ok(minor) => Some(Minor::new(minor)),
        Err(_) => Minor::parse(text).filter(|m| m.major == 1),
    };
    parsed.map(Some).ok_or_else(|| SourceError::InvalidMinor(text.to_owned()))
}
