//! Where facts come from. The only place that reads files, the environment and the network.
//!
//! Every source ends in one immutable [`Snapshot`]; what was odd on the way is a list of
//! [`Note`]s.

#![expect(clippy::disallowed_methods, reason = "reading the world is what sources are for")]

mod alert;
mod builtin;
pub mod direct;
mod dump;
pub mod error;
pub mod files;
pub mod interrupt;
mod interruptible;
pub mod live;
pub mod logs;
pub mod manifests;
mod plan;
mod trust;

use std::path::{Path, PathBuf};

pub use dump::{Export, check_target, export, write};
pub use plan::{Choose, Plan, Reading, Request, dump_from_environment, minor, several};

pub use kube_aggregation::ingest::{Note, NoteLevel};

use crate::error::Error;
use kube_aggregation::model::{Minor, Snapshot};

/// What to read.
#[derive(Debug, Clone)]
pub enum Source {
    /// Files and directories; `-` is standard input.
    Dump(Vec<PathBuf>),
    /// A plain Kubernetes of a minor version, the newest embedded one if none is named.
    Builtin(Option<Minor>),
    /// A cluster.
    Live(Box<live::Connection>),
}

/// A snapshot, and what a user should know about how it came to be.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The facts.
    pub snapshot: Snapshot,
    /// What was odd, in the order in which it was met.
    pub notes: Vec<Note>,
}

/// Reads all of a source.
///
/// # Errors
/// Where nothing can be read, or nothing that was read is about an API server.
pub fn load(source: &Source) -> Result<Loaded, Error> {
    load_for(source, &live::Needs::everything(), &mut |_| {})
}

/// Reads a source, and of it only what is needed; of a live cluster, telling how far it is.
///
/// # Errors
/// As for [`load`].
pub fn load_for(
    source: &Source,
    needs: &live::Needs,
    watch: live::Watch<'_>,
) -> Result<Loaded, Error> {
    match source {
        Source::Dump(paths) => dump::load(paths, needs),
        Source::Builtin(minor) => {
            let (snapshot, notes) = builtin::load(*minor);
            Ok(Loaded { snapshot: snapshot.into_owned(), notes })
        }
        Source::Live(connection) => live::load(connection, needs, watch),
    }
}

/// Reads bytes as a dump of one file of that name.
///
/// # Errors
/// Where nothing of it can be read.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<Loaded, Error> {
    dump::load_bytes(name, bytes)
}

/// Reads manifests that are to be looked at as if they were applied: APIServices, CRDs, Services
/// and EndpointSlices, recognised as in a dump.
///
/// # Errors
/// Where one cannot be read, or none holds such an object.
pub fn load_manifests(paths: &[PathBuf]) -> Result<Loaded, Error> {
    dump::load_manifests(paths)
}

/// The text of one file, or of standard input for `-`.
///
/// # Errors
/// Where it cannot be read, or is not text.
pub fn text(path: &Path) -> Result<String, Error> {
    let files::Content { name, bytes, .. } = files::Reader::default().one(path)?;
    bytes
        .and_then(files::text)
        .map_err(|why| Error::source(format!("cannot read {name}: {}", why.why())))
}
