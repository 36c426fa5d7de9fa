//! `aggctl diff`: what differs between two sources.

use std::collections::BTreeSet;

use clap::{Args, ValueHint};
use clap_complete::ArgValueCandidates;

use super::complete;
use super::driver::Command;
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::output::{OutputArgs, Reply, offers};
use super::progress::with_bar;
use super::source::{Asking, FleetSource, Members, SourceArgs, read, tell};
use super::terminal::Terminal;
use crate::error::Error;
use crate::render::{DiffAnswer, FleetDiffAnswer, FleetDiffMember, sanitize};
use aggctl_source::Needs;
use aggctl_source::{LoadedSource, ParallelLoader, ResolvedSource, SourceError, SourceSelection};
use kube_aggregation::diff::{self, Diff, Listing};
use kube_aggregation::model::{Origin, Snapshot, SourceKind};
use kube_aggregation::registry::Registry;
use kube_aggregation::what_if;

/// Compare two sources, or one with manifests applied to it
///
/// Compares APIServices, CRDs, group versions, preferred versions, resources and verbs, the order of
/// groups, and the outcome of requests. A source is dump:PATH, context:NAME, builtin:MINOR, or a
/// bare path or context. Two built-in versions show what an upgrade removes; with --dump, what it
/// changes in that cluster. With --control-plane or --all-servers, shows how the API servers
/// differ from the first one, or from --asked. Several contexts are compared with what most of
/// them have.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<DiffAnswer<'static>>),
    after_help = "\
Examples:
  aggctl diff ./before ./after
  aggctl diff ./dump -f new.yaml
  aggctl diff staging production
  aggctl diff --context 'prod-*'
  aggctl diff --dump ./dump --without v1beta1.metrics.k8s.io
  aggctl diff builtin:1.25 builtin:1.36
  aggctl diff builtin:1.25 builtin:1.36 --dump ./dump
  aggctl diff --control-plane ./servers
  aggctl diff ./before ./after -o markdown --fail-on removed,route"
)]
pub struct DiffArgs {
    /// dump:PATH, context:NAME, builtin:MINOR, or a bare path or context
    #[arg(value_name = "SOURCE", num_args = 0..=2, value_hint = ValueHint::AnyPath, add = ArgValueCandidates::new(complete::builtin_sources))]
    sources: Vec<String>,

    /// Exit with 1 on these differences
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = fail_on(FAIL_ON))]
    fail_on: Vec<FailOn<Diff>>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

const FAIL_ON: &[FailCondition<Diff>] = &[
    FailCondition { name: "any", help: "Any difference", fails: |diff| !diff.is_empty() },
    FailCondition {
        name: "removed",
        help: "An APIService, CRD, group version or resource is removed",
        fails: Diff::removes,
    },
    FailCondition { name: "route", help: "A request has another outcome", fails: Diff::reroutes },
    FailCondition {
        name: "availability",
        help: "An APIService becomes unavailable, or a group version stale",
        fails: Diff::makes_unavailable,
    },
    FailCondition {
        name: "order",
        help: "A preferred version or the order of groups or versions changes",
        fails: Diff::reorders,
    },
];

impl Command for DiffArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.sources.is_empty() && self.source.is_several() {
            return self.fleet(reply);
        }
        if let Some(loaded) = self.source.load_members(&self.asking(), reply.terminal)? {
            if !self.sources.is_empty() || self.source.selection()?.has_changes() {
                let error = Error::usage(
                    "the API servers of a control plane are compared with each other only",
                );
                return Err(error.with_hint("leave out the other sources").into());
            }
            self.compare_servers(&loaded.members(), reply)?;
            return Ok(loaded.finish()?);
        }
        let (from, to) = self.sides(reply.terminal)?;
        let found = diff::diff(&from, &to);
        reply.answer(&DiffAnswer { from: &from.origin, to: &to.origin, diff: &found })?;
        reply.fail_if(self.fail_on.iter().any(|what| what.fails(&found)));
        Ok(())
    }
}

