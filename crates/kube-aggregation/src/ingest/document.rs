//! The documents that aggctl can request from a cluster, with their paths, file names and wording.

use super::escape::{escape, openapi_file, resources_file, unescape};
use crate::model::{AGGREGATOR_GROUP, FrontProxy, GroupVersion, HealthEndpoint};

/// One document that can be requested from a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerDocument {
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
    /// All Endpoints. Only servers up to 1.33 use them, so newer servers are not asked for them
    Endpoints,
    /// All ClusterRoles
    ClusterRoles,
    /// All ClusterRoleBindings
    ClusterRoleBindings,
    /// All Roles
    Roles,
    /// All RoleBindings
    RoleBindings,
    /// The Pods of kube-apiserver, for its command line
    ApiServerPods,
    /// `/flagz`
    Flagz,
    /// The ConfigMap that extension servers use to authenticate kube-apiserver
    FrontProxy,
    /// `/apis`, legacy
    Groups,
    /// `/apis`, aggregated if the server supports it
    AggregatedGroups,
    /// `/apis`, aggregated, without the resources of peers
    OwnGroups,
    /// The identity Leases of the API servers
    Leases,
    /// `/api`, legacy
    Core,
    /// `/api`, aggregated if the server supports it
    AggregatedCore,
    /// The index `/openapi/v3`
    OpenApiV3,
    /// A health endpoint, with the reason of each failed check
    Health(HealthEndpoint),
    /// `/openapi/v2`
    OpenApiV2,
    /// `/openapi/v2` as protobuf, only to see whether it is served
    OpenApiProtobuf,
    /// A repeated request for the index `/openapi/v3`, which may give a different answer
    OpenApiSample(u8),
    /// One document of the index `/openapi/v3`, by its key
    OpenApiDocument(String),
    /// `/metrics`
    Metrics,
    /// One APIResourceList
    Resources(GroupVersion),
}

/// The names of a document: as a file, as a path, and in a sentence.
pub(super) struct Names {
    /// The file name in a dump.
    file: String,
    /// The request path, percent-encoded where needed.
    pub(super) path: String,
    /// The name in a sentence.
    words: String,
    /// The kind and group of its objects, if it is a list that comes in pages.
    pub(super) lists: Option<(&'static str, &'static str)>,
}

impl Names {
    fn new(stem: &str, path: &str, words: &str) -> Self {
        let (path, words) = (path.to_owned(), words.to_owned());
        Self { file: format!("{stem}.json"), path, words, lists: None }
    }

    /// Creates the names of the list of all objects of a kind, in version v1.
    fn list(kind: &'static str, group: &'static str, resource: &str) -> Self {
        let path = format!("{}/{resource}", GroupVersion::new(group, "v1").root_path());
        let words = if kind.ends_with('s') { kind.to_owned() } else { format!("{kind}s") };
        Self { lists: Some((kind, group)), ..Self::new(resource, &path, &words) }
    }
}

impl ServerDocument {
    /// All documents with a fixed name: all except APIResourceLists, OpenAPI v3 documents and
    /// repeated requests for the index.
    pub(crate) const NAMED: [Self; 28] = [
        Self::Version,
        Self::Root,
        Self::ApiServices,
        Self::Crds,
        Self::Services,
        Self::EndpointSlices,
        Self::Namespaces,
        Self::Endpoints,
        Self::ClusterRoles,
        Self::ClusterRoleBindings,
        Self::Roles,
        Self::RoleBindings,
        Self::ApiServerPods,
        Self::Flagz,
        Self::FrontProxy,
        Self::Groups,
        Self::AggregatedGroups,
        Self::OwnGroups,
        Self::Leases,
        Self::Core,
        Self::AggregatedCore,
        Self::OpenApiV3,
        Self::Health(HealthEndpoint::Healthz),
        Self::Health(HealthEndpoint::Livez),
        Self::Health(HealthEndpoint::Readyz),
        Self::OpenApiV2,
        Self::OpenApiProtobuf,
        Self::Metrics,
    ];

