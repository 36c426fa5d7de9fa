//! From what was asked for to facts: which source is meant, what is needed of it, and reading it.
//!
//! [`Request`] is what a user wrote. [`Request::resolve`] looks at files and the environment and
//! settles on a [`Plan`]; reading it gives a [`Reading`]. Nothing here knows how arguments are
//! spelled or how notes are shown.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::live::{Connection, Found, Needs, Options, ParallelLoader, Watch};
use super::{Loaded, Note, NoteLevel, Source, files};
use crate::error::Error;
use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::what_if;

/// Where the facts are to come from, and what is to be changed in them.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Dumps: files and directories, `-` for standard input.
    pub dumps: Vec<PathBuf>,
    /// A plain Kubernetes, the newest where no version is named.
    pub builtin: Option<Option<Minor>>,
    /// Which cluster, and how to reach it.
    pub cluster: Options,
    /// Whether a cluster was asked for, be it only the one that kubectl would use.
    pub wants_cluster: bool,
    /// Manifests that are taken as applied.
    pub manifests: Vec<PathBuf>,
    /// Whether they replace objects instead of being applied to them.
    pub replace: bool,
    /// APIServices, CRDs and Services that are taken as gone.
    pub without: Vec<String>,
    /// Whether the answer is a verdict: a plain Kubernetes that nobody asked for would read as
    /// clean.
    pub verdict: bool,
}

/// A source that is settled on, and what is needed of it.
#[derive(Debug, Clone)]
pub struct Plan {
    source: Source,
    needs: Needs,
    manifests: Vec<PathBuf>,
    replace: bool,
    without: Vec<String>,
    /// What to tell about the choice.
    note: Option<String>,
    /// The context that must be named to mean this cluster again.
    pub context: Option<String>,
}

/// What was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The facts as they are.
    pub now: Cow<'static, Snapshot>,
    /// As they would be, if something was to be changed.
    pub then: Option<Snapshot>,
    /// What the user should know.
    pub notes: Vec<Note>,
    /// What the changes would bring about.
    pub effects: Vec<String>,
}

/// One cluster, and how it came to be meant.
struct Settled {
    connection: Connection,
    /// What to say about the choice.
    note: Option<String>,
    /// The context, if somebody chose it just now.
    chosen: Option<String>,
}

/// Lets somebody choose one of several contexts.
pub type Choose<'a> = &'a dyn Fn(&[String]) -> Result<String, Error>;

impl Request {
    /// Whether a source is named by the request itself.
    pub fn is_given(&self) -> bool {
        !self.dumps.is_empty() || self.builtin.is_some() || self.wants_cluster
    }

    /// Whether something is to be changed in the facts.
    pub fn changes_something(&self) -> bool {
        !self.manifests.is_empty() || !self.without.is_empty()
    }

    /// Whether more than one answer may be asked for.
    pub fn is_several(&self) -> bool {
        self.dumps.is_empty() && (self.cluster.all_contexts || self.cluster.contexts.len() > 1)
    }

    /// Whether standard input is one of the files.
    pub fn reads_standard_input(&self) -> bool {
        has_standard_input(&self.dumps) || has_standard_input(&self.manifests)
    }

    /// The one source that is meant.
    ///
    /// # Errors
    /// Where nothing says which, several are meant, or none is found and one must be.
    pub fn resolve(&self, needs: &Needs, choose: Choose<'_>) -> Result<Plan, Error> {
        if has_standard_input(&self.dumps) && has_standard_input(&self.manifests) {
            let error = Error::usage("both the dump and the manifests cannot be standard input");
            return Err(error.with_hint("write one of them to a file"));
        }
        if !self.dumps.is_empty() {
            return Ok(self.plan(needs, Source::Dump(self.dumps.clone())));
        }
        if let Some(minor) = self.builtin.filter(|_| !self.wants_cluster) {
            return Ok(self.plan(needs, Source::Builtin(minor)));
        }
        if !self.wants_cluster
            && let Some(paths) = dump_from_environment()
        {
            return Ok(self.plan(needs, Source::Dump(paths)));
        }
        if let Some(Settled { connection, note, chosen }) = self.connection(choose)? {
            let plan = self.plan(needs, Source::Live(Box::new(connection)));
            return Ok(Plan { note, context: chosen, ..plan });
        }
        if self.wants_cluster {
            return Err(no_cluster());
        }
        if self.verdict {
            return Err(Error::source(
                "nothing to look at: no dump is named, and there is no kubeconfig and no pod's service account",
            )
            .with_hint("--dump PATH, --kubeconfig FILE, or --builtin to look at a plain Kubernetes"));
        }
        let latest = baseline::LATEST;
        let note =
            format!("found no dump and no cluster: answering for a plain Kubernetes {latest}");
        let plan = self.plan(needs, Source::Builtin(None));
        Ok(Plan { note: Some(note), ..plan })
    }

