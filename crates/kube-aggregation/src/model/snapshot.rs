//! The snapshot: everything known about one cluster, and which parts of it were available.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::{
    AggregatedGroup, AggregatedVersion, ApiResource, ApiService, CollectedObjects, Crd,
    DiscoveryForm, EndpointSlice, FrontProxy, Gap, GroupVersion, HealthSample, IdentityLease, Lack,
    LegacyGroup, Namespace, OpenApi, Pod, Rbac, ServerFlags, Service, SnapshotPart, Unread, words,
};

/// Everything known about one cluster at one point in time. Not modified after it is built.
///
/// Each input records whether it was available, so that an answer can state its assumptions.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The source of the data.
    pub origin: Origin,
    /// `/version`
    pub version: Input<ServerVersion>,
    /// The paths that `/` lists.
    pub root_paths: Input<BTreeSet<String>>,
    /// All APIServices, sorted by name.
    pub api_services: Input<Vec<ApiService>>,
    /// All CRDs, sorted by name.
    pub crds: Input<Vec<Crd>>,
    /// Whether `crds` is complete, because it was read as a list.
    pub crds_complete: bool,
    /// Services, sorted by namespace and name.
    pub services: Input<Vec<Service>>,
    /// EndpointSlices, sorted by namespace and name.
    pub endpoint_slices: Input<Vec<EndpointSlice>>,
    /// Endpoints, sorted by namespace and name. One entry per subset, and at least one per object.
    pub endpoints: Input<Vec<EndpointSlice>>,
    /// Namespaces, sorted by name.
    pub namespaces: Input<Vec<Namespace>>,
    /// Roles and bindings.
    pub rbac: Rbac,
    /// The flags of each known kube-apiserver.
    pub flags: Input<Vec<ServerFlags>>,
    /// All flags of the server that answered `/flagz`, including those with default values.
    pub own_flags: Option<ServerFlags>,
    /// Collected Pods.
    pub pods: Input<Vec<Pod>>,
    /// How extension servers authenticate kube-apiserver.
    pub front_proxy: Input<FrontProxy>,
    /// Which inputs are complete, because they were read as lists. A list may still cover only a
    /// single namespace.
    pub listed: CompleteLists,
    /// The APIResourceList of each requested group version.
    pub resource_lists: BTreeMap<GroupVersion, Vec<ApiResource>>,
    /// Why the APIResourceList of a requested group version is missing.
    pub unread_lists: BTreeMap<GroupVersion, Unread>,
    /// The legacy `/apis` document, as served. Never used as input for merging.
    pub legacy_groups: Input<Vec<LegacyGroup>>,
    /// The aggregated `/apis` document, as served. Since 1.36 it includes the resources of peers.
    /// Never used as input for merging.
    pub aggregated_groups: Input<Vec<AggregatedGroup>>,
    /// The same document without peers (`profile=nopeer`), as served.
    pub own_groups: Input<Vec<AggregatedGroup>>,
    /// What the other API servers of the control plane serve, as far as known.
    pub peers: PeerFacts,
    /// The identity Leases of the control plane's API servers, sorted by identity.
    pub leases: Input<Vec<IdentityLease>>,
    /// The aggregated `/api` document, as served. Never used as input for merging.
    pub aggregated_core: Input<Vec<AggregatedGroup>>,
    /// The keys of the `/openapi/v3` index, such as `apis/apps/v1`.
    pub openapi_v3: Input<BTreeSet<String>>,
    /// The original text of discovery documents, by path and form, to pass on unchanged.
    pub as_served: BTreeMap<(String, DiscoveryForm), String>,
    /// Responses of the health endpoints, in request order.
    pub health: Vec<HealthSample>,
    /// The response of `/metrics`.
    pub metrics: Input<String>,
    /// The contents of the OpenAPI documents.
    pub openapi: OpenApi,
    /// For manifests: APIServices and CRDs in the order in which they are applied.
    pub order: Vec<ObjectName>,
    /// APIServices that no longer use a Service, as aggregated discovery keeps listing them until
    /// it refreshes. Only what-if fills this; no source does.
    pub remembered: Vec<(ApiService, AggregatedVersion)>,
    /// The names of APIServices that a controller resets right after a change gave them a Service.
    /// Whether aggregated discovery saw the Service in between, and keeps listing it, is a race.
    /// Only what-if fills this; no source does.
    pub raced: Vec<String>,
    /// All objects as collected, if they were requested.
    pub objects: Arc<CollectedObjects>,
    /// For manifests: APIServices that others of the same name replace, with another Service.
    pub rivals: Vec<ApiService>,
    /// The newest kubelet of the nodes. kube-apiserver is at least that new.
    pub kubelet: Option<Minor>,
}

