//! `aggctl schema`: JSON Schemas of answers, and of the files that users write.

use clap::Args;
use clap_complete::ArgValueCandidates;

use super::complete;
use super::output::OutputFileArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render;
use kube_aggregation::nearest::did_you_mean;

/// Print the JSON Schema of an output document
///
/// The kind is the `kind` field of the document; a command selects the document that it prints.
/// Without it, lists the kinds. `config` and `expectations` are the files that you write:
/// aggctl.toml, and the input of `aggctl test`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl schema
  aggctl schema Route
  aggctl schema doctor
  aggctl schema config --output-file aggctl.schema.json")]
pub struct SchemaArgs {
    /// Kind of the document, such as Route, or a command; or config, expectations
    #[arg(value_name = "KIND", add = ArgValueCandidates::new(complete::schema_kinds))]
    kind: Option<String>,

    #[command(flatten)]
    output: OutputFileArgs,
}

impl SchemaArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let text = match &self.kind {
            None => names().map(|kind| format!("{kind}\n")).collect(),
            Some(kind) => {
                let schema = render::input_schema(kind).or_else(|| render::schema(kind));
                let schema = schema.ok_or_else(|| {
                    let error = Error::usage(format!("unknown document kind {kind:?}"));
                    let hint = did_you_mean(kind, names());
                    error.with_hint(
                        hint.unwrap_or_else(|| "list them with `aggctl schema`".to_owned()),
                    )
                })?;
                render::pretty(&schema)?
            }
        };
        self.output.write(text.as_bytes(), terminal)?;
        Ok(Status::Ok)
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    render::schema_kinds().chain(render::INPUT_SCHEMAS)
}
