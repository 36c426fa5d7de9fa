//! The arguments that say where the facts come from.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::cluster::ClusterArgs;
use super::progress::Bar;
use super::terminal::{Status, Terminal};
use super::what_if::WhatIfArgs;
use crate::doctor::quoted;
use crate::error::Error;
use crate::model::{Minor, Snapshot};
use crate::registry::{Fact, Registry};
use crate::render::{SameSource, counted, sanitise};
use crate::source::live::{Connection, Found, Needs, Options, Several};
use crate::source::{self, Loaded, Note, Source, Weight};

/// Where the facts come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source")]
pub(super) struct SourceArgs {
    /// A dump: a directory, a file, or - for standard input
    ///
    /// May be given several times. Any mix of JSON and YAML in any layout: what kubectl prints for apiservices, crd, svc,
    /// endpointslices, and for --raw /apis, /version, / and so on. [env: AGGCTL_DUMP]
    #[arg(long, value_name = "PATH")]
    pub(super) dump: Vec<PathBuf>,

    /// A plain Kubernetes of that version, built in
    #[arg(long, value_name = "MINOR", num_args = 0..=1, default_missing_value = "latest", conflicts_with = "dump")]
    builtin: Option<String>,

    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,

    #[command(flatten)]
    pub(super) cluster: ClusterArgs,

    /// All contexts of the kubeconfig, one answer each
    #[arg(long, conflicts_with = "context", help_heading = "Cluster")]
    all_contexts: bool,

    /// The cluster that was settled on, once that is done.
    #[arg(skip)]
    settled: Option<Box<Connection>>,

    /// Whether a plain Kubernetes that nobody asked for is no answer: it would read as clean.
    #[arg(skip)]
    insists: bool,

    /// What the command needs of a cluster; everything where it does not say.
    #[arg(skip)]
    needs: Option<Needs>,

    /// What was read already, together with other clusters.
    #[arg(skip)]
    ready: RefCell<Option<Result<Loaded, Error>>>,
}

/// What stands between the answers for several clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// A line with the cluster's name before each.
    Headings,
    /// What separates YAML documents.
    Dashes,
    /// Nothing: the answers say themselves whose they are.
    Nothing,
}

/// The facts, and as they would be where that was asked for.
pub(super) struct Facts {
    /// As they are.
    pub(super) now: Snapshot,
    /// As they would be.
    pub(super) then: Option<Snapshot>,
}

/// How many warnings about a source are shown one by one.
const MOST_WARNINGS: usize = 10;

