//! The arguments that name the API servers of a control plane, and how their dumps are read.

use std::path::PathBuf;

use clap::Args;

use super::super::cluster::option;
use super::super::output::Format;
use super::super::progress::with_bar;
use super::super::terminal::{Status, Terminal};
use super::{Asking, LoadedSource, SourceArgs, tell};
use crate::cli::hints::advise;
use crate::error::Error;
use crate::render::{ServersJson, sanitize};
use aggctl_source::{Needs, ParallelLoader, ServerDocument, SourceError};
use kube_aggregation::model::{PeerFacts, Snapshot};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// Which API servers, if there are several.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct ControlPlaneArgs {
    /// Read one dump per API server of a control plane
    ///
    /// DIR has one folder per server. A server's dump is DIR/NAME/dump if that exists, otherwise
    /// DIR/NAME. --asked selects one server; without it, the answer covers all of them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dump", "builtin"], hide_short_help = true)]
    pub(in crate::cli) control_plane: Option<PathBuf>,

    /// Read every API server of the cluster directly
    ///
    /// Their addresses come from the identity Leases in kube-system and the EndpointSlices of
    /// default/kubernetes. Each certificate must be valid for kubernetes.default.svc.
    #[arg(long, conflicts_with_all = ["dump", "builtin", "control_plane"], hide_short_help = true)]
    pub(in crate::cli) all_servers: bool,

    /// Send the request to this API server of the control plane
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    asked: Option<String>,

    /// Assume that the API server has no peers
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) no_peers: bool,
}

impl ControlPlaneArgs {
    /// Returns whether the user named a control plane.
    pub(in crate::cli) fn are_given(&self) -> bool {
        self.control_plane.is_some() || self.all_servers
    }

    /// Returns the options that select the same servers again.
    pub(in crate::cli) fn again(&self, asked: Option<&str>) -> Option<Vec<String>> {
        let dir = self.control_plane.as_ref()?;
        let mut words = option("--control-plane", &dir.to_string_lossy()).to_vec();
        if let Some(asked) = asked.or(self.asked.as_deref()) {
            words.extend(option("--asked", asked));
        }
        if self.no_peers {
            words.push("--no-peers".to_owned());
        }
        Some(words)
    }
}

/// The API servers of one control plane, with their sources.
#[derive(Debug)]
pub(in crate::cli) struct Members<'a> {
    /// The name of each server; empty for the only server of another source.
    pub(in crate::cli) names: Vec<&'a str>,
    /// The source of each server.
    pub(in crate::cli) sources: Vec<&'a LoadedSource>,
    /// The servers that are asked.
    pub(in crate::cli) asked: Vec<usize>,
    /// Whether to consider peers.
    pub(in crate::cli) with_peers: bool,
}

impl<'a> Members<'a> {
    /// Returns the only server of a source that is not a control plane. Its documents show its
    /// peers.
    pub(in crate::cli) fn one(source: &'a LoadedSource) -> Self {
        Self { names: vec![""], sources: vec![source], asked: vec![0], with_peers: true }
    }

    /// Returns whether the user named a control plane.
    pub(in crate::cli) fn are_named(&self) -> bool {
        self.names.first().is_some_and(|name| !name.is_empty())
    }

    /// Returns the version of all servers, if they run the same.
    pub(in crate::cli) fn same_version(&self) -> Option<&'a str> {
        let version = |source: &&'a LoadedSource| {
            source.snapshot.version.loaded().map(|version| version.git_version.as_str())
        };
        let first = self.sources.first().and_then(version)?;
        self.sources.iter().all(|source| version(source) == Some(first)).then_some(first)
    }
}

/// What the page shows: a source, and the other API servers of its control plane.
pub(in crate::cli) struct PageSource {
    pub(in crate::cli) source: LoadedSource,
    /// How the servers differ.
    pub(in crate::cli) servers: Option<ServersJson>,
    /// The other servers, unless they are left out.
    pub(in crate::cli) peers: Vec<(String, Snapshot)>,
}

/// The dumps of a control plane.
pub(in crate::cli) struct LoadedMembers {
    names: Vec<String>,
    sources: Vec<LoadedSource>,
    asked: Vec<usize>,
    with_peers: bool,
    /// The servers that could not be read.
    lost: Vec<String>,
    /// The number of requested servers that gave no answer.
    missing: usize,
}

