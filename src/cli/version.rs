use clap::Args;

use super::output::{Format, HEADING, formats};
use super::source::{Asking, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::render::{ResponseMeta, VersionAnswer};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::baseline;
use kube_aggregation::model::Snapshot;

/// Show the versions of aggctl, of what is built into it, and of the server
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl version
  aggctl version -o json --context prod")]
pub struct VersionArgs {
    /// Do not ask a server
    #[arg(long)]
    client: bool,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(&[]), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

impl VersionArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if self.source.servers.are_given() {
            let asking = self.asking();
            return self.source.each(terminal, &asking, |source, terminal| {
                self.answer(Some(source.current()), terminal)
            });
        }
        let snapshot = if self.client { None } else { self.server(terminal)? };
        self.answer(snapshot.as_ref(), terminal)
    }

    fn answer(
        &self,
        snapshot: Option<&Snapshot>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let server = snapshot.and_then(|s| s.version.loaded());
        let basis = snapshot.map_or_else(ResponseMeta::none, |s| ResponseMeta::new(&s.origin, &[]));
        let answer = VersionAnswer {
            client: env!("CARGO_PKG_VERSION"),
            embedded: &baseline::MINORS,
            server: server.map(|version| version.git_version.as_str()),
            emulation: server.and_then(|version| version.emulation),
            basis,
        };
        terminal.answer(self.output, &answer)?;
        Ok(Status::Ok)
    }

    fn asking(&self) -> Asking {
        let needs = Needs::new([ServerDocument::Version]);
        Asking::new(needs, self.output).for_verdict(true)
    }

    /// The server, where there is one. One that nobody named need not answer.
    fn server(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Option<Snapshot>> {
        match self.source.read(&self.asking(), terminal) {
            Ok(source) => Ok(Some(source.into_current())),
            Err(error) if self.source.is_named() => Err(error),
            Err(_) => Ok(None),
        }
    }
}
