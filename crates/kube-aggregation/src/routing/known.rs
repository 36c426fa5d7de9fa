//! Lists the paths that a source is known to serve, for suggestions and completion.

use super::router::Router;

impl Router<'_> {
    /// Returns every collection of every group version, and the paths outside the API groups,
    /// sorted.
    pub fn known_paths(&self) -> Vec<String> {
        let registry = self.registry();
        let mut paths: Vec<String> = vec![];
        for service in registry.api_services.iter() {
            let root = service.group_version.root_path();
            let (list, _) = registry.resources(&service.group_version).unwrap_or_default();
            let listed = list.iter().map(|r| r.name.as_str()).filter(|name| !name.contains('/'));
            let custom =
                registry.custom_resources(&service.group_version).map(|crd| crd.plural.as_str());
            paths.extend(listed.chain(custom).map(|name| format!("{root}/{name}")));
            paths.push(root);
        }
        let api = |path: &&String| path.starts_with("/apis/") || path.starts_with("/api/");
        paths.extend(registry.root_paths.iter().filter(|path| !api(path)).cloned());
        paths.sort();
        paths.dedup();
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline;
    use crate::registry::Registry;

    #[test]
    fn resources_and_paths_are_there_once() {
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let paths = Router::new(&registry).known_paths();
        for path in ["/apis/apps/v1/deployments", "/api/v1/pods", "/apis/apps/v1", "/healthz"] {
            assert_eq!(paths.iter().filter(|p| *p == path).count(), 1, "{path}");
        }
        assert!(paths.iter().all(|p| !p.ends_with("/deployments/scale")));
    }
}
