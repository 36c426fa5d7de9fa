//! The baseline of a source's version, with the source's `--runtime-config` applied.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::baseline;
use crate::model::{GroupVersion, Minor, Snapshot};
use crate::runtime_config::RuntimeConfig;

/// A lazily decoded baseline. Most callers only need its group versions, so the rest is decoded on
/// first use.
#[derive(Debug)]
pub(super) struct Plain<'s> {
    minor: Minor,
    /// The `--runtime-config` of the source's server.
    pub(super) switches: RuntimeConfig<'s>,
    /// The group versions of the baseline.
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

    /// Returns the complete baseline.
    pub(super) fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.switches.applied(baseline::server(self.minor)))
    }
}
