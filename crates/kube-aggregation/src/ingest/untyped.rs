//! Recognizes documents that other tools write without a kind, by their file name or by the form of
//! their items.

use serde::Deserialize;

use super::part::Part;
use crate::codec::GroupObject;

/// The kind and API version of lists, by their plural or a common short form.
const PLURALS: [(&str, (&str, &str)); 11] = [
    ("apiservices", ("APIService", "apiregistration.k8s.io/v1")),
    ("clusterrolebindings", ("ClusterRoleBinding", "rbac.authorization.k8s.io/v1")),
    ("clusterroles", ("ClusterRole", "rbac.authorization.k8s.io/v1")),
    ("crds", ("CustomResourceDefinition", "apiextensions.k8s.io/v1")),
    ("customresourcedefinitions", ("CustomResourceDefinition", "apiextensions.k8s.io/v1")),
    ("endpoints", ("Endpoints", "v1")),
    ("endpointslices", ("EndpointSlice", "discovery.k8s.io/v1")),
    ("namespaces", ("Namespace", "v1")),
    ("rolebindings", ("RoleBinding", "rbac.authorization.k8s.io/v1")),
    ("roles", ("Role", "rbac.authorization.k8s.io/v1")),
    ("services", ("Service", "v1")),
];

/// Returns the kind and API version that a file name shows: `custom-resource-definitions.json`,
/// `services/default.json`, `core_v1_services.json`, `apiservices.apiregistration.k8s.io.json`.
pub fn kind_of_file(file: &str) -> Option<(&'static str, &'static str)> {
    let mut parts = file.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let last = name.rsplit('_').next().unwrap_or_default();
    let folder = parts.next().unwrap_or_default();
    [stem, last, folder].into_iter().find_map(|word| {
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        kind_of_plural(&word.to_lowercase())
    })
}

/// Returns the kind and API version of a known plural.
pub(super) fn kind_of_plural(plural: &str) -> Option<(&'static str, &'static str)> {
    PLURALS.iter().find(|(known, _)| *known == plural).map(|(_, kind)| *kind)
}

/// Returns the groups of a bare array if it has the form of the groups in `/apis`.
pub(super) fn groups<'a>(list: impl Part<'a>) -> Option<Vec<GroupObject>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Form {
        preferred_version: serde::de::IgnoredAny,
        versions: Vec<Version>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        #[expect(dead_code, reason = "its presence identifies the form")]
        group_version: String,
    }
    let first: Form = list.items().ok()?.first()?.decode().ok()?;
    let _ = first.preferred_version;
    if first.versions.is_empty() {
        return None;
    }
    let groups: Vec<GroupObject> = list.decode().ok()?;
    // The core group is not in /apis.
    Some(groups.into_iter().filter(|group| !group.name.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_kinds() {
        for (file, kind) in [
            ("b/cluster-resources/custom-resource-definitions.json", "CustomResourceDefinition"),
            ("b/cluster-resources/services/default.json", "Service"),
            ("resources/cluster/apiregistration.k8s.io_v1_apiservices.json", "APIService"),
            ("apiservices.apiregistration.k8s.io.json", "APIService"),
            ("core_v1_endpoints.json", "Endpoints"),
            ("core_v1_services.yaml", "Service"),
        ] {
            assert_eq!(kind_of_file(file).map(|found| found.0), Some(kind), "{file}");
        }
        assert_eq!(kind_of_file("pods/default.json"), None);
    }
}
