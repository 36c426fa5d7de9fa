//! `aggctl client`: what kubectl would request, and why.

mod answer;
mod manifest;

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::driver::{Command, Facts, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::request::every_resource;
use super::source::{Asking, SourceArgs, kubernetes};
use crate::error::Error;
use crate::render::{ClientAnswer, KubectlVersion};
use aggctl_client::{DiscoveryCache, Kubectl};
use aggctl_source::{Needs, ServerDocument, kubectl_cache};

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

    /// kubectl's cache directory, or the directory of one API server in it
    ///
    /// For a live cluster, the default is the same as for kubectl: $KUBECACHEDIR, or ~/.kube/cache. For other sources,
    /// no cache is read by default.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    cache_dir: Option<PathBuf>,

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

impl Command for ClientArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let version = self.version()?;
        let objects = self.manifest.as_deref().map(manifest::objects).transpose()?;
        let asking = Asking::new(needs());
        each_source(&self.source, &asking, reply, |mut facts, reply| {
            let cache = self.cache(&facts)?;
            let skipped = cache.iter().flat_map(|cache| &cache.skipped);
            for file in skipped {
                reply.terminal.warn(&crate::render::skipped_file(file))?;
            }
            let kubectl = version.unwrap_or_else(|| assumed(cache.as_ref()));
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

/// Returns the release that the cache suggests, or else the newest one.
pub(super) fn assumed(cache: Option<&DiscoveryCache>) -> KubectlVersion {
    match cache.and_then(DiscoveryCache::written_by) {
        Some((oldest, newest)) => {
            KubectlVersion { used: newest, oldest: Some(oldest), given: false }
        }
        None => KubectlVersion { used: Kubectl::NEWEST, oldest: None, given: false },
    }
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

    /// Reads the cache that kubectl would use for a source.
    fn cache(&self, facts: &Facts<'_>) -> Result<Option<DiscoveryCache>, Error> {
        if self.no_cache {
            return Ok(None);
        }
        let kubectl = facts.source.kubectl.as_ref();
        let server = kubectl.map(|kubectl| kubectl.server.as_str());
        let directory = match (&self.cache_dir, server) {
            (Some(directory), _) => directory.clone(),
            (None, Some(server)) if !server.is_empty() => {
                let Some(directory) = kubectl_cache::default_directory() else { return Ok(None) };
                directory
            }
            (None, _) => return Ok(None),
        };
        let found = kubectl_cache::read(&directory, server)?;
        if let (Some(named), None) = (&self.cache_dir, &found)
            && !named.is_dir()
        {
            let error =
                Error::source(format!("cannot read {}: no such directory", named.display()));
            return Err(error.with_hint("kubectl keeps its cache in ~/.kube/cache"));
        }
        Ok(found)
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
