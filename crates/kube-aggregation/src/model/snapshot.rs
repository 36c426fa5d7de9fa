use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::{
    AggregatedGroup, AggregatedVersion, ApiResource, ApiService, CollectedObjects, Crd,
    DiscoveryForm, EndpointSlice, FrontProxy, Gap, GroupVersion, HealthSample, IdentityLease, Lack,
    LegacyGroup, Namespace, OpenApi, Pod, Rbac, ServerFlags, Service, SnapshotPart, Unread, words,
};

/// Everything that is known about one cluster at one moment. Built by `source`, never changed.
///
/// Every input says whether it was there to look at, so that an answer can say what it rests on.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Where the facts come from.
    pub origin: Origin,
    /// `/version`
    pub version: Input<ServerVersion>,
    /// The paths that `/` lists.
    pub root_paths: Input<BTreeSet<String>>,
    /// All APIServices, sorted by name.
    pub api_services: Input<Vec<ApiService>>,
    /// All CRDs, sorted by name.
    pub crds: Input<Vec<Crd>>,
    /// Whether `crds` are all there are: they came as a list, not one by one.
    pub crds_complete: bool,
    /// Services, sorted by namespace and name.
    pub services: Input<Vec<Service>>,
    /// EndpointSlices, sorted by namespace and name.
    pub endpoint_slices: Input<Vec<EndpointSlice>>,
    /// Endpoints, sorted by namespace and name: an entry a subset, and at least one an object.
    pub endpoints: Input<Vec<EndpointSlice>>,
    /// Namespaces, sorted by name.
    pub namespaces: Input<Vec<Namespace>>,
    /// Roles and bindings.
    pub rbac: Rbac,
    /// The flags of each kube-apiserver that is seen.
    pub flags: Input<Vec<ServerFlags>>,
    /// The flags of the server that answered, defaults included: its `/flagz`.
    pub own_flags: Option<ServerFlags>,
    /// Pods that somebody collected.
    pub pods: Input<Vec<Pod>>,
    /// What extension servers know the API server by.
    pub front_proxy: Input<FrontProxy>,
    /// Which of the inputs are all there are: they came as lists, not one by one. A list may
    /// still be one of a single namespace.
    pub listed: CompleteLists,
    /// The APIResourceList of each group version that was asked for.
    pub resource_lists: BTreeMap<GroupVersion, Vec<ApiResource>>,
    /// Why there is no APIResourceList of a group version that was asked for.
    pub unread_lists: BTreeMap<GroupVersion, Unread>,
    /// The legacy `/apis` document, as the server gave it. Never a source of merged output.
    pub legacy_groups: Input<Vec<LegacyGroup>>,
    /// The aggregated `/apis` document, as the server gave it: since 1.36 with the resources of
    /// its peers. Never a source of merged output.
    pub aggregated_groups: Input<Vec<AggregatedGroup>>,
    /// The same document without peers (`profile=nopeer`), as the server gave it.
    pub own_groups: Input<Vec<AggregatedGroup>>,
    /// What the other API servers of the control plane serve, as far as it is known.
    pub peers: PeerFacts,
    /// The identity Leases of the control plane's API servers, sorted by identity.
    pub leases: Input<Vec<IdentityLease>>,
    /// The aggregated `/api` document, as the server gave it. Never a source of merged output.
    pub aggregated_core: Input<Vec<AggregatedGroup>>,
    /// The keys of the `/openapi/v3` index, such as `apis/apps/v1`.
    pub openapi_v3: Input<BTreeSet<String>>,
    /// The text of discovery documents, by path: what the server sent is passed on whole.
    pub as_served: BTreeMap<(String, DiscoveryForm), String>,
    /// What the health endpoints answered, in the order in which they were asked.
    pub health: Vec<HealthSample>,
    /// What `/metrics` answered.
    pub metrics: Input<String>,
    /// The OpenAPI documents themselves.
    pub openapi: OpenApi,
    /// Of manifests: APIServices and CRDs in the order in which they are applied.
    pub order: Vec<ObjectName>,
    /// APIServices that lead to a Service no more, as aggregated discovery remembers them until it
    /// asks again. What-if knows of some, no source does.
    pub remembered: Vec<(ApiService, AggregatedVersion)>,
    /// All objects as they were collected, where somebody asked for them.
    pub objects: Arc<CollectedObjects>,
}

