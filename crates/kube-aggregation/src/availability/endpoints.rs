//! The endpoints of a Service, from Endpoints or EndpointSlices, depending on the Kubernetes
//! version.

use std::fmt;

use crate::model::{EndpointSlice, Gap, LAST_WITH_ENDPOINTS, Snapshot, SnapshotPart};

/// The kind of object that the availability controller reads endpoints from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointKind {
    /// Up to 1.33.
    Endpoints,
    /// From 1.34 on.
    EndpointSlices,
}

impl EndpointKind {
    /// Returns the kind that the snapshot's server reads.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let old = match snapshot.minor() {
            Some(minor) => minor <= LAST_WITH_ENDPOINTS,
            // If the version is unknown and there are only Endpoints, the server must read those.
            None => !snapshot.endpoint_slices.is_loaded() && snapshot.endpoints.is_loaded(),
        };
        if old { Self::Endpoints } else { Self::EndpointSlices }
    }

    /// Returns the snapshot part that contains this kind.
    pub(super) fn part(self) -> SnapshotPart {
        match self {
            Self::Endpoints => SnapshotPart::Endpoints,
            Self::EndpointSlices => SnapshotPart::EndpointSlices,
        }
    }
}

impl fmt::Display for EndpointKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Endpoints => "Endpoints",
            Self::EndpointSlices => "EndpointSlices",
        })
    }
}

/// The endpoints of a Service, as far as the source contains them.
#[derive(Debug, Clone)]
pub struct Endpoints<'s> {
    /// The kind of object they were read from.
    pub kind: EndpointKind,
    /// The slices of the Service, or the subsets of its Endpoints object.
    pub slices: Vec<&'s EndpointSlice>,
    /// Why some may be missing from the source.
    pub gap: Option<Gap>,
}

impl<'s> Endpoints<'s> {
    /// Returns the slices that have a port with this name.
    pub fn with_port(&self, port: &str) -> impl Iterator<Item = &'s EndpointSlice> {
        self.slices.iter().copied().filter(move |s| s.ports.iter().any(|p| p.name == port))
    }

    /// Returns whether the controller finds an address: a ready endpoint in a slice with this port.
    pub(crate) fn ready(&self, port: &str) -> bool {
        let numbered = self.kind == EndpointKind::EndpointSlices;
        self.slices.iter().any(|s| {
            s.ready() > 0
                && s.ports.iter().any(|p| p.name == port && (p.port.is_some() || !numbered))
        })
    }

    /// Returns whether endpoints are ready, but only on ports with other names.
    pub fn misnamed(&self, port: &str) -> bool {
        self.slices.iter().any(|s| s.ready() > 0) && self.with_port(port).next().is_none()
    }

    /// Returns a ready address and port, as endpoint routing would dial it.
    pub fn routed(&self, port: &str) -> Option<String> {
        self.slices.iter().find_map(|slice| {
            let number = slice.ports.iter().find(|p| p.name == port)?.port?;
            let endpoint = slice.endpoints.iter().find(|e| e.ready)?;
            Some(super::host_port(endpoint.addresses.first()?, number))
        })
    }
}
