//! `aggctl schema`: the JSON Schema of each kind of document.

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
/// The kind is the `kind` field of the document. Without it, lists the kinds.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl schema
  aggctl schema Route")]
pub struct SchemaArgs {
    /// Kind of the document, such as Route
    #[arg(value_name = "KIND", add = ArgValueCandidates::new(complete::schema_kinds))]
    kind: Option<String>,

    #[command(flatten)]
    output: OutputFileArgs,
}

impl SchemaArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let text = match &self.kind {
            None => render::schema_kinds().map(|kind| format!("{kind}\n")).collect(),
            Some(kind) => {
                let schema = render::schema(kind).ok_or_else(|| {
                    let error = Error::usage(format!("unknown document kind {kind:?}"));
                    let hint = did_you_mean(kind, render::schema_kinds());
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
