//! The routing table as data: which server handles each verb of each resource, and each
//! non-resource path.

use std::collections::BTreeSet;

use crate::handler;
use kube_aggregation::discovery::{self, Aggregated};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, AggregatedResource, GroupVersion, ServiceReference,
};
use kube_aggregation::routing::{Method, Router, Target};

/// One row of the routing table: a verb of a resource or subresource, or a non-resource path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteEntry {
    /// The group; empty for the core group and for non-resource paths.
    pub group: String,
    /// The version; empty for non-resource paths.
    pub version: String,
    /// The resource; empty for non-resource paths.
    pub resource: String,
    /// The subresource, if any.
    pub subresource: String,
    /// The verb.
    pub verb: String,
    /// The path, with `{namespace}` and `{name}`. A trailing `*` matches everything below without a
    /// row of its own.
    pub path: String,
    /// The APIService with a Service, or the server that answers.
    pub handler: String,
    /// The APIService that decides the route, if any.
    pub api_service: Option<String>,
    /// The Service that the request is proxied to.
    pub service: Option<String>,
    /// Whether the APIService is available.
    pub available: Option<bool>,
    /// The outcome of the request.
    pub outcome: &'static str,
    /// The usual status.
    pub status: u16,
}

/// Returns all rows, sorted.
pub fn table(router: &Router<'_>) -> Vec<RouteEntry> {
    let registry = router.registry();
    let mut rows = vec![];
    for document in [discovery::aggregated_core(registry), discovery::aggregated(registry)] {
        resources(router, &document, &mut rows);
    }
    let mut paths: BTreeSet<String> =
        ["/", "/*", "/api", "/api/*", "/apis", "/apis/*"].map(str::to_owned).into();
    let own = registry.aggregator_versions();
    let own = own.into_iter().map(|version| GroupVersion::new(AGGREGATOR_GROUP, version));
    for gv in registry.api_services.iter().map(|one| one.group_version.clone()).chain(own) {
        let root = gv.root_path();
        paths.insert(format!("{root}/*"));
        paths.insert(root);
        if !gv.group.is_empty() {
            paths.insert(format!("/apis/{}", gv.group));
            paths.insert(format!("/apis/{}/*", gv.group));
        }
    }
    let api = |path: &&String| path.starts_with("/apis/") || path.starts_with("/api/");
    paths.extend(registry.root_paths.iter().filter(|path| !api(path)).cloned());
    for path in paths {
        let empty = ["", "", "", "", "get"];
        // Nothing is named `-`, so this path matches what has no row of its own.
        let asked = path.replace('*', "-/-/-");
        rows.extend(entry(router, empty, Method::Get, &path, &asked));
    }
    rows.sort();
    rows
}

fn resources(router: &Router<'_>, document: &Aggregated<'_>, rows: &mut Vec<RouteEntry>) {
    for group in &document.groups {
        for version in &group.versions {
            let root = GroupVersion::new(group.name, version.version).root_path();
            for resource in &version.resources {
                let about =
                    |sub, verb| [group.name, version.version, &resource.resource, sub, verb];
                for verb in &resource.verbs {
                    let is_item = matches!(&**verb, "get" | "update" | "patch" | "delete");
                    let path = path(&root, resource, if is_item { "/{name}" } else { "" });
                    rows.extend(of_verb(router, about("", verb), &path));
                }
                for sub in &resource.subresources {
                    for verb in &sub.verbs {
                        let path = path(&root, resource, &format!("/{{name}}/{}", sub.subresource));
                        rows.extend(of_verb(router, about(&sub.subresource, verb), &path));
                    }
                }
            }
        }
    }
}

fn path(root: &str, resource: &AggregatedResource, below: &str) -> String {
    let within = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
    format!("{root}{within}/{}{below}", resource.resource)
}

/// Returns the row of a verb; `None` for verbs that are not requests.
fn of_verb(router: &Router<'_>, about: [&str; 5], path: &str) -> Option<RouteEntry> {
    let (method, query) = match about[4] {
        "get" | "list" => (Method::Get, ""),
        "watch" => (Method::Get, "?watch=true"),
        "create" => (Method::Post, ""),
        "update" => (Method::Put, ""),
        "patch" => (Method::Patch, ""),
        "delete" | "deletecollection" => (Method::Delete, ""),
        _ => return None,
    };
    let asked = path.replace("{namespace}", "default").replace("{name}", "x");
    entry(router, about, method, path, &format!("{asked}{query}"))
}

fn entry(
    router: &Router<'_>,
    about: [&str; 5],
    method: Method,
    path: &str,
    asked: &str,
) -> Option<RouteEntry> {
    let target = Target::parse(method, asked).ok()?;
    let route = router.route(&target);
    let by = route.api_service();
    let service = by.and_then(|by| by.service.as_ref()).map(ServiceReference::id);
    let [group, version, resource, subresource, verb] = about.map(str::to_owned);
    Some(RouteEntry {
        group,
        version,
        resource,
        subresource,
        verb,
        path: path.to_owned(),
        handler: handler(&route).into_owned(),
        api_service: by.map(|by| by.name.clone()),
        available: service.as_ref().and(by).map(|by| by.is_available()),
        service,
        outcome: route.outcome.as_str(),
        status: route.status.first().copied().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::baseline;
    use kube_aggregation::registry::Registry;

    #[test]
    fn every_verb_has_a_row() {
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let rows = table(&Router::new(&registry));
        let check = |line: &str| {
            let all = rows.iter().map(|r| {
                let of = [&r.group, &r.version, &r.resource, &r.subresource, &r.verb, &r.path];
                let of = of.map(|part| if part.is_empty() { "-" } else { part }).join(" ");
                format!("{of} {} {} {}", r.handler, r.outcome, r.status)
            });
            assert_eq!(all.filter(|row| row == line).count(), 1, "{line}");
        };
        check(
            "apps v1 deployments - create /apis/apps/v1/namespaces/{namespace}/deployments kube-apiserver served 201",
        );
        check(
            "apps v1 deployments scale get /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale kube-apiserver served 200",
        );
        check("- v1 nodes - watch /api/v1/nodes kube-apiserver served 200");
        check("- - - - get /apis/apps/v1/* kube-apiserver not-found 404");
        check("- - - - get /apis/apps kube-aggregator served 200");
        check("- - - - get /healthz kube-aggregator served 200");
        check("- - - - get / kube-aggregator served 200");
        check("- - - - get /apis/apiregistration.k8s.io kube-aggregator served 200");
        check("- - - - get /apis/apps/* kube-apiserver not-found 404");
        check("- - - - get /* apiextensions-apiserver not-found 404");
        check(
            "apiregistration.k8s.io v1 apiservices - list /apis/apiregistration.k8s.io/v1/apiservices kube-aggregator served 200",
        );
    }
}
