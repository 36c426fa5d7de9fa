//! The codec of each Kubernetes kind: converts between the API's form and the
//! [model](crate::model).
//!
//! Each file defines the API's form of a kind, as structs that serde reads and writes, and the
//! conversions to and from the model. Models implement `Deserialize` and `Serialize` through these
//! structs, with the macro `codec`. All readers and writers of objects use them: dumps, clusters,
//! manifests and the linter for input, the page and the replayed API server for output. They work
//! with any serde format, so JSON and YAML with locations decode alike.
//!
//! Decoding ignores fields that are not named here. `null` equals absent, except where
//! `kubectl apply` distinguishes them. Encoding omits fields that have their default.

mod api_service;
mod control_plane;
mod crd;
mod discovery;
mod endpoints;
mod lease;
mod metadata;
mod namespace;
mod rbac;
mod service;
#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

pub(crate) use api_service::ApiServiceObject;
pub(crate) use control_plane::{
    ConfigMapObject, ContainerObject, FlagzObject, NodeObject, PodObject, StatuszObject,
};
pub(crate) use crd::CrdObject;
pub(crate) use discovery::{
    AggregatedListObject, GroupObject, ResourceListObject, StatusObject, VersionObject,
};
pub(crate) use endpoints::{EndpointSliceObject, EndpointsObject};
pub(crate) use lease::LeaseObject;
pub(crate) use metadata::{ListMeta, ObjectMeta};
pub(crate) use namespace::NamespaceObject;
pub(crate) use rbac::{BindingObject, RoleObject};
pub(crate) use service::ServiceObject;

/// Decodes a field that is present but may be null.
fn stated<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// Declares a struct of the API. Every field may be absent or null, and is omitted if it has its
/// default. Fields under `@stated` record whether they are absent, null or have a value, because
/// `kubectl apply` keeps an absent field and removes one that is null.
macro_rules! object {
    ($(#[$meta:meta])* struct $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        $(@stated { $($(#[$stated_meta:meta])* $stated:ident: $stated_type:ty,)* })?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(crate) struct $name {
            $(
                $(#[$field_meta])*
                #[serde(
                    deserialize_with = "crate::lenient::lenient",
                    skip_serializing_if = "crate::lenient::is_default"
                )]
                pub(crate) $field: $type,
            )*
            $($(
                $(#[$stated_meta])*
                #[serde(
                    deserialize_with = "crate::codec::stated",
                    skip_serializing_if = "Option::is_none"
                )]
                pub(crate) $stated: Option<Option<$stated_type>>,
            )*)?
        }
    };
}
use object;

/// Implements `Deserialize` for a model, and with `encode` also `Serialize`.
macro_rules! codec {
    (decode $model:ident as $object:ident) => {
        impl<'de> serde::Deserialize<'de> for $model {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $object::deserialize(from).map(Self::from)
            }
        }
    };
    (encode $model:ident as $object:ident) => {
        codec!(decode $model as $object);

        impl serde::Serialize for $model {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                crate::codec::Typed::<$object>::from(self.clone()).serialize(to)
            }
        }
    };
}
use codec;

/// A value that becomes the default if it has the wrong type, instead of making its object
/// malformed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Tolerant<T>(pub(crate) T);

impl<'de, T: Default + DeserializeOwned> Deserialize<'de> for Tolerant<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(T::deserialize(value).unwrap_or_default()))
    }
}

/// An object with irrelevant content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(crate) struct Present {}

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Self {})
    }
}

/// An object with its kind, as written outside a typed list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Typed<T> {
    pub(crate) api_version: &'static str,
    pub(crate) kind: &'static str,
    #[serde(flatten)]
    pub(crate) object: T,
}
