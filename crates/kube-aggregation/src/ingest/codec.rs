//! The kinds that are decoded, and which codec each of them has.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::decode::Body;
use super::manifest::{self, Manifest};
use crate::kube::{
    AggregatedListObject, ApiServiceObject, BindingObject, CrdObject, EndpointSliceObject,
    EndpointsObject, FlagzObject, FrontProxyObject, GroupListObject, NamespaceObject, PodObject,
    ResourceListObject, RoleObject, ServiceObject, StatusObject,
};
use crate::model::{AGGREGATOR_GROUP, EXTENSIONS_GROUP, FrontProxy};

/// The program whose Pods tell the API server's flags.
pub(super) const API_SERVER: &str = "kube-apiserver";

/// A kind that is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    ApiService,
    Crd,
    Service,
    Namespace,
    EndpointSlice,
    Endpoints,
    ClusterRole,
    ClusterRoleBinding,
    Role,
    RoleBinding,
    Pod,
    ConfigMap,
    Flagz,
    ResourceList,
    GroupList,
    AggregatedList,
    /// An APIGroup, of which nothing is needed that `/apis` does not have.
    Group,
    /// The legacy form of `/api`, which is only passed on.
    Versions,
    Status,
    DumpManifest,
}

/// What a codec decodes.
#[derive(Debug)]
pub(super) enum Content {
    ApiService(Box<ApiServiceObject>),
    Crd(Box<CrdObject>),
    Service(Box<ServiceObject>),
    Namespace(Box<NamespaceObject>),
    EndpointSlice(Box<EndpointSliceObject>),
    Endpoints(Box<EndpointsObject>),
    /// A Role or a ClusterRole.
    Role(Box<RoleObject>),
    /// A RoleBinding or a ClusterRoleBinding.
    Binding(Box<BindingObject>),
    Pod(Box<PodObject>),
    ConfigMap(Box<FrontProxyObject>),
    Flagz(FlagzObject),
    ResourceList(ResourceListObject),
    GroupList(GroupListObject),
    AggregatedList(AggregatedListObject),
    Group,
    Versions,
    Status(StatusObject),
    DumpManifest(Manifest),
}

/// Every kind with its API group; a discovery document is known by its kind alone.
const KINDS: [(&str, Option<&str>, Codec); 20] = [
    ("APIService", Some(AGGREGATOR_GROUP), Codec::ApiService),
    ("CustomResourceDefinition", Some(EXTENSIONS_GROUP), Codec::Crd),
    ("Service", Some(""), Codec::Service),
    ("Namespace", Some(""), Codec::Namespace),
    ("EndpointSlice", Some("discovery.k8s.io"), Codec::EndpointSlice),
    ("Endpoints", Some(""), Codec::Endpoints),
    ("ClusterRole", Some(RBAC_GROUP), Codec::ClusterRole),
    ("ClusterRoleBinding", Some(RBAC_GROUP), Codec::ClusterRoleBinding),
    ("Role", Some(RBAC_GROUP), Codec::Role),
    ("RoleBinding", Some(RBAC_GROUP), Codec::RoleBinding),
    ("Pod", Some(""), Codec::Pod),
    ("ConfigMap", Some(""), Codec::ConfigMap),
    ("Flagz", Some("config.k8s.io"), Codec::Flagz),
    ("APIResourceList", None, Codec::ResourceList),
    ("APIGroupList", None, Codec::GroupList),
    ("APIGroupDiscoveryList", None, Codec::AggregatedList),
    ("APIGroup", None, Codec::Group),
    ("APIVersions", None, Codec::Versions),
    ("Status", Some(""), Codec::Status),
    (manifest::KIND, Some("aggctl"), Codec::DumpManifest),
];

const RBAC_GROUP: &str = "rbac.authorization.k8s.io";

impl Codec {
    /// Returns the codec of a kind.
    pub(super) fn of(kind: &str, api_version: &str) -> Option<Self> {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        let known =
            KINDS.iter().find(|(name, of, _)| *name == kind && of.is_none_or(|of| of == group));
        known.map(|(_, _, codec)| *codec)
    }

    /// Returns the kind.
    pub(super) fn kind(self) -> &'static str {
        KINDS.iter().find(|(_, _, codec)| *codec == self).map_or("", |(kind, _, _)| kind)
    }

    /// Whether it matters if all objects of the kind are there.
    pub(super) fn is_listed(self) -> bool {
        self.is_object() && !matches!(self, Self::Pod | Self::ConfigMap | Self::Flagz)
    }

    /// Whether it is a discovery document.
    pub(super) fn is_discovery(self) -> bool {
        matches!(
            self,
            Self::ResourceList
                | Self::GroupList
                | Self::AggregatedList
                | Self::Group
                | Self::Versions
        )
    }

    /// Whether it is an object of the cluster.
    pub(super) fn is_object(self) -> bool {
        !self.is_discovery() && !matches!(self, Self::Status | Self::DumpManifest)
    }

    /// Decodes an object of the kind.
    pub(super) fn decode<'de, D: Deserializer<'de>>(self, from: D) -> Result<Content, D::Error> {
        fn boxed<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Box<T>, D::Error> {
            T::deserialize(from).map(Box::new)
        }
        Ok(match self {
            Self::ApiService => Content::ApiService(boxed(from)?),
            Self::Crd => Content::Crd(boxed(from)?),
            Self::Service => Content::Service(boxed(from)?),
            Self::Namespace => Content::Namespace(boxed(from)?),
            Self::EndpointSlice => Content::EndpointSlice(boxed(from)?),
            Self::Endpoints => Content::Endpoints(boxed(from)?),
            Self::ClusterRole | Self::Role => Content::Role(boxed(from)?),
            Self::ClusterRoleBinding | Self::RoleBinding => Content::Binding(boxed(from)?),
            Self::Pod => Content::Pod(boxed(from)?),
            Self::ConfigMap => Content::ConfigMap(boxed(from)?),
            Self::Flagz => Content::Flagz(FlagzObject::deserialize(from)?),
            Self::ResourceList => Content::ResourceList(ResourceListObject::deserialize(from)?),
            Self::GroupList => Content::GroupList(GroupListObject::deserialize(from)?),
            Self::AggregatedList => {
                Content::AggregatedList(AggregatedListObject::deserialize(from)?)
            }
            Self::Group => {
                serde::de::IgnoredAny::deserialize(from)?;
                Content::Group
            }
            Self::Versions => {
                serde::de::IgnoredAny::deserialize(from)?;
                Content::Versions
            }
            Self::Status => Content::Status(StatusObject::deserialize(from)?),
            Self::DumpManifest => Content::DumpManifest(Manifest::deserialize(from)?),
        })
    }

    /// Returns what becomes of an object that does not fit its kind. Of some kinds only a few
    /// objects matter, and nothing is lost with the others.
    pub(super) fn malformed(self, object: &Value, why: &str) -> Body {
        let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
        let matters = match self {
            Self::Pod => object.to_string().contains(API_SERVER),
            Self::ConfigMap => (namespace, name) == (FrontProxy::NAMESPACE, FrontProxy::NAME),
            Self::Status => false,
            _ => true,
        };
        let kind = self.kind();
        match name {
            _ if !matters => Body::Other,
            "" => Body::Malformed(format!("{kind}: {why}")),
            _ => Body::Malformed(format!("{kind} {name}: {why}")),
        }
    }
}
