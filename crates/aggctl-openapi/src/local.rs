//! Finds which paths of a group version the local servers publish themselves.

use kube_aggregation::model::{AGGREGATOR_GROUP, Crd, EXTENSIONS_GROUP, GroupVersion};
use kube_aggregation::registry::{Backend, Registry};

/// A local server, as far as the documents distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Local {
    /// kube-aggregator
    Aggregator,
    /// kube-apiserver
    KubeApiserver,
    /// apiextensions-apiserver's own group
    Extensions,
    /// apiextensions-apiserver, for CRDs
    Crds,
}

impl Local {
    /// Returns the name of the server.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Aggregator => "kube-aggregator",
            Self::KubeApiserver => "kube-apiserver",
            Self::Extensions => "apiextensions-apiserver",
            Self::Crds => "CRDs",
        }
    }
}

/// Returns the local server that serves a group version, even if its APIService has a Service.
pub(super) fn server_of(registry: &Registry<'_>, gv: &GroupVersion) -> Option<Local> {
    if gv.group == AGGREGATOR_GROUP {
        return Some(Local::Aggregator);
    }
    if registry.custom_resources(gv).next().is_some() {
        return Some(Local::Crds);
    }
    let backing = registry.api_service(&gv.api_service_name()).map(|(_, backing)| backing);
    let installed = match backing {
        Some(Backend::BuiltIn) => return Some(Local::KubeApiserver),
        Some(Backend::Extensions) => return Some(Local::Extensions),
        Some(Backend::Crd) => return Some(Local::Crds),
        Some(Backend::Service) => registry.plain(gv).is_some(),
        Some(_) => false,
        None => registry.serves_unregistered(gv),
    };
    let own = gv.group == EXTENSIONS_GROUP;
    installed.then_some(if own { Local::Extensions } else { Local::KubeApiserver })
}

/// Returns the paths that a CRD publishes for one of its versions, without the path of the group
/// version itself.
pub(super) fn crd_paths(crd: &Crd, version: &str) -> Vec<String> {
    let Some(served) = crd.served_version(version) else { return vec![] };
    let root = format!("/apis/{}/{version}", crd.group);
    let all = format!("{root}/{}", crd.plural);
    let scope = if crd.namespaced {
        format!("{root}/namespaces/{{namespace}}/{}", crd.plural)
    } else {
        all.clone()
    };
    let one = format!("{scope}/{{name}}");
    let mut paths = vec![all, one.clone()];
    if crd.namespaced {
        paths.push(scope);
    }
    if served.status_subresource {
        paths.push(format!("{one}/status"));
    }
    if served.scale_subresource {
        paths.push(format!("{one}/scale"));
    }
    paths
}

/// Returns the group version of a path that is below one.
pub(super) fn group_version(path: &str) -> Option<GroupVersion> {
    let mut segments = path.strip_prefix("/apis/")?.splitn(3, '/');
    let (group, version) = (segments.next()?, segments.next()?);
    segments.next()?;
    Some(GroupVersion::new(group, version))
}

/// Returns whether the local servers publish a path below a group version.
pub(super) fn is_local(registry: &Registry<'_>, gv: &GroupVersion, path: &str) -> bool {
    let custom = registry.custom_resources(gv);
    let is_custom = custom.flat_map(|crd| crd_paths(crd, &gv.version)).any(|own| own == path);
    is_custom || is_built_in(registry, gv, path)
}

fn is_built_in(registry: &Registry<'_>, gv: &GroupVersion, path: &str) -> bool {
    let Some(resources) = registry.baseline_snapshot().resource_lists.get(gv) else {
        return false;
    };
    let rest = path.get(gv.root_path().len() + 1..).unwrap_or_default();
    let mut segments = rest.split('/').peekable();
    segments.next_if_eq(&"watch");
    if segments.next_if_eq(&"namespaces").is_some() && segments.peek() == Some(&"{namespace}") {
        segments.next();
    }
    let resource = segments.next().unwrap_or_default();
    resource.is_empty() || resources.iter().any(|r| r.name.split('/').next() == Some(resource))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::baseline;
    use kube_aggregation::model::CrdVersion;

    #[test]
    fn a_crd_publishes_its_resource_and_not_the_group_version() {
        let version = CrdVersion {
            name: "v1".to_owned(),
            served: true,
            status_subresource: true,
            scale_subresource: false,
        };
        let crd = Crd {
            group: "a.io".to_owned(),
            plural: "things".to_owned(),
            namespaced: true,
            versions: vec![version],
            ..Crd::default()
        };
        let mut paths = crd_paths(&crd, "v1");
        paths.sort();
        let below = "/apis/a.io/v1/namespaces/{namespace}/things";
        let want = [
            below.to_owned(),
            format!("{below}/{{name}}"),
            format!("{below}/{{name}}/status"),
            "/apis/a.io/v1/things".to_owned(),
        ];
        assert_eq!(paths, want);
        assert!(crd_paths(&crd, "v2").is_empty());
    }

    #[test]
    fn built_in_paths_are_known_by_their_resource() {
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let gv = GroupVersion::new("apps", "v1");
        let check =
            |path: &str, want: bool| assert_eq!(is_local(&registry, &gv, path), want, "{path}");
        check("/apis/apps/v1/", true);
        check("/apis/apps/v1/deployments", true);
        check("/apis/apps/v1/watch/namespaces/{namespace}/deployments/{name}", true);
        check("/apis/apps/v1/others", false);
    }
}
