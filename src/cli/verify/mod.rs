//! `aggctl verify`: sends a live cluster harmless requests, and compares its answers with what
//! aggctl predicts.

mod bundle;
mod round;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::cluster::{ClusterArgs, one_context};
use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use super::progress::with_bar;
use super::source::resolve;
use crate::error::Error;
use crate::render::{ResponseMeta, SourceFlags, VerificationAnswer, sanitize};
use aggctl_source::live::ClusterOptions;
use aggctl_source::{Needs, ResolvedSource, ServerDocument, SourceSelection, check_target};
use kube_aggregation::discovery::{Difference, page};
use kube_aggregation::model::{DiscoveryForm, Freshness};
use kube_aggregation::registry::{Backend, Registry};
use round::{Round, Verified};

/// Check that a live cluster answers as aggctl predicts
///
/// Reads what is registered, predicts how harmless GET requests end, sends them and compares. Asks
/// for documents, for objects with names that cannot exist, for unknown resources and for odd
/// paths. Never reads your objects. Sends at most 20 requests per second. A request that
/// you may not send (403) is not comparable.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("output", offers::<VerificationAnswer<'static>>),
    after_help = "\
Examples:
  aggctl verify
  aggctl verify --samples 1000 --timeout 2m --context prod
  aggctl verify --all-servers
  aggctl verify --bundle report.tar.gz
  aggctl verify -o json | jq .differences

Exit codes:
  0 all compared answers agree   1 some differ   3 nothing could be compared"
)]
pub struct VerifyArgs {
    /// How many requests to send, in addition to those that read what is registered
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    samples: u16,

    /// Seed for choosing requests; the same seed chooses the same requests
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Write what a bug report needs to a new directory, or to an archive that ends in .tar.gz
    ///
    /// The result, and what is registered: APIServices, CRDs and discovery, without certificates,
    /// annotations, labels, messages and schemas. `--dump` reads it.
    #[arg(long, value_name = "DIR|FILE.tar.gz")]
    bundle: Option<PathBuf>,

    /// Ask every API server of the cluster directly, and name those that disagree
    #[arg(long)]
    all_servers: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

impl Command for VerifyArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if let Some(target) = &self.bundle {
            check_target(target, false)?;
        }
        let servers = self.servers(reply)?;
        let several = servers.len() > 1;
        if several && !reply.format().can_follow_another() {
            let error = format!("-o {} supports one API server at a time", reply.format().as_str());
            return Err(Error::usage(error).with_hint("leave out --all-servers").into());
        }
        let round = Round {
            servers: &servers,
            samples: usize::from(self.samples),
            seed: self.seed,
            until: Instant::now() + self.cluster.timeout,
        };
        let verified = round.verify(reply.terminal)?;
        let (mut compared, mut lost) = (0, 0);
        for (index, (name, result)) in verified.iter().enumerate() {
            if several {
                reply.terminal.begin_source(reply.format(), index, &sanitize(name))?;
            }
            match result {
                Ok(verified) => {
                    compared += verified.verification.compared();
                    self.answer(name, verified, reply)?;
                }
                Err(error) => {
                    lost += 1;
                    reply.terminal.error(&format!("{}: {error}", sanitize(name)))?;
                }
            }
        }
        if let Some(target) = &self.bundle {
            let all =
                verified.iter().filter_map(|(name, result)| Some((name, result.as_ref().ok()?)));
            bundle::write(target, all, reply.terminal)?;
        }
        if lost > 0 {
            let text = format!("{lost} of {} API servers gave no answer", verified.len());
            return Err(Error::source(text).into());
        }
        if compared == 0 {
            let hint = "use an account that may read discovery documents and APIServices";
            return Err(Error::source("no answer could be compared").with_hint(hint).into());
        }
        Ok(())
    }
}

impl VerifyArgs {
    /// Returns the API servers to ask, each with its name; empty for the only one.
    fn servers(&self, reply: &Reply<'_, '_>) -> anyhow::Result<Vec<(String, ResolvedSource)>> {
        let cluster = ClusterOptions { requested: true, ..self.cluster.options() };
        let selection = SourceSelection { cluster, ..SourceSelection::default() };
        let mut needs = Needs::routing();
        needs.documents.extend([ServerDocument::Groups, ServerDocument::OpenApiV3]);
        needs.documents.insert(ServerDocument::Leases);
        let resolved = resolve(&selection, &needs, reply.terminal)?;
        if !self.all_servers {
            return Ok(vec![(String::new(), resolved)]);
        }
        Ok(with_bar("finding the servers", |bar| resolved.resolve_servers(bar))?)
    }

    fn answer(
        &self,
        server: &str,
        verified: &Verified,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let Verified { source, verification, assumptions } = verified;
        let words = self.cluster.again(source.context.as_deref());
        let same = SourceFlags { aggctl: words.clone(), kubectl: words };
        reply.answer(&VerificationAnswer {
            server,
            verification,
            same,
            meta: ResponseMeta::new(&source.snapshot.origin, assumptions),
        })?;
        reply.fail_if(verification.differs());
        Ok(())
    }
}

/// Returns how the documents `/apis` differ from those that the registered objects give.
fn document_differences(registry: &Registry<'_>) -> Vec<(&'static str, Difference)> {
    if !registry.api_services_complete {
        return vec![];
    }
    let memory = remembered_groups(registry);
    let is_comparable = |one: &Difference| match one.subject.split('/').next() {
        // A remembered group version also has a place in the order.
        None | Some("") => memory.is_empty(),
        Some(group) => !memory.contains(group),
    };
    let forms = [("legacy", DiscoveryForm::Legacy), ("aggregated", DiscoveryForm::Aggregated)];
    let pages = forms
        .into_iter()
        .filter_map(|(word, form)| Some((word, page(registry, "/apis", form, true)?.differences)));
    let all = pages.flat_map(|(word, all)| all.into_iter().map(move |one| (word, one)));
    all.filter(|(form, one)| *form == "legacy" || is_comparable(one)).collect()
}

/// Returns the groups of which the aggregated document lists a group version that once had a
/// Service: the server keeps it when its APIService becomes local. Only its memory explains a local
/// group version that is Stale, or that no server serves.
fn remembered_groups<'r>(registry: &'r Registry<'_>) -> BTreeSet<&'r str> {
    let listed = registry.api_services().filter_map(|(service, backend)| {
        let listed = registry.aggregated_version(&service.group_version)?;
        let is_memory = match backend {
            Backend::Service => false,
            Backend::Unserved => true,
            _ => listed.freshness == Freshness::Stale,
        };
        is_memory.then_some(service.group_version.group.as_str())
    });
    listed.collect()
}
