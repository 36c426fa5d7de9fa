//! The arguments that select a source, and how commands read it.
//!
//! [`SourceArgs`] → `SourceSelection` (without clap) → `ResolvedSource` → `LoadedSource`.

mod control_plane;

use std::path::PathBuf;

use clap::Args;

use super::cluster::{ClusterArgs, option};
use super::output::Format;
use super::progress::with_bar;
use super::terminal::{Status, Terminal};
use super::what_if::WhatIfArgs;
use crate::cli::hints::advise;
use crate::error::Error;
use crate::render::{SourceFlags, counted, sanitize};
pub(super) use aggctl_source::LoadedSource;
use aggctl_source::live::ClusterOptions;
use aggctl_source::{
    NamedSource, Needs, NoteLevel, ParallelLoader, ResolvedSource, SourceError, SourceSelection,
    minor,
};
use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::registry::{Assumption, VersionBounds};

use control_plane::ControlPlaneArgs;
pub(super) use control_plane::{LoadedMembers, Members, PageSource};

/// Which source to read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source")]
pub(super) struct SourceArgs {
    /// Read a dump: directory, file or - (standard input)
    ///
    /// Repeatable. Any mix of JSON and YAML in any layout, such as the output of `kubectl get
    /// apiservices,crd,svc -A -o json` and `kubectl get --raw /apis`. [env: AGGCTL_DUMP]
    #[arg(long, value_name = "PATH")]
    pub(super) dump: Vec<PathBuf>,

    /// Use the built-in data of a Kubernetes version
    #[arg(long, value_name = "MINOR", num_args = 0..=1, require_equals = true, default_missing_value = "latest", conflicts_with = "dump")]
    builtin: Option<String>,

    #[command(flatten)]
    pub(super) servers: ControlPlaneArgs,

    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,

    #[command(flatten)]
    pub(super) cluster: ClusterArgs,

    /// Run for every context of the kubeconfig
    #[arg(long, conflicts_with = "context", help_heading = "Cluster")]
    all_contexts: bool,
}

/// What a command requires of each source.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    needs: Needs,
    verdict: bool,
}

impl Asking {
    /// Requires these documents.
    pub(super) fn new(needs: Needs) -> Self {
        Self { needs, verdict: false }
    }

    /// Sets whether the answer is a verdict, which must not be about built-in data by default.
    pub(super) fn for_verdict(self, verdict: bool) -> Self {
        Self { verdict, ..self }
    }
}

/// The most warnings about a source that are shown without -v.
const MAX_WARNINGS: usize = 10;

