//! `aggctl client`: what kubectl would request, and why.

mod answer;
mod manifest;

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::client_cache::{CacheArgs, assumed_version};
use super::driver::{Command, Facts, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::request::every_resource;
use super::source::{Asking, SourceArgs, kubernetes};
use crate::error::Error;
use crate::render::{ClientAnswer, KubectlVersion};
use aggctl_client::Kubectl;
use aggctl_source::{Needs, ServerDocument};

/// Show what kubectl would request, and why
///
/// kubectl looks names up in discovery documents, which it keeps in files for six hours. Shows which documents it would
/// use, which resources match the name, which one it picks, the request, and how the API server answers it. With a cache,
/// also what kubectl would do without it.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ClientAnswer<'static>>),
    after_help = "\
Examples:
  aggctl client deploy
  aggctl client nodes.metrics.k8s.io -A
  aggctl client pods web -n shop --kubectl-version 1.29
  aggctl client all --cache-dir ./cache --dump ./dump
  aggctl client --manifest deploy.yaml"
)]
pub struct ClientArgs {
    /// Types and names, as for `kubectl get`
    #[arg(value_name = "TYPE[/NAME]", required_unless_present = "manifest")]
    arguments: Vec<String>,

    /// Show how `kubectl apply -f` maps the objects of a manifest; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "arguments", value_hint = ValueHint::FilePath)]
    manifest: Option<PathBuf>,

    /// Namespace of the request [default: the context's]
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Request all namespaces
    #[arg(short = 'A', long, conflicts_with = "namespace")]
    all_namespaces: bool,

    #[command(flatten)]
    cache: CacheArgs,

    /// Ignore kubectl's cache
    #[arg(long, conflicts_with = "cache_dir")]
    no_cache: bool,

    /// kubectl version [default: the newest that may have written the cache]
    #[arg(long, value_name = "MINOR")]
    kubectl_version: Option<String>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

/// Commands of kubectl that also take types, and that no type is named after.
const OTHER_COMMANDS: [&str; 9] =
    ["annotate", "delete", "describe", "edit", "explain", "label", "patch", "top", "wait"];

impl Command for ClientArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let version = self.version()?;
        let objects = self.manifest.as_deref().map(manifest::objects).transpose()?;
        let asking = Asking::new(needs());
        each_source(&self.source, &asking, reply, &mut |mut facts, reply| {
            let cache = match self.no_cache {
                true => None,
                false => self.cache.load(Some(facts.source), reply.terminal)?,
            };
            let kubectl = version.unwrap_or_else(|| assumed_version(cache.as_ref()));
            facts.assumptions.extend(answer::assumptions(&facts, kubectl.used));
            for assumption in facts.assumptions.clone() {
                reply.terminal.warn(&assumption)?;
            }
            answer::answer(self, &facts, cache.as_ref(), kubectl, objects.as_deref(), reply)
        })
    }
}

/// Returns what to ask a live cluster for: what kubectl reads, and what routing depends on.
pub(super) fn needs() -> Needs {
    let mut needs = every_resource();
    needs.documents.extend([ServerDocument::Groups, ServerDocument::Core]);
    needs
}

impl ClientArgs {
    fn version(&self) -> Result<Option<KubectlVersion>, Error> {
        let Some(text) = &self.kubectl_version else { return Ok(None) };
        let used = Kubectl { minor: kubernetes(text)? };
        if !(Kubectl::OLDEST..=Kubectl::NEWEST).contains(&used) {
            let (oldest, newest) = (Kubectl::OLDEST.minor, Kubectl::NEWEST.minor);
            return Err(Error::usage(format!("kubectl {} is not supported", used.minor))
                .with_hint(format!("aggctl knows kubectl {oldest} to {newest}")));
        }
        Ok(Some(KubectlVersion { used, oldest: None, given: true }))
    }

    /// Returns the types and names, without the command that users type before them.
    fn types(&self) -> Result<&[String], Error> {
        match self.arguments.as_slice() {
            [get, types @ ..] if get == "get" && !types.is_empty() => Ok(types),
            [command, _, ..] if OTHER_COMMANDS.contains(&command.as_str()) => {
                Err(Error::usage(format!("`kubectl {command}` is not supported"))
                    .with_hint("name types as for `kubectl get`, such as `aggctl client pods`"))
            }
            types => Ok(types),
        }
    }

    fn namespace(&self, facts: &Facts<'_>) -> String {
        if self.all_namespaces {
            return String::new();
        }
        let context = facts.source.kubectl.as_ref().map(|kubectl| kubectl.namespace.clone());
        let named = self.namespace.clone().or(context).filter(|name| !name.is_empty());
        named.unwrap_or_else(|| "default".to_owned())
    }
}
