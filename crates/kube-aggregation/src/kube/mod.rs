//! One codec per Kubernetes kind: decodes and encodes what the [model](crate::model) keeps of it.
//!
//! Each file has the form that the API gives to one kind, as structs that serde reads and writes,
//! and the conversions between that form and the model. Every reader and writer of objects goes
//! through these structs: dumps, clusters and manifests in, manifests and answers out. They work
//! with any serde format, so YAML with locations and plain JSON are decoded alike.
//!
//! Decoding is tolerant in two ways: fields that are not named here may be anything, and `null` is
//! the same as absent. Encoding writes what differs from the default.

mod api_service;
mod binding;
mod config_map;
mod crd;
mod discovery;
mod endpoint_slice;
mod endpoints;
mod flagz;
mod metadata;
mod namespace;
mod pod;
mod role;
mod service;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod version;

use serde::{Deserialize, Deserializer, Serialize};

pub use api_service::ApiServiceObject;
pub use binding::BindingObject;
pub(crate) use config_map::FrontProxyObject;
pub use crd::CrdObject;
pub(crate) use discovery::{
    AggregatedListObject, GroupListObject, GroupObject, ResourceListObject,
};
pub use endpoint_slice::EndpointSliceObject;
pub(crate) use endpoints::EndpointsObject;
pub(crate) use flagz::FlagzObject;
pub(crate) use metadata::ListMeta;
pub use metadata::ObjectMeta;
pub use namespace::NamespaceObject;
pub(crate) use pod::ContainerObject;
pub use pod::PodObject;
pub use role::RoleObject;
pub use service::ServiceObject;
pub(crate) use status::StatusObject;
pub(crate) use version::VersionObject;

/// Decodes `null` like an absent field, as the default.
///
/// # Errors
/// If the value is neither null nor of that type.
pub fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Declares a struct of the API: every field may be absent or null, and is written unless it has
/// its default. An `Option` is for a value whose presence matters.
macro_rules! object {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        $vis struct $name {
            $(
                $(#[$field_meta])*
                #[serde(
                    deserialize_with = "crate::kube::lenient",
                    skip_serializing_if = "crate::kube::is_default"
                )]
                pub $field: $type,
            )*
        }
    };
}
use object;

/// An object with its kind, as it is written outside of a typed list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Typed<T> {
    /// Group and version.
    pub api_version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// All other fields.
    #[serde(flatten)]
    pub object: T,
}
