//! The plain server of a source's version, with the `--runtime-config` of the source.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::baseline;
use crate::model::{GroupVersion, Minor, Snapshot};
use crate::runtime_config::RuntimeConfig;

/// Most questions to a whole source only ask which group versions are plain: the rest of the server
/// is decoded with the first question that needs it.
#[derive(Debug)]
pub(super) struct Plain<'s> {
    minor: Minor,
    /// What the source's server was told to serve.
    pub(super) switches: RuntimeConfig<'s>,
    /// Its group versions.
    pub(super) group_versions: Cow<'static, BTreeSet<GroupVersion>>,
    snapshot: OnceLock<Cow<'static, Snapshot>>,
}

impl<'s> Plain<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, minor: Minor) -> Self {
        let mut plain = Self {
            minor,
            switches: RuntimeConfig::of(snapshot),
            group_versions: Cow::Borrowed(baseline::group_versions(minor)),
            snapshot: OnceLock::new(),
        };
        if plain.switches.takes_away() {
            let left = plain.snapshot().resource_lists.keys().cloned().collect();
            plain.group_versions = Cow::Owned(left);
        }
        plain
    }

    /// All of it.
    pub(super) fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.switches.applied(baseline::server(self.minor)))
    }
}