impl LoadedMembers {
    pub(in crate::cli) fn members(&self) -> Members<'_> {
        Members {
            names: self.names.iter().map(String::as_str).collect(),
            sources: self.sources.iter().collect(),
            asked: self.asked.clone(),
            with_peers: self.with_peers,
        }
    }

    /// Returns the one server that is asked, for commands that show one.
    pub(in crate::cli) fn into_one(mut self) -> Result<LoadedSource, Error> {
        match self.asked.as_slice() {
            [asked] => Ok(self.sources.swap_remove(*asked)),
            _ => Err(Error::usage("this command supports one API server at a time")
                .with_hint(format!("select one with --asked: {}", self.names.join(", ")))),
        }
    }

    /// Returns the first server that is asked, compared with the others.
    pub(in crate::cli) fn into_first(mut self) -> PageSource {
        let asked = self.asked.first().copied().unwrap_or_default();
        let lost = std::mem::take(&mut self.lost);
        let servers =
            with_plane(&self.names, &self.sources, |plane| ServersJson::new(plane, asked, lost));
        let (source, name) = (self.sources.swap_remove(asked), self.names.swap_remove(asked));
        debug_assert_eq!(name, servers.asked);
        let peers = self.names.into_iter().zip(self.sources.into_iter().map(|one| one.snapshot));
        let peers = if self.with_peers { peers.collect() } else { vec![] };
        PageSource { source, servers: Some(servers), peers }
    }

    /// Returns an error if a server is missing in the answer.
    pub(in crate::cli) fn finish(&self) -> Result<(), Error> {
        if self.missing > 0 {
            let all = self.asked.len() + self.missing;
            let text = format!("{} of {all} API servers could not be read", self.missing);
            return Err(Error::source(text));
        }
        Ok(())
    }
}

/// Calls a function with the control plane of these servers.
fn with_plane<T>(
    names: &[String],
    sources: &[LoadedSource],
    call: impl FnOnce(&ControlPlane<'_, '_>) -> T,
) -> T {
    let registries: Vec<Registry<'_>> =
        sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    call(&ControlPlane::new(names.iter().map(String::as_str).zip(&routers)))
}

