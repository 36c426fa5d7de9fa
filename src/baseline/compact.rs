//! The compact form in which a plain server is embedded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{
    ApiResource, ApiService, Automanaged, Condition, GroupVersion, Input, Minor, Origin,
    Provenance, ServerVersion, Snapshot, SourceKind,
};

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Compact {
    git_version: String,
    /// What `/` lists.
    paths: Vec<String>,
    /// What the `/openapi/v3` index lists.
    openapi_v3: Vec<String>,
    /// Group version → group priority, version priority; the aggregator's own has none.
    api_services: BTreeMap<String, (i32, i32)>,
    resources: BTreeMap<String, Vec<Resource>>,
}

/// Name, singular, namespaced, kind as `[group/version/]Kind`, verbs, short names, categories;
/// the last three are separated by spaces.
#[derive(Serialize, Deserialize)]
struct Resource(String, String, bool, String, String, String, String);

/// The compact form of a plain server's snapshot.
pub fn encode(snapshot: &Snapshot) -> String {
    let compact = Compact {
        git_version: snapshot.version.loaded().map(|v| v.git_version.clone()).unwrap_or_default(),
        paths: snapshot.root_paths.loaded().into_iter().flatten().cloned().collect(),
        openapi_v3: snapshot.openapi_v3.loaded().into_iter().flatten().cloned().collect(),
        api_services: (snapshot.api_services.loaded().into_iter().flatten())
            .map(|s| (s.group_version.to_string(), (s.group_priority, s.version_priority)))
            .collect(),
        resources: (snapshot.resource_lists.iter())
            .map(|(gv, list)| (gv.to_string(), list.iter().map(Resource::from).collect()))
            .collect(),
    };
    let json = serde_json::to_string(&compact).unwrap_or_default();
    // One resource a line: a change between two versions can be read.
    json.replace("],[", "],\n[").replace("}],\"", "}],\n\"") + "\n"
}

/// The plain server that the compact form describes.
pub fn decode(minor: Minor, text: &str) -> Snapshot {
    let compact: Compact = serde_json::from_str(text).unwrap_or_default();
    let mut snapshot =
        Snapshot::empty(Origin { kind: SourceKind::Builtin, name: minor.to_string() });
    let version = ServerVersion { minor: Some(minor), git_version: compact.git_version };
    snapshot.version = Input::Loaded(version);
    snapshot.root_paths = Input::Loaded(compact.paths.into_iter().collect());
    snapshot.openapi_v3 = Input::Loaded(compact.openapi_v3.into_iter().collect());
    snapshot.crds = Input::Loaded(vec![]);
    snapshot.crds_complete = true;
    snapshot.services = Input::Loaded(vec![]);
    snapshot.endpoint_slices = Input::Loaded(vec![]);
    snapshot.endpoints = Input::Loaded(vec![]);
    let mut services: Vec<_> = (compact.api_services.iter())
        .filter_map(|(gv, priorities)| Some(built_in(GroupVersion::parse(gv)?, *priorities)))
        .collect();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    snapshot.api_services = Input::Loaded(services);
    snapshot.resource_lists = (compact.resources.into_iter())
        .filter_map(|(gv, list)| {
            Some((GroupVersion::parse(&gv)?, list.into_iter().map(Into::into).collect()))
        })
        .collect();
    snapshot
}

/// The APIService that the server writes at its start for a built-in group version.
fn built_in(
    group_version: GroupVersion,
    (group_priority, version_priority): (i32, i32),
) -> ApiService {
    ApiService {
        name: group_version.api_service_name(),
        group_version,
        service: None,
        group_priority,
        version_priority,
        ca_bundle: None,
        insecure_skip_tls_verify: false,
        automanaged: Some(Automanaged::OnStart),
        available: Some(Condition {
            status: "True".into(),
            reason: "Local".into(),
            message: "Local APIServices are always available".into(),
            since: None,
        }),
        created: None,
        provenance: Provenance::default(),
        inferred: false,
    }
}

impl From<&ApiResource> for Resource {
    fn from(r: &ApiResource) -> Self {
        let kind = if r.group.is_empty() && r.version.is_empty() {
            r.kind.clone()
        } else {
            format!("{}/{}/{}", r.group, r.version, r.kind)
        };
        Self(
            r.name.clone(),
            r.singular.clone(),
            r.namespaced,
            kind,
            r.verbs.join(" "),
            r.short_names.join(" "),
            r.categories.join(" "),
        )
    }
}

impl From<Resource> for ApiResource {
    fn from(
        Resource(name, singular, namespaced, kind, verbs, short, categories): Resource,
    ) -> Self {
        let mut parts = kind.rsplitn(3, '/');
        let mut part = || parts.next().unwrap_or("").to_owned();
        let (kind, version, group) = (part(), part(), part());
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
        Self {
            name,
            singular,
            namespaced,
            group,
            version,
            kind,
            verbs: words(verbs),
            short_names: words(short),
            categories: words(categories),
        }
    }
}
