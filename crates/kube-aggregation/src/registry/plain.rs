//! The baseline of a source's version, without what the source's server is known not to serve.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::baseline;
use crate::model::{Cause, GroupVersion, Input, Minor, Snapshot};
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
    /// Group versions that the server's own documents prove to be missing.
    missing: BTreeSet<GroupVersion>,
    snapshot: OnceLock<Cow<'static, Snapshot>>,
}

impl<'s> Plain<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, minor: Minor) -> Self {
        let group_versions = baseline::group_versions(minor);
        let missing = group_versions.iter().filter(|gv| is_missing(snapshot, gv)).cloned();
        let mut plain = Self {
            minor,
            switches: RuntimeConfig::of(snapshot),
            group_versions: Cow::Borrowed(group_versions),
            missing: missing.collect(),
            snapshot: OnceLock::new(),
        };
        if plain.switches.takes_away() || !plain.missing.is_empty() {
            let left = plain.snapshot().resource_lists.keys().cloned().collect();
            plain.group_versions = Cow::Owned(left);
        }
        plain
    }

    /// Returns the complete baseline.
    pub(super) fn snapshot(&self) -> &Snapshot {
        let missing = &self.missing;
        self.snapshot.get_or_init(|| self.switches.applied(baseline::server(self.minor), missing))
    }
}

/// Returns whether the server's own documents prove that it does not serve a group version. That
/// holds for a document that includes peers, too: not even a peer serves it then.
fn is_missing(snapshot: &Snapshot, gv: &GroupVersion) -> bool {
    let document = match gv.group.as_str() {
        "" => &snapshot.aggregated_core,
        _ => snapshot.own_document(),
    };
    if let Input::Loaded(groups) = document
        && !snapshot.resource_lists.contains_key(gv)
    {
        let of_group = groups.iter().filter(|group| group.name == gv.group);
        let listed = of_group.flat_map(|group| &group.versions).any(|v| v.version == gv.version);
        // A document with only a few groups may be a selection. The core group has its own
        // document.
        if !listed && (groups.len() > FEW || gv.group.is_empty()) {
            return true;
        }
    }
    // A 404 for the list comes from this server, unless a Service serves the group version.
    let not_found =
        snapshot.unread_lists.get(gv).is_some_and(|unread| unread.cause == Cause::NotFound);
    let by_service = || {
        let mut services = snapshot.api_services.items().iter();
        services.any(|service| service.group_version == *gv && service.service.is_some())
    };
    not_found && !by_service()
}

/// The maximum number of groups in a document that counts as a selection. Every server has more.
const FEW: usize = 5;
