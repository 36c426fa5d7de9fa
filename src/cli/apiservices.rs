use clap::Args;

use super::Format;
use super::source::{SourceArgs, nearest, tell_inferred};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::registry::{Registry, Review};
use crate::render;
use crate::source::live::{Document, Needs};

/// Show every APIService: where it leads, whether it works, what is odd about it
///
/// Odd are: ghosts (local, but nobody answers), those that shadow a CRD, those that join a built-in
/// group, and those that are available but stale in aggregated discovery.
#[derive(Debug, Args)]
#[command(
    visible_alias = "apiservice",
    after_help = "\
Examples:
  aggctl apiservices --dump ./dump
  aggctl apiservices v1beta1.metrics.k8s.io -o wide --dump ./dump
  aggctl apiservices --odd -o name --dump ./dump"
)]
pub struct ApiServicesArgs {
    /// Only these, by name
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Only those that are odd or not available
    #[arg(long)]
    odd: bool,

    /// How to write the answer
    #[arg(short, long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

impl ApiServicesArgs {
    /// Shows them.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        use Document as D;
        let needs = Needs::new([D::Version, D::ApiServices, D::Crds, D::AggregatedGroups]);
        self.source.each(terminal, needs, self.output.into(), |source, terminal| {
            self.answer(source, terminal)
        })
    }

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let registry = Registry::new(&snapshot);
        tell_inferred(&registry, terminal)?;
        let mut reviews = registry.review();
        for name in &self.names {
            if !reviews.iter().any(|r| r.service.name == *name) {
                return Err(unknown(name, &reviews).into());
            }
        }
        let wanted = |r: &Review<'_>| {
            let named = self.names.is_empty() || self.names.contains(&r.service.name);
            named && (!self.odd || !r.oddities.is_empty() || !r.service.is_available())
        };
        reviews.retain(wanted);
        let text = match self.output {
            Format::Table | Format::Wide => {
                render::api_services_table(&reviews, terminal.paint, self.output == Format::Wide)
            }
            Format::Json => render::pretty(&render::api_services_json(&snapshot, &reviews))?,
            Format::Jsonl => {
                serde_json::to_string(&render::api_services_json(&snapshot, &reviews))? + "\n"
            }
            Format::Yaml => render::to_yaml(&render::api_services_json(&snapshot, &reviews))?,
            Format::Name => {
                let line =
                    |r: &Review<'_>| format!("apiservice/{}\n", render::sanitise(&r.service.name));
                reviews.iter().map(line).collect()
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}

fn unknown(name: &str, reviews: &[Review<'_>]) -> Error {
    let names = reviews.iter().map(|r| r.service.name.as_str());
    let error = Error::usage(format!("no APIService {name:?} in the source"));
    match nearest(name, names) {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}
