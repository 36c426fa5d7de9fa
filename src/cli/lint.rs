//! `aggctl lint`.

#![expect(clippy::disallowed_methods, reason = "commands write files and ask for the time")]

use super::{Status, Terminal};
use crate::error::Error;
use crate::lint::facts::Facts;
use crate::lint::{self, Options, Severity};
use crate::model::Minor;
use crate::render;
use crate::source::manifests;
use clap::{Args, ValueEnum};
use std::time::{SystemTime, UNIX_EPOCH};

/// Check APIService manifests before they break discovery for a whole cluster.
#[derive(Debug, Clone, Args)]
pub struct LintArgs {
    /// Files, directories, patterns; `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// The output format.
    #[arg(long, value_enum, default_value = "text")]
    format: Vec<Format>,

    /// Judge for this version of Kubernetes.
    #[arg(long, value_name = "MINOR")]
    kubernetes_version: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl LintArgs {
    /// Runs it.
    ///
    /// # Errors
    /// Where input cannot be read.
    pub fn run(self, term: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let minor = match &self.kubernetes_version {
            Some(text) => Minor::parse(text)
                .ok_or_else(|| Error::usage(format!("`{text}` is not a version of Kubernetes")))?,
            None => crate::baseline::LATEST,
        };
        let manifests = manifests::read(&self.files);
        if let Some(error) = manifests.errors.into_iter().next() {
            return Err(error.into());
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
        let options = Options {
            minor: minor.minor,
            now,
            expires_within: 30 * 86_400,
            select: vec![],
            ignore: vec![],
        };
        let report = lint::run(&manifests.inputs, &Facts::default(), &options);
        let bytes = match self.format[0] {
            Format::Json => render::lint::json(&report, &manifests.inputs, false),
            Format::Text => {
                let style = render::lint::Style {
                    color: term.color,
                    width: term.width,
                    show_suppressed: false,
                };
                let mut bytes = render::lint::text(&report, &manifests.inputs, &style);
                bytes.extend_from_slice(render::lint::summary(&report).as_bytes());
                bytes.push(b'\n');
                bytes
            }
        };
        term.out.write_all(&bytes)?;
        Ok(if report.reaches(Severity::Error) { Status::Findings } else { Status::Ok })
    }
}
