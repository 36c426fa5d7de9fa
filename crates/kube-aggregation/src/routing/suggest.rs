//! Suggests the intended path for a request path with a typo.

use super::method::Method;
use super::outcome::{Outcome, Route};
use super::restful::ResourceRoutes;
use super::router::Router;
use super::target::Target;
use crate::baseline::{self, When};
use crate::model::{ApiResource, GroupVersion, KubeVersion, compare_versions};

/// The maximum edit distance between names that still count as similar.
const MAX_EDITS: usize = 2;

impl Router<'_> {
    /// Returns when Kubernetes served a group version or resource that this server does not have.
    pub fn served(&self, route: &Route<'_>) -> Option<When> {
        let registry = self.registry();
        let gv = GroupVersion::of_path(route.path)?;
        let info = route.info().filter(|info| info.resource_request);
        let minor = registry.snapshot.minor();
        let found = baseline::when(&gv, info.as_ref().map(|info| info.resource), minor)?;
        // Omit a registered group version: then the typo is in the rest of the path.
        let registered = registry.api_service(&gv.api_service_name()).is_some();
        let missing = |name: &str| {
            registry.resources(&gv).is_some_and(|(list, _)| list.iter().all(|r| r.name != name))
        };
        (!registered || found.resource.as_deref().is_some_and(missing)).then_some(found)
    }

    /// Returns a served path that differs from this one only by a typo, if there is one.
    ///
    /// Detects a missing or wrong prefix, a doubled slash, the wrong case, a missing version,
    /// misspelled names, and a singular, kind or short name instead of the resource.
    pub fn suggest(&self, method: Method, path: &str) -> Option<String> {
        let works = |candidate: &String| {
            let Ok(target) = Target::parse(method, candidate) else { return false };
            candidate != path
                && match self.route(&target).outcome {
                    Outcome::Served => true,
                    Outcome::Proxied => self.is_listed(&target),
                    _ => false,
                }
        };
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            return None;
        }
        self.candidates(&parts).find(works)
    }

    /// Returns whether a proxied path is worth suggesting. A Service would receive any path, so
    /// only what its APIResourceList contains counts.
    fn is_listed(&self, target: &Target<'_>) -> bool {
        let Ok(info) = target.info() else { return false };
        let segments = target.segments();
        let Some(rest) = segments.get(3..).filter(|_| info.resource_request) else {
            return true;
        };
        let list = self.registry().resources(&GroupVersion::new(info.group, info.version));
        list.is_some_and(|(list, _)| ResourceRoutes::new(list).methods(rest).is_some())
    }

    fn candidates<'a>(&'a self, parts: &'a [&str]) -> impl Iterator<Item = String> + 'a {
        let tidy = std::iter::once(format!("/{}", parts.join("/")));
        let lower = std::iter::once(format!("/{}", parts.join("/").to_lowercase()));
        let rest = match parts {
            ["api" | "apis", rest @ ..] => rest,
            rest => rest,
        };
        let prefixed = ["/api/", "/apis/"].map(|prefix| format!("{prefix}{}", rest.join("/")));
        tidy.chain(lower)
            .chain(prefixed)
            .chain(self.by_group_version(rest))
            .chain(self.non_api(parts))
    }

    /// Returns paths for the group versions that these segments may mean, best first, with the
    /// resource corrected.
    fn by_group_version<'a>(&'a self, parts: &'a [&str]) -> impl Iterator<Item = String> + 'a {
        let mut known: Vec<(usize, usize, &GroupVersion)> = vec![];
        for service in self.registry().api_services.iter() {
            let gv = &service.group_version;
            // How many segments the group version takes, and how many letters in it are wrong.
            let fits = match parts {
                [version, ..] if gv.group.is_empty() => edits(version, &gv.version).map(|e| (1, e)),
                [group, version, ..] => {
                    match (edits(group, &gv.group), edits(version, &gv.version)) {
                        (Some(g), Some(v)) => Some((2, g + v)),
                        // The version is missing: the segment in its place is a resource.
                        (Some(g), None) if KubeVersion::parse(version).is_none() => {
                            Some((1, g + 1))
                        }
                        _ => None,
                    }
                }
                [group] => edits(group, &gv.group).map(|e| (1, e + 1)),
                [] => None,
            };
            if let Some((taken, wrong)) = fits {
                known.push((wrong, taken, gv));
            }
        }
        known.sort_by(|a, b| {
            (a.0, &a.2.group)
                .cmp(&(b.0, &b.2.group))
                .then_with(|| compare_versions(&a.2.version, &b.2.version))
        });
        known.into_iter().flat_map(move |(_, taken, gv)| {
            let rest = parts.get(taken..).unwrap_or_default();
            std::iter::once(join(gv, rest)).chain(self.mended(gv, rest))
        })
    }

    /// Returns the rest of a path with the resource replaced by one that the group version has.
    fn mended(&self, gv: &GroupVersion, rest: &[&str]) -> Vec<String> {
        let at = if rest.first() == Some(&"namespaces") && rest.len() > 2 { 2 } else { 0 };
        let Some(wanted) = rest.get(at) else { return vec![] };
        let subresources = self.mended_subresource(gv, rest, at);
        if !subresources.is_empty() {
            return subresources;
        }
        let mut meant: Vec<(usize, String)> = vec![];
        if let Some((list, _)) = self.registry().resources(gv) {
            meant.extend(list.iter().filter_map(|r| Some((means(r, wanted)?, r.name.clone()))));
        }
        for crd in self.registry().custom_resources(gv) {
            let names = [&crd.plural, &crd.singular, &crd.kind].into_iter().chain(&crd.short_names);
            let best = names.filter_map(|name| edits(wanted, name)).min();
            meant.extend(best.map(|wrong| (wrong, crd.plural.clone())));
        }
        meant.sort();
        meant.iter().take(3).map(|(_, name)| replaced(gv, rest, at, name)).collect()
    }

    /// Returns the rest of a path with the subresource replaced by one that the resource has.
    fn mended_subresource(&self, gv: &GroupVersion, rest: &[&str], at: usize) -> Vec<String> {
        let (Some(resource), Some(wanted)) = (rest.get(at), rest.get(at + 2)) else {
            return vec![];
        };
        let list = self.registry().resources(gv).map(|(list, _)| list).unwrap_or_default();
        let known =
            list.iter().filter_map(|one| one.name.strip_prefix(resource)?.strip_prefix('/'));
        let plural = |name: &str| wanted.strip_suffix('s').and_then(|one| edits(one, name));
        let meant = known.filter(|name| edits(wanted, name).or_else(|| plural(name)).is_some());
        meant.map(|name| replaced(gv, rest, at + 2, name)).collect()
    }

    /// Suggests paths such as `/healthz`.
    fn non_api(&self, parts: &[&str]) -> Option<String> {
        let [first] = parts else { return None };
        let names = self.registry().root_paths.iter().filter(|path| path.matches('/').count() == 1);
        let near = names.filter_map(|path| Some((edits(first, path.strip_prefix('/')?)?, path)));
        near.min().map(|(_, path)| path.clone())
    }
}

