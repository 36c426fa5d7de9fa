//! What documents are called, in a dump and in sentences.

use super::escape::{openapi_file, resources_file, unescape};
use super::needs::Document;
use crate::model::{GroupVersion, HealthEndpoint};

impl Document {
    /// The name of its file in a dump.
    pub(in crate::source) fn file_name(&self) -> String {
        let stem = match self {
            Self::Version => "version",
            Self::Root => "root",
            Self::ApiServices => "apiservices",
            Self::Crds => "crds",
            Self::Services => "services",
            Self::EndpointSlices => "endpointslices",
            Self::Namespaces => "namespaces",
            Self::Endpoints => "endpoints",
            Self::ClusterRoles => "clusterroles",
            Self::ClusterRoleBindings => "clusterrolebindings",
            Self::Roles => "roles",
            Self::RoleBindings => "rolebindings",
            Self::ApiServerPods => "kube-apiserver-pods",
            Self::Flagz => "flagz",
            Self::FrontProxy => "extension-apiserver-authentication",
            Self::Groups => "apis",
            Self::AggregatedGroups => "apis-aggregated",
            Self::Core => "api",
            Self::AggregatedCore => "api-aggregated",
            Self::OpenApiV3 | Self::OpenApiSample(_) => "openapi-v3",
            Self::OpenApiV2 | Self::OpenApiProtobuf => "openapi-v2",
            Self::OpenApiDocument(key) => return openapi_file(key),
            Self::Health(endpoint) => return format!("{}-verbose.txt", endpoint.as_str()),
            Self::Metrics => return "metrics.txt".to_owned(),
            Self::Resources(gv) => return resources_file(gv),
        };
        format!("{stem}.json")
    }

    /// The document whose file has that name.
    pub(in crate::source) fn of_file(name: &str) -> Option<Self> {
        let fixed = [
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
            Self::Core,
            Self::AggregatedCore,
            Self::OpenApiV3,
            Self::OpenApiV2,
            Self::Metrics,
        ];
        let mut fixed = fixed.into_iter().chain(HealthEndpoint::ALL.map(Self::Health));
        if let Some(found) = fixed.find(|document| document.file_name() == name) {
            return Some(found);
        }
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

    /// What it is called in a sentence.
    pub(in crate::source) fn words(&self) -> String {
        match self {
            Self::Version => "the server's version".to_owned(),
            Self::Root => "the path list /".to_owned(),
            Self::ApiServices => "APIServices".to_owned(),
            Self::Crds => "CRDs".to_owned(),
            Self::Services => "Services".to_owned(),
            Self::EndpointSlices => "EndpointSlices".to_owned(),
            Self::Namespaces => "Namespaces".to_owned(),
            Self::Endpoints => "Endpoints".to_owned(),
            Self::ClusterRoles => "ClusterRoles".to_owned(),
            Self::ClusterRoleBindings => "ClusterRoleBindings".to_owned(),
            Self::Roles => "Roles".to_owned(),
            Self::RoleBindings => "RoleBindings".to_owned(),
            Self::ApiServerPods => "the Pods of kube-apiserver".to_owned(),
            Self::Flagz => "/flagz".to_owned(),
            Self::FrontProxy => "the ConfigMap extension-apiserver-authentication".to_owned(),
            Self::Groups => "the document /apis".to_owned(),
            Self::AggregatedGroups => "the aggregated document /apis".to_owned(),
            Self::Core => "the document /api".to_owned(),
            Self::AggregatedCore => "the aggregated document /api".to_owned(),
            Self::OpenApiV3 | Self::OpenApiSample(_) => "the index /openapi/v3".to_owned(),
            Self::OpenApiV2 => "the document /openapi/v2".to_owned(),
            Self::OpenApiProtobuf => "the document /openapi/v2 as protobuf".to_owned(),
            Self::OpenApiDocument(key) => format!("the document /openapi/v3/{key}"),
            Self::Health(endpoint) => format!("the health endpoint /{}", endpoint.as_str()),
            Self::Metrics => "/metrics".to_owned(),
            Self::Resources(gv) => format!("the APIResourceList of {gv}"),
        }
    }
}
