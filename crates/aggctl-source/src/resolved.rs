//! A source that was selected, with what to read from it and what to change in it.

use std::path::PathBuf;
use std::time::Duration;

use crate::dump::{self, DumpDocument, DumpFiles, DumpPurpose, Export, ParsedFile, ServerDump};
use crate::error::SourceError;
use crate::loaded::{LoadedSource, remarks};
use crate::needs::Needs;
use crate::progress::Watch;
use crate::{builtin, live};
use kube_aggregation::ingest::{Note, NoteLevel};
use kube_aggregation::model::Minor;
use kube_aggregation::what_if;

/// Where to read from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Files and directories; `-` is standard input.
    Dump(Vec<PathBuf>),
    /// The dump of one API server of a control plane.
    ServerDump(PathBuf),
    /// Built-in data of a version; `None` for the newest.
    Builtin(Option<Minor>),
    /// A live cluster.
    Live(Box<live::Connection>),
}

impl Source {
    /// Reads what is needed, and reports progress if it is a cluster.
    pub(crate) fn read(
        &self,
        needs: &Needs,
        watch: Watch<'_>,
    ) -> Result<LoadedSource, SourceError> {
        let (snapshot, notes) = match self {
            Self::Dump(paths) => dump::load(paths, needs)?,
            Self::ServerDump(path) => match dump::load_server(path.clone(), needs)? {
                ServerDump::One(snapshot, notes) => (*snapshot, notes),
                ServerDump::Several(folder) => return Err(SourceError::SeveralDumps(folder)),
            },
            Self::Builtin(minor) => builtin::load(*minor),
            Self::Live(connection) => {
                let (snapshot, notes, slowest) = live::load(connection, needs, watch)?;
                return Ok(LoadedSource { slowest, ..LoadedSource::new(snapshot, notes) });
            }
        };
        Ok(LoadedSource::new(snapshot, notes))
    }
}

/// A source with the data to read from it and the what-if changes to apply.
#[derive(Debug, Clone)]
pub struct ResolvedSource {
    pub(crate) source: Source,
    pub(crate) needs: Needs,
    pub(crate) manifests: Vec<PathBuf>,
    pub(crate) replace: bool,
    pub(crate) without: Vec<String>,
    /// A note about why it was chosen.
    pub(crate) note: Option<String>,
    /// The context that selects the same cluster again, if it is not the default.
    pub context: Option<String>,
}

impl ResolvedSource {
    /// Reads the source, and applies the what-if changes.
    ///
    /// # Errors
    /// If it cannot be read, or lacks an object to remove.
    pub fn load(&self, watch: Watch<'_>) -> Result<LoadedSource, SourceError> {
        let mut loaded = self.source.read(&self.needs, watch)?;
        loaded.notes.splice(0..0, self.notes());
        let text = format!("source: {}", loaded.snapshot.origin);
        loaded.notes.push(Note { weight: NoteLevel::Detail, text });
        if let Source::Live(connection) = &self.source {
            loaded.kubectl = Some(connection.kubectl.clone());
        }
        loaded.context.clone_from(&self.context);
        self.change(&mut loaded)?;
        Ok(loaded)
    }

    /// Reads the source like [`load`](Self::load), as a dump with this name, after `change` has
    /// replaced what is in its files. Built-in data stays as it is. The notes are those about the
    /// original; also returns those about what was changed, one sentence each.
    ///
    /// # Errors
    /// Same as `load`.
    pub fn load_changed(
        &self,
        name: &str,
        change: &dyn Fn(Vec<ParsedFile>) -> Vec<ParsedFile>,
        watch: Watch<'_>,
    ) -> Result<(LoadedSource, Vec<String>), SourceError> {
        let (files, notes) = match &self.source {
            Source::Builtin(_) => {
                let loaded = self.load(watch)?;
                let remarks = loaded.remarks();
                return Ok((loaded, remarks));
            }
            Source::Dump(paths) => DumpFiles::read(paths, &self.needs)?,
            Source::ServerDump(path) => DumpFiles::read(std::slice::from_ref(path), &self.needs)?,
            Source::Live(connection) => {
                let collected = live::collect_registered(connection, &self.needs, watch)?;
                let purpose = DumpPurpose { name: "report", option: "a report", full: false };
                let documents = dump_documents(collected.documents);
                let export = dump::export(&collected.snapshot, &documents, &self.needs, purpose);
                (DumpFiles::of(export.files)?, collected.notes)
            }
        };
        let (snapshot, changed_notes) = dump::load_changed(name, files, change, &self.needs)?;
        let remarks = remarks(&changed_notes);
        let notes = self.notes().chain(notes).collect();
        let context = self.context.clone();
        Ok((LoadedSource { context, ..LoadedSource::new(snapshot, notes) }, remarks))
    }

