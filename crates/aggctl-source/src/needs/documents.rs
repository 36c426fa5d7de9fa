//! The documents that commands need, by what they are for.

use std::collections::BTreeSet;

use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::model::{GroupVersion, HealthEndpoint};

/// The documents that a command needs, and how much of them to keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Documents with a fixed path.
    pub documents: BTreeSet<ServerDocument>,
    /// APIResourceLists, whose paths follow from the documents.
    pub resources: Resources,
    /// Whether to read the OpenAPI document of each group version that a Service serves.
    pub openapi_documents: bool,
    /// Whether to keep every object as it came, whatever its kind.
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
    /// Those that no Service serves, if the server has no aggregated document.
    AllUnlisted,
    /// All, if the server has no aggregated document.
    EveryUnlisted,
    /// Those that Services serve, because the aggregated document may hold stale copies of them;
    /// all if the server has no aggregated document.
    OfServices,
    /// Those of available APIServices that a Service serves.
    OfAvailable,
    /// All.
    All,
}

impl Needs {
    /// Needs these documents and no APIResourceLists.
    pub fn new(documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        Self { documents: documents.into_iter().collect(), ..Self::default() }
    }

    #[must_use]
    fn and(mut self, documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        self.documents.extend(documents);
        self
    }

    /// Also needs these APIResourceLists.
    #[must_use]
    pub fn with(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }

    /// Everything that decides which server answers a request, and who may send it.
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

    /// The command line of the API server.
    pub const FLAGS: [ServerDocument; 2] = [ServerDocument::ApiServerPods, ServerDocument::Flagz];

    /// The API server's settings. Many clusters do not show them.
    pub const ASIDE: [ServerDocument; 3] =
        [ServerDocument::ApiServerPods, ServerDocument::Flagz, ServerDocument::FrontProxy];

    /// What tells a server's own facts from those of its peers.
    pub const PEERS: [ServerDocument; 2] = [ServerDocument::OwnGroups, ServerDocument::Leases];

    /// Everything that decides which server answers a request.
    pub fn layer() -> Self {
        use ServerDocument as D;
        let objects = [D::EndpointSlices, D::Endpoints, D::Namespaces];
        let documents = [D::Groups, D::Core, D::OpenApiV3];
        Self::routing().and(objects).and(documents).with(Resources::All)
    }

    /// Also needs the health endpoints.
    #[must_use]
    pub fn with_health(self) -> Self {
        self.and(HealthEndpoint::ALL.map(ServerDocument::Health))
    }

    /// The health of a server that may not be ready: nothing that only a ready one can answer.
    pub fn health(endpoints: impl IntoIterator<Item = HealthEndpoint>) -> Self {
        let health = endpoints.into_iter().map(ServerDocument::Health);
        Self::new(health.chain([ServerDocument::Version]))
    }

    /// Also needs the OpenAPI documents that say which server publishes what.
    #[must_use]
    pub fn with_openapi(self) -> Self {
        let both = [ServerDocument::OpenApiV2, ServerDocument::OpenApiV3];
        Self { openapi_documents: true, ..self.and(both) }
    }

    /// Also needs `samples` answers of the OpenAPI index, and whether protobuf is served. Only a
    /// live server has these.
    #[must_use]
    pub fn with_samples(self, samples: u8) -> Self {
        self.and([ServerDocument::OpenApiProtobuf])
            .and((1..samples).map(ServerDocument::OpenApiSample))
    }

    /// What the routing of a request depends on.
    pub fn routing() -> Self {
        use ServerDocument as D;
        let more = [D::Services, D::AggregatedGroups, D::AggregatedCore, D::OwnGroups];
        Self::registration().and(more).with(Resources::AllUnlisted)
    }

    /// What explains why an APIService does not work.
    pub fn diagnosis() -> Self {
        use ServerDocument as D;
        let behind = [D::Services, D::EndpointSlices, D::Endpoints, D::Namespaces];
        let needs = Self::registration().and(behind).and([D::AggregatedGroups]).and(Self::ASIDE);
        needs.with(Resources::OfAvailable)
    }

    /// What manifests are checked against, as if they were applied.
    pub fn applying() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::ApiServices, D::Crds, D::Services, D::EndpointSlices])
    }

    /// What is registered: APIServices, CRDs and the server's own paths.
    pub fn registration() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::Root, D::ApiServices, D::Crds])
    }
}
