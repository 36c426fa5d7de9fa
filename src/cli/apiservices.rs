use clap::Args;
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::complete;
use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{ApiServicesAnswer, ResponseMeta, SourceFlags};
use aggctl_diagnose::doctor::matches_name;
use aggctl_source::clock;
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{ApiServiceReview, Backend, Fact, Registry};

/// Show every APIService: where it leads, and what is odd about it
///
/// Odd are ghosts (local, with no server behind them), those that shadow a CRD or join a built-in
/// group, and those that are available but stale in aggregated discovery.
#[derive(Debug, Args)]
#[command(
    alias = "apiservice",
    after_help = "\
Examples:
  aggctl apiservices --dump ./dump
  aggctl apiservices v1beta1.metrics.k8s.io -o wide --dump ./dump
  aggctl apiservices --odd -o name --dump ./dump"
)]
pub struct ApiServicesArgs {
    /// Only these: a name, or a group for all of its versions
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::api_services))]
    names: Vec<String>,

    /// Only those that are odd or not available
    #[arg(long)]
    odd: bool,

    /// List every one on a terminal, those that are built in and available too
    #[arg(long)]
    all: bool,

    /// The time to measure ages against, such as 2026-11-16T12:00:00Z; now if not given
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

impl ApiServicesArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        use ServerDocument as D;
        let needs =
            Needs::new([D::Version, D::ApiServices, D::Crds, D::Services, D::AggregatedGroups]);
        let asking = Asking::new(needs, self.output).for_verdict(self.odd);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let mut rests_on = vec![Fact::ApiServices, Fact::Crds, Fact::Freshness];
        if registry.api_services().any(|(_, backing)| backing == Backend::Service) {
            rests_on.push(Fact::Services);
        }
        let assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
        let names: Vec<&str> = self.names.iter().map(|name| bare(name)).collect();
        let mut reviews = registry.review();
        check_names(
            &names,
            reviews.iter().map(|r| &*r.service.name),
            &self.source.same_as(source),
        )?;
        let wanted = |r: &ApiServiceReview<'_>| {
            let named =
                names.is_empty() || names.iter().any(|name| matches_name(name, &r.service.name));
            named && (!self.odd || !r.oddities.is_empty() || !r.service.is_available())
        };
        reviews.retain(wanted);
        let all = self.all || !names.is_empty();
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        let now = self.now.unwrap_or_else(clock::now);
        let answer = ApiServicesAnswer { reviews: &reviews, all, now, basis };
        terminal.answer(self.output, &answer)?;
        Ok(Status::Ok)
    }
}

/// How to see the names that there are.
pub(super) fn list_them(same: &SourceFlags) -> String {
    format!("`{}` lists them", same.complete("aggctl apiservices -o name"))
}

/// The name of an APIService without the kind that `-o name` and kubectl put before it.
pub(super) fn bare(name: &str) -> &str {
    match name.split_once('/') {
        Some(("apiservice" | "apiservices" | "apiservice.apiregistration.k8s.io", name)) => name,
        _ => name,
    }
}

/// Refuses a name that means none of the APIServices of a source.
pub(super) fn check_names<'s>(
    names: &[impl AsRef<str>],
    known: impl Iterator<Item = &'s str> + Clone,
    same: &SourceFlags,
) -> Result<(), Error> {
    let mut names = names.iter().map(AsRef::as_ref);
    let Some(name) = names.find(|name| !known.clone().any(|one| matches_name(name, one))) else {
        return Ok(());
    };
    let hint = did_you_mean(name, known).unwrap_or_else(|| list_them(same));
    Err(Error::usage(format!("no APIService {name:?} in the source")).with_hint(hint))
}
