//! `aggctl diff`: what differs between two sources.

use std::collections::BTreeSet;

use clap::{Args, ValueHint};

use super::driver::Command;
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::output::{OutputArgs, Reply, offers};
use super::progress::with_bar;
use super::source::{Asking, FleetSource, SourceArgs, read, tell};
use super::terminal::Terminal;
use crate::error::Error;
use crate::render::{DiffAnswer, FleetDiffAnswer, FleetDiffMember};
use aggctl_source::Needs;
use aggctl_source::{LoadedSource, ParallelLoader, ResolvedSource, SourceError, SourceSelection};
use kube_aggregation::diff::{self, Diff, Listing};
use kube_aggregation::model::{Origin, Snapshot, SourceKind};
use kube_aggregation::registry::Registry;
use kube_aggregation::what_if;

/// Compare two sources, or one with manifests applied to it
///
/// APIServices, CRDs, group versions, preferred versions, resources and their verbs, the order of
/// groups, and the requests that would end elsewhere. A source is dump:PATH,
/// context:NAME, builtin:1.33 for a plain Kubernetes, or a bare path or context. Two plain versions say what an upgrade takes away; with
/// --dump, what it changes in that cluster. Several contexts are compared with what most of them have.
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
  aggctl diff ./before ./after -o markdown --fail-on removed,route"
)]
pub struct DiffArgs {
    /// The sources: dump:PATH, context:NAME, builtin:MINOR, or a bare path or context
    #[arg(value_name = "SOURCE", num_args = 0..=2, value_hint = ValueHint::AnyPath)]
    sources: Vec<String>,

    /// Exit with 1 on such a difference
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = fail_on(FAIL_ON))]
    fail_on: Vec<FailOn<Diff>>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

const FAIL_ON: &[FailCondition<Diff>] = &[
    FailCondition { name: "any", help: "Anything at all", fails: |diff| !diff.is_empty() },
    FailCondition {
        name: "removed",
        help: "An APIService, a CRD, a group version or a resource is gone",
        fails: Diff::removes,
    },
    FailCondition { name: "route", help: "A request ends elsewhere", fails: Diff::reroutes },
    FailCondition {
        name: "availability",
        help: "An APIService is no longer available, or a group version is stale",
        fails: Diff::makes_unavailable,
    },
    FailCondition {
        name: "order",
        help: "A preferred version, or the order of groups or versions",
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
        let (from, to) = self.sides(reply.terminal)?;
        let found = diff::diff(&from, &to);
        reply.answer(&DiffAnswer { from: &from.origin, to: &to.origin, diff: &found })?;
        reply.fail_if(self.fail_on.iter().any(|what| what.fails(&found)));
        Ok(())
    }
}

impl DiffArgs {
    /// Compares several clusters with what most of them have.
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
        let origin = Origin { kind: SourceKind::Live, name: format!("most of {all} contexts") };
        reply.answer(&FleetDiffAnswer::new(members, &origin))?;
        reply.fail_if(fails);
        if failed > 0 {
            return Err(Error::source(format!("{failed} of {all} clusters gave no answer")).into());
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
                let error = Error::usage("-f and --without change one source, but two are given");
                Err(error.with_hint("leave one of them out").into())
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
                    let error = Error::usage("both sources cannot be standard input");
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
                let error = format!("with a cluster, both versions are plain; {word:?} is not");
                let hint = "aggctl diff builtin:1.25 builtin:1.36 --dump ./dump";
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
                "{} runs {runs}, not {said}: what only {said} has built in is not taken away",
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
    Error::usage("there is nothing to compare with").with_hint(
        "aggctl diff A B, or aggctl diff A -f new.yaml; a source is dump:PATH, context:NAME or builtin:1.33",
    )
}