fn join(gv: &GroupVersion, rest: &[&str]) -> String {
    let root = gv.root_path();
    if rest.is_empty() { root } else { format!("{root}/{}", rest.join("/")) }
}

/// Returns the path with one segment after the version replaced.
fn replaced(gv: &GroupVersion, rest: &[&str], at: usize, name: &str) -> String {
    let mut parts = rest.to_vec();
    if let Some(slot) = parts.get_mut(at) {
        *slot = name;
    }
    join(gv, &parts)
}

/// Returns the edit distance between a word and the closest name of a resource.
fn means(resource: &ApiResource, word: &str) -> Option<usize> {
    if resource.name.contains('/') {
        return None;
    }
    let names = [&resource.name, &resource.singular, &resource.kind]
        .into_iter()
        .chain(&resource.short_names);
    names.filter_map(|name| edits(word, name)).min()
}

/// Returns the edit distance if it is small enough. It is 0 for the same word in another case.
fn edits(word: &str, name: &str) -> Option<usize> {
    if name.is_empty() || word.is_empty() {
        return None;
    }
    if word.eq_ignore_ascii_case(name) {
        return Some(0);
    }
    // Short names must match exactly.
    let most = match name.len() {
        0..=3 => 0,
        4..=6 => 1,
        _ => MAX_EDITS,
    };
    if word.len().abs_diff(name.len()) > most {
        return None;
    }
    let distance = strsim::osa_distance(&word.to_lowercase(), &name.to_lowercase());
    (distance <= most).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline;
    use crate::registry::Registry;

    fn check(path: &str, want: Option<&str>) {
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let router = Router::new(&registry);
        assert_eq!(router.suggest(Method::Get, path).as_deref(), want, "{path}");
    }

    #[test]
    fn obvious_slips() {
        check("/apis/apps/v1/deployment", Some("/apis/apps/v1/deployments"));
        check("/apis/apps/v1/deplyoments", Some("/apis/apps/v1/deployments"));
        check("/apis/apps/v1/Deployment", Some("/apis/apps/v1/deployments"));
        check("/apis/apps/v1/deploy", Some("/apis/apps/v1/deployments"));
        check(
            "/apis/apps/v1/namespaces/a/deployment/x",
            Some("/apis/apps/v1/namespaces/a/deployments/x"),
        );
        check("/apis/apps/deployments", Some("/apis/apps/v1/deployments"));
        check("/apps/v1/deployments", Some("/apis/apps/v1/deployments"));
        check("/api/apps/v1/deployments", Some("/apis/apps/v1/deployments"));
        check("/apis/v1/pods", Some("/api/v1/pods"));
        check("/api/v1/pod", Some("/api/v1/pods"));
        check("//api/v1/pods", Some("/api/v1/pods"));
        check("/APIS/APPS/V1", Some("/apis/apps/v1"));
        check("/apis/app/v1/deployments", Some("/apis/apps/v1/deployments"));
        check("/apis/networking.k8s.oi/v1/ingresses", Some("/apis/networking.k8s.io/v1/ingresses"));
        check("/healtz", Some("/healthz"));
        let pod = "/api/v1/namespaces/default/pods/x";
        check(&format!("{pod}/logs"), Some(&format!("{pod}/log")));
        check(&format!("{pod}/evicton"), None);
        check("/api/v1/nodes/x/stats", Some("/api/v1/nodes/x/status"));
    }

    #[test]
    fn no_guess_without_likeness() {
        for path in ["/nope", "/apis/foo/v1/bars", "/", "", "/apis/x.y/v1/z"] {
            check(path, None);
        }
    }
}