/// Warns about what an answer assumes, and returns it as sentences. Failed reads were reported when
/// the source was read.
pub(super) fn tell_assumptions(
    assumptions: &[Assumption],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Vec<String>> {
    for one in assumptions.iter().filter(|one| !one.was_told()) {
        terminal.warn(&format!("{one:.*}", terminal.max_names()))?;
    }
    Ok(assumptions.iter().map(ToString::to_string).collect())
}

/// Parses a version of Kubernetes.
pub(super) fn kubernetes(text: &str) -> Result<Minor, Error> {
    Minor::parse(text).ok_or_else(|| {
        Error::usage(format!("{text:?} is not a Kubernetes version")).with_hint("write it as 1.36")
    })
}

/// Refuses a version that is newer than the built-in ones.
pub(super) fn known(minor: Minor) -> Result<(), Error> {
    if minor <= baseline::LATEST {
        return Ok(());
    }
    Err(Error::usage(format!("Kubernetes {minor} is newer than the built-in data"))
        .with_hint(format!("the newest built-in version is {}", baseline::LATEST)))
}

/// Returns the version that decides which group versions a cluster serves: the one that it
/// emulates, or its own.
pub(super) fn running(snapshot: &Snapshot) -> Result<Minor, Error> {
    let bounds = VersionBounds::of(snapshot);
    snapshot.served_minor().or(bounds.only()).ok_or_else(|| {
        let mut text = format!("the Kubernetes version of {} is unknown", snapshot.origin);
        match (bounds.oldest, bounds.newest) {
            (Some(oldest), Some(newest)) => {
                text.push_str(&format!("; it is {oldest} to {newest}"));
            }
            (Some(oldest), None) => text.push_str(&format!("; it is {oldest} or newer")),
            (None, Some(newest)) => text.push_str(&format!("; it is {newest} or older")),
            (None, None) => {}
        }
        let hint =
            "add the output of `kubectl get --raw /version` to the dump, or name it with --from";
        Error::source(text).with_hint(hint)
    })
}

/// Waits for one of several clusters.
type LoadOne<'a> = &'a mut dyn FnMut() -> Result<LoadedSource, Error>;

impl SourceArgs {
    /// Returns what was typed, without clap.
    pub(super) fn selection(&self) -> Result<SourceSelection, Error> {
        let builtin = self.builtin.as_deref().map(minor).transpose()?;
        let cluster = ClusterOptions { all_contexts: self.all_contexts, ..self.cluster.options() };
        Ok(SourceSelection {
            dumps: self.dump.clone(),
            builtin,
            cluster,
            manifests: self.what_if.filename.clone(),
            replace: self.what_if.replace,
            without: self.what_if.without.clone(),
            verdict: false,
        })
    }

    /// Returns whether a dump or manifest is to be read from standard input.
    pub(super) fn reads_standard_input(&self) -> bool {
        self.dump.iter().chain(&self.what_if.filename).any(|path| path.as_os_str() == "-")
    }

    /// Returns whether the arguments may select several clusters.
    pub(super) fn is_several(&self) -> bool {
        self.selection().is_ok_and(|selection| selection.is_several())
    }

    /// Returns whether a source is named, by an option or the environment. An invalid one is
    /// reported when it is read.
    pub(super) fn is_named(&self) -> bool {
        if self.servers.are_given() {
            return true;
        }
        self.selection().map_or(true, |selection| selection.named() != NamedSource::Nothing)
    }

    /// Returns whether a dump or built-in data is named, which kubectl has no cache of.
    pub(super) fn is_offline(&self) -> bool {
        let named = self.selection().map(|selection| selection.named());
        !matches!(named, Ok(NamedSource::Cluster | NamedSource::Nothing))
    }

    /// Returns the manifests that are applied in a what-if.
    pub(super) fn applied(&self) -> Vec<String> {
        self.what_if.filename.iter().map(|file| file.display().to_string()).collect()
    }

    /// Returns the objects that are removed in a what-if.
    pub(super) fn removed(&self) -> &[String] {
        &self.what_if.without
    }

    /// Returns the options that select `source` again, for commands that a user copies.
    pub(super) fn same_as(&self, source: &LoadedSource) -> SourceFlags {
        self.same(source.context.as_deref())
    }

    /// Returns the options that select the same source again, with this context.
    pub(super) fn same(&self, context: Option<&str>) -> SourceFlags {
        let mut same = SourceFlags::default();
        if let Some(words) = self.servers.again(context) {
            same.aggctl = words;
            return same;
        }
        let named = self.selection().map(|selection| selection.named());
        match named.unwrap_or(NamedSource::Nothing) {
            NamedSource::Dump(paths) | NamedSource::EnvironmentDump(paths) => {
                for path in &paths {
                    same.aggctl.extend(option("--dump", &path.to_string_lossy()));
                }
            }
            named => {
                if let NamedSource::Builtin(minor) = named {
                    match minor {
                        None => same.aggctl.push("--builtin".to_owned()),
                        Some(minor) => {
                            same.aggctl.extend(option("--builtin", &minor.to_string()));
                        }
                    }
                }
                let words = self.cluster.again(context);
                same.aggctl.extend(words.iter().cloned());
                same.kubectl = words;
            }
        }
        for file in &self.what_if.filename {
            same.aggctl.extend(option("-f", &file.to_string_lossy()));
        }
        if self.what_if.replace {
            same.aggctl.push("--replace".to_owned());
        }
        for name in &self.what_if.without {
            same.aggctl.extend(option("--without", name));
        }
        same
    }

    /// Resolves the one source to read, and asks the user if several contexts are possible.
    pub(super) fn resolve(
        &self,
        asking: &Asking,
        terminal: &Terminal<'_>,
    ) -> Result<ResolvedSource, Error> {
        let selection = SourceSelection { verdict: asking.verdict, ..self.selection()? };
        resolve(&selection, &asking.needs, terminal)
    }

    /// Reads the one source.
    pub(super) fn read(
        &self,
        asking: &Asking,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<LoadedSource> {
        if let Some(members) = self.load_members(asking, terminal)? {
            return Ok(members.into_one()?);
        }
        read(&self.resolve(asking, terminal)?, terminal)
    }

    /// Reads the one source. Of several API servers, reads the one that is asked or else the first,
    /// and compares it with the others.
    pub(super) fn read_with_servers(
        &self,
        asking: &Asking,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<PageSource> {
        let Some(members) = self.load_members(asking, terminal)? else {
            let source = read(&self.resolve(asking, terminal)?, terminal)?;
            return Ok(PageSource { source, servers: None, peers: vec![] });
        };
        Ok(members.into_first())
    }

    /// Reads the source that a word names, to compare with.
    pub(super) fn compared(
        &self,
        word: Option<&str>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        let Some(word) = word else { return Ok(None) };
        let resolved = self.selection()?.resolve_word(word, &Needs::layer())?;
        Ok(Some(read(&resolved.only(Needs::layer()), terminal)?.into_current()))
    }

    /// Answers once for each cluster, in order, or once for another source. A cluster that cannot be
    /// read is reported, and the others are still answered for.
    ///
    /// # Errors
    /// That of the answer; for several clusters, that some could not be read.
    pub(super) fn each(
        &self,
        terminal: &mut Terminal<'_>,
        format: Format,
        asking: &Asking,
        answer: &mut dyn FnMut(&LoadedSource, &mut Terminal<'_>) -> anyhow::Result<Status>,
    ) -> anyhow::Result<Status> {
        if let Some(members) = self.load_members(asking, terminal)? {
            return self.each_member(&members, format, terminal, answer);
        }
        if !self.is_several() {
            return answer(&self.read(asking, terminal)?, terminal);
        }
        let (mut all, mut failed, mut status) = (0, 0, Status::Ok);
        self.load_each(asking, &mut |name, load| {
            let mut one = || -> anyhow::Result<Status> {
                let name = sanitize(name);
                terminal.begin_source(format, all, &name)?;
                terminal.out.flush()?;
                let source = load()?;
                tell(&source, terminal)?;
                answer(&source, terminal)
            };
            let result = one();
            all += 1;
            terminal.out.flush()?;
            match result {
                Ok(Status::Ok) => {}
                Ok(Status::Findings) => status = Status::Findings,
                Err(error) if advise(&error).is_some() => {
                    failed += 1;
                    terminal.complain(&error)?;
                }
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        if failed > 0 {
            return Err(
                Error::source(format!("{failed} of {all} clusters could not be read")).into()
            );
        }
        Ok(status)
    }

    /// Reads several clusters in parallel. A cluster that cannot be read has an error.
    pub(super) fn read_fleet(
        &self,
        asking: &Asking,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Vec<FleetSource>> {
        let mut fleet = vec![];
        self.load_each(asking, &mut |name, load| {
            let source = load();
            if let Ok(source) = &source {
                tell(source, terminal)?;
            }
            fleet.push(FleetSource { name: name.to_owned(), source });
            Ok(())
        })?;
        Ok(fleet)
    }

    /// Starts to read several clusters, and calls `each` with the context of each and a function
    /// that waits for it.
    pub(super) fn load_each(
        &self,
        asking: &Asking,
        each: &mut dyn FnMut(&str, LoadOne<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let clusters = self.selection()?.resolve_several(&asking.needs)?;
        let all = clusters.len();
        let resolved = clusters.iter().filter_map(|(_, cluster)| cluster.as_ref().ok());
        let mut loader = ParallelLoader::start(resolved.cloned());
        for (index, (name, cluster)) in clusters.into_iter().enumerate() {
            let mut cluster = Some(cluster);
            each(&name, &mut || {
                cluster.take().transpose()?;
                let label = format!("reading {} ({} of {all})", sanitize(&name), index + 1);
                let mut source = with_bar(&label, |bar| loader.next(bar))?;
                source.name_notes(&name);
                Ok(source)
            })?;
        }
        Ok(())
    }
}

/// One of several clusters.
pub(super) struct FleetSource {
    /// Its context.
    pub(super) name: String,
    pub(super) source: Result<LoadedSource, Error>,
}

/// Resolves a selection to one source, and asks the user if several contexts are possible.
pub(super) fn resolve(
    selection: &SourceSelection,
    needs: &Needs,
    terminal: &Terminal<'_>,
) -> Result<ResolvedSource, Error> {
    match selection.resolve(needs) {
        Err(SourceError::ChooseContext(names)) => match terminal.pick_context(&names)? {
            Some(name) => {
                let mut resolved = selection.in_context(&name).resolve(needs)?;
                resolved.context = Some(name);
                Ok(resolved)
            }
            None => Err(SourceError::ChooseContext(names).into()),
        },
        resolved => Ok(resolved?),
    }
}

/// Reads a source, and reports what the user should know about it.
pub(super) fn read(
    resolved: &ResolvedSource,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<LoadedSource> {
    let source = with_bar("reading the cluster", |bar| resolved.load(bar))?;
    tell(&source, terminal)?;
    Ok(source)
}

/// Reports what the user should know about a source.
pub(super) fn tell(source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let most = if terminal.verbose { usize::MAX } else { MAX_WARNINGS };
    let mut left_out = 0;
    for (index, note) in source.notes.iter().enumerate() {
        if index < most || note.weight != NoteLevel::Warning {
            terminal.tell(note)?;
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        let more = counted(left_out, "more warning");
        terminal.warn(&format!("{more} hidden (use -v)"))?;
    }
    for effect in &source.effects {
        terminal.what_if(effect)?;
    }
    Ok(())
}
