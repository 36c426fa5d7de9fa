//! Lists the request paths that clients of a cluster are likely to use.

use std::collections::BTreeSet;

use crate::discovery::{self, Aggregated};
use crate::model::GroupVersion;
use crate::registry::Registry;

/// Placeholders for any namespace and any name in a path.
const NAMESPACE: &str = "NAMESPACE";
const NAME: &str = "NAME";

/// Returns the paths of all groups, group versions, collections and items in a registry.
pub fn known(registry: &Registry<'_>) -> impl Iterator<Item = String> + use<> {
    let mut paths = BTreeSet::new();
    for service in registry.api_services.iter() {
        let gv = &service.group_version;
        paths.insert(gv.root_path());
        paths.insert(if gv.group.is_empty() {
            "/api".to_owned()
        } else {
            format!("/apis/{}", gv.group)
        });
    }
    add(&mut paths, &discovery::aggregated_core(registry));
    add(&mut paths, &discovery::aggregated(registry));
    paths.into_iter()
}

fn add(paths: &mut BTreeSet<String>, document: &Aggregated<'_>) {
    for group in &document.groups {
        for version in &group.versions {
            let root = GroupVersion::new(group.name, version.version).root_path();
            paths.insert(root.clone());
            for resource in &version.resources {
                let name = &resource.resource;
                let has = |verb: &str| resource.verbs.iter().any(|v| v == verb);
                if has("list") {
                    paths.insert(format!("{root}/{name}"));
                }
                if has("get") {
                    let within = if resource.namespaced {
                        format!("/namespaces/{NAMESPACE}")
                    } else {
                        String::new()
                    };
                    paths.insert(format!("{root}{within}/{name}/{NAME}"));
                }
            }
        }
    }
}