    /// The one cluster that is meant, for what needs one.
    ///
    /// # Errors
    /// As for [`Request::resolve`].
    pub fn resolve_cluster(&self, choose: Choose<'_>) -> Result<(Connection, Option<Note>), Error> {
        let Settled { connection, note, .. } = self.connection(choose)?.ok_or_else(no_cluster)?;
        let note = note.map(|text| Note { weight: NoteLevel::Note, text });
        Ok((connection, note))
    }

    /// All clusters that are meant, in order. A context that leads nowhere does not spoil the
    /// others.
    ///
    /// # Errors
    /// Where the kubeconfig cannot be read, or has no contexts.
    pub fn resolve_several(&self, needs: &Needs) -> Result<Vec<Result<Plan, Error>>, Error> {
        let Found::Clusters(clusters, _) = self.cluster.find()? else { return Err(no_cluster()) };
        let plan = |connection: Connection| {
            let context = Some(connection.name.clone());
            Plan { context, ..self.plan(needs, Source::Live(Box::new(connection))) }
        };
        Ok(clusters.into_iter().map(|cluster| cluster.map(plan)).collect())
    }

    /// The source that a word names: `dump:PATH`, `context:NAME`, `builtin:MINOR`, or a bare word
    /// that can be only one of them.
    ///
    /// # Errors
    /// Where it names nothing, or could be both a file and a context.
    pub fn resolve_word(&self, word: &str, needs: &Needs) -> Result<Plan, Error> {
        let dump = |path: &str| Source::Dump(vec![PathBuf::from(path)]);
        let context = |name: &str| {
            let options = Options { contexts: vec![name.to_owned()], ..self.cluster.clone() };
            let Found::Clusters(clusters, _) = options.find()? else { return Err(no_cluster()) };
            let connection = clusters.into_iter().next().ok_or_else(no_cluster)??;
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
                    let why =
                        format!("{word:?} is both a file here and a context of the kubeconfig");
                    let hint = format!("write dump:{word} or context:{word}");
                    return Err(Error::usage(why).with_hint(hint));
                }
                (true, _) => dump(word),
                (false, Ok(source)) => source,
                (false, Err(_)) => {
                    let why = format!("{word:?} is neither a file nor a context of the kubeconfig");
                    let hint = "a source is dump:PATH, context:NAME, builtin:1.33, or - for standard input";
                    return Err(Error::source(why).with_hint(hint));
                }
            },
        };
        Ok(self.plan(needs, source))
    }

    /// What manifests change may be anything, so that everything is needed.
    fn plan(&self, needs: &Needs, source: Source) -> Plan {
        let mut needs = needs.clone();
        if self.changes_something() {
            let layer = Needs::layer();
            needs.documents.extend(layer.documents);
            needs.resources = layer.resources;
        }
        let (manifests, without) = (self.manifests.clone(), self.without.clone());
        Plan { source, needs, manifests, replace: self.replace, without, note: None, context: None }
    }

    /// The one cluster that is meant, if any is.
    fn connection(&self, choose: Choose<'_>) -> Result<Option<Settled>, Error> {
        if self.cluster.all_contexts {
            return Err(several());
        }
        let (found, chosen) = match self.cluster.find()? {
            Found::Choose(names) => {
                let chosen = choose(&names)?;
                let contexts = vec![chosen.clone()];
                (Options { contexts, ..self.cluster.clone() }.find()?, Some(chosen))
            }
            found => (found, None),
        };
        match found {
            Found::Clusters(clusters, why) => {
                let clusters = clusters.into_iter().collect::<Result<Vec<_>, _>>()?;
                match <[Connection; 1]>::try_from(clusters) {
                    Ok([connection]) => Ok(Some(Settled { connection, note: why, chosen })),
                    Err(_) => Err(several()),
                }
            }
            Found::Choose(_) | Found::Nothing => Ok(None),
        }
    }
}

impl Plan {
    /// Reads, and changes what is to be changed.
    ///
    /// # Errors
    /// Where it cannot be read, or something is to be removed that it does not have.
    pub fn read(&self, watch: Watch<'_>) -> Result<Reading, Error> {
        if let Source::Builtin(minor) = self.source {
            let (now, notes) = super::builtin::load(minor);
            return self.change(now, notes);
        }
        self.finish(super::load_for(&self.source, &self.needs, watch)?)
    }

