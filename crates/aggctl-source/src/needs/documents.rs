//! The documents that commands need, as presets by purpose.

use std::collections::BTreeSet;

use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::model::{GroupVersion, HealthEndpoint};

/// The documents that a command needs, and what to keep from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Documents with a fixed path.
    pub documents: BTreeSet<ServerDocument>,
    /// APIResourceLists. Their paths depend on the content of the documents.
    pub resources: Resources,
    /// Whether to read the OpenAPI document of each group version that a Service serves.
    pub openapi_documents: bool,
    /// Whether to keep complete objects of all kinds.
    pub objects: bool,
    /// Whether to keep the text of discovery documents.
    pub texts: bool,
}

/// Which APIResourceLists a command needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Resources {
    /// None.
    #[default]
    None,
    /// Those of these group versions, if the server has no aggregated document.
    Unlisted(BTreeSet<GroupVersion>),
    /// Those that are not served by a Service, if the server has no aggregated document.
    AllUnlisted,
    /// All, if the server has no aggregated document.
    EveryUnlisted,
    /// Those served by Services, because the aggregated document may contain stale copies of them.
    /// All, if the server has no aggregated document.
    OfServices,
    /// Those of available APIServices with a Service.
    OfAvailable,
    /// All.
    All,
}

impl Needs {
    /// Creates needs with these documents and no APIResourceLists.
    pub fn new(documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        Self { documents: documents.into_iter().collect(), ..Self::default() }
    }

    #[must_use]
    fn and(mut self, documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        self.documents.extend(documents);
        self
    }

    /// Adds these APIResourceLists.
    #[must_use]
    pub fn with(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }

    /// Returns everything that determines which server answers a request, and who may send it.
    pub fn everything() -> Self {
        let aside = Self::layer().and(Self::ACCESS).and(Self::ASIDE).and(Self::PEERS);
        Self { texts: true, ..aside }
    }

    /// Roles and bindings.
    pub const ACCESS: [ServerDocument; 4] = [
        ServerDocument::ClusterRoles,
        ServerDocument::ClusterRoleBindings,
        ServerDocument::Roles,
        ServerDocument::RoleBindings,
    ];

    /// The sources of the API server's flags.
    pub const FLAGS: [ServerDocument; 2] = [ServerDocument::ApiServerPods, ServerDocument::Flagz];

    /// The API server's settings. Many clusters deny access to them.
    pub const ASIDE: [ServerDocument; 3] =
        [ServerDocument::ApiServerPods, ServerDocument::Flagz, ServerDocument::FrontProxy];

    /// The documents that separate a server's own data from that of its peers.
    pub const PEERS: [ServerDocument; 2] = [ServerDocument::OwnGroups, ServerDocument::Leases];

    /// Returns everything that determines which server answers a request.
    pub fn layer() -> Self {
        use ServerDocument as D;
        let objects = [D::EndpointSlices, D::Endpoints, D::Namespaces];
        let documents = [D::Groups, D::Core, D::OpenApiV3];
        Self::routing().and(objects).and(documents).with(Resources::All)
    }

    /// Adds the health endpoints.
    #[must_use]
    pub fn with_health(self) -> Self {
        self.and(HealthEndpoint::ALL.map(ServerDocument::Health))
    }

    /// Returns the documents for the health of a server that may not be ready. Excludes what only a
    /// ready server can answer.
    pub fn health(endpoints: impl IntoIterator<Item = HealthEndpoint>) -> Self {
        let health = endpoints.into_iter().map(ServerDocument::Health);
        Self::new(health.chain([ServerDocument::Version]))
    }

    /// Adds the OpenAPI documents that show which server publishes what.
    #[must_use]
    pub fn with_openapi(self) -> Self {
        let both = [ServerDocument::OpenApiV2, ServerDocument::OpenApiV3];
        Self { openapi_documents: true, ..self.and(both) }
    }

    /// Adds `samples` copies of the OpenAPI index, and whether protobuf is served. Only a live
    /// server has these.
    #[must_use]
    pub fn with_samples(self, samples: u8) -> Self {
        self.and([ServerDocument::OpenApiProtobuf])
            .and((1..samples).map(ServerDocument::OpenApiSample))
    }

    /// Returns what the routing of a request depends on.
    pub fn routing() -> Self {
        use ServerDocument as D;
        let more = [D::Services, D::AggregatedGroups, D::AggregatedCore, D::OwnGroups];
        Self::registration().and(more).with(Resources::AllUnlisted)
    }

    /// Returns what explains why an APIService does not work.
    pub fn diagnosis() -> Self {
        use ServerDocument as D;
        let behind = [D::Services, D::EndpointSlices, D::Endpoints, D::Namespaces];
        let needs = Self::registration().and(behind).and([D::AggregatedGroups]).and(Self::ASIDE);
        needs.with(Resources::OfAvailable)
    }

    /// Returns what is needed to check manifests as if they were applied.
    pub fn applying() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::ApiServices, D::Crds, D::Services, D::EndpointSlices])
    }

    /// Returns what is registered: APIServices, CRDs and the server's own paths.
    pub fn registration() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::Root, D::ApiServices, D::Crds])
    }
}
