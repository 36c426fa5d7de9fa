//! `aggctl flags`: the flags of kube-apiserver that affect aggregation.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use crate::error::Error;
use crate::render::{Answer, FlagsAnswer};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::flags;

/// Show the API server's flags that shape the layer, and what each changes
///
/// Read from the Pods of kube-apiserver, from a static Pod manifest, or from /flagz. With several
/// API servers that differ, the difference is shown. route, doctor and their assumptions use the
/// same flags where the source has them.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<FlagsAnswer<'static>>),
    after_help = "\
Examples:
  aggctl flags
  aggctl flags --dump /etc/kubernetes/manifests/kube-apiserver.yaml
  kubectl get --raw /flagz | aggctl flags --dump -"
)]
pub struct FlagsArgs {
    /// Also list flags that are not set
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    common: CommonArgs,
}

impl SourceCommand for FlagsArgs {
    fn args(&self) -> &CommonArgs {
        &self.common
    }

    fn needs(&self) -> Needs {
        use ServerDocument as D;
        Needs::new([D::Version, D::ApiServerPods, D::Flagz])
    }

    fn is_verdict(&self) -> bool {
        true
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        let snapshot = facts.snapshot();
        let servers = snapshot.flags.loaded().ok_or_else(|| {
            let error =
                "no flags of kube-apiserver in the source: managed control planes show none";
            let pods = "kubectl -n kube-system get pods -l component=kube-apiserver -o yaml";
            Error::source(error).with_hint(format!("{pods}, or kubectl get --raw /flagz"))
        })?;
        let found = flags::shaping(servers, snapshot.minor());
        let from = servers.iter().map(|server| server.from.as_str()).collect();
        Ok(FlagsAnswer { from, found, all: self.all, meta: facts.meta() }.into())
    }
}
