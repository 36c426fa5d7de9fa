//! Determines whether a server proxies requests to the other API servers of its control plane, from
//! its own snapshot alone. [`peers`](crate::peers) models how it does so.

use crate::gates;
use crate::model::{MERGES_PEERS_SINCE, Minor, Snapshot};

/// The feature gate of the peer proxy.
const GATE: &str = "UnknownVersionInteroperabilityProxy";
/// The first version that enables the gate by default and merges discovery.
pub(crate) const SINCE: Minor = MERGES_PEERS_SINCE;
/// The check of `/readyz` that only a server with a peer proxy has.
const CHECK: &str = "mixed-version-proxy-handler";

/// Returns whether a server proxies requests to its peers and merges their discovery into its own.
/// That needs a feature gate and a CA for peers. Returns `None` if the source does not show it.
pub(crate) fn is_on(snapshot: &Snapshot) -> Option<bool> {
    // The defaults of gates follow the emulated version.
    let minor = snapshot.served_minor()?;
    let gates = snapshot.own_flag("feature-gates").flatten().unwrap_or_default();
    match gates::gate(gates, GATE) {
        Some(false) => return Some(false),
        None if minor < SINCE => return Some(false),
        // The alpha versions find their peers in another way, which is not modeled.
        Some(true) if minor < SINCE => return None,
        _ => {}
    }
    if let (Some(own), Some(merged)) =
        (snapshot.own_groups.loaded(), snapshot.aggregated_groups.loaded())
        && own != merged
    {
        return Some(true);
    }
    match snapshot.own_flag("peer-ca-file") {
        Some(file) => Some(file.is_some_and(|file| !file.is_empty())),
        None => {
            let bodies = snapshot.health.iter().filter_map(|one| one.body.as_ref().ok());
            let mut all = bodies.filter(|body| body.contains("poststarthook/"));
            all.next().map(|body| body.contains(CHECK))
        }
    }
}

/// Returns whether a group can be built into an API server. The proxy handles no other groups.
pub(crate) fn may_be_built_in(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// Returns whether [`Snapshot::own_document`] may list resources that only peers serve.
pub(crate) fn may_be_merged(snapshot: &Snapshot) -> bool {
    let alone = snapshot
        .leases
        .loaded()
        .is_some_and(|leases| leases.iter().filter(|lease| lease.address.is_some()).count() < 2);
    !snapshot.own_groups.is_loaded()
        && snapshot.aggregated_groups.is_loaded()
        && !alone
        && snapshot.served_minor().is_some_and(|minor| minor >= SINCE)
        && is_on(snapshot) != Some(false)
}
