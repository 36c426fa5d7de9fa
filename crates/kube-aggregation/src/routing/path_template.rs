//! Path templates: the parts of a path that determine its route, without the names of objects and
//! namespaces.
//!
//! A log has millions of paths but a few hundred templates, so a caller that routes many requests
//! can cache the answer per template (`benches/usage.rs`).

/// A path without names. Requests with the same method, query and template take the same route, and
/// are for the same resource and subresource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathTemplate<'a>([&'a str; 3]);

impl<'a> PathTemplate<'a> {
    /// Returns the template of a path. `None` if a name has unusual characters that servers may
    /// treat differently.
    pub fn of(path: &'a str) -> Option<Self> {
        let mut start = 0;
        let mut segments = path.split('/').map(|segment| {
            let at = start;
            start += segment.len() + 1;
            (at, segment)
        });
        let resource = match segments.nth(1)?.1 {
            "api" => segments.nth(1),
            "apis" => segments.nth(2),
            _ => return Some(Self([path, "", ""])),
        };
        let mut names = [segments.next(), None];
        match resource {
            Some((_, "watch" | "proxy")) => return None,
            Some((_, "namespaces")) => names[1] = segments.nth(1),
            _ => {}
        }
        let mut parts = [path, "", ""];
        let mut end = 0;
        for (part, (at, name)) in names.into_iter().flatten().enumerate() {
            if !is_plain(name) {
                return None;
            }
            parts[part] = path.get(end..at)?;
            end = at + name.len();
            parts[part + 1] = path.get(end..)?;
        }
        Some(Self(parts))
    }
}

/// Returns whether a segment has only characters that are common in object names.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() | matches!(byte, b'-' | b'.' | b':' | b'_');
    name.bytes().all(plain) && name.bytes().any(|byte| byte != b'.')
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::baseline;
    use crate::registry::Registry;
    use crate::routing::{Method, Router, Target};
    use proptest::prelude::*;

    #[test]
    fn names_do_not_count() {
        let check = |a: &str, b: &str, same: bool| {
            let (a, b) = (PathTemplate::of(a), PathTemplate::of(b));
            assert_eq!(a.is_some() && a == b, same, "{a:?} {b:?}");
        };
        check("/api/v1/namespaces/x/pods/y", "/api/v1/namespaces/a/pods/b-1.c", true);
        check("/api/v1/namespaces/x/pods/y/log", "/api/v1/namespaces/a/pods/b/log", true);
        check(
            "/apis/apps/v1/namespaces/x/deployments",
            "/apis/apps/v1/namespaces/y/deployments",
            true,
        );
        check("/api/v1/nodes/a/status", "/api/v1/nodes/b/status", true);
        check("/api/v1/namespaces/a", "/api/v1/namespaces/b", true);
        check("/api/v1/namespaces/a/status", "/api/v1/namespaces/b/status", true);
        check("/healthz", "/healthz", true);
        check("/api/v1/namespaces/x/pods/y", "/api/v1/namespaces/x/pods", false);
        check("/api/v1/namespaces/x/pods/y", "/api/v1/namespaces/x/secrets/y", false);
        check("/api/v1/namespaces/x/pods/y/log", "/api/v1/namespaces/x/pods/y/exec", false);
        check("/api/v1/namespaces/a/status", "/api/v1/namespaces/a/pods", false);
        check("/apis/apps/v1", "/apis/apps/v2", false);
        for odd in ["/api/v1/pods/..", "/api/v1/pods/%41", "/api/v1/pods/", "/api/v1/watch/pods/a"]
        {
            check(odd, odd, false);
        }
    }

    proptest! {
        /// Requests with the same template take the same route.
        #[test]
        fn one_shape_is_one_way(
            paths in proptest::collection::vec(proptest::collection::vec(
                "(api|apis|v1|apps|namespaces|pods|deployments|status|watch|proxy|a|b|\\.|\\.\\.|x%41|)", 0..9), 2..40),
            method in 0..Method::ALL.len(),
        ) {
            let registry = Registry::new(baseline::server(baseline::LATEST));
            let router = Router::new(&registry);
            let mut ways: HashMap<PathTemplate<'_>, String> = HashMap::new();
            let paths: Vec<String> = paths.iter().map(|parts| format!("/{}", parts.join("/"))).collect();
            for path in &paths {
                let Some(shape) = PathTemplate::of(path) else { continue };
                let target = Target::parse(Method::ALL[method], path).unwrap();
                let route = router.route(&target);
                let info = target.info().ok().map(|i| (i.resource_request, i.verb.to_owned(), i.group.to_owned(),
                    i.version.to_owned(), i.resource.to_owned(), i.subresource.to_owned()));
                let hops: Vec<_> = route.hops().map(|hop| format!("{:?} {:?}", hop.server, hop.matched)).collect();
                let way = format!("{hops:?} {:?} {:?} {info:?}", route.outcome, route.status);
                let known = ways.entry(shape).or_insert_with(|| way.clone());
                prop_assert_eq!(&*known, &way, "{}", path);
            }
        }
    }
}
