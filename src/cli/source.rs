//! The arguments that say where the facts come from.

use std::path::PathBuf;

use clap::Args;

use super::terminal::Terminal;
use crate::error::Error;
use crate::model::{Minor, Snapshot};
use crate::source::{self, Note, Source, Weight};

/// Where the facts come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Source")]
pub(super) struct SourceArgs {
    /// A dump: a directory, a file, or - for standard input; may be given several times
    ///
    /// Any mix of JSON and YAML in any layout: what kubectl prints for apiservices, crd, svc,
    /// endpointslices, and for --raw /apis, /version, / and so on. [env: AGGCTL_DUMP]
    #[arg(long, value_name = "PATH")]
    pub(super) dump: Vec<PathBuf>,

    /// A plain Kubernetes of a minor version that is part of the binary
    #[arg(long, value_name = "MINOR", num_args = 0..=1, default_missing_value = "latest", conflicts_with = "dump")]
    builtin: Option<String>,
}

impl SourceArgs {
    /// Reads the source, telling the user what is odd about it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn load(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        let (source, why) = self.resolve()?;
        if let Some(text) = why {
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        let loaded = source::load(&source)?;
        for note in &loaded.notes {
            terminal.note(note)?;
        }
        let text = format!("answers come from {}", loaded.snapshot.origin);
        terminal.note(&Note { weight: Weight::Detail, text })?;
        Ok(loaded.snapshot)
    }

    /// Reads the source that was asked for; none where none was.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn load_if_given(
        &self,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        let given = !self.dump.is_empty() || self.builtin.is_some();
        if given || source::dump_from_environment().is_some() {
            return self.load(terminal).map(Some);
        }
        Ok(None)
    }

    /// The source that was asked for, and what to say if it was not asked for.
    fn resolve(&self) -> Result<(Source, Option<String>), Error> {
        if !self.dump.is_empty() {
            return Ok((Source::Dump(self.dump.clone()), None));
        }
        if let Some(text) = &self.builtin {
            return Ok((Source::Builtin(minor(text)?), None));
        }
        if let Some(paths) = source::dump_from_environment() {
            return Ok((Source::Dump(paths), None));
        }
        let latest = crate::baseline::LATEST;
        let why =
            format!("no dump and no cluster given: answering for a plain Kubernetes {latest}");
        Ok((Source::Builtin(None), Some(why)))
    }
}

fn minor(text: &str) -> Result<Option<Minor>, Error> {
    if text == "latest" {
        return Ok(None);
    }
    let parsed = Minor::parse(text).filter(|m| m.major == 1);
    parsed.map(Some).ok_or_else(|| {
        Error::usage(format!("{text:?} is no minor version of Kubernetes"))
            .with_hint("write it as 1.36")
    })
}