    fn change(&self, loaded: &mut LoadedSource) -> Result<(), SourceError> {
        if self.manifests.is_empty() && self.without.is_empty() {
            return Ok(());
        }
        let mut manifests = None;
        if !self.manifests.is_empty() {
            let (snapshot, notes) = dump::load_manifests(&self.manifests)?;
            loaded.notes.extend(notes);
            manifests = Some(snapshot);
        }
        let changes = what_if::Changes {
            applied: manifests.as_ref(),
            replace: self.replace,
            removed: &self.without,
        };
        let mut changed = what_if::changed(&loaded.snapshot, &changes)?;
        let name = &mut changed.snapshot.origin.name;
        if let Some(manifests) = &manifests {
            name.push_str(&format!(" with {}", manifests.origin.name));
        }
        if !self.without.is_empty() {
            name.push_str(&format!(" without {}", self.without.join(", ")));
        }
        loaded.before = Some(std::mem::replace(&mut loaded.snapshot, changed.snapshot));
        loaded.effects = changed.effects;
        Ok(())
    }

    fn notes(&self) -> impl Iterator<Item = Note> {
        self.note.iter().map(|text| Note { weight: NoteLevel::Note, text: text.clone() })
    }

    /// Reads a live cluster for a dump.
    ///
    /// # Errors
    /// If it is not a cluster or cannot be read, or if a failure left the data incomplete.
    pub fn export(
        &self,
        purpose: DumpPurpose<'_>,
        watch: Watch<'_>,
    ) -> Result<Export, SourceError> {
        let Source::Live(connection) = &self.source else { return Err(SourceError::NoCluster) };
        let live::Collected { documents, snapshot, notes } =
            live::collect(connection, &self.needs, watch)?;
        let documents = dump_documents(documents);
        dump::refuse_part(&snapshot, &documents)?;
        let export = dump::export(&snapshot, &documents, &self.needs, purpose);
        Ok(Export { notes: self.notes().chain(notes).collect(), ..export })
    }

    /// Sends requests to a live cluster, and returns an answer or a failure for each, in order.
    ///
    /// # Errors
    /// If it is not a cluster, or cannot be connected to.
    pub fn send(
        &self,
        requests: &[live::PlainGet],
        rate: live::Rate,
        watch: Watch<'_>,
    ) -> Result<Vec<Result<live::AnyAnswer, live::RequestFailure>>, SourceError> {
        let Source::Live(connection) = &self.source else { return Err(SourceError::NoCluster) };
        Ok(live::send(connection, requests, rate, watch)?)
    }

    /// Returns the same source without what-if changes, for other needs.
    #[must_use]
    pub fn only(&self, needs: Needs) -> Self {
        Self { needs, manifests: vec![], without: vec![], ..self.clone() }
    }

    /// Returns whether it is a live cluster, which may change.
    pub fn is_live(&self) -> bool {
        matches!(self.source, Source::Live(_))
    }

    /// Returns whether it is built-in data.
    pub fn is_builtin(&self) -> bool {
        matches!(self.source, Source::Builtin(_))
    }

    /// Returns the name of the cluster; empty for other sources.
    pub fn name(&self) -> &str {
        match &self.source {
            Source::Live(connection) => &connection.name,
            Source::Dump(_) | Source::ServerDump(_) | Source::Builtin(_) => "",
        }
    }

    /// Returns the same source for repeated reads, which do not transfer unchanged documents again.
    #[must_use]
    pub fn caching(self) -> Self {
        let source = match self.source {
            Source::Live(connection) => Source::Live(Box::new(connection.caching())),
            other => other,
        };
        Self { source, note: None, ..self }
    }

    /// Returns the same source with this time limit for each read.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let mut limited = self.clone();
        if let Source::Live(connection) = &mut limited.source {
            connection.limits.whole = time;
        }
        limited
    }
}

fn dump_documents(documents: Vec<live::Fetched>) -> Vec<DumpDocument> {
    let converted =
        documents.into_iter().map(|live::Fetched { document, result, is_partial, .. }| {
            let pages = result.map_err(|failure| failure.unread());
            DumpDocument { document, pages, is_partial }
        });
    converted.collect()
}
