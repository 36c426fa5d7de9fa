//! The arguments that say where the facts come from.

use std::path::PathBuf;

use clap::Args;

use super::terminal::Terminal;
use crate::error::Error;
use crate::model::{Minor, Snapshot};
use crate::source::{self, Note, Source, Weight};
use crate::what_if;

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

    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,
}

/// What to change in the facts before answering.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What if")]
pub(super) struct WhatIfArgs {
    /// Answer as if these manifests were applied: a file, a directory, or - for standard input
    ///
    /// APIServices, CRDs, Services and EndpointSlices, with what the controllers would then do.
    /// What only a running cluster can tell is said.
    #[arg(short = 'f', long = "filename", value_name = "FILE")]
    pub(super) filename: Vec<PathBuf>,

    /// Answer as if this were deleted: an APIService, a CRD, or a Service as namespace/name
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
}

/// The facts, and as they would be where that was asked for.
pub(super) struct Facts {
    /// As they are.
    pub(super) now: Snapshot,
    /// As they would be.
    pub(super) then: Option<Snapshot>,
}

impl SourceArgs {
    /// Reads the source, with what was asked to be changed in it, telling the user what is odd.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn load(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        let facts = self.load_both(terminal)?;
        Ok(facts.then.unwrap_or(facts.now))
    }

    /// Reads the source as it is, and as it would be if that was asked for.
    ///
    /// # Errors
    /// Where it cannot be read, or something is to be removed that it does not have.
    pub(super) fn load_both(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Facts> {
        let standard_input = |paths: &[PathBuf]| paths.iter().any(|path| path.as_os_str() == "-");
        if standard_input(&self.dump) && standard_input(&self.what_if.filename) {
            let error = Error::usage("both the dump and the manifests cannot be standard input");
            return Err(error.with_hint("write one of them to a file").into());
        }
        let now = self.load_now(terminal)?;
        let then = self.what_if.apply(&now, terminal)?;
        Ok(Facts { now, then })
    }

    fn load_now(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        let (source, why) = self.resolve()?;
        if let Some(text) = why {
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        self.read(&source, terminal)
    }

    /// Whether a source is named on the command line.
    pub(super) fn is_given(&self) -> bool {
        !self.dump.is_empty() || self.builtin.is_some()
    }

    /// Whether a source is named at all, by an argument or the environment.
    pub(super) fn is_named(&self) -> bool {
        self.is_given() || source::dump_from_environment().is_some()
    }

    /// Reads one source, telling the user what is odd about it.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn read(&self, source: &Source, terminal: &mut Terminal<'_>) -> anyhow::Result<Snapshot> {
        let loaded = source::load(source)?;
        for note in &loaded.notes {
            terminal.note(note)?;
        }
        let text = format!("answers come from {}", loaded.snapshot.origin);
        terminal.note(&Note { weight: Weight::Detail, text })?;
        Ok(loaded.snapshot)
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
        let why = format!("no dump and no cluster given: answering for a plain Kubernetes {latest}");
        Ok((Source::Builtin(None), Some(why)))
    }
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
    pub(super) fn apply(&self, now: &Snapshot, terminal: &mut Terminal<'_>) -> anyhow::Result<Option<Snapshot>> {
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
            let error = Error::usage(format!("cannot leave out {:?}: the source has no such APIService, CRD or Service", unknown.name));
            match unknown.nearest {
                Some(near) => error.with_hint(format!("the nearest name is {near}")),
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

/// A minor version as the user writes it; `None` for the latest.
pub(super) fn minor(text: &str) -> Result<Option<Minor>, Error> {
    if text == "latest" {
        return Ok(None);
    }
    let parsed = Minor::parse(text).filter(|m| m.major == 1);
    parsed.map(Some).ok_or_else(|| {
        Error::usage(format!("{text:?} is no minor version of Kubernetes")).with_hint("write it as 1.36")
    })
}
