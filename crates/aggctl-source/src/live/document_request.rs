//! How to request each document, and how to recognize it in a response.

use super::limits::Sizes;
use super::request::Get;
use crate::needs::ServerDocument;
use kube_aggregation::ingest::Envelope;

pub(super) const JSON: &str = "application/json";

/// The same as in client-go. The server returns the first form that it supports.
pub(super) const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// The same without the resources of peers, which servers add since 1.36.
const WITHOUT_PEERS: &str =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer";

/// The same as in client-go for `/openapi/v2`.
const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/// Structured since 1.36, and in an older form since 1.35; before that, only text.
const FLAGZ: &str = "application/json;g=config.k8s.io;v=v1beta1;as=Flagz,\
    application/json;g=config.k8s.io;v=v1alpha1;as=Flagz,text/plain;q=0.5";

/// How one document is requested.
pub(super) trait DocumentRequest {
    /// Returns the GET request for it.
    fn get(&self) -> Get;

    /// Returns the size limit of one answer.
    fn max_size(&self, sizes: &Sizes) -> usize;

    /// Returns whether it lists groups, versions or resources.
    fn is_discovery(&self) -> bool;

    /// Returns whether it describes the server itself rather than registered APIs.
    fn is_about_the_server(&self) -> bool;

    /// Returns whether a response is the requested document, or an older form of it.
    fn recognizes(&self, answer: &Envelope<'_>) -> bool;
}

impl DocumentRequest for ServerDocument {
    fn get(&self) -> Get {
        let accept = match self {
            Self::AggregatedGroups | Self::AggregatedCore => AGGREGATED,
            Self::OwnGroups => WITHOUT_PEERS,
            Self::OpenApiProtobuf => PROTOBUF,
            Self::Flagz => FLAGZ,
            Self::Metrics => "text/plain",
            _ => JSON,
        };
        // A failing endpoint always lists its checks; a passing one only with `verbose`.
        let query = match self {
            Self::Health(_) => "verbose",
            Self::Leases => "labelSelector=apiserver.kubernetes.io%2Fidentity%3Dkube-apiserver",
            Self::ApiServerPods => "labelSelector=component%3Dkube-apiserver",
            _ => "",
        };
        Get { path: self.path(), query: query.to_owned(), accept }
    }

    fn max_size(&self, sizes: &Sizes) -> usize {
        if matches!(self, Self::Resources(_)) { sizes.resource_list } else { sizes.answer }
    }

    fn is_discovery(&self) -> bool {
        matches!(
            self,
            Self::Groups
                | Self::Core
                | Self::AggregatedGroups
                | Self::AggregatedCore
                | Self::Resources(_)
                | Self::Root
                | Self::OpenApiV3
        )
    }

    fn is_about_the_server(&self) -> bool {
        matches!(self, Self::Version | Self::Health(_))
    }

    fn recognizes(&self, answer: &Envelope<'_>) -> bool {
        let kind = answer.kind.as_ref();
        // Another group may have a kind with the same name.
        let list = |of: &str, group: &str| {
            let version = answer.api_version.as_ref();
            kind.strip_suffix("List") == Some(of)
                && version.split_once('/').map_or("", |(group, _)| group) == group
                && answer.items.is_some()
        };
        let paths =
            answer.paths.map(|raw| raw.get().as_bytes().first().copied().unwrap_or_default());
        if let Some((kind, group)) = self.listed_kind() {
            return list(kind, group);
        }
        match self {
            Self::Version => kind.is_empty() && answer.git_version.is_some(),
            Self::Root => kind.is_empty() && paths == Some(b'['),
            Self::OpenApiV3 | Self::OpenApiSample(_) => kind.is_empty() && paths == Some(b'{'),
            Self::OpenApiV2 => answer.swagger.is_some(),
            Self::OpenApiDocument(_) => answer.openapi.is_some(),
            Self::ApiServerPods => list("Pod", ""),
            Self::Leases => list("Lease", "coordination.k8s.io"),
            Self::OwnGroups => kind == "APIGroupDiscoveryList",
            Self::Flagz => kind == "Flagz",
            Self::FrontProxy => kind == "ConfigMap",
            Self::Groups => kind == "APIGroupList",
            Self::Core => kind == "APIVersions",
            Self::AggregatedGroups => matches!(kind, "APIGroupDiscoveryList" | "APIGroupList"),
            Self::AggregatedCore => matches!(kind, "APIGroupDiscoveryList" | "APIVersions"),
            Self::Resources(_) => kind == "APIResourceList",
            // The others are not JSON.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::GroupVersion;

    #[test]
    fn a_list_of_another_group_is_not_ours() {
        let check = |document: ServerDocument, json: &str, want: bool| {
            let envelope: Envelope<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(document.recognizes(&envelope), want, "{json}");
        };
        let list = |kind: &str, version: &str| {
            format!(r#"{{"kind":"{kind}","apiVersion":"{version}","items":[]}}"#)
        };
        let ours = "apiregistration.k8s.io/v1";
        check(ServerDocument::ApiServices, &list("APIServiceList", ours), true);
        check(ServerDocument::ApiServices, &list("APIServiceList", "v1"), false);
        check(ServerDocument::ApiServices, &list("APIService", ours), false);
        check(ServerDocument::ApiServices, r#"{"kind":"APIServiceList"}"#, false);
        check(ServerDocument::Services, &list("ServiceList", "v1"), true);
        check(ServerDocument::Services, &list("ServiceList", "serving.knative.dev/v1"), false);
        let crds = list("CustomResourceDefinitionList", "apiextensions.k8s.io/v1");
        check(ServerDocument::Crds, &crds, true);
    }

    #[test]
    fn a_groups_name_stays_one_segment() {
        let path = |group: &str, version: &str| {
            ServerDocument::Resources(GroupVersion::new(group, version)).get().path
        };
        assert_eq!(path("apps", "v1"), "/apis/apps/v1");
        assert_eq!(path("", "v1"), "/api/v1");
        assert_eq!(path("a/../b", "v1?x"), "/apis/a%2F..%2Fb/v1%3Fx");
        assert_eq!(path("..", "v1"), "/apis/%2E%2E/v1");
    }
}
