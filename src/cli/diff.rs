use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::cluster::{not_here, one_context};
use super::output::{Format, HEADING, formats};
use super::source::{SourceArgs, minor, several};
use super::terminal::{Status, Terminal};
use crate::diff::{Diff, diff};
use crate::error::Error;
use crate::model::{Snapshot, SourceKind};
use crate::render::{self, DiffAnswer};
use crate::source::live::{Found, Options};
use crate::source::{Note, Source, Weight};
use crate::what_if;

/// Compare two sources, or one with manifests applied to it
///
/// APIServices, CRDs, group versions, preferred versions, resources and their verbs, the order of
/// groups, and the requests that would end elsewhere. A source is a dump's path, a context, or
/// builtin:1.33 for a plain Kubernetes. Two plain versions say what an upgrade takes away; with
/// --dump, what it changes in that cluster.
#[derive(Debug, Args)]
#[command(
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
    /// The sources: a dump's path, a context, or builtin:MINOR
    #[arg(value_name = "SOURCE", num_args = 0..=2)]
    sources: Vec<String>,

    /// Exit with 1 on such a difference
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_enum)]
    fail_on: Vec<FailOn>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Anything at all
    Any,
    /// An APIService, a CRD, a group version or a resource is gone
    Removed,
    /// A request ends elsewhere
    Route,
    /// An APIService is no longer available, or a group version is stale
    Availability,
    /// A preferred version, or the order of groups or versions
    Order,
}

const FORMATS: &[Format] =
    &[Format::Table, Format::Json, Format::Yaml, Format::Jsonl, Format::Markdown];

impl DiffArgs {
    /// Compares.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let (from, to) = self.sides(terminal)?;
        let found = diff(&from, &to);
        let answer = DiffAnswer { from: &from.origin, to: &to.origin, diff: &found };
        match self.output {
            Format::Markdown => {
                terminal.print(render::diff_markdown(&from.origin, &to.origin, &found))?
            }
            format => terminal.answer(format, &answer)?,
        }
        let failed = self.fail_on.iter().any(|what| fails(*what, &found));
        Ok(if failed { Status::Findings } else { Status::Ok })
    }

    /// The two snapshots to compare.
    fn sides(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<(Snapshot, Snapshot)> {
        let what_if = self.source.what_if.is_given();
        let plain = |source: &String| source.starts_with("builtin");
        let dump = !self.source.dump.is_empty();
        match self.sources.as_slice() {
            [_, _] if what_if => {
                let error = Error::usage("-f and --without change one source, but two are given");
                Err(error.with_hint("leave one of them out").into())
            }
            [_, _] if self.source.is_several() => Err(several().into()),
            // With two clusters, --kubeconfig and the like say how to reach them.
            [a, b] if self.source.is_given() && (plain(a) && plain(b) || dump) => {
                self.upgrade(a, b, terminal)
            }
            [a, b] => {
                if a == "-" && b == "-" {
                    let error = Error::usage("both sources cannot be standard input");
                    return Err(error.with_hint("write one of them to a file").into());
                }
                self.source.read_both([self.side(a)?, self.side(b)?], terminal)
            }
            [a] if what_if && !self.source.is_given() => {
                let now = self.source.read(&self.side(a)?, terminal)?;
                let then = self.source.what_if.apply(&now, terminal)?;
                then.map(|then| (now, then)).ok_or_else(|| one_source().into())
            }
            [] if what_if => {
                let facts = self.source.load_both(terminal)?;
                facts.then.map(|then| (facts.now, then)).ok_or_else(|| one_source().into())
            }
            _ => Err(one_source().into()),
        }
    }

    /// The source that an argument names: a plain Kubernetes, files, or a context.
    fn side(&self, text: &str) -> Result<Source, Error> {
        if let Some(version) = text.strip_prefix("builtin:") {
            return Ok(Source::Builtin(minor(version)?));
        }
        if text == "builtin" {
            return Ok(Source::Builtin(None));
        }
        if text == "-" || Path::new(text).exists() {
            return Ok(Source::Dump(vec![PathBuf::from(text)]));
        }
        let options = Options { contexts: vec![text.to_owned()], ..self.source.cluster.options() };
        let found = options.find().ok().and_then(|found| match found {
            Found::Clusters(clusters, _) => clusters.into_iter().next()?.ok(),
            Found::Choose(_) | Found::Nothing => None,
        });
        found.map(|connection| Source::Live(Box::new(connection))).ok_or_else(|| {
            Error::source(format!("{text:?} is neither a file nor a context of the kubeconfig"))
                .with_hint(
                    "a source is a dump's path, - for standard input, a context, or builtin:1.33",
                )
        })
    }

    /// A cluster as it is, and as it would be on another version.
    fn upgrade(
        &self,
        a: &str,
        b: &str,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Snapshot, Snapshot)> {
        let plain = |text: &str| match self.side(text)? {
            source @ Source::Builtin(_) => Ok(source),
            _ => Err(Error::usage(format!(
                "with a cluster, both versions are plain ones; {text:?} is not"
            ))
            .with_hint("aggctl diff builtin:1.25 builtin:1.36 --dump ./dump")),
        };
        let from = self.source.read(&plain(a)?, terminal)?;
        let to = self.source.read(&plain(b)?, terminal)?;
        let cluster = self.source.load(terminal)?;
        if cluster.origin.kind == SourceKind::Builtin {
            return Err(one_source().into());
        }
        if let (Some(runs), Some(said)) = (cluster.minor(), from.minor())
            && runs != said
        {
            let text = format!(
                "{} runs {runs}, not {said}: what only {said} has built in is not taken away",
                cluster.origin
            );
            terminal.note(&Note { weight: Weight::Warning, text })?;
        }
        let mut changed = what_if::upgraded(&cluster, &from, &to);
        for effect in &changed.effects {
            terminal.what_if(effect)?;
        }
        changed.snapshot.origin.name.push_str(&format!(" on Kubernetes {}", to.origin.name));
        Ok((cluster, changed.snapshot))
    }
}

fn one_source() -> Error {
    Error::usage("there is nothing to compare with").with_hint(
        "aggctl diff A B, or aggctl diff A -f new.yaml; a source is a dump's path or builtin:1.33",
    )
}

fn fails(what: FailOn, found: &Diff) -> bool {
    match what {
        FailOn::Any => !found.is_empty(),
        FailOn::Removed => found.removes(),
        FailOn::Route => found.reroutes(),
        FailOn::Availability => found.makes_unavailable(),
        FailOn::Order => found.reorders(),
    }
}
