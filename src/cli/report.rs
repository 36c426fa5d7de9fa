use std::path::PathBuf;

use clap::{Args, ValueHint};
use jiff::Timestamp;

use super::cluster::{not_here, one_context};
use super::output::Format;
use super::source::{Asking, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::page::{self, Site};
use crate::render::sanitise;
use aggctl_source::Needs;
use aggctl_source::clock;
use aggctl_source::files;

/// Write a page to look around in, as one HTML file, for a ticket
///
/// The picture of the chain with what is broken, a request's way through it, every APIService with
/// doctor's walk, its place in the orders and its manifests. The file needs no server and loads nothing; its answers are inside.
/// Names, addresses and messages of the cluster are in it, Secrets are not.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    after_help = "\
Examples:
  aggctl report incident.html --dump ./dump
  aggctl report incident.html --dump ./after --compare ./before
  aggctl report plan.html --dump ./dump -f new.yaml
  aggctl report - --builtin 1.36 > page.html"
)]
pub struct ReportArgs {
    /// The file to write; - is standard output
    #[arg(value_name = "FILE.html")]
    file: PathBuf,

    /// Replace the file that is there
    #[arg(long)]
    force: bool,

    /// Show what differs from this source: dump:PATH, context:NAME, builtin:MINOR, or a bare path
    /// or context
    #[arg(long, value_name = "SOURCE", value_hint = ValueHint::AnyPath)]
    compare: Option<String>,

    /// The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    #[command(flatten)]
    source: SourceArgs,
}

impl ReportArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let to_stdout = files::is_standard_input(&self.file);
        if !to_stdout && !self.force && self.file.symlink_metadata().is_ok() {
            let error = Error::usage(format!("{} is there already", self.file.display()));
            return Err(error.with_hint("--force replaces it").into());
        }
        let asking = Asking::new(Needs::layer(), Format::Table);
        let source = self.source.read(&asking, terminal)?;
        let compared = self.source.compared(self.compare.as_deref(), terminal)?;
        let (html, left_out) = page::report(&Site {
            snapshot: &source.snapshot,
            other: compared.as_ref().or(source.before.as_ref()),
            notes: &source.remarks(),
            same: &self.source.same_as(&source),
            now: self.now.unwrap_or_else(clock::now),
        })?;
        if let Some(left_out) = left_out {
            terminal.warn(&left_out)?;
        }
        if to_stdout {
            terminal.out.write_all(html.as_bytes())?;
            return Ok(Status::Ok);
        }
        files::put(&self.file, html.as_bytes())
            .map_err(|error| Error::cannot_write(self.file.display(), &error))?;
        writeln!(terminal.err, "wrote {}", sanitise(&self.file.display().to_string()))?;
        Ok(Status::Ok)
    }
}
