//! Dumps: any mix of JSON and YAML read back as facts, and a cluster's answers written as files.

mod export;
mod foreign;
mod read;
mod write;

pub use export::{Export, export};
pub(super) use read::{load, load_bytes, load_manifests};
pub use write::{check_target, write};
