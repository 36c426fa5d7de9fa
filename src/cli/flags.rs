//! `aggctl doctor --flags`: the flags of kube-apiserver that affect aggregation. `aggctl flags` is
//! its former name.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::hints::add_output;
use super::output::OutputArgs;
use super::source::SourceArgs;
use crate::error::Error;
use crate::render::{Answer, FlagsAnswer};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::flags;

/// Show API server flags that affect aggregation (now `aggctl doctor --flags`)
///
/// Reads them from the Pods of kube-apiserver, a static Pod manifest, or /flagz. If several API
/// servers differ, shows the difference. `route` and `doctor` use the same flags.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<FlagsAnswer<'static>>),
    after_help = "\
Examples:
  aggctl doctor --flags
  aggctl doctor --flags --dump /etc/kubernetes/manifests/kube-apiserver.yaml
  kubectl get --raw /flagz | aggctl doctor --flags --dump -"
)]
pub struct FlagsArgs {
    /// Also list flags that are not set
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    common: CommonArgs,
}

impl FlagsArgs {
    pub(super) fn new(all: bool, output: OutputArgs, source: SourceArgs) -> Self {
        Self { all, common: CommonArgs { output, source } }
    }
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
                "the source has no kube-apiserver flags (managed control planes do not show them)";
            let commands = "`kubectl -n kube-system get pods -l component=kube-apiserver -o yaml` or `kubectl get --raw /flagz`";
            Error::source(error).with_hint(add_output(&snapshot.origin, commands))
        })?;
        let found = flags::shaping(servers, snapshot.minor());
        let from = servers.iter().map(|server| server.from.as_str()).collect();
        Ok(FlagsAnswer { from, found, all: self.all, meta: facts.meta() }.into())
    }
}
