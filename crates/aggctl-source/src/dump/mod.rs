//! Dumps: reads any mix of JSON and YAML files, and writes the answers of a cluster as files.
//!
//! This transport does not know live clusters: `export` takes documents, wherever they come from.

mod error;
mod export;
mod foreign;
mod read;
mod write;

pub use error::{DumpError, InputKind, NotReplaceable};
pub(crate) use export::{DumpDocument, export};
pub use export::{DumpPurpose, Export};
pub(crate) use read::{load, load_bytes, load_manifests};
pub use write::{check_target, write};
