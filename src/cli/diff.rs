//! `aggctl diff`: what differs between two sources.

use clap::Args;

use super::cluster::{not_here, one_context};
use super::driver::Command;
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::output::{OutputArgs, Reply, offers};
use super::progress::with_bar;
use super::source::{Asking, SourceArgs, read, tell};
use super::terminal::Terminal;
use crate::render::DiffAnswer;
use aggctl_source::error::Error;
use aggctl_source::live::Needs;
use aggctl_source::{Loaded, Plan, Reading, Request, several};
use kube_aggregation::diff::{Diff, diff};
use kube_aggregation::model::{Snapshot, SourceKind};
use kube_aggregation::what_if;

/// Compare two sources, or one with manifests applied to it
///
/// APIServices, CRDs, group versions, preferred versions, resources and their verbs, the order of
/// groups, and the requests that would end elsewhere. A source is dump:PATH,
/// context:NAME, builtin:1.33 for a plain Kubernetes, or a bare path or context. Two plain versions say what an upgrade takes away; with
/// --dump, what it changes in that cluster.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<DiffAnswer<'static>>),
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    after_help = "\
Examples:
  aggctl diff ./before ./after
  aggctl diff ./dump -f new.yaml
  aggctl diff staging production
  aggctl diff --dump ./dump --without v1beta1.metrics.k8s.io
  aggctl diff builtin:1.25 builtin:1.36
  aggctl diff builtin:1.25 builtin:1.36 --dump ./dump
  aggctl diff ./before ./after -o markdown --fail-on removed,route"
)]
pub struct DiffArgs {
    /// The sources: dump:PATH, context:NAME, builtin:MINOR, or a bare path or context
    #[arg(value_name = "SOURCE", num_args = 0..=2)]
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
        let (from, to) = self.sides(reply.terminal)?;
        let found = diff(&from, &to);
        reply.answer(&DiffAnswer { from: &from.origin, to: &to.origin, diff: &found })?;
        reply.fail_if(self.fail_on.iter().any(|what| what.fails(&found)));
        Ok(())
    }
}

impl DiffArgs {
    /// Reads the two snapshots to compare.
    fn sides(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<(Snapshot, Snapshot)> {
        let request = self.source.request()?;
        let plain = |source: &String| source.starts_with("builtin");
        let everything = Needs::layer();
        match self.sources.as_slice() {
            [_, _] if request.changes_something() => {
                let error = Error::usage("-f and --without change one source, but two are given");
                Err(error.with_hint("leave one of them out").into())
            }
            [_, _] if request.is_several() => Err(several().into()),
            // With two contexts, --kubeconfig and the like say how to reach them.
            [a, b] if request.is_given() && (plain(a) && plain(b) || !request.dumps.is_empty()) => {
                self.upgrade(&request, [a, b], terminal)
            }
            [a, b] => {
                if a == "-" && b == "-" {
                    let error = Error::usage("both sources cannot be standard input");
                    Err(error.with_hint("write one of them to a file"))?;
                }
                let word = |word: &str| request.resolve_word(word, &everything);
                self.read_both([word(a)?, word(b)?], terminal)
            }
            [a] if request.changes_something() && !request.is_given() => {
                changed(read(&request.resolve_word(a, &everything)?, terminal)?)
            }
            [] if request.changes_something() => {
                changed(self.source.read(&self.asking(), terminal)?.reading)
            }
            _ => Err(one_source().into()),
        }
    }

    fn asking(&self) -> Asking {
        Asking::new(Needs::layer(), self.output.format())
    }

    /// Reads two sources, clusters in parallel.
    fn read_both(
        &self,
        plans: [Plan; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        let [a, b] = &plans;
        if !(a.is_live() && b.is_live()) {
            return Ok((read(a, terminal)?.now.into_owned(), read(b, terminal)?.now.into_owned()));
        }
        let mut several = Plan::start(&plans);
        let [first, second] =
            with_bar("reading the clusters", |bar| plans.each_ref().map(|_| several.next(bar)));
        let mut finish = |plan: &Plan, loaded: Result<Loaded, Error>| {
            let mut reading = plan.finish(loaded?)?;
            reading.name_notes(plan.name());
            tell(&reading, terminal).map(|()| reading.now.into_owned())
        };
        Ok((finish(a, first)?, finish(b, second)?))
    }

    /// Returns a cluster as it is, and as it would be on another version.
    fn upgrade(
        &self,
        request: &Request,
        versions: [&str; 2],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        let plain = |word: &str| match request.resolve_word(word, &Needs::layer())? {
            plan if plan.is_builtin() => Ok(plan),
            _ => {
                let error = format!("with a cluster, both versions are plain; {word:?} is not");
                let hint = "aggctl diff builtin:1.25 builtin:1.36 --dump ./dump";
                Err(Error::usage(error).with_hint(hint))
            }
        };
        let [from, to] = versions.map(plain);
        let (from, to) = (read(&from?, terminal)?.now, read(&to?, terminal)?.now);
        let cluster = self.source.read(&self.asking(), terminal)?.reading.now;
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
        Ok((cluster.into_owned(), changed.snapshot))
    }
}

fn changed(reading: Reading) -> anyhow::Result<(Snapshot, Snapshot)> {
    Ok((reading.now.into_owned(), reading.then.ok_or_else(one_source)?))
}

fn one_source() -> Error {
    Error::usage("there is nothing to compare with").with_hint(
        "aggctl diff A B, or aggctl diff A -f new.yaml; a source is dump:PATH, context:NAME or builtin:1.33",
    )
}