impl DiffArgs {
    /// Compares several clusters with what most of them have, or two with each other.
    fn fleet(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.source.selection()?.has_changes() {
            let error = Error::usage("-f and --without change one source, but several are given");
            return Err(error.with_hint("leave them out, or name one context").into());
        }
        reply.check_format::<FleetDiffAnswer<'_>>()?;
        let fleet = self.source.read_fleet(&self.asking(), reply.terminal)?;
        let loaded = fleet.iter().filter_map(|one| one.source.as_ref().ok());
        let registries: Vec<_> = loaded.map(|source| Registry::new(&source.snapshot)).collect();
        let paths: BTreeSet<String> = registries.iter().flat_map(diff::known_paths).collect();
        let listings: Vec<Listing> =
            registries.iter().map(|registry| Listing::new(registry, &paths)).collect();
        let common = Listing::majority(&listings);
        let mut compared = listings.iter().map(|listing| diff::compare(&common, listing));
        let members = fleet.iter().map(|FleetSource { name, source }| {
            let state = source.as_ref().map_err(ToString::to_string).and_then(|source| {
                let diff = compared.next().ok_or("not compared")?;
                Ok((&source.snapshot, diff))
            });
            FleetDiffMember { context: name, state }
        });
        let members: Vec<_> = members.collect();
        let (all, failed) = (members.len(), members.iter().filter(|m| m.state.is_err()).count());
        let diffs = || members.iter().filter_map(|one| Some(&one.state.as_ref().ok()?.1));
        let fails = diffs().any(|diff| self.fail_on.iter().any(|what| what.fails(diff)));
        let mut read = members.iter().filter(|one| one.state.is_ok()).map(|one| one.context);
        // Of equally frequent values, the first one counts, so two clusters have no majority.
        let name = match (read.next(), read.count() + 1) {
            (Some(first), ..=2) => first.to_owned(),
            (_, count) => format!("with what most of {count} have"),
        };
        let origin = Origin { kind: SourceKind::Live, name };
        reply.answer(&FleetDiffAnswer::new(members, &origin))?;
        reply.fail_if(fails);
        if failed > 0 {
            return Err(Error::source(format!("{failed} of {all} clusters gave no answer")).into());
        }
        Ok(())
    }

    /// Compares the servers of a control plane with one of them. Servers that differ in the same way
    /// are shown once.
    fn compare_servers(
        &self,
        members: &Members<'_>,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let first = members.asked.first().copied().unwrap_or_default();
        let (Some(base), true) = (members.sources.get(first), members.sources.len() > 1) else {
            let error = Error::source("the control plane has one API server only");
            return Err(error
                .with_hint("--all-servers and --control-plane DIR name several")
                .into());
        };
        let format = reply.format();
        let mut found: Vec<(Diff, Vec<usize>)> = vec![];
        for (index, source) in members.sources.iter().enumerate() {
            if index == first {
                continue;
            }
            let diff = diff::diff(&base.snapshot, &source.snapshot);
            match found.iter_mut().find(|(known, _)| format.is_text() && *known == diff) {
                Some((_, servers)) => servers.push(index),
                None => found.push((diff, vec![index])),
            }
        }
        if found.iter().any(|(diff, _)| diff.reroutes()) {
            let text = "routes are those of each server alone; a peer may answer instead";
            reply.terminal.note(text)?;
        }
        let name = |server: &usize| members.names.get(*server).copied().unwrap_or_default();
        for (index, (diff, servers)) in found.iter().enumerate() {
            let Some(other) = servers.first().and_then(|other| members.sources.get(*other)) else {
                continue;
            };
            let names: Vec<&str> = servers.iter().map(name).collect();
            let heading = format!("{} → {}", name(&first), names.join(", "));
            reply.terminal.begin_source(format, index, &sanitize(&heading))?;
            let (from, to) = (&base.snapshot.origin, &other.snapshot.origin);
            reply.answer(&DiffAnswer { from, to, diff })?;
            reply.fail_if(self.fail_on.iter().any(|what| what.fails(diff)));
        }
        Ok(())
    }

