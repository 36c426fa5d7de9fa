//! The identity Leases of API servers. Other Leases are not read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::SnapshotBuilder;
use super::recognise::typed;
use super::wire::lenient;
use crate::model::{self, IdentityLease};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Lease {
    metadata: LeaseMetadata,
    #[serde(deserialize_with = "lenient")]
    spec: LeaseSpec,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct LeaseMetadata {
    #[serde(deserialize_with = "lenient")]
    name: String,
    #[serde(deserialize_with = "lenient")]
    resource_version: String,
    #[serde(deserialize_with = "lenient")]
    labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "lenient")]
    annotations: BTreeMap<String, String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct LeaseSpec {
    #[serde(deserialize_with = "lenient")]
    holder_identity: String,
    #[serde(deserialize_with = "lenient")]
    renew_time: String,
}

/// Adds a Lease, and returns whether it is the identity of an API server.
pub(super) fn add(builder: &mut SnapshotBuilder, file: &str, json: &str) -> Result<bool, String> {
    let lease: Lease = typed("Lease", json)?;
    let LeaseMetadata { name, resource_version, mut labels, mut annotations } = lease.metadata;
    if labels.get(IdentityLease::LABEL).is_none_or(|of| of != IdentityLease::LABEL_VALUE) {
        return Ok(false);
    }
    let address = annotations.remove(IdentityLease::ADDRESS_ANNOTATION);
    let found = IdentityLease {
        identity: name.clone(),
        host: labels.remove(IdentityLease::HOST_LABEL).unwrap_or_default(),
        address: address.filter(|address| !address.is_empty()),
        holder: lease.spec.holder_identity,
        renewed: model::seconds(&lease.spec.renew_time),
    };
    let revision = resource_version.parse().unwrap_or(0);
    let conflict = builder.leases.add(name, found, revision, file);
    builder.note_conflict(conflict, |name| format!("Lease {name}"));
    Ok(true)
}