    /// Begins to read several clusters at the same time; each is finished by its plan.
    pub fn start<'a>(plans: impl IntoIterator<Item = &'a Self>) -> ParallelLoader {
        let mut needs = Needs::everything();
        let connections = plans.into_iter().filter_map(|plan| match &plan.source {
            Source::Live(connection) => {
                needs.clone_from(&plan.needs);
                Some((**connection).clone())
            }
            Source::Dump(_) | Source::Builtin(_) => None,
        });
        ParallelLoader::start(connections.collect(), &needs)
    }

    /// Changes what is to be changed in what was read.
    ///
    /// # Errors
    /// Where manifests cannot be read, or something is to be removed that is not there.
    pub fn finish(&self, loaded: Loaded) -> Result<Reading, Error> {
        self.change(Cow::Owned(loaded.snapshot), loaded.notes)
    }

    fn change(&self, now: Cow<'static, Snapshot>, more: Vec<Note>) -> Result<Reading, Error> {
        let note =
            self.note.iter().map(|text| Note { weight: NoteLevel::Note, text: text.clone() });
        let mut notes: Vec<Note> = note.chain(more).collect();
        let text = format!("answers come from {}", now.origin);
        notes.push(Note { weight: NoteLevel::Detail, text });
        if self.manifests.is_empty() && self.without.is_empty() {
            return Ok(Reading { now, then: None, notes, effects: vec![] });
        }
        let mut manifests = None;
        if !self.manifests.is_empty() {
            let loaded = super::load_manifests(&self.manifests)?;
            notes.extend(loaded.notes);
            manifests = Some(loaded.snapshot);
        }
        let changes = what_if::Changes {
            applied: manifests.as_ref(),
            replace: self.replace,
            removed: &self.without,
        };
        let mut changed = what_if::changed(&now, &changes)?;
        let name = &mut changed.snapshot.origin.name;
        if let Some(manifests) = &manifests {
            name.push_str(&format!(" with {}", manifests.origin.name));
        }
        if !self.without.is_empty() {
            name.push_str(&format!(" without {}", self.without.join(", ")));
        }
        Ok(Reading { now, then: Some(changed.snapshot), notes, effects: changed.effects })
    }

    /// The same source, for nothing but this, and as it is.
    #[must_use]
    pub fn only(&self, needs: Needs) -> Self {
        Self { needs, manifests: vec![], without: vec![], ..self.clone() }
    }

    /// Whether it is a cluster, which may change.
    pub fn is_live(&self) -> bool {
        matches!(self.source, Source::Live(_))
    }

    /// Whether it is a plain Kubernetes.
    pub fn is_builtin(&self) -> bool {
        matches!(self.source, Source::Builtin(_))
    }

    /// What it is called in a message.
    pub fn name(&self) -> &str {
        match &self.source {
            Source::Live(connection) => &connection.name,
            Source::Dump(_) | Source::Builtin(_) => "",
        }
    }

    /// The same, for being read again and again: what did not change is not sent again.
    #[must_use]
    pub fn remembering(self) -> Self {
        let source = match self.source {
            Source::Live(connection) => Source::Live(Box::new(connection.remembering())),
            other => other,
        };
        Self { source, note: None, ..self }
    }

    /// The same, with so much time for reading it.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let mut plan = self.clone();
        if let Source::Live(connection) = &mut plan.source {
            connection.limits.whole = time;
        }
        plan
    }
}

impl Reading {
    /// Has each note say whose it is, where several sources are read.
    pub fn name_notes(&mut self, name: &str) {
        for note in &mut self.notes {
            note.text = format!("{name}: {}", note.text);
        }
    }

    /// What is good to know about the facts, a sentence each.
    pub fn told(&self) -> Vec<String> {
        let told = self.notes.iter().filter(|note| note.weight != NoteLevel::Detail);
        told.map(|note| &note.text).chain(&self.effects).cloned().collect()
    }

    /// The facts as they are, where something was to be changed.
    pub fn before(&self) -> Option<&Snapshot> {
        self.then.as_ref().map(|_| &*self.now)
    }

    /// The facts that are asked about: as they would be, where something was to be changed.
    pub fn snapshot(&self) -> &Snapshot {
        self.then.as_ref().unwrap_or(&self.now)
    }
}

fn has_standard_input(paths: &[PathBuf]) -> bool {
    paths.iter().any(|path| files::is_standard_input(path))
}

/// The dump paths that the environment names, if it names any.
pub fn dump_from_environment() -> Option<Vec<PathBuf>> {
    let value = std::env::var_os("AGGCTL_DUMP").filter(|value| !value.is_empty())?;
    Some(std::env::split_paths(&value).collect())
}

/// A minor version as a user writes it; `None` for the latest.
///
/// # Errors
/// Where it is not one.
pub fn minor(text: &str) -> Result<Option<Minor>, Error> {
    if text == "latest" {
        return Ok(None);
    }
    let parsed = match text.parse() {
        Ok(minor) => Some(Minor::new(minor)),
        Err(_) => Minor::parse(text).filter(|m| m.major == 1),
    };
    parsed.map(Some).ok_or_else(|| {
        Error::usage(format!("{text:?} is not a minor version of Kubernetes"))
            .with_hint("write it as 1.36")
    })
}

/// That one cluster is wanted where several are named.
pub fn several() -> Error {
    Error::usage("this takes one cluster at a time").with_hint("give one --context")
}

fn no_cluster() -> Error {
    Error::source("there is no cluster to ask: no kubeconfig, and no pod's service account")
        .with_hint("name a server with --server")
}