    /// Returns whether only answers about access, flags, health and peers depend on it. Those
    /// answers report themselves that it is missing.
    pub(super) fn is_reported_by_its_answers(&self) -> bool {
        matches!(
            self,
            Self::ClusterRoles
                | Self::ClusterRoleBindings
                | Self::Roles
                | Self::RoleBindings
                | Self::ApiServerPods
                | Self::Flagz
                | Self::FrontProxy
                | Self::OwnGroups
                | Self::Leases
                | Self::Health(_)
        )
    }

    /// Returns whether only the OpenAPI review reads it.
    pub fn is_openapi(&self) -> bool {
        matches!(
            self,
            Self::OpenApiV2
                | Self::OpenApiProtobuf
                | Self::OpenApiSample(_)
                | Self::OpenApiDocument(_)
        )
    }

    /// Returns the kind and group of its objects, if it is a list that comes in pages.
    pub fn listed_kind(&self) -> Option<(&'static str, &'static str)> {
        self.names().lists
    }

    /// Returns its request path, percent-encoded where needed.
    pub fn path(&self) -> String {
        self.names().path
    }

    pub(super) fn names(&self) -> Names {
        const RBAC: &str = "rbac.authorization.k8s.io";
        let (new, list) = (Names::new, Names::list);
        match self {
            Self::Version => new("version", "/version", "the server's version"),
            Self::Root => new("root", "/", "the path list /"),
            Self::ApiServices => list("APIService", AGGREGATOR_GROUP, "apiservices"),
            Self::Crds => Names {
                file: "crds.json".to_owned(),
                words: "CRDs".to_owned(),
                ..list(
                    "CustomResourceDefinition",
                    "apiextensions.k8s.io",
                    "customresourcedefinitions",
                )
            },
            Self::Services => list("Service", "", "services"),
            Self::EndpointSlices => list("EndpointSlice", "discovery.k8s.io", "endpointslices"),
            Self::Namespaces => list("Namespace", "", "namespaces"),
            Self::Endpoints => list("Endpoints", "", "endpoints"),
            Self::ClusterRoles => list("ClusterRole", RBAC, "clusterroles"),
            Self::ClusterRoleBindings => list("ClusterRoleBinding", RBAC, "clusterrolebindings"),
            Self::Roles => list("Role", RBAC, "roles"),
            Self::RoleBindings => list("RoleBinding", RBAC, "rolebindings"),
            Self::ApiServerPods => new(
                "kube-apiserver-pods",
                "/api/v1/namespaces/kube-system/pods",
                "the Pods of kube-apiserver",
            ),
            Self::Flagz => new("flagz", "/flagz", "/flagz"),
            Self::FrontProxy => {
                let (namespace, name) = (FrontProxy::NAMESPACE, FrontProxy::NAME);
                let path = format!("/api/v1/namespaces/{namespace}/configmaps/{name}");
                new(name, &path, &format!("the ConfigMap {name}"))
            }
            Self::Groups => new("apis", "/apis", "the document /apis"),
            Self::AggregatedGroups => {
                new("apis-aggregated", "/apis", "the aggregated document /apis")
            }
            Self::OwnGroups => new(
                "apis-aggregated-nopeer",
                "/apis",
                "the aggregated document /apis without peers",
            ),
            Self::Leases => new(
                "leases",
                "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
                "the identity Leases of the API servers",
            ),
            Self::Core => new("api", "/api", "the document /api"),
            Self::AggregatedCore => new("api-aggregated", "/api", "the aggregated document /api"),
            Self::OpenApiV3 | Self::OpenApiSample(_) => {
                new("openapi-v3", "/openapi/v3", "the index /openapi/v3")
            }
            Self::OpenApiV2 => new("openapi-v2", "/openapi/v2", "the document /openapi/v2"),
            Self::OpenApiProtobuf => {
                let words = "the document /openapi/v2 as protobuf";
                Names {
                    file: "openapi-v2.pb".to_owned(),
                    ..new("openapi-v2", "/openapi/v2", words)
                }
            }
            Self::OpenApiDocument(key) => {
                let segments: Vec<String> = key.split('/').map(escape).collect();
                let path = format!("/openapi/v3/{}", segments.join("/"));
                let words = format!("the document /openapi/v3/{key}");
                Names { file: openapi_file(key), path, words, lists: None }
            }
            Self::Health(endpoint) => {
                let name = endpoint.as_str();
                let (file, path) = (format!("{name}-verbose.txt"), format!("/{name}"));
                let words = format!("the health endpoint {path}");
                Names { file, path, words, lists: None }
            }
            Self::Metrics => {
                Names { file: "metrics.txt".to_owned(), ..new("metrics", "/metrics", "/metrics") }
            }
            Self::Resources(gv) => {
                let path = GroupVersion::new(escape(&gv.group), escape(&gv.version)).root_path();
                let words = format!("the APIResourceList of {gv}");
                Names { file: resources_file(gv), path, words, lists: None }
            }
        }
    }

