//! `aggctl usage --merge`: adds up what several machines counted.

use std::path::PathBuf;

use crate::error::Error;
use aggctl_usage::{Mismatch, Partial};

/// Adds up partial results, one per line, of any number of files.
///
/// # Errors
/// If a file cannot be read, is not a partial result, or counts something else.
pub(super) fn merged(files: &[PathBuf]) -> Result<Partial, Error> {
    let mut all: Option<Partial> = None;
    for file in files {
        let text = aggctl_source::text(file)?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let name = file.display();
            let part = Partial::parse(line).map_err(|why| {
                Error::source(format!("cannot read {name}: {why}"))
                    .with_hint("create it with `aggctl usage --partial LOG`")
            })?;
            match &mut all {
                None => all = Some(part),
                Some(all) => all.merge(part).map_err(|Mismatch::Question(its, first)| {
                    Error::usage(format!("{name} counts {its}; the first counts {first}"))
                        .with_hint("use the same options for every --partial")
                })?,
            }
        }
    }
    all.ok_or_else(|| Error::source("no partial results to add up"))
}
