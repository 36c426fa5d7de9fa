//! The arguments that change the facts before a command answers.

use std::path::PathBuf;

use clap::Args;

use super::terminal::Terminal;
use crate::error::Error;
use crate::model::Snapshot;
use crate::source;
use crate::what_if;

/// What to change in the facts before answering.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What if")]
pub(super) struct WhatIfArgs {
    /// Answer as if these manifests were applied
    ///
    /// A file, a directory, or - for standard input; may be given several times. APIServices, CRDs, Services and EndpointSlices, with what the controllers would then do.
    /// What only a running cluster can tell is said.
    #[arg(short = 'f', long = "filename", value_name = "FILE")]
    pub(super) filename: Vec<PathBuf>,

    /// Answer as if this APIService, CRD or Service was gone
    ///
    /// A Service is written as namespace/name. May be given several times.
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
}

impl WhatIfArgs {
    /// Whether anything is to be changed.
    pub(super) fn is_given(&self) -> bool {
        !self.filename.is_empty() || !self.without.is_empty()
    }

    /// The snapshot with the changes, if there are any to make.
    ///
    /// # Errors
    /// Where manifests cannot be read, or something is to be removed that is not there.
    pub(super) fn apply(
        &self,
        now: &Snapshot,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        if !self.is_given() {
            return Ok(None);
        }
        let mut manifests = None;
        if !self.filename.is_empty() {
            let loaded = source::load_manifests(&self.filename)?;
            for note in &loaded.notes {
                terminal.note(note)?;
            }
            manifests = Some(loaded.snapshot);
        }
        let changes = what_if::Changes { applied: manifests.as_ref(), removed: &self.without };
        let mut changed = what_if::changed(now, &changes).map_err(|unknown| {
            let error = Error::usage(format!(
                "cannot leave out {:?}: the source has no such APIService, CRD or Service",
                unknown.name
            ));
            match unknown.nearest {
                Some(near) => error.with_hint(format!("did you mean {near}?")),
                None => error,
            }
        })?;
        for text in changed.effects {
            terminal.what_if(&text)?;
        }
        let name = &mut changed.snapshot.origin.name;
        if let Some(manifests) = &manifests {
            name.push_str(&format!(" with {}", manifests.origin.name));
        }
        if !self.without.is_empty() {
            name.push_str(&format!(" without {}", self.without.join(", ")));
        }
        Ok(Some(changed.snapshot))
    }
}
