//! The arguments that say where the facts come from, and telling the user what was read.

use std::path::PathBuf;

use clap::Args;

use super::cluster::{ClusterArgs, option};
use super::output::Format;
use super::progress::with_bar;
use super::terminal::{Status, Terminal};
use super::what_if::WhatIfArgs;
use crate::render::{SourceFlags, counted, sanitize};
use aggctl_source::error::Error;
use aggctl_source::live::{Needs, Options};
use aggctl_source::{NoteLevel, Plan, Reading, Request, dump_from_environment, minor};
use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::registry::{Fact, Registry};

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
    #[arg(long, value_name = "MINOR", num_args = 0..=1, require_equals = true, default_missing_value = "latest", conflicts_with = "dump")]
    builtin: Option<String>,

    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,

    #[command(flatten)]
    pub(super) cluster: ClusterArgs,

    /// All contexts of the kubeconfig, one answer each
    #[arg(long, conflicts_with = "context", help_heading = "Cluster")]
    all_contexts: bool,
}

/// What a command asks of each source.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    needs: Needs,
    format: Format,
    verdict: bool,
}

impl Asking {
    /// What is needed of a cluster, and how the answers are written.
    pub(super) fn new(needs: Needs, format: Format) -> Self {
        Self { needs, format, verdict: false }
    }

    /// Whether the answer is a verdict: it must not be about a cluster that nobody named.
    pub(super) fn for_verdict(self, verdict: bool) -> Self {
        Self { verdict, ..self }
    }
}

/// One source that was read, and told of.
pub(super) struct SourceRead {
    /// As it is, and as it would be.
    pub(super) reading: Reading,
    /// The arguments that name it again, for commands that a user copies.
    pub(super) same: SourceFlags,
}

impl SourceRead {
    /// The facts that are asked about.
    pub(super) fn snapshot(&self) -> &Snapshot {
        self.reading.snapshot()
    }
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

/// A version of Kubernetes, as it is typed.
pub(super) fn kubernetes(text: &str) -> Result<Minor, Error> {
    Minor::parse(text).ok_or_else(|| {
        Error::usage(format!("{text:?} is not a version of Kubernetes"))
            .with_hint("write it as 1.36")
    })
}

/// Refuses a version that is newer than all that is known.
pub(super) fn known(minor: Minor) -> Result<(), Error> {
    if minor <= baseline::LATEST {
        return Ok(());
    }
    Err(Error::usage(format!("nothing is known of Kubernetes {minor} yet"))
        .with_hint(format!("the newest built in is {}", baseline::LATEST)))
}

/// The version that a cluster runs, where nothing can be said without it.
pub(super) fn running(snapshot: &Snapshot) -> Result<Minor, Error> {
    snapshot.minor().ok_or_else(|| {
        Error::source(format!("{} does not say which Kubernetes it runs", snapshot.origin))
            .with_hint("kubectl get --raw /version > version.json, into the dump")
    })
}

impl SourceArgs {
    /// What was asked for, without clap.
    pub(super) fn request(&self) -> Result<Request, Error> {
        let builtin = self.builtin.as_deref().map(minor).transpose()?;
        let cluster = Options { all_contexts: self.all_contexts, ..self.cluster.options() };
        Ok(Request {
            dumps: self.dump.clone(),
            builtin,
            cluster,
            wants_cluster: self.wants_cluster(),
            manifests: self.what_if.filename.clone(),
            without: self.what_if.without.clone(),
            verdict: false,
        })
    }

    /// Whether a cluster is meant. Whoever asks as somebody asks a cluster, unless another source
    /// is named.
    fn wants_cluster(&self) -> bool {
        let other = || self.builtin.is_some() || dump_from_environment().is_some();
        self.all_contexts || self.cluster.is_given() || (self.cluster.impersonates() && !other())
    }

    /// Whether more than one answer may be asked for.
    pub(super) fn is_several(&self) -> bool {
        self.dump.is_empty() && (self.all_contexts || self.cluster.context.len() > 1)
    }

    /// Whether a source is named at all, by an argument or the environment.
    pub(super) fn is_named(&self) -> bool {
        !self.dump.is_empty()
            || self.builtin.is_some()
            || self.all_contexts
            || self.cluster.is_given()
            || self.cluster.impersonates()
            || dump_from_environment().is_some()
    }

