//! `aggctl version`: the versions of aggctl, of its built-in data, and of the server.

use clap::Args;

use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, SourceArgs};
use crate::render::{ResponseMeta, VersionAnswer};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::baseline;
use kube_aggregation::model::Snapshot;

/// Show the versions of aggctl, of what is built into it, and of the server
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<VersionAnswer<'static>>),
    after_help = "\
Examples:
  aggctl version
  aggctl version -o json --context prod"
)]
pub struct VersionArgs {
    /// Do not ask a server
    #[arg(long)]
    client: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl Command for VersionArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let snapshot = if self.client { None } else { self.server(reply)? };
        let version = snapshot.as_ref().and_then(|s| s.version.loaded());
        let origin = snapshot.as_ref().map(|s| &s.origin);
        reply.answer(&VersionAnswer {
            client: env!("CARGO_PKG_VERSION"),
            embedded: &baseline::MINORS,
            server: version.map(|version| version.git_version.as_str()),
            meta: origin.map_or_else(ResponseMeta::none, |origin| ResponseMeta::new(origin, &[])),
        })
    }
}

impl VersionArgs {
    /// Reads the server's version. A server that no argument names need not answer.
    fn server(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<Option<Snapshot>> {
        let needs = Needs::new([ServerDocument::Version]);
        let asking = Asking::new(needs).for_verdict(true);
        match self.source.read(&asking, reply.terminal) {
            Ok(source) => Ok(Some(source.into_current())),
            Err(error) if self.source.is_named() => Err(error),
            Err(_) => Ok(None),
        }
    }
}