/// What is known about the other API servers of a control plane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeerFacts {
    /// The group versions that they serve themselves.
    pub group_versions: BTreeSet<GroupVersion>,
    /// Whether all of them were looked at.
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
    /// A snapshot of which nothing is known yet.
    pub fn empty(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    /// What was asked for and could not be read. What nobody asked for is not among it, nor are
    /// roles and bindings: answers about access name those gaps themselves.
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

    /// The aggregated `/apis` document that says most about this server itself: the one without
    /// peers, otherwise the one as clients get it.
    pub fn own_document(&self) -> &Input<Vec<AggregatedGroup>> {
        if self.own_groups.is_loaded() { &self.own_groups } else { &self.aggregated_groups }
    }

    /// The version whose group versions the server serves: the one that it emulates, or its own.
    pub fn served_minor(&self) -> Option<Minor> {
        self.version.loaded().and_then(|v| v.emulation.or(v.minor))
    }

    /// The server's minor version, if `/version` was loaded and readable.
    pub fn minor(&self) -> Option<Minor> {
        self.version.loaded().and_then(|v| v.minor)
    }

    /// The value that every kube-apiserver that is seen has for a flag: none where no flags are
    /// known or they disagree, `Some(None)` where it is not set.
    pub fn flag(&self, name: &str) -> Option<Option<&str>> {
        let mut all = self.flags.loaded()?.iter().map(|one| one.values.get(name));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first.map(String::as_str))
    }

    /// The value of a flag of the server that answered. Its own `/flagz` counts before what the
    /// Pods of all servers agree on.
    pub fn own_flag(&self, name: &str) -> Option<Option<&str>> {
        match &self.own_flags {
            Some(flags) => Some(flags.values.get(name).map(String::as_str)),
            None => self.flag(name),
        }
    }

    /// The Service of that namespace and name; `None` where it is not there or not known.
    pub fn service(&self, namespace: &str, name: &str) -> Option<&Service> {
        let services = self.services.loaded()?;
        let at = services
            .binary_search_by(|s| (s.namespace.as_str(), s.name.as_str()).cmp(&(namespace, name)));
        at.ok().and_then(|i| services.get(i))
    }
}

/// Which kinds of object came as a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the kinds")]
pub struct CompleteLists {
    pub services: bool,
    pub endpoint_slices: bool,
    pub endpoints: bool,
    pub namespaces: bool,
    /// Whether the APIServices are known to be all, or known not to be; none where they
    /// themselves have to tell.
    pub api_services: Option<bool>,
}

/// Whether one kind of fact was there to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Input<T> {
    /// It was, and this is it.
    Loaded(T),
    /// Nobody collected it.
    #[default]
    Absent,
    /// It was asked for and did not come.
    Unread(Unread),
}

impl<T> Input<T> {
    /// The facts, if there are any.
    pub fn loaded(&self) -> Option<&T> {
        match self {
            Self::Loaded(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the facts are there.
    pub fn is_loaded(&self) -> bool {
        matches!(self, Self::Loaded(_))
    }
}

impl<T> Input<Vec<T>> {
    /// The facts one by one; none where they are not there.
    pub fn items(&self) -> &[T] {
        self.loaded().map(Vec::as_slice).unwrap_or_default()
    }
}

/// Where a snapshot's facts come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The kind of source.
    pub kind: SourceKind,
    /// What was named: the dump's paths, the built-in version, the cluster's context.
    pub name: String,
}

words! {
    /// The kinds of source there are.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum SourceKind {
        /// Files.
        #[default]
        Dump = "dump",
        /// A plain Kubernetes that is part of the binary.
        Builtin = "builtin",
        /// A cluster, asked just now.
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

/// What `/version` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVersion {
    /// `1.36`, where major and minor are numbers (a trailing `+` is allowed).
    pub minor: Option<Minor>,
    /// `gitVersion`, such as `v1.36.4`.
    pub git_version: String,
    /// The version that the server emulates, if it is not its own: it serves the group versions
    /// of this version.
    pub emulation: Option<Minor>,
}

/// A minor version of Kubernetes, such as 1.36.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    /// The number before the dot.
    pub major: u32,
    /// The number after it.
    pub minor: u32,
}

impl Minor {
    /// Kubernetes 1.`minor`.
    pub const fn new(minor: u32) -> Self {
        Self { major: 1, minor }
    }

    /// Reads `1.36`, `v1.36`, `1.36.4` or `v1.36.4-gke.1`.
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
