//! The error for a source without roles and bindings, for every command that judges access.

use super::hints::add_output;
use crate::error::Error;
use kube_aggregation::model::Snapshot;

/// Refuses to judge access if the source has no roles and bindings.
pub(super) fn require_rbac(snapshot: &Snapshot) -> Result<(), Error> {
    if snapshot.rbac.is_loaded() {
        return Ok(());
    }
    let command = "`kubectl get clusterroles,clusterrolebindings,roles,rolebindings -A -o json`";
    Err(Error::source("cannot evaluate access: the source has no roles and bindings")
        .with_hint(add_output(&snapshot.origin, command)))
}
