//! `aggctl routes`: the routing table as data.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::request::every_resource;
use crate::render::{Answer, RouteTableAnswer};
use aggctl_source::Needs;
use aggctl_usage::routes;
use kube_aggregation::registry::Fact;
use kube_aggregation::routing::Router;

/// Print the routing table as data
///
/// One row per verb of each resource and subresource, with its path, handler, APIService, Service,
/// availability and outcome, and one row for each non-resource path. A path that ends in * covers
/// everything below it that has no row of its own. docs/usage.md joins the table with audit logs
/// in a database.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<RouteTableAnswer<'static>>),
    after_help = "\
Examples:
  aggctl routes --dump ./dump -o csv > routes.csv
  aggctl routes --builtin 1.33 -o sql | duckdb routes.db
  aggctl routes -o jsonl | jq 'select(.service)'"
)]
pub struct RoutesArgs {
    #[command(flatten)]
    common: CommonArgs,
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
