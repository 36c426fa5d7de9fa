//! `aggctl version`: the versions of aggctl, of its built-in data, and of the server.

use clap::Args;

use super::cluster::not_here;
use super::driver::{Command, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::render::{ResponseMeta, VersionAnswer};
use aggctl_source::{Needs, ServerDocument, SourceError};
use kube_aggregation::baseline;
use kube_aggregation::model::{Snapshot, SourceKind};

/// Show the versions of aggctl, its built-in data and the server
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<VersionAnswer<'static>>),
    mut_arg("filename", not_here),
    mut_arg("replace", not_here),
    mut_arg("without", not_here),
    after_help = "\
Examples:
  aggctl version
  aggctl version -o json --context prod"
)]
pub struct VersionArgs {
    /// Do not contact a server
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
        if self.source.servers.are_given() || self.source.is_several() && !self.client {
            return each_source(&self.source, &asking(), reply, &mut |facts, reply| {
                let server = facts.source.current();
                if !server.version.is_loaded() {
                    return Err(Error::source("cannot read the version of the server").into());
                }
                answer(Some(server), reply)
            });
        }
        let snapshot = if self.client { None } else { self.server(reply)? };
        answer(snapshot.as_ref(), reply)
    }
}

impl VersionArgs {
    /// Reads the server's version. A server that no argument names need not answer, but a warning
    /// says why it did not.
    fn server(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<Option<Snapshot>> {
        match self.source.read(&asking(), reply.terminal) {
            Ok(source) => Ok(Some(source.into_current())),
            Err(error) if self.source.is_named() => Err(error),
            Err(error) => {
                let cause = error.downcast_ref().and_then(Error::cause);
                if !matches!(cause, Some(SourceError::NothingFound)) {
                    reply.terminal.warn(&error.to_string())?;
                }
                Ok(None)
            }
        }
    }
}

fn asking() -> Asking {
    Asking::new(Needs::new([ServerDocument::Version])).for_verdict(true)
}

fn answer(snapshot: Option<&Snapshot>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
    let version = snapshot.and_then(|s| s.version.loaded());
    reply.answer(&VersionAnswer {
        client: env!("CARGO_PKG_VERSION"),
        embedded: &baseline::MINORS,
        server: version.map(|version| version.git_version.as_str()),
        is_builtin: snapshot.is_some_and(|s| s.origin.kind == SourceKind::Builtin),
        emulation: version.and_then(|version| version.emulation),
        meta: snapshot.map_or_else(ResponseMeta::none, |s| ResponseMeta::new(&s.origin, &[])),
    })
}