    /// Reads the two snapshots to compare.
    fn sides(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<(Snapshot, Snapshot)> {
        let selection = self.source.selection()?;
        let plain = |source: &String| source.starts_with("builtin");
        let everything = Needs::layer();
        match self.sources.as_slice() {
            [_, _] if selection.has_changes() => {
                let error =
                    Error::usage("-f and --without change one source, but two sources are given");
                Err(error.with_hint("omit one of the sources").into())
            }
            [_, _] if selection.is_several() => Err(SourceError::SeveralClusters.into()),
            // With two clusters, --kubeconfig and the like say how to reach them.
            [a, b]
                if selection.is_given()
                    && (plain(a) && plain(b) || !selection.dumps.is_empty()) =>
            {
                self.upgrade(&selection, [a, b], terminal)
            }
            [a, b] => {
                if a == "-" && b == "-" {
                    let error = Error::usage("cannot read both sources from standard input");
                    Err(error.with_hint("write one of them to a file"))?;
                }
                let word = |word: &str| selection.resolve_word(word, &everything);
                self.read_both([word(a)?, word(b)?], terminal)
            }
            [a] if selection.has_changes() && !selection.is_given() => {
                changed(read(&selection.resolve_word(a, &everything)?, terminal)?)
            }
            [] if selection.has_changes() => changed(self.source.read(&self.asking(), terminal)?),
            _ => Err(one_source().into()),
        }
    }

    fn asking(&self) -> Asking {
        Asking::new(Needs::layer())
    }

    /// Reads two sources, clusters in parallel.
    fn read_both(
        &self,
        sources: [ResolvedSource; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        let [a, b] = &sources;
        if !(a.is_live() && b.is_live()) {
            return Ok((read(a, terminal)?.into_current(), read(b, terminal)?.into_current()));
        }
        let mut loader = ParallelLoader::start(sources.clone());
        let [first, second] =
            with_bar("reading the clusters", |bar| sources.each_ref().map(|_| loader.next(bar)));
        let mut finish = |resolved: &ResolvedSource, loaded: Result<LoadedSource, SourceError>| {
            let mut source = loaded?;
            source.name_notes(resolved.name());
            tell(&source, terminal).map(|()| source.into_current())
        };
        Ok((finish(a, first)?, finish(b, second)?))
    }

    /// Returns a cluster as it is, and as it would be on another version.
    fn upgrade(
        &self,
        selection: &SourceSelection,
        versions: [&str; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        let plain = |word: &str| match selection.resolve_word(word, &Needs::layer())? {
            resolved if resolved.is_builtin() => Ok(resolved),
            _ => {
                let error = format!(
                    "with --dump or a cluster, both versions must be built in; {word:?} is not"
                );
                let hint = "for example `aggctl diff builtin:1.25 builtin:1.36 --dump ./dump`";
                Err(Error::usage(error).with_hint(hint))
            }
        };
        let [from, to] = versions.map(plain);
        let (from, to) = (read(&from?, terminal)?.snapshot, read(&to?, terminal)?.snapshot);
        let cluster = self.source.read(&self.asking(), terminal)?.into_current();
        if cluster.origin.kind == SourceKind::Builtin {
            return Err(one_source().into());
        }
        let versions = cluster.minor().zip(from.minor());
        if let Some((runs, said)) = versions.filter(|(runs, said)| runs != said) {
            terminal.warn(&format!(
                "{} runs {runs}, not {said}; APIs that only {said} has are not removed",
                cluster.origin
            ))?;
        }
        let mut changed = what_if::upgraded(&cluster, &from, &to);
        changed.effects.iter().try_for_each(|effect| terminal.what_if(effect))?;
        changed.snapshot.origin.name.push_str(&format!(" on Kubernetes {}", to.origin.name));
        Ok((cluster, changed.snapshot))
    }
}

fn changed(source: LoadedSource) -> anyhow::Result<(Snapshot, Snapshot)> {
    Ok((source.before.ok_or_else(one_source)?, source.snapshot))
}

fn one_source() -> Error {
    Error::usage("nothing to compare with").with_hint(
        "run `aggctl diff A B` or `aggctl diff A -f new.yaml`; a source is dump:PATH, context:NAME or builtin:1.33",
    )
}
