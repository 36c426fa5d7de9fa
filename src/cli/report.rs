//! `aggctl report`: the page of a cluster as one HTML file.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use jiff::Timestamp;

use super::cluster::{not_here, one_context};
use super::output::{OutputFile, OutputFileArgs};
use super::progress::with_bar;
use super::source::{Asking, PageSource, SourceArgs, tell};
use super::terminal::{Status, Terminal};
use crate::anonymize;
use crate::error::Error;
use crate::page::{self, Site};
use crate::render::SourceFlags;
use aggctl_source::Needs;
use aggctl_source::clock;

/// Write a self-contained HTML report
///
/// Shows the chain and what is broken, the route of any request, and for every APIService the checks
/// of doctor, its priority and its manifests. The file needs no server and loads nothing. It contains
/// names, addresses and messages of the cluster, but no Secrets.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    after_help = "\
Examples:
  aggctl report incident.html --dump ./dump
  aggctl report incident.html --dump ./after --compare ./before
  aggctl report plan.html --dump ./dump -f new.yaml
  aggctl report public.html --dump ./dump --anonymize
  aggctl report - --builtin 1.36 > page.html"
)]
pub struct ReportArgs {
    /// File to write (- for standard output)
    #[arg(
        value_name = "FILE.html",
        required_unless_present = "output_file",
        conflicts_with = "output_file"
    )]
    file: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long)]
    force: bool,

    /// Compare with dump:PATH, context:NAME, builtin:MINOR, or a bare path or context
    #[arg(long, value_name = "SOURCE", value_hint = ValueHint::AnyPath)]
    compare: Option<String>,

    /// Replace names of namespaces, Services, groups, hosts and users
    ///
    /// Every name gets one replacement. Names that Kubernetes defines stay, and so do kinds,
    /// resources and versions.
    #[arg(long, conflicts_with_all = ["compare", "filename", "without", "control_plane", "all_servers"])]
    anonymize: bool,

    /// Current time for ages and expiry, such as 2026-11-16T12:00:00Z [default: now]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    #[command(flatten)]
    output: OutputFileArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl ReportArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let file = self.file.as_deref().or(self.output.path());
        let output = file.map_or_else(OutputFile::standard_output, OutputFile::new);
        if !self.force {
            output.must_be_new()?;
        }
        let asking = Asking::new(Needs::layer());
        // The notes on the terminal are about the original, and name it.
        let (PageSource { source, servers, peers }, notes) = match self.anonymize {
            true => {
                let resolved = self.source.resolve(&asking, terminal)?;
                let (source, notes) = with_bar("reading the cluster", |bar| {
                    resolved.load_changed(anonymize::SOURCE, &anonymize::parsed, bar)
                })?;
                tell(&source, terminal)?;
                (PageSource { source, servers: None, peers: vec![] }, notes)
            }
            false => {
                let read = self.source.read_with_servers(&asking, terminal)?;
                let notes = read.source.remarks();
                (read, notes)
            }
        };
        let same = match self.anonymize {
            true => SourceFlags::default(),
            false => self.source.same_as(&source),
        };
        let compared = self.source.compared(self.compare.as_deref(), terminal)?;
        let site = Site {
            snapshot: &source.snapshot,
            other: compared.as_ref().or(source.before.as_ref()),
            notes: &notes,
            servers: servers.as_ref(),
            peers: &peers,
            applied: &self.source.applied(),
            removed: self.source.removed(),
            effects: &source.effects,
            same: &same,
            now: self.now.unwrap_or_else(clock::now),
        };
        let (html, left_out) = page::report(&site)?;
        if let Some(left_out) = left_out {
            terminal.warn(&left_out)?;
        }
        output.write(html.as_bytes(), terminal)?;
        if let Some(path) = output.path() {
            terminal.wrote(&path.display().to_string())?;
        }
        match servers.map(|servers| servers.missing) {
            Some(missing) if !missing.is_empty() => {
                let text = format!("the report lacks API servers: {}", missing.join(", "));
                Err(Error::source(text).into())
            }
            _ => Ok(Status::Ok),
        }
    }
}
