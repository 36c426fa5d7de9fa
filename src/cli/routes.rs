//! `aggctl route --all`: the routing table as data. `aggctl routes` is its former name.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::output::OutputArgs;
use super::request::every_resource;
use super::source::SourceArgs;
use crate::render::{Answer, RouteTableAnswer};
use aggctl_source::Needs;
use aggctl_usage::routes;
use kube_aggregation::registry::Fact;
use kube_aggregation::routing::Router;

/// Print the routing table (now `aggctl route --all`)
///
/// One row per verb of each resource and subresource, and one per non-resource path, with handler,
/// APIService, Service, availability and outcome. A path that ends in * covers everything below it
/// that has no row of its own.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<RouteTableAnswer<'static>>),
    after_help = "\
Examples:
  aggctl route --all --dump ./dump -o csv > routes.csv
  aggctl route --all --builtin 1.33 -o sql | duckdb routes.db
  aggctl route --all -o jsonl | jq 'select(.service)'"
)]
pub struct RoutesArgs {
    #[command(flatten)]
    common: CommonArgs,
}

impl RoutesArgs {
    pub(super) fn new(output: OutputArgs, source: SourceArgs) -> Self {
        Self { common: CommonArgs { output, source } }
    }
}

impl SourceCommand for RoutesArgs {
    const RESTS_ON: &'static [Fact] = &[Fact::ApiServices, Fact::Crds, Fact::Version];

    fn args(&self) -> &CommonArgs {
        &self.common
    }

    fn needs(&self) -> Needs {
        every_resource()
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        let rows = routes::table(&Router::new(&facts.registry));
        Ok(RouteTableAnswer { rows, meta: facts.meta() }.into())
    }
}