/// What an answer rests on that the source does not have, told and returned. What could not be
/// read was told when the source was read.
pub(super) fn tell_assumptions(
    registry: &Registry<'_>,
    rests_on: &[Fact],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Vec<String>> {
    let assumptions = registry.assumptions(rests_on);
    for one in assumptions.iter().filter(|one| !one.was_told()) {
        terminal.warn(&one.to_string())?;
    }
    Ok(assumptions.iter().map(ToString::to_string).collect())
}

impl SourceArgs {
    /// Reads the source, with what was asked to be changed in it, telling the user what is odd.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn load(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        let facts = self.load_both(terminal)?;
        Ok(facts.then.unwrap_or(facts.now))
    }

    /// Reads the source as it is, and as it would be if that was asked for.
    ///
    /// # Errors
    /// Where it cannot be read, or something is to be removed that it does not have.
    pub(super) fn load_both(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Facts> {
        let standard_input = |paths: &[PathBuf]| paths.iter().any(|path| path.as_os_str() == "-");
        if standard_input(&self.dump) && standard_input(&self.what_if.filename) {
            let error = Error::usage("both the dump and the manifests cannot be standard input");
            return Err(error.with_hint("write one of them to a file").into());
        }
        let now = self.load_now(terminal)?;
        let then = self.what_if.apply(&now, terminal)?;
        Ok(Facts { now, then })
    }

    fn load_now(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        if let Some(ready) = self.ready.take() {
            return tell(ready?, terminal);
        }
        let (source, why) = self.resolve(terminal)?;
        if let Some(text) = why {
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        self.read(&source, terminal)
    }

    /// Whether a source is named on the command line.
    pub(super) fn is_given(&self) -> bool {
        !self.dump.is_empty() || self.builtin.is_some() || self.is_live()
    }

    /// Whether a cluster was asked for.
    fn is_live(&self) -> bool {
        self.all_contexts || self.cluster.is_given()
    }

    /// Whether a source is named at all, by an argument or the environment.
    pub(super) fn is_named(&self) -> bool {
        self.is_given() || source::dump_from_environment().is_some()
    }

    /// The arguments that name this source again, for commands that a user copies.
    pub(super) fn same(&self) -> SameSource {
        let mut same = SameSource::default();
        let dump = match (&self.builtin, self.cluster.is_given()) {
            _ if !self.dump.is_empty() => self.dump.clone(),
            (None, false) => source::dump_from_environment().unwrap_or_default(),
            _ => vec![],
        };
        for path in &dump {
            same.aggctl.extend(["--dump".to_owned(), quoted(&path.to_string_lossy()).into_owned()]);
        }
        match self.builtin.as_deref().filter(|_| !self.cluster.is_given()) {
            Some("latest") => same.aggctl.push("--builtin".to_owned()),
            Some(minor) => same.aggctl.extend(["--builtin".to_owned(), quoted(minor).into_owned()]),
            None => {}
        }
        if dump.is_empty() {
            let settled = self.settled.as_ref().filter(|_| self.is_one_of_several());
            let context = settled.map(|connection| connection.name.as_str());
            let words = self.cluster.again(context);
            same.aggctl.extend(words.iter().cloned());
            same.kubectl = words;
        }
        for file in &self.what_if.filename {
            same.aggctl.extend(["-f".to_owned(), quoted(&file.to_string_lossy()).into_owned()]);
        }
        for name in &self.what_if.without {
            same.aggctl.extend(["--without".to_owned(), quoted(name).into_owned()]);
        }
        same
    }

    /// Reads one source, telling the user what is odd about it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn read(
        &self,
        source: &Source,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Snapshot> {
        let needs = self.needs();
        let mut bar = Bar::new("reading the cluster".to_owned());
        let loaded = source::load_for(source, &needs, &mut |progress| bar.update(progress));
        drop(bar);
        tell(loaded?, terminal)
    }

    /// Reads two sources; two clusters at the same time.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub(super) fn read_both(
        &self,
        sources: [Source; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        match sources {
            [Source::Live(a), Source::Live(b)] => {
                let mut bar = Bar::new("reading the clusters".to_owned());
                let mut several = Several::start(vec![*a, *b], &self.needs());
                let mut next = || several.next(&mut |progress| bar.update(progress));
                let (a, b) = (next(), next());
                drop(bar);
                Ok((tell(a?, terminal)?, tell(b?, terminal)?))
            }
            [a, b] => Ok((self.read(&a, terminal)?, self.read(&b, terminal)?)),
        }
    }

    /// The same source, for a command that needs only this of a cluster.
    pub(super) fn needing(&self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self.clone() }
    }

    /// The same source, for a verdict: where none is named and none is found, that is an error.
    pub(super) fn insisting(&self) -> Self {
        Self { insists: true, ..self.clone() }
    }

    /// What a cluster is asked for. What manifests change may be anything.
    fn needs(&self) -> Needs {
        let said = self.needs.clone().filter(|_| !self.what_if.is_given());
        said.unwrap_or_else(Needs::everything)
    }

    /// The same source, settled on, for being looked at again and again: it stays the same cluster
    /// whatever becomes of the kubeconfig, and nobody is asked twice which one is meant.
    ///
    /// # Errors
    /// Where nothing says which cluster is meant.
    pub(super) fn lasting(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Self> {
        let (Source::Live(connection), why) = self.resolve(terminal)? else {
            return Ok(self.clone());
        };
        if let Some(text) = why {
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        Ok(Self { settled: Some(Box::new(connection.remembering())), ..self.clone() })
    }

    /// The same source, with so much time for reading it.
    pub(super) fn within(&self, time: Duration) -> Self {
        let mut source = self.clone();
        source.cluster.timeout = time;
        source.settled = source.settled.map(|connection| Box::new(connection.within(time)));
        source
    }

    /// Reads the source that was asked for; none where none was.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn load_if_given(
        &self,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        if self.is_named() { self.load(terminal).map(Some) } else { Ok(None) }
    }

    /// Answers once for each cluster that was asked for, in order, or once for another source.
    /// A cluster that cannot be read is told of, and does not keep the others from answering.
    ///
    /// # Errors
    /// What the answer ended with; for several clusters, that some could not be read.
    pub(super) fn each(
        &self,
        terminal: &mut Terminal<'_>,
        needs: Needs,
        between: Between,
        mut answer: impl FnMut(&Self, &mut Terminal<'_>) -> anyhow::Result<Status>,
    ) -> anyhow::Result<Status> {
        let one = self.needing(needs);
        if !self.is_several() {
            return answer(&one, terminal);
        }
        let options = Options { all_contexts: self.all_contexts, ..self.cluster.options() };
        let clusters = match options.find()? {
            Found::Clusters(clusters, _) => clusters,
            Found::Choose(_) | Found::Nothing => return answer(&one, terminal),
        };
        let (all, mut failed, mut status) = (clusters.len(), 0, Status::Ok);
        let reachable = clusters.iter().filter_map(|cluster| cluster.as_ref().ok());
        let mut several = Several::start(reachable.cloned().collect(), &one.needs());
        for (index, cluster) in clusters.into_iter().enumerate() {
            let result = match cluster {
                Ok(connection) => {
                    match between {
                        Between::Headings => {
                            let gap = if index == 0 { "" } else { "\n" };
                            let name = terminal.paint.strong(sanitise(&connection.name));
                            writeln!(terminal.out, "{gap}==> {name} <==")?;
                        }
                        Between::Dashes if index > 0 => writeln!(terminal.out, "---")?,
                        Between::Dashes | Between::Nothing => {}
                    }
                    terminal.out.flush()?;
                    let mut bar = Bar::new(format!("reading {}", sanitise(&connection.name)));
                    let ready = several.next(&mut |progress| bar.update(progress));
                    drop(bar);
                    let settled = Some(Box::new(connection));
                    let ready = RefCell::new(Some(ready));
                    answer(&Self { settled, ready, ..one.clone() }, terminal)
                }
                Err(error) => Err(error.into()),
            };
            terminal.out.flush()?;
            match result {
                Ok(Status::Ok) => {}
                Ok(Status::Findings) => status = Status::Findings,
                Err(error) if error.downcast_ref::<Error>().is_some() => {
                    failed += 1;
                    terminal.complain(&error)?;
                }
                Err(error) => return Err(error),
            }
        }
        if failed > 0 {
            return Err(Error::source(format!("{failed} of {all} clusters gave no answer")).into());
        }
        Ok(status)
    }

    /// Whether more than one answer may be asked for.
    pub(super) fn is_several(&self) -> bool {
        self.dump.is_empty() && self.settled.is_none() && self.is_one_of_several()
    }

    fn is_one_of_several(&self) -> bool {
        self.all_contexts || self.cluster.context.len() > 1
    }

    /// The source that was asked for, and what to say if it was not asked for.
    fn resolve(&self, terminal: &Terminal<'_>) -> Result<(Source, Option<String>), Error> {
        if let Some(connection) = &self.settled {
            return Ok((Source::Live(connection.clone()), None));
        }
        if !self.dump.is_empty() {
            return Ok((Source::Dump(self.dump.clone()), None));
        }
        let explicit = self.is_live();
        if let Some(text) = self.builtin.as_ref().filter(|_| !explicit) {
            return Ok((Source::Builtin(minor(text)?), None));
        }
        if !explicit && let Some(paths) = source::dump_from_environment() {
            return Ok((Source::Dump(paths), None));
        }
        if self.all_contexts {
            return Err(several());
        }
        if let Some((connection, why)) = self.cluster.connection(terminal)? {
            return Ok((Source::Live(Box::new(connection)), why));
        }
        if explicit {
            return Err(Error::source(
                "there is no cluster to ask: no kubeconfig, and no pod's service account",
            )
            .with_hint("name a server with --server"));
        }
        if self.insists {
            return Err(Error::source(
                "nothing to look at: no dump is named, and there is no kubeconfig and no pod's service account",
            )
            .with_hint(
                "--dump PATH, --kubeconfig FILE, or --builtin to look at a plain Kubernetes",
            ));
        }
        let latest = crate::baseline::LATEST;
        let why =
            format!("found no dump and no cluster: answering for a plain Kubernetes {latest}");
        Ok((Source::Builtin(None), Some(why)))
    }
}

impl ClusterArgs {
    /// The one cluster that is meant, if any is, and what to say about the choice.
    ///
    /// # Errors
    /// Where nothing says which cluster is meant, or several are.
    pub(super) fn connection(
        &self,
        terminal: &Terminal<'_>,
    ) -> Result<Option<(Connection, Option<String>)>, Error> {
        let mut options = self.options();
        let found = match options.find()? {
            Found::Choose(names) => {
                options.contexts = vec![choose(&names, terminal)?];
                options.find()?
            }
            found => found,
        };
        match found {
            Found::Clusters(clusters, why) => {
                match clusters.into_iter().collect::<Result<Vec<_>, _>>()?.as_slice() {
                    [one] => Ok(Some((one.clone(), why))),
                    _ => Err(several()),
                }
            }
            Found::Choose(_) | Found::Nothing => Ok(None),
        }
    }
}

/// Tells the user what is odd about what was read.
fn tell(loaded: Loaded, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
    let most = if terminal.verbose { usize::MAX } else { MOST_WARNINGS };
    let mut left_out = 0;
    for (index, note) in loaded.notes.iter().enumerate() {
        if index < most || note.weight != Weight::Warning {
            terminal.note(note)?;
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        let more = counted(left_out, "more warning");
        terminal.warn(&format!("{more} like these; -v shows them"))?;
    }
    let text = format!("answers come from {}", loaded.snapshot.origin);
    terminal.note(&Note { weight: Weight::Detail, text })?;
    Ok(loaded.snapshot)
}

pub(super) fn several() -> Error {
    Error::usage("this takes one cluster at a time").with_hint("give one --context")
}

/// Lets the user pick a context, if there is one to ask.
fn choose(names: &[String], terminal: &Terminal<'_>) -> Result<String, Error> {
    let shown: Vec<String> = names.iter().map(|name| sanitise(name).into_owned()).collect();
    if let Some(picked) = terminal.pick("cluster", &shown)? {
        return names.get(picked).cloned().ok_or_else(|| Error::usage("no cluster was picked"));
    }
    let some: Vec<&str> = shown.iter().take(10).map(String::as_str).collect();
    let more = if shown.len() > some.len() { ", …" } else { "" };
    Err(Error::source("the kubeconfig has no current context, and several to choose from")
        .with_hint(format!("--context with one of {}{more}; or --builtin", some.join(", "))))
}

/// A minor version as the user writes it; `None` for the latest.
pub(super) fn minor(text: &str) -> Result<Option<Minor>, Error> {
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