/// What is known about the other API servers of a control plane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeerFacts {
    /// The group versions that they serve themselves.
    pub group_versions: BTreeSet<GroupVersion>,
    /// Whether all other API servers are known.
    pub complete: bool,
}

/// An object that is applied or deleted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the kinds")]
pub enum ObjectName {
    ApiService(String),
    Crd(String),
}

impl Snapshot {
    /// Returns a snapshot without any data.
    pub fn empty(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    /// Returns what was requested but could not be read. Excludes roles and bindings, because
    /// answers about access report those gaps themselves.
    pub fn unread(&self) -> Vec<Gap> {
        fn gap<T>(part: SnapshotPart, input: &Input<T>) -> Option<Gap> {
            Gap::of(part, input, true).filter(|gap| gap.lack != Lack::Absent)
        }
        let all = [
            gap(SnapshotPart::Version, &self.version),
            gap(SnapshotPart::RootPaths, &self.root_paths),
            gap(SnapshotPart::ApiServices, &self.api_services),
            gap(SnapshotPart::Crds, &self.crds),
            gap(SnapshotPart::Services, &self.services),
            gap(SnapshotPart::EndpointSlices, &self.endpoint_slices),
            gap(SnapshotPart::Endpoints, &self.endpoints),
            gap(SnapshotPart::Namespaces, &self.namespaces),
            gap(SnapshotPart::Groups, &self.legacy_groups),
            gap(SnapshotPart::AggregatedGroups, &self.aggregated_groups),
            gap(SnapshotPart::AggregatedCore, &self.aggregated_core),
            gap(SnapshotPart::OpenApiV3, &self.openapi_v3),
            gap(SnapshotPart::OpenApiV2, &self.openapi.v2),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns the aggregated `/apis` document that best shows what this server itself serves: the
    /// one without peers, or else the one that clients get.
    pub fn own_document(&self) -> &Input<Vec<AggregatedGroup>> {
        if self.own_groups.is_loaded() { &self.own_groups } else { &self.aggregated_groups }
    }

    /// Returns the version that determines the built-in group versions: the emulated one, or the
    /// server's own.
    pub fn served_minor(&self) -> Option<Minor> {
        self.version.loaded().and_then(|v| v.emulation.or(v.minor))
    }

    /// Returns the server's minor version, if `/version` was loaded and could be parsed.
    pub fn minor(&self) -> Option<Minor> {
        self.version.loaded().and_then(|v| v.minor)
    }

    /// Returns the value of a flag if all known kube-apiservers agree. `None` if no flags are known
    /// or the servers differ, `Some(None)` if the flag is not set.
    pub fn flag(&self, name: &str) -> Option<Option<&str>> {
        let mut all = self.flags.loaded()?.iter().map(|one| one.values.get(name));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first.map(String::as_str))
    }

    /// Returns the value of a flag of the server that answered. Its own `/flagz` takes precedence
    /// over the value that the Pods of all servers agree on.
    pub fn own_flag(&self, name: &str) -> Option<Option<&str>> {
        match &self.own_flags {
            Some(flags) => Some(flags.values.get(name).map(String::as_str)),
            None => self.flag(name),
        }
    }

    /// Returns whether the server dials endpoints instead of Services, by
    /// `--enable-aggregator-routing`; `None` if that is unknown.
    pub fn dials_endpoints(&self) -> Option<bool> {
        Some(self.own_flag("enable-aggregator-routing")? == Some("true"))
    }

    /// Returns a Service by namespace and name; `None` if it does not exist or is unknown.
    pub fn service(&self, namespace: &str, name: &str) -> Option<&Service> {
        let services = self.services.loaded()?;
        let at = services
            .binary_search_by(|s| (s.namespace.as_str(), s.name.as_str()).cmp(&(namespace, name)));
        at.ok().and_then(|i| services.get(i))
    }
}

/// Which kinds of objects were read as complete lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the kinds")]
pub struct CompleteLists {
    pub services: bool,
    pub endpoint_slices: bool,
    pub endpoints: bool,
    pub namespaces: bool,
    /// Whether the APIServices are complete; `None` if that must be inferred from the APIServices.
    pub api_services: Option<bool>,
}

/// One kind of data, and whether it was available.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Input<T> {
    /// The data.
    Loaded(T),
    /// It was not collected.
    #[default]
    Absent,
    /// It was requested but could not be read.
    Unread(Unread),
}

impl<T> Input<T> {
    /// Returns the data if loaded.
    pub fn loaded(&self) -> Option<&T> {
        match self {
            Self::Loaded(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether the data is loaded.
    pub fn is_loaded(&self) -> bool {
        matches!(self, Self::Loaded(_))
    }
}

impl<T> Input<Vec<T>> {
    /// Returns the loaded items, or an empty slice.
    pub fn items(&self) -> &[T] {
        self.loaded().map(Vec::as_slice).unwrap_or_default()
    }
}

/// The source of a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The kind of source.
    pub kind: SourceKind,
    /// The source's name: a dump's paths, a built-in version, or a cluster's context.
    pub name: String,
}

words! {
    /// A kind of source.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum SourceKind {
        /// Files on disk.
        #[default]
        Dump = "dump",
        /// A baseline embedded in the binary.
        Builtin = "builtin",
        /// A live cluster.
        Live = "live",
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SourceKind::Dump => write!(f, "dump {}", self.name),
            SourceKind::Builtin => write!(f, "built-in Kubernetes {}", self.name),
            SourceKind::Live => write!(f, "cluster {}", self.name),
        }
    }
}

/// The contents of `/version`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVersion {
    /// The minor version, such as `1.36`, if major and minor are numbers. A trailing `+` is
    /// allowed.
    pub minor: Option<Minor>,
    /// `gitVersion`, such as `v1.36.4`.
    pub git_version: String,
    /// The version that the server emulates, if any. It determines the built-in group versions.
    pub emulation: Option<Minor>,
}

