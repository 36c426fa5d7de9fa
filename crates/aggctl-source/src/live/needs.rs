//! What a command needs of a cluster.

use std::collections::BTreeSet;

use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::model::{GroupVersion, HealthEndpoint};

/// What a command needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Asked for at once.
    pub documents: BTreeSet<ServerDocument>,
    /// Asked for when the others are there.
    pub resources: Resources,
    /// Whether the documents of the index that Services have are needed too.
    pub openapi_documents: bool,
    /// Whether the objects themselves are kept, whatever their kind.
    pub objects: bool,
    /// Whether discovery documents are kept as they were written.
    pub texts: bool,
}

/// Which APIResourceLists a command needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Resources {
    /// None
    #[default]
    None,
    /// Where the server has no aggregated document, those of these that it has.
    Unlisted(BTreeSet<GroupVersion>),
    /// Where the server has no aggregated document, all of its own.
    AllUnlisted,
    /// Where the server has no aggregated document, all of them.
    EveryUnlisted,
    /// Those that lead to Services, for the aggregated document need not be theirs; where the
    /// server has none, all.
    OfServices,
    /// Those that lead to Services and are available: what really answers there.
    OfAvailable,
    /// All, whatever else there is.
    All,
}

impl Needs {
    /// These documents, and no APIResourceLists.
    pub fn new(documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        Self { documents: documents.into_iter().collect(), ..Self::default() }
    }

    /// With these documents, too.
    #[must_use]
    fn and(mut self, documents: impl IntoIterator<Item = ServerDocument>) -> Self {
        self.documents.extend(documents);
        self
    }

    /// With APIResourceLists.
    #[must_use]
    pub fn with(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }

    /// Everything that decides who answers what.
    pub fn everything() -> Self {
        Self { texts: true, ..Self::layer().and(Self::ACCESS).and(Self::ASIDE) }
    }

    /// What decides who may send a request.
    pub const ACCESS: [ServerDocument; 4] = [
        ServerDocument::ClusterRoles,
        ServerDocument::ClusterRoleBindings,
        ServerDocument::Roles,
        ServerDocument::RoleBindings,
    ];

    /// What the API server runs with.
    pub const FLAGS: [ServerDocument; 2] = [ServerDocument::ApiServerPods, ServerDocument::Flagz];

    /// What shapes the layer beside its objects. Many clusters do not show it.
    pub const ASIDE: [ServerDocument; 3] =
        [ServerDocument::ApiServerPods, ServerDocument::Flagz, ServerDocument::FrontProxy];

    /// Everything that the layer is made of: what answers requests, but not who may send them.
    pub fn layer() -> Self {
        use ServerDocument as D;
        let objects = [D::EndpointSlices, D::Endpoints, D::Namespaces];
        let documents = [D::Groups, D::Core, D::OpenApiV3];
        Self::routing().and(objects).and(documents).with(Resources::All)
    }

    /// The same, and how the server is.
    #[must_use]
    pub fn with_health(self) -> Self {
        self.and(HealthEndpoint::ALL.map(ServerDocument::Health))
    }

    /// What tells whether a server is ready, and nothing that needs one that is.
    pub fn health(endpoints: impl IntoIterator<Item = HealthEndpoint>) -> Self {
        let health = endpoints.into_iter().map(ServerDocument::Health);
        Self::new(health.chain([ServerDocument::Version]))
    }

    /// With the OpenAPI documents that tell who publishes what.
    #[must_use]
    pub fn with_openapi(self) -> Self {
        let both = [ServerDocument::OpenApiV2, ServerDocument::OpenApiV3];
        Self { openapi_documents: true, ..self.and(both) }
    }

    /// With the index so often, and the status of protobuf: what only a live server tells.
    #[must_use]
    pub fn with_samples(self, samples: u8) -> Self {
        self.and([ServerDocument::OpenApiProtobuf])
            .and((1..samples).map(ServerDocument::OpenApiSample))
    }

    /// What decides who answers a request.
    pub fn routing() -> Self {
        use ServerDocument as D;
        let more = [D::Services, D::AggregatedGroups, D::AggregatedCore];
        Self::registration().and(more).with(Resources::AllUnlisted)
    }

    /// What tells why an APIService does not work.
    pub fn diagnosis() -> Self {
        use ServerDocument as D;
        let behind = [D::Services, D::EndpointSlices, D::Endpoints, D::Namespaces];
        let needs = Self::registration().and(behind).and([D::AggregatedGroups]).and(Self::ASIDE);
        needs.with(Resources::OfAvailable)
    }

    /// What manifests are judged against, as if they were applied.
    pub fn applying() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::ApiServices, D::Crds, D::Services, D::EndpointSlices])
    }

    /// What decides which servers hold what.
    pub fn registration() -> Self {
        use ServerDocument as D;
        Self::new([D::Version, D::Root, D::ApiServices, D::Crds])
    }
}
