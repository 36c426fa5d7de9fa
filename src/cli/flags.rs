use clap::Args;

use super::output::{Format, HEADING, formats};
use super::source::{Asking, LoadedSource, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{FlagsAnswer, ResponseMeta};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::flags;

/// Show the API server's flags that shape the layer, and what each changes
///
/// Read from the Pods of kube-apiserver, from a static Pod manifest, or from /flagz. With several
/// API servers that differ, the difference is shown. route, doctor and their assumptions use the
/// same flags where the source has them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl flags
  aggctl flags --dump /etc/kubernetes/manifests/kube-apiserver.yaml
  kubectl get --raw /flagz | aggctl flags --dump -")]
pub struct FlagsArgs {
    /// How to write the answer
    #[arg(short, long, value_parser = formats(&[]), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

impl FlagsArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let needs = Needs::new([
            ServerDocument::Version,
            ServerDocument::ApiServerPods,
            ServerDocument::Flagz,
        ]);
        let asking = Asking::new(needs, self.output).for_verdict(true);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let Some(servers) = snapshot.flags.loaded() else {
            let error = Error::source(
                "no flags of kube-apiserver in the source: managed control planes show none",
            );
            let pods = "kubectl -n kube-system get pods -l component=kube-apiserver -o yaml";
            return Err(error.with_hint(format!("{pods}, or kubectl get --raw /flagz")).into());
        };
        let found = flags::shaping(servers, snapshot.minor());
        let from: Vec<&str> = servers.iter().map(|server| server.from.as_str()).collect();
        let basis = ResponseMeta::new(&snapshot.origin, &[]);
        terminal.answer(self.output, &FlagsAnswer { from: &from, found: &found, basis })?;
        Ok(Status::Ok)
    }
}
