//! Documents that other tools write without a kind: what they are is told by their file's name, or
//! by the form of their items.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::wire;
use crate::model::HealthEndpoint;

/// Kind and API version of the lists that matter, by their plural, or what people call them.
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

/// The kind and API version that a file's name tells: `custom-resource-definitions.json`,
/// `services/default.json`, `core_v1_services.json`, `apiservices.apiregistration.k8s.io.json`.
pub(super) fn kind_of_file(file: &str) -> Option<(&'static str, &'static str)> {
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

/// Kind and API version of a plural that matters.
pub(super) fn kind_of_plural(plural: &str) -> Option<(&'static str, &'static str)> {
    PLURALS.iter().find(|(known, _)| *known == plural).map(|(_, kind)| *kind)
}

/// Whether a text looks like a list without a kind, in a file whose name tells it.
pub(in crate::source) fn is_list(file: &str, text: &str) -> bool {
    let start = text.trim_ascii_start();
    let json = start.starts_with('{') && text.contains("\"items\"");
    let yaml = || text.lines().any(|line| line.trim_ascii_end() == "items:");
    (json || start.starts_with('[') || yaml()) && kind_of_file(file).is_some()
}

/// The body of an answer that was saved with its headers, as `curl -i` prints it; after a proxy or
/// an interim answer there are several headers.
pub(in crate::source) fn without_headers(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with("HTTP/")
        && let Some((_, body)) = rest.split_once("\r\n\r\n").or_else(|| rest.split_once("\n\n"))
    {
        rest = body;
    }
    rest
}

/// The health endpoint that a file's name tells: `readyz-verbose.txt`, `livez.txt`.
pub(in crate::source) fn endpoint_of_file(file: &str) -> Option<HealthEndpoint> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    HealthEndpoint::ALL.into_iter().find(|endpoint| name.contains(endpoint.as_str()))
}

/// The groups of a bare array, as of `/apis`, where that is what it is.
pub(super) fn groups(json: &str) -> Option<Vec<wire::Group>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Form {
        preferred_version: serde::de::IgnoredAny,
        versions: Vec<Version>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        #[expect(dead_code, reason = "that it is there tells what this is")]
        group_version: String,
    }
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    let first: Form = serde_json::from_str(items.first()?.get()).ok()?;
    let _ = first.preferred_version;
    if first.versions.is_empty() {
        return None;
    }
    let groups: Vec<wire::Group> = serde_json::from_str(json).ok()?;
    // The core group is not in /apis.
    Some(groups.into_iter().filter(|group| !group.name.is_empty()).collect())
}

/// What `kubectl cluster-info dump` prints, without the logs between its documents.
pub(in crate::source) fn without_logs(text: &str) -> Option<String> {
    const START: &str = "==== START logs for ";
    const END: &str = "==== END logs for ";
    memchr::memmem::find(text.as_bytes(), START.as_bytes())?;
    let mut documents = String::with_capacity(text.len());
    let mut in_logs = false;
    for line in text.lines() {
        in_logs |= line.starts_with(START);
        if !in_logs {
            documents.push_str(line);
        }
        documents.push('\n');
        in_logs &= !line.starts_with(END);
    }
    Some(documents)
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

    #[test]
    fn logs_are_left_out_and_lines_keep_their_numbers() {
        let text = "{}\n==== START logs for container a of pod b/c ====\n{ not json\n\
                    ==== END logs for container a of pod b/c ====\n{\"kind\":\"x\"}\n";
        assert_eq!(without_logs(text).unwrap(), "{}\n\n\n\n{\"kind\":\"x\"}\n");
        assert_eq!(without_logs("{}"), None);
    }
}
