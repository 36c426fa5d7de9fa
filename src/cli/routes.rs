//! `aggctl route --all`: the routing table as data. `aggctl routes` is its former name.

use clap::Args;

use super::driver::{Answered, CommonArgs, Facts, SourceCommand, offers};
use super::output::OutputArgs;
use super::request::every_resource;
use super::source::SourceArgs;
use crate::error::Error;
use crate::render::{Answer, RouteTableAnswer};
use aggctl_source::Needs;
use aggctl_usage::routes::{self, RouteEntry};
use kube_aggregation::model::GroupVersion;
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
  aggctl route --all apps --dump ./dump
  aggctl route --all --dump ./dump -o csv > routes.csv
  aggctl route --all --builtin 1.33 -o sql | duckdb routes.db
  aggctl route --all -o jsonl | jq 'select(.service)'"
)]
pub struct RoutesArgs {
    /// Show only these rows: a group, a resource, a server, an APIService, or the start of a path
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    #[command(flatten)]
    common: CommonArgs,
}

impl RoutesArgs {
    pub(super) fn new(filters: Vec<String>, output: OutputArgs, source: SourceArgs) -> Self {
        Self { filters, common: CommonArgs { output, source } }
    }
}

/// Returns whether a row is one that the user asked for.
fn is_wanted(row: &RouteEntry, filter: &str) -> bool {
    if filter.starts_with('/') {
        return row.path.starts_with(filter);
    }
    let gv = GroupVersion::new(row.group.as_str(), row.version.as_str()).to_string();
    let names = [row.group.as_str(), &row.resource, &row.handler, &gv];
    let more = [&row.api_service, &row.service].into_iter().flatten().map(String::as_str);
    names.into_iter().chain(more).any(|name| name == filter)
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
        let mut rows = routes::table(&Router::new(&facts.registry));
        let filters = &self.filters;
        rows.retain(|row| filters.is_empty() || filters.iter().any(|one| is_wanted(row, one)));
        if rows.is_empty() && !filters.is_empty() {
            let error = format!("no row of the routing table matches {}", filters.join(", "));
            let hint = "name a group, a resource, a server, an APIService, or the start of a path";
            return Err(Error::usage(error).with_hint(hint).into());
        }
        Ok(RouteTableAnswer { rows, meta: facts.meta() }.into())
    }
}
