//! Reads sources: dumps, live clusters and built-in data. The only library crate that does I/O.
//!
//! There are three layers. [`needs`] describes what a command needs. `kube_aggregation::ingest`
//! decodes documents into a snapshot. [`dump`] and [`live`] transport documents, independently of
//! each other.
//!
//! A command gets from options to data in three steps: [`SourceSelection`] → [`ResolvedSource`] →
//! [`LoadedSource`]. Errors are typed and contain no advice about options.

#![expect(clippy::disallowed_methods, reason = "this crate reads files and the environment")]

mod alert;
mod builtin;
pub mod clock;
pub mod direct;
pub mod dump;
mod error;
pub mod files;
pub mod interrupt;
mod interruptible;
pub mod kubectl_cache;
pub mod live;
mod loaded;
pub mod logs;
pub mod manifests;
mod members;
pub mod needs;
mod parallel;
mod progress;
mod resolved;
mod selection;
mod trust;
mod zstd;

use std::path::{Path, PathBuf};

pub use dump::{DumpPurpose, Export, ParsedFile, check_target, write};
pub use error::SourceError;
pub use kube_aggregation::ingest::{Note, NoteLevel};
pub use live::{KubectlDefaults, SlowestRequest};
pub use loaded::LoadedSource;
pub use members::ResolvedMember;
pub use needs::{Needs, Resources, ServerDocument};
pub use parallel::ParallelLoader;
pub use progress::{Progress, Watch};
pub use resolved::{ResolvedSource, Source};
pub use selection::{NamedSource, SourceSelection, minor};

use files::FileError;

/// Reads a complete source.
///
/// # Errors
/// If it cannot be read, or contains no API server data.
pub fn load(source: &Source) -> Result<LoadedSource, SourceError> {
    load_for(source, &Needs::everything(), &mut |_| {})
}

/// Reads what is needed from a source, and reports progress if it is a cluster.
///
/// # Errors
/// Same as [`load`].
pub fn load_for(
    source: &Source,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<LoadedSource, SourceError> {
    source.read(needs, watch)
}

/// Reads bytes as a dump with a single file of this name.
///
/// # Errors
/// If nothing in it can be read.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<LoadedSource, SourceError> {
    let (snapshot, notes) = dump::load_bytes(name, bytes)?;
    Ok(LoadedSource::new(snapshot, notes))
}

/// Reads manifests of APIServices, CRDs, Services, EndpointSlices, roles and bindings.
///
/// # Errors
/// If one cannot be read, or none contains such an object.
pub fn load_manifests(paths: &[PathBuf]) -> Result<LoadedSource, SourceError> {
    let (snapshot, notes) = dump::load_manifests(paths)?;
    Ok(LoadedSource::new(snapshot, notes))
}

/// Reads the text of one file, or of standard input for `-`.
///
/// # Errors
/// If it cannot be read, or is not text.
pub fn text(path: &Path) -> Result<String, FileError> {
    let files::Content { name, bytes, .. } = files::Reader::default().one(path)?;
    bytes.and_then(files::text).map_err(|why| FileError { name, why })
}
