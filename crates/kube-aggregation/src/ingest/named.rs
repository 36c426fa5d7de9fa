//! Decodes what all objects share: kind, name and revision.

use serde::Deserialize;

use super::part::Part;
use crate::codec::ObjectMeta;

/// The kinds of objects that a snapshot contains, with their API groups.
const KNOWN: [(&str, &str); 10] = [
    ("APIService", "apiregistration.k8s.io"),
    ("CustomResourceDefinition", "apiextensions.k8s.io"),
    ("Service", ""),
    ("Namespace", ""),
    ("EndpointSlice", "discovery.k8s.io"),
    ("Endpoints", ""),
    ("ClusterRole", "rbac.authorization.k8s.io"),
    ("ClusterRoleBinding", "rbac.authorization.k8s.io"),
    ("Role", "rbac.authorization.k8s.io"),
    ("RoleBinding", "rbac.authorization.k8s.io"),
];

/// Returns the kind if a snapshot contains objects of it.
pub(super) fn known(kind: &str, api_version: &str) -> Option<&'static str> {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    KNOWN.into_iter().find(|one| *one == (kind, group)).map(|(kind, _)| kind)
}

/// An object of any kind, reduced to its metadata.
#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) metadata: ObjectMeta,
}

/// Decodes a part with a known kind. An error names the object if it has a name.
pub(super) fn typed<'a, T: Deserialize<'a>>(what: &str, part: impl Part<'a>) -> Result<T, String> {
    part.decode().map_err(|why| match part.decode() {
        Ok(Named { metadata }) if !metadata.name.is_empty() => {
            format!("{what} {}: {why}", metadata.name)
        }
        _ => format!("{what}: {why}"),
    })
}

/// Returns the namespace and name of an object, and its revision.
pub(super) fn key(kind: &str, metadata: &ObjectMeta) -> Result<((String, String), u64), String> {
    let ObjectMeta { namespace, name, resource_version, .. } = metadata;
    let revision = revision(kind, name, resource_version)?;
    Ok(((namespace.clone(), name.clone()), revision))
}

/// Returns the revision of an object, or 0 if it has none. Fails if the object has no name.
pub(super) fn revision(kind: &str, name: &str, resource_version: &str) -> Result<u64, String> {
    if name.is_empty() {
        return Err(format!("{kind} without a name"));
    }
    Ok(resource_version.parse().unwrap_or(0))
}

/// Returns the kind, namespace and name of an object, for messages.
pub(super) fn within(kind: &str, (namespace, name): &(String, String)) -> String {
    format!("{kind} {namespace}/{name}")
}
