//! Plain data types: what aggctl knows about a cluster.
//!
//! This module reads, prints and decides nothing. [`Snapshot`] is the immutable value that every
//! answer is computed from; the other types are its parts.

mod api_service;
mod cause;
mod control_plane;
mod crd;
mod discovery;
mod gap;
mod group_version;
mod health;
mod lease;
mod namespace;
mod object;
mod openapi;
mod ownership;
mod rbac;
mod sentence;
mod service;
mod severity;
mod snapshot;
mod version;
mod words;

#[doc(hidden)]
pub use crate::{codes, words};
pub use api_service::{
    ApiService, Automanaged, Condition, NOT_CHECKED, NOT_IN_SOURCE, ServiceReference,
};
pub use cause::Cause;
pub use control_plane::{FrontProxy, Pod, ServerFlags};
pub use crd::{Crd, CrdNames, CrdVersion};
pub use discovery::{
    AggregatedGroup, AggregatedResource, AggregatedSubresource, AggregatedVersion, ApiResource,
    DiscoveryForm, Freshness, GroupVersionKind, LegacyGroup, Verb, verb,
};
pub use gap::{Gap, Lack, SnapshotPart, Unread};
pub use group_version::GroupVersion;
pub use health::{HealthEndpoint, HealthSample};
pub use lease::IdentityLease;
pub(crate) use lease::seconds;
pub use namespace::Namespace;
pub use object::{CollectedObject, CollectedObjects};
pub use openapi::{OpenApi, SLOW_OPENAPI, SlowDocument, V3Document};
pub use ownership::{Field, FieldManager, Merge, Ownership, OwnershipMetadata};
pub use rbac::{PolicyRule, Rbac, RbacListed, RbacSubject, Role, RoleBinding};
pub use sentence::some_of;
pub use service::{
    Endpoint, EndpointPort, EndpointSlice, Service, ServicePort, ServiceType, TargetPort, TargetRef,
};
pub use severity::Severity;
pub use snapshot::{
    CompleteLists, Input, Minor, ObjectName, Origin, PeerFacts, ServerVersion, Snapshot, SourceKind,
};
pub use version::{KubeVersion, Stage, compare_versions};

/// The aggregator's own group. It is built in and has no APIService.
pub const AGGREGATOR_GROUP: &str = "apiregistration.k8s.io";

/// The first version with aggregated discovery enabled by default in servers and clients.
pub const AGGREGATED_SINCE: Minor = Minor::new(27);

/// The first version that by default merges the discovery of peers into a server's own.
pub const MERGES_PEERS_SINCE: Minor = Minor::new(36);

/// The group that `apiextensions-apiserver` serves itself, in addition to custom resources.
pub const EXTENSIONS_GROUP: &str = "apiextensions.k8s.io";

/// The group priority of APIServices that the CRD registration controller creates.
pub const CRD_GROUP_PRIORITY: i32 = 1000;
/// The version priority of those APIServices; see [`CRD_GROUP_PRIORITY`].
pub const CRD_VERSION_PRIORITY: i32 = 100;

/// The last version with an aggregator that reads Endpoints. Later ones read EndpointSlices.
pub const LAST_WITH_ENDPOINTS: Minor = Minor::new(33);