impl ServerVersion {
    /// Parses a version such as `v1.36.4`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let minor = Some(Minor::parse(text)?);
        Some(Self { minor, git_version: text.to_owned(), emulation: None })
    }

    /// Returns the version in the tag of an image, such as `example.com/server:v1.36.4@sha256:…`.
    pub(crate) fn of_image(image: &str) -> Option<Self> {
        let (_, tag) = image.split('@').next()?.rsplit_once(':')?;
        Self::parse(tag)
    }
}

/// A minor version of Kubernetes, such as 1.36.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    /// The number before the dot.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

impl Minor {
    /// Returns Kubernetes 1.`minor`.
    pub const fn new(minor: u32) -> Self {
        Self { major: 1, minor }
    }

    /// Parses `1.36`, `v1.36`, `1.36.4` or `v1.36.4-gke.1`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?;
        let digits = minor.trim_end_matches('+');
        Some(Self { major, minor: digits.parse().ok()? })
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_minor_versions() {
        for text in ["1.30", "v1.30", "1.30.4", "v1.30.4-gke.100", "1.30+"] {
            assert_eq!(Minor::parse(text), Some(Minor::new(30)), "{text}");
        }
        for text in ["", "1", "one.two", "1.", "latest", "-1.3"] {
            assert_eq!(Minor::parse(text), None, "{text}");
        }
    }
}
