//! The error for a source without roles and bindings, for every command that judges access.

use crate::error::Error;

/// Refuses to judge access if the roles and bindings are not `loaded`.
pub(super) fn require_rbac(loaded: bool) -> Result<(), Error> {
    if loaded {
        return Ok(());
    }
    let kinds = "clusterroles,clusterrolebindings,roles,rolebindings";
    Err(Error::source("cannot tell who may: no roles and bindings in the source")
        .with_hint(format!("kubectl get {kinds} -A -o json")))
}
