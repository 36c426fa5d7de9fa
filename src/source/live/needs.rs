//! What a cluster can be asked for, and what a command needs of it.

use std::collections::BTreeSet;

use crate::model::{GroupVersion, HealthEndpoint};

/// One thing that a cluster can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Document {
    /// `/version`
    Version,
    /// `/`: the list of paths
    Root,
    /// All APIServices
    ApiServices,
    /// All CRDs
    Crds,
    /// All Services
    Services,
    /// All EndpointSlices
    EndpointSlices,
    /// All Namespaces
    Namespaces,
    /// All Endpoints, which only servers up to 1.33 look at: others are not asked
    Endpoints,
    /// All ClusterRoles
    ClusterRoles,
    /// All ClusterRoleBindings
    ClusterRoleBindings,
    /// All Roles
    Roles,
    /// All RoleBindings
    RoleBindings,
    /// The Pods of kube-apiserver, of which only the command is kept
    ApiServerPods,
    /// `/flagz`
    Flagz,
    /// The ConfigMap that extension servers know the API server by, and no other
    FrontProxy,
    /// `/apis`, legacy
    Groups,
    /// `/apis`, aggregated if the server can
    AggregatedGroups,
    /// `/api`, legacy
    Core,
    /// `/api`, aggregated if the server can
    AggregatedCore,
    /// The index `/openapi/v3`
    OpenApiV3,
    /// A health endpoint, with the reasons of what fails
    Health(HealthEndpoint),
    /// `/openapi/v2`
    OpenApiV2,
    /// Whether `/openapi/v2` comes as protobuf
    OpenApiProtobuf,
    /// The index `/openapi/v3` again, for it may be another one
    OpenApiSample(u8),
    /// A document of the index, by its key
    OpenApiDocument(String),
    /// `/metrics`
    Metrics,
    /// One APIResourceList
    Resources(GroupVersion),
}

/// What a command needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Asked for at once.
    pub documents: BTreeSet<Document>,
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
    pub fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        Self { documents: documents.into_iter().collect(), ..Self::default() }
    }

    /// With APIResourceLists.
    #[must_use]
    pub fn with(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }

    /// Everything that decides who answers what.
    pub fn everything() -> Self {
        let mut needs = Self::layer();
        needs.documents.extend(Self::ACCESS);
        needs.documents.extend(Self::ASIDE);
        needs.texts = true;
        needs
    }

    /// What decides who may send a request.
    pub const ACCESS: [Document; 4] = [
        Document::ClusterRoles,
        Document::ClusterRoleBindings,
        Document::Roles,
        Document::RoleBindings,
    ];

    /// What the API server runs with.
    pub const FLAGS: [Document; 2] = [Document::ApiServerPods, Document::Flagz];

    /// What shapes the layer beside its objects. Many clusters do not show it.
    pub const ASIDE: [Document; 3] =
        [Document::ApiServerPods, Document::Flagz, Document::FrontProxy];

    /// Everything that the layer is made of: what answers requests, but not who may send them.
    pub fn layer() -> Self {
        use Document as D;
        let mut needs = Self::routing().with(Resources::All);
        needs.documents.extend([
            D::EndpointSlices,
            D::Endpoints,
            D::Namespaces,
            D::Groups,
            D::Core,
            D::OpenApiV3,
        ]);
        needs
    }

    /// The same, and how the server is.
    #[must_use]
    pub fn with_health(mut self) -> Self {
        self.documents.extend(HealthEndpoint::ALL.map(Document::Health));
        self
    }

    /// What tells whether a server is ready, and nothing that needs one that is.
    pub fn health(endpoints: impl IntoIterator<Item = HealthEndpoint>) -> Self {
        let health = endpoints.into_iter().map(Document::Health);
        Self::new(health.chain([Document::Version]))
    }

    /// With the OpenAPI documents that tell who publishes what.
    #[must_use]
    pub fn with_openapi(mut self) -> Self {
        self.documents.extend([Document::OpenApiV2, Document::OpenApiV3]);
        self.openapi_documents = true;
        self
    }

    /// With the index so often, and the status of protobuf: what only a live server tells.
    #[must_use]
    pub fn with_samples(mut self, samples: u8) -> Self {
        self.documents.insert(Document::OpenApiProtobuf);
        self.documents.extend((1..samples).map(Document::OpenApiSample));
        self
    }

    /// What decides who answers a request.
    pub fn routing() -> Self {
        use Document as D;
        Self::new([
            D::Version,
            D::Root,
            D::ApiServices,
            D::Crds,
            D::Services,
            D::AggregatedGroups,
            D::AggregatedCore,
        ])
        .with(Resources::AllUnlisted)
    }

    /// What tells why an APIService does not work.
    pub fn diagnosis() -> Self {
        use Document as D;
        let mut needs = Self::registration();
        needs.documents.extend([
            D::Services,
            D::EndpointSlices,
            D::Endpoints,
            D::Namespaces,
            D::AggregatedGroups,
        ]);
        needs.documents.extend(Self::ASIDE);
        needs.with(Resources::OfAvailable)
    }

    /// What manifests are judged against, as if they were applied.
    pub fn applying() -> Self {
        use Document as D;
        Self::new([D::Version, D::ApiServices, D::Crds, D::Services, D::EndpointSlices])
    }

    /// What decides which servers hold what.
    pub fn registration() -> Self {
        use Document as D;
        Self::new([D::Version, D::Root, D::ApiServices, D::Crds])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_lead_back() {
        for document in Needs::everything().with_health().documents {
            assert_eq!(Document::of_file(&document.file_name()), Some(document));
        }
        for gv in [GroupVersion::new("", "v1"), GroupVersion::new("a.b", "v1beta1")] {
            let document = Document::Resources(gv);
            assert_eq!(Document::of_file(&document.file_name()), Some(document));
        }
        assert_eq!(Document::of_file("aggctl-dump.json"), None);
    }

    /// What an aggregated server may call itself is not bounded by what is sensible.
    #[test]
    fn file_names_are_safe_everywhere_and_of_one_document() {
        let long = "x".repeat(300);
        let names = ["a", "A", "a_b", "a/b", "a\\b", "..", "con", "a:b", "a%2Fb", "\u{e4}", &long];
        let mut seen = BTreeSet::new();
        for group in names {
            for version in ["v1", "b_v1", "V1", &long] {
                let document = Document::Resources(GroupVersion::new(group, version));
                let file = document.file_name();
                assert!(file.len() < 255 && seen.insert(file.to_lowercase()), "{file}");
                let safe = |b: u8| b.is_ascii_alphanumeric() || b"-._~%".contains(&b);
                assert!(file.bytes().all(safe) && file.starts_with("apis_"), "{file}");
                if !file.contains('~') {
                    assert_eq!(Document::of_file(&file), Some(document));
                }
            }
        }
        assert_eq!(Document::of_file("apis_a%_v1.json"), None);
        assert_eq!(Document::of_file("apis_a%ff_v1.json"), None);
    }
}
