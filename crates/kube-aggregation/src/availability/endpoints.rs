//! What lists the addresses behind a Service.

use std::fmt;

use crate::model::{EndpointSlice, Gap, LAST_WITH_ENDPOINTS, Snapshot, SnapshotPart};

/// The kind of object that the controller of a version looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointKind {
    /// Up to 1.33.
    Endpoints,
    /// From 1.34 on.
    EndpointSlices,
}

impl EndpointKind {
    /// What the server behind a snapshot looks at.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        let old = match snapshot.minor() {
            Some(minor) => minor <= LAST_WITH_ENDPOINTS,
            // A server that does not tell its version, and has no slices, has nothing else.
            None => !snapshot.endpoint_slices.is_loaded() && snapshot.endpoints.is_loaded(),
        };
        if old { Self::Endpoints } else { Self::EndpointSlices }
    }

    /// The part of a snapshot that has them.
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

/// The addresses behind a Service, as far as the source has them.
#[derive(Debug, Clone)]
pub struct Endpoints<'s> {
    /// What they are read from.
    pub kind: EndpointKind,
    /// The objects of the Service; of an Endpoints object its subsets.
    pub slices: Vec<&'s EndpointSlice>,
    /// Why there may be more.
    pub gap: Option<Gap>,
}

impl<'s> Endpoints<'s> {
    /// The slices that have a port of that name.
    pub fn with_port(&self, port: &str) -> impl Iterator<Item = &'s EndpointSlice> {
        self.slices.iter().copied().filter(move |s| s.ports.iter().any(|p| p.name == port))
    }

    /// Whether the controller finds an address: a ready endpoint in a slice that has the port.
    pub(crate) fn ready(&self, port: &str) -> bool {
        let numbered = self.kind == EndpointKind::EndpointSlices;
        self.slices.iter().any(|s| {
            s.ready() > 0
                && s.ports.iter().any(|p| p.name == port && (p.port.is_some() || !numbered))
        })
    }

    /// Whether endpoints are ready, but under other names of ports.
    pub fn misnamed(&self, port: &str) -> bool {
        self.slices.iter().any(|s| s.ready() > 0) && self.with_port(port).next().is_none()
    }

    /// An address that is ready on a port, as endpoint routing would dial it.
    pub fn routed(&self, port: &str) -> Option<String> {
        self.slices.iter().find_map(|slice| {
            let number = slice.ports.iter().find(|p| p.name == port)?.port?;
            let endpoint = slice.endpoints.iter().find(|e| e.ready)?;
            Some(super::host_port(endpoint.addresses.first()?, number))
        })
    }
}
