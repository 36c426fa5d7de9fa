//! `aggctl routes`: the routing table as data.

use clap::Args;

use super::driver::{Facts, SourceCommand};
use super::output::{OutputArgs, Reply, offers};
use super::request::every_resource;
use super::source::SourceArgs;
use crate::render::RouteTableAnswer;
use aggctl_source::Needs;
use aggctl_usage::routes;
use kube_aggregation::registry::{Fact, Registry};
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
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl SourceCommand for RoutesArgs {
    fn args(&self) -> (&SourceArgs, &OutputArgs) {
        (&self.source, &self.output)
    }

    fn needs(&self) -> anyhow::Result<Needs> {
        Ok(every_resource())
    }

    fn rests_on(&self, _: &Registry<'_>) -> Vec<Fact> {
        vec![Fact::ApiServices, Fact::Crds, Fact::Version]
    }

    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let rows = routes::table(&Router::new(&facts.registry));
        reply.answer(&RouteTableAnswer { rows: &rows, meta: facts.meta() })
    }
}
