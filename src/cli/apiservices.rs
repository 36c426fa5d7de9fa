//! `aggctl apiservices`: every APIService, its backend and its issues.

use clap::Args;
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::api_service_names::{bare, check_names};
use super::complete;
use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::watch::WatchArgs;
use crate::render::{Answer, ApiServicesAnswer, has_issue};
use aggctl_diagnose::doctor::matches_name;
use aggctl_source::clock;
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::registry::{ApiServiceReview, Assumption, Backend, Fact, Registry};

/// List APIServices, their backends and their issues
///
/// Issues are APIServices that are unavailable, that no server serves (`ghost`), that shadow a CRD,
/// that join a built-in group, or that are available but stale in aggregated discovery.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ApiServicesAnswer<'static>>),
    alias = "apiservice",
    after_help = "\
Examples:
  aggctl apiservices --dump ./dump
  aggctl apiservices v1beta1.metrics.k8s.io -o wide --dump ./dump
  aggctl apiservices --issues -o name --dump ./dump"
)]
pub struct ApiServicesArgs {
    /// Show only these: a name, or a group for all of its versions
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::api_services))]
    names: Vec<String>,

    /// Show only APIServices that are unavailable or have issues
    #[arg(long = "issues", alias = "odd")]
    odd: bool,

    /// Include healthy built-in APIServices
    #[arg(long)]
    all: bool,

    /// Current time for ages, such as 2026-11-16T12:00:00Z [default: now]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    #[command(flatten)]
    watch: WatchArgs,

    #[command(flatten)]
    common: CommonArgs,
}

impl SourceCommand for ApiServicesArgs {
    fn args(&self) -> &CommonArgs {
        &self.common
    }

    fn needs(&self) -> Needs {
        use ServerDocument as D;
        Needs::new([D::Version, D::ApiServices, D::Crds, D::Services, D::AggregatedGroups])
    }

    fn watch(&self) -> Option<&WatchArgs> {
        Some(&self.watch)
    }

    fn is_verdict(&self) -> bool {
        self.odd
    }

    fn assumptions(&self, registry: &Registry<'_>) -> Vec<Assumption> {
        let mut facts = vec![Fact::ApiServices, Fact::Crds, Fact::Freshness];
        if registry.api_services().any(|(_, backend)| backend == Backend::Service) {
            facts.push(Fact::Services);
        }
        registry.assumptions(&facts)
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        let names: Vec<&str> = self.names.iter().map(|name| bare(name)).collect();
        let mut reviews = facts.registry.review();
        check_names(&names, reviews.iter().map(|r| &*r.service.name), &facts.same)?;
        let wanted = |r: &ApiServiceReview<'_>| {
            let named =
                names.is_empty() || names.iter().any(|name| matches_name(name, &r.service.name));
            named && (!self.odd || has_issue(r) || !r.service.is_available())
        };
        reviews.retain(wanted);
        Ok(ApiServicesAnswer {
            reviews,
            all: self.all || !names.is_empty(),
            odd: self.odd,
            now: self.now.unwrap_or_else(clock::now),
            meta: facts.meta(),
        }
        .into())
    }
}
