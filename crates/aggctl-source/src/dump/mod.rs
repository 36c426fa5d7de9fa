//! Dumps: reads any mix of JSON and YAML files, and writes the responses of a cluster as files.
//!
//! This module is independent of live clusters: `export` takes documents from any origin.

mod changed;
mod error;
mod export;
mod foreign;
mod kept;
mod read;
mod write;

pub(crate) use changed::load_changed;
pub use error::{DumpError, InputKind, NotReplaceable};
pub(crate) use export::{DumpDocument, export, refuse_part};
pub use export::{DumpPurpose, Export};
pub(crate) use kept::DumpFiles;
pub use kept::ParsedFile;
pub(crate) use read::{ServerDump, load, load_bytes, load_manifests, load_server};
pub use write::{check_target, write};