    /// Returns its file name in a dump.
    pub fn file_name(&self) -> String {
        self.names().file
    }

    /// Returns the document with this file name.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        let known = || Self::NAMED.into_iter().find(|document| document.file_name() == name);
        Self::one_of_many(name).or_else(known)
    }

    /// Returns the APIResourceList or OpenAPI document with this file name.
    pub(crate) fn one_of_many(name: &str) -> Option<Self> {
        let stem = name.strip_suffix(".json").filter(|stem| !stem.contains('~'))?;
        if let Some(key) = stem.strip_prefix("openapi-v3_") {
            return unescape(key).map(Self::OpenApiDocument);
        }
        let (group, version) = match stem.strip_prefix("apis_") {
            Some(rest) => rest.rsplit_once('_')?,
            None => ("", stem.strip_prefix("api_")?),
        };
        Some(Self::Resources(GroupVersion::new(unescape(group)?, unescape(version)?)))
    }

    /// Returns the kind of its objects, if it is a list.
    pub(crate) fn kind(&self) -> Option<&'static str> {
        self.names().lists.map(|(kind, _)| kind)
    }

    /// Returns its name in a sentence.
    pub fn words(&self) -> String {
        self.names().words
    }

    /// Returns whether it comes in pages.
    pub fn is_list(&self) -> bool {
        self.names().lists.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn file_names_lead_back() {
        for document in ServerDocument::NAMED {
            assert_eq!(ServerDocument::of_file(&document.file_name()), Some(document));
        }
        for gv in [GroupVersion::new("", "v1"), GroupVersion::new("a.b", "v1beta1")] {
            let document = ServerDocument::Resources(gv);
            assert_eq!(ServerDocument::of_file(&document.file_name()), Some(document));
        }
        assert_eq!(ServerDocument::of_file("aggctl-dump.json"), None);
    }

    /// An extension server may choose any name for its group versions, however odd.
    #[test]
    fn file_names_are_safe_everywhere_and_of_one_document() {
        let long = "x".repeat(300);
        let names = ["a", "A", "a_b", "a/b", "a\\b", "..", "con", "a:b", "a%2Fb", "\u{e4}", &long];
        let mut seen = BTreeSet::new();
        for group in names {
            for version in ["v1", "b_v1", "V1", &long] {
                let document = ServerDocument::Resources(GroupVersion::new(group, version));
                let file = document.file_name();
                assert!(file.len() < 255 && seen.insert(file.to_lowercase()), "{file}");
                let safe = |b: u8| b.is_ascii_alphanumeric() || b"-._~%".contains(&b);
                assert!(file.bytes().all(safe) && file.starts_with("apis_"), "{file}");
                if !file.contains('~') {
                    assert_eq!(ServerDocument::of_file(&file), Some(document));
                }
            }
        }
        assert_eq!(ServerDocument::of_file("apis_a%_v1.json"), None);
        assert_eq!(ServerDocument::of_file("apis_a%ff_v1.json"), None);
    }
}
