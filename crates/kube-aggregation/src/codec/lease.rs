//! Codec of Leases. Only the identity Leases of API servers are decoded.

use std::collections::BTreeMap;

use super::metadata::{Labels, set};
use super::{Tolerant, object};
use crate::model::{IdentityLease, seconds};

object! {
    struct LeaseObject {
        metadata: LeaseMeta,
        spec: LeaseSpec,
    }
}

object! {
    struct LeaseMeta {
        name: String,
        resource_version: String,
        labels: Labels,
        annotations: Tolerant<BTreeMap<String, String>>,
    }
}

object! {
    struct LeaseSpec {
        holder_identity: String,
        renew_time: String,
    }
}

impl LeaseObject {
    /// Returns the identity of an API server, if the Lease is one.
    pub(crate) fn identity(self) -> Option<IdentityLease> {
        let LeaseMeta { name, labels, annotations, .. } = self.metadata;
        let (mut labels, mut annotations) = (set(labels), annotations.0);
        if labels.get(IdentityLease::LABEL)? != IdentityLease::LABEL_VALUE {
            return None;
        }
        let address = annotations.remove(IdentityLease::ADDRESS_ANNOTATION);
        Some(IdentityLease {
            identity: name,
            host: labels.remove(IdentityLease::HOST_LABEL).unwrap_or_default(),
            address: address.filter(|address| !address.is_empty()),
            holder: self.spec.holder_identity,
            renewed: seconds(&self.spec.renew_time),
        })
    }
}
