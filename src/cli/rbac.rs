//! The error for a source without roles and bindings, for every command that judges access.

use crate::error::Error;

/// Refuses to judge access if the roles and bindings are not `loaded`.
pub(super) fn require_rbac(loaded: bool) -> Result<(), Error> {
    if loaded {
        return Ok(());
    }
    let kinds = "clusterroles,clusterrolebindings,roles,rolebindings";
    Err(Error::source("cannot evaluate access: the source has no roles and bindings")
        .with_hint(format!("add the output of `kubectl get {kinds} -A -o json` to the dump")))
}