impl SourceArgs {
    /// Reads the dumps of the control plane, if one is named. A folder that is not a dump of it is
    /// reported, and the others still count.
    pub(in crate::cli) fn load_members(
        &self,
        asking: &Asking,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<LoadedMembers>> {
        if !self.servers.are_given() {
            let option = self.servers.asked.as_ref().map(|_| "--asked");
            let option = option.or(self.servers.no_peers.then_some("--no-peers"));
            return match option {
                None => Ok(None),
                Some(option) => Err(Error::usage(format!("{option} needs several API servers"))
                    .with_hint("name them with --control-plane DIR or --all-servers")
                    .into()),
            };
        }
        let (resolved, place) = match &self.servers.control_plane {
            Some(dir) => {
                let members = self.selection()?.resolve_members(dir, &asking.needs)?;
                (members, dir.display().to_string())
            }
            None => {
                let mut asking = asking.clone();
                asking.needs.documents.extend(Needs::PEERS);
                asking.needs.documents.insert(ServerDocument::Flagz);
                let cluster = self.resolve(&asking, terminal)?;
                let servers =
                    with_bar("finding the API servers", |bar| cluster.resolve_servers(bar))?;
                let servers = servers.into_iter().map(|(name, server)| (name, Ok(server)));
                (servers.collect(), format!("cluster {}", cluster.name()))
            }
        };
        let all: Vec<String> = resolved.iter().map(|(name, _)| name.clone()).collect();
        let wanted = self.servers.asked.as_deref();
        if let Some(wanted) = wanted.filter(|wanted| !all.iter().any(|name| name == wanted)) {
            let known = all.iter().map(String::as_str);
            let hint = did_you_mean(wanted, known)
                .unwrap_or_else(|| format!("the servers are {}", all.join(", ")));
            let error = Error::usage(format!("{place} has no server {wanted:?}"));
            return Err(error.with_hint(hint).into());
        }
        let sources = resolved.iter().filter_map(|(_, source)| source.as_ref().ok());
        let mut loader = ParallelLoader::start(sources.cloned());
        let (mut names, mut sources) = (vec![], vec![]);
        let (mut lost, mut errors): (Vec<String>, Vec<String>) = (vec![], vec![]);
        let mut several = None;
        for (name, source) in resolved {
            let mut next = || with_bar(&format!("reading {name}"), |bar| loader.next(bar));
            match source.and_then(|_| next()) {
                Ok(mut source) => {
                    source.name_notes(&name);
                    tell(&source, terminal)?;
                    names.push(name);
                    sources.push(source);
                }
                Err(error) => {
                    errors.push(format!("{}: {error}", sanitize(&name)));
                    lost.push(name);
                    if matches!(error, SourceError::SeveralDumps(_)) {
                        several.get_or_insert(error);
                    }
                }
            }
        }
        if let (true, Some(first), Some(_)) =
            (names.is_empty(), errors.first(), &self.servers.control_plane)
        {
            if let Some(several) = several {
                return Err(several.into());
            }
            let error = Error::source(format!("no folder of {place} is the dump of an API server"));
            let hint = "--control-plane takes the folder that has one folder per API server";
            return Err(error.with_hint(format!("{hint} ({first})")).into());
        }
        errors.iter().try_for_each(|error| terminal.error(error))?;
        let pairs: Vec<(&str, &Snapshot)> =
            names.iter().map(String::as_str).zip(sources.iter().map(|s| &s.snapshot)).collect();
        let problems = ControlPlane::problems(&pairs);
        for problem in &problems {
            terminal.error(&problem.to_string())?;
            if let Some(at) = names.iter().position(|name| name == problem.culprit()) {
                lost.push(names.remove(at));
                sources.remove(at);
            }
        }
        // What each server must know about the others.
        let facts: Vec<PeerFacts> = with_plane(&names, &sources, |plane| {
            (0..plane.len()).map(|member| plane.facts(member)).collect()
        });
        for (source, facts) in sources.iter_mut().zip(facts) {
            if let Some(before) = &mut source.before {
                before.peers = facts.clone();
            }
            source.snapshot.peers = facts;
        }
        let asked: Vec<usize> = match wanted {
            Some(wanted) => names.iter().position(|name| name == wanted).into_iter().collect(),
            None => (0..names.len()).collect(),
        };
        if asked.is_empty() {
            let what =
                wanted.map_or_else(|| "any server".to_owned(), |name| format!("server {name}"));
            return Err(Error::source(format!("cannot read {what} of the control plane")).into());
        }
        let missing = if wanted.is_some() { 0 } else { lost.len() };
        let with_peers = !self.servers.no_peers;
        Ok(Some(LoadedMembers { names, sources, asked, with_peers, lost, missing }))
    }

    /// Answers once per server that is asked, for commands that show one server at a time.
    pub(in crate::cli) fn each_member(
        &self,
        loaded: &LoadedMembers,
        format: Format,
        terminal: &mut Terminal<'_>,
        answer: &mut dyn FnMut(&LoadedSource, &mut Terminal<'_>) -> anyhow::Result<Status>,
    ) -> anyhow::Result<Status> {
        let several = loaded.asked.len() > 1;
        if several && !format.can_follow_another() {
            let error = format!("-o {} supports one API server at a time", format.as_str());
            return Err(Error::usage(error).with_hint("select one with --asked").into());
        }
        let mut status = Status::Ok;
        let mut failures: Vec<(&str, anyhow::Error)> = vec![];
        // Servers with the same answer are shown together.
        let mut answers: Vec<(Vec<&str>, Vec<u8>)> = vec![];
        for (index, asked) in loaded.asked.iter().enumerate() {
            let (Some(name), Some(source)) = (loaded.names.get(*asked), loaded.sources.get(*asked))
            else {
                continue;
            };
            let mut bytes = vec![];
            let answered = if several && format.is_text() {
                answer(source, &mut terminal.with_out(&mut bytes))
            } else {
                if several {
                    terminal.begin_source(format, index, name)?;
                }
                answer(source, terminal)
            };
            match answered {
                Ok(Status::Ok) => {}
                Ok(Status::Findings) => status = Status::Findings,
                // The source of this server does not have the answer; that of others may.
                Err(error) if advise(&error).is_some() => {
                    failures.push((name, error));
                    continue;
                }
                Err(error) => return Err(error),
            }
            match answers.iter_mut().find(|(_, known)| *known == bytes) {
                Some((names, _)) => names.push(name),
                None => answers.push((vec![name], bytes)),
            }
        }
        if several && format.is_text() {
            for (index, (names, bytes)) in answers.iter().enumerate() {
                terminal.begin_source(format, index, &sanitize(&names.join(", ")))?;
                terminal.out.write_all(bytes)?;
            }
        }
        terminal.out.flush()?;
        if failures.len() == loaded.asked.len()
            && let Some((_, error)) = failures.pop()
        {
            return Err(error);
        }
        for (name, error) in &failures {
            terminal.error(&format!("{}: {error}", sanitize(name)))?;
        }
        if !failures.is_empty() {
            let (none, all) =
                (failures.len() + loaded.missing, loaded.asked.len() + loaded.missing);
            let error = Error::source(format!("{none} of {all} API servers have no answer"));
            return Err(error.into());
        }
        loaded.finish()?;
        Ok(status)
    }
}
