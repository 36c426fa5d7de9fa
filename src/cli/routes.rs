use clap::Args;

use super::output::{Format, HEADING, formats};
use super::request::every_resource;
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::render::{ResponseMeta, RouteTableAnswer, routes_csv, routes_sql};
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
#[command(after_help = "\
Examples:
  aggctl routes --dump ./dump -o csv > routes.csv
  aggctl routes --builtin 1.33 -o sql | duckdb routes.db
  aggctl routes -o jsonl | jq 'select(.service)'")]
pub struct RoutesArgs {
    /// How to write the answer
    #[arg(short, long, value_parser = formats(MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

const MORE_FORMATS: &[Format] = &[Format::Csv, Format::Sql, Format::Name];

impl RoutesArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let asking = Asking::new(every_resource(), self.output);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version];
        let assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
        let rows = routes::table(&Router::new(&registry));
        match self.output {
            Format::Csv => terminal.out.write_all(routes_csv(&rows).as_bytes())?,
            Format::Sql => terminal.out.write_all(routes_sql(&rows).as_bytes())?,
            format => {
                let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
                terminal.answer(format, &RouteTableAnswer { rows: &rows, basis })?;
            }
        }
        Ok(Status::Ok)
    }
}