    /// The arguments that name this source again; `context` is one that must be named for that.
    pub(super) fn same(&self, context: Option<&str>) -> SourceFlags {
        let mut same = SourceFlags::default();
        let dump = match (&self.builtin, self.cluster.is_given()) {
            _ if !self.dump.is_empty() => self.dump.clone(),
            (None, false) => dump_from_environment().unwrap_or_default(),
            _ => vec![],
        };
        for path in &dump {
            same.aggctl.extend(option("--dump", &path.to_string_lossy()));
        }
        match self.builtin.as_deref().filter(|_| !self.cluster.is_given()) {
            Some("latest") => same.aggctl.push("--builtin".to_owned()),
            Some(minor) => same.aggctl.extend(option("--builtin", minor)),
            None => {}
        }
        if dump.is_empty() {
            let words = self.cluster.again(context);
            same.aggctl.extend(words.iter().cloned());
            same.kubectl = words;
        }
        for file in &self.what_if.filename {
            same.aggctl.extend(option("-f", &file.to_string_lossy()));
        }
        for name in &self.what_if.without {
            same.aggctl.extend(option("--without", name));
        }
        same
    }

    /// Settles on the one source that is meant, asking the user where nothing says which.
    pub(super) fn plan(&self, asking: &Asking, terminal: &Terminal<'_>) -> Result<Plan, Error> {
        let request = Request { verdict: asking.verdict, ..self.request()? };
        request.resolve(&asking.needs, &|names| terminal.pick_context(names))
    }

    /// Reads the one source that is meant.
    pub(super) fn read(
        &self,
        asking: &Asking,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<SourceRead> {
        self.read_plan(&self.plan(asking, terminal)?, terminal)
    }

    /// Reads the source that was settled on.
    pub(super) fn read_plan(
        &self,
        plan: &Plan,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<SourceRead> {
        let reading = read(plan, terminal)?;
        Ok(SourceRead { reading, same: self.same(plan.context.as_deref()) })
    }

    /// Reads the source that a word names, to compare with.
    pub(super) fn compared(
        &self,
        word: Option<&str>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        let Some(word) = word else { return Ok(None) };
        let plan = self.request()?.resolve_word(word, &Needs::layer())?;
        Ok(Some(read(&plan.only(Needs::layer()), terminal)?.now.into_owned()))
    }

    /// Answers once for each cluster that was asked for, in order, or once for another source.
    /// A cluster that cannot be read is told of, and does not keep the others from answering.
    ///
    /// # Errors
    /// What the answer ended with; for several clusters, that some could not be read.
    pub(super) fn each(
        &self,
        terminal: &mut Terminal<'_>,
        asking: &Asking,
        mut answer: impl FnMut(&SourceRead, &mut Terminal<'_>) -> anyhow::Result<Status>,
    ) -> anyhow::Result<Status> {
        if !self.is_several() {
            let source = self.read(asking, terminal)?;
            let status = answer(&source, terminal);
            // The process ends with its answer: freeing facts one by one would only take time.
            std::mem::forget(source);
            return status;
        }
        let plans = self.request()?.resolve_several(&asking.needs)?;
        let (all, mut failed, mut status) = (plans.len(), 0, Status::Ok);
        let mut several = Plan::start(plans.iter().flatten());
        for (index, plan) in plans.into_iter().enumerate() {
            let one = || -> anyhow::Result<Status> {
                let plan = plan?;
                let name = sanitize(plan.name()).into_owned();
                terminal.begin_source(asking.format, index, &name)?;
                terminal.out.flush()?;
                let loaded = with_bar(&format!("reading {name}"), |bar| several.next(bar));
                let mut reading = plan.finish(loaded?)?;
                reading.name_notes(plan.name());
                tell(&reading, terminal)?;
                let same = self.same(plan.context.as_deref());
                answer(&SourceRead { reading, same }, terminal)
            };
            let result = one();
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
}

/// Reads a plan, telling the user what is odd about it.
pub(super) fn read(plan: &Plan, terminal: &mut Terminal<'_>) -> anyhow::Result<Reading> {
    let reading = with_bar("reading the cluster", |bar| plan.read(bar))?;
    tell(&reading, terminal)?;
    Ok(reading)
}

/// Tells the user what is odd about what was read.
pub(super) fn tell(reading: &Reading, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let most = if terminal.verbose { usize::MAX } else { MOST_WARNINGS };
    let mut left_out = 0;
    for (index, note) in reading.notes.iter().enumerate() {
        if index < most || note.weight != NoteLevel::Warning {
            terminal.tell(note)?;
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        let more = counted(left_out, "more warning");
        terminal.warn(&format!("{more} like these; -v shows them"))?;
    }
    for effect in &reading.effects {
        terminal.what_if(effect)?;
    }
    Ok(())
}
