//! Reads the identity Leases of API servers. Ignores all other Leases.

use super::SnapshotBuilder;
use super::named::typed;
use super::part::Part;
use crate::codec::LeaseObject;

/// Adds a Lease if it is the identity of an API server. Returns whether it is.
pub(super) fn add<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
) -> Result<bool, String> {
    let lease: LeaseObject = typed("Lease", part)?;
    let revision = lease.metadata.resource_version.parse().unwrap_or(0);
    let Some(found) = lease.identity() else { return Ok(false) };
    let conflict = builder.leases.add(found.identity.clone(), found, revision, file);
    builder.note_conflict(conflict, |name| format!("Lease {name}"));
    Ok(true)
}
