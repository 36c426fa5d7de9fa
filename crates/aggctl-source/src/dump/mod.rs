//! Dumps: reads any mix of JSON and YAML files, and writes the responses of a cluster as files.
//!
//! This module is independent of live clusters: `export` takes documents from any origin.

mod error;
mod export;
mod foreign;
mod read;
mod syntax;
mod write;

pub use error::{DumpError, InputKind, NotReplaceable};
pub(crate) use export::{DumpDocument, export, refuse_part};
pub use export::{DumpPurpose, Export};
pub(crate) use read::{ServerDump, load, load_bytes, load_manifests, load_server};
pub use syntax::ParsedFile;
pub(crate) use syntax::{DumpFiles, load_changed};
pub use write::{check_target, write};
