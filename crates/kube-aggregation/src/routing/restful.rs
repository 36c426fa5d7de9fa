//! The routes that a served group version installs, and which methods a path below it supports.
//!
//! Mirrors the API installer: the verbs of an APIResourceList determine the path templates and
//! their methods. A path that matches a template with another method is 405, any other path 404.

use std::collections::HashMap;

use super::method::Method;
use crate::model::{ApiResource, Verb};

/// A set of HTTP methods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Methods(u16);

impl Methods {
    /// Returns a set with one method.
    pub(crate) const fn of(method: Method) -> Self {
        Self(1 << method as u16)
    }

    /// Returns all methods of a connect subresource that accepts a trailing path.
    fn all_connectable() -> Self {
        let all = Method::ALL.into_iter().filter(|m| !matches!(m, Method::Connect | Method::Trace));
        all.fold(Self::default(), |set, m| set.and(Self::of(m)))
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether the set contains the method.
    pub(crate) fn contains(self, method: Method) -> bool {
        self.0 & Self::of(method).0 != 0
    }

    /// Returns the methods in the set, in their usual order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Method> {
        Method::ALL.into_iter().filter(move |m| self.contains(*m))
    }
}

/// All routes of one group version.
#[derive(Debug, Default)]
pub(super) struct ResourceRoutes {
    resources: HashMap<String, Resource>,
}

#[derive(Debug, Default)]
struct Resource {
    namespaced: bool,
    /// Methods on the collection: list, create, deletecollection.
    collection: Methods,
    /// Methods on one object.
    item: Methods,
    /// Whether the deprecated `watch/…` paths exist.
    watch: bool,
    list: bool,
    subresources: Vec<(String, Subresource)>,
}

#[derive(Debug)]
struct Subresource {
    methods: Methods,
    /// Whether a path may follow: `services/x/proxy/some/page`.
    any_path: bool,
}

impl ResourceRoutes {
    /// Creates the routes of an APIResourceList.
    pub(super) fn new(list: &[ApiResource]) -> Self {
        let mut routes = Self::default();
        for entry in list {
            match entry.name.split_once('/') {
                None => routes.resources.entry(entry.name.clone()).or_default().add(entry),
                Some((parent, name)) => {
                    let parent = routes.resources.entry(parent.to_owned()).or_default();
                    parent.namespaced |= entry.namespaced;
                    parent
                        .subresources
                        .push((name.to_owned(), Subresource::new(name, &entry.verbs)));
                }
            }
        }
        routes
    }

    /// Returns the methods of the routes at these segments (those after the version); `None` if no
    /// route matches.
    pub(super) fn methods(&self, segments: &[&str]) -> Option<Methods> {
        if let ["watch", rest @ ..] = segments {
            return self.watchable(rest).then_some(Methods::of(Method::Get));
        }
        let cluster = segments.split_first().and_then(|(name, rest)| {
            let resource = self.resources.get(*name)?;
            if resource.namespaced {
                // Across all namespaces, only list exists.
                let here = rest.is_empty() && resource.list;
                return here.then_some(Methods::of(Method::Get));
            }
            resource.methods(rest)
        });
        let in_namespace = match segments {
            ["namespaces", _, name, rest @ ..] => {
                let resource = self.resources.get(*name).filter(|r| r.namespaced);
                resource.and_then(|r| r.methods(rest))
            }
            _ => None,
        };
        match (cluster, in_namespace) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (a, b) => a.or(b),
        }
    }

    /// Returns whether these segments name a collection that supports list but not watch.
    pub(super) fn only_lists(&self, segments: &[&str]) -> bool {
        let ([name] | ["namespaces", _, name]) = segments else { return false };
        self.resources.get(*name).is_some_and(|r| r.list && !r.watch)
    }

    /// Returns whether `watch/` followed by these segments is a route.
    fn watchable(&self, segments: &[&str]) -> bool {
        let watched = |name: &str| self.resources.get(name).filter(|r| r.watch);
        match segments {
            [name] => watched(name).is_some_and(|r| r.list),
            [name, _] => watched(name).is_some_and(|r| !r.namespaced),
            ["namespaces", _, name] => watched(name).is_some_and(|r| r.namespaced && r.list),
            ["namespaces", _, name, _] => watched(name).is_some_and(|r| r.namespaced),
            _ => false,
        }
    }
}

impl Resource {
    fn add(&mut self, entry: &ApiResource) {
        self.namespaced = entry.namespaced;
        for verb in &entry.verbs {
            let verb: &str = verb;
            self.list |= verb == "list";
            self.watch |= verb == "watch";
            self.collection = self.collection.and(collection_method(verb));
            self.item = self.item.and(object_method(verb));
        }
    }

    /// Returns the methods at the segments after the resource's name.
    fn methods(&self, rest: &[&str]) -> Option<Methods> {
        let methods = match rest {
            [] => self.collection,
            [_] => self.item,
            [_, name, ..] => {
                let fits = |s: &Subresource| rest.len() == 2 || s.any_path;
                let found = self.subresources.iter().find(|(n, s)| n == name && fits(s));
                found.map_or(Methods::default(), |(_, s)| s.methods)
            }
        };
        (methods != Methods::default()).then_some(methods)
    }
}

impl Subresource {
    fn new(name: &str, verbs: &[Verb]) -> Self {
        // Discovery does not list HEAD and OPTIONS, nor whether a path may follow. Only the three
        // built-in proxies (pods, services and nodes of the core group) accept all methods, and
        // only they have all five verbs under this name.
        if name == "proxy" && verbs.len() == 5 {
            return Self { methods: Methods::all_connectable(), any_path: true };
        }
        let methods = verbs.iter().map(|verb| collection_method(verb).and(object_method(verb)));
        Self { methods: methods.fold(Methods::default(), Methods::and), any_path: false }
    }
}

fn collection_method(verb: &str) -> Methods {
    match verb {
        "list" => Methods::of(Method::Get),
        "create" => Methods::of(Method::Post),
        "deletecollection" => Methods::of(Method::Delete),
        _ => Methods::default(),
    }
}

fn object_method(verb: &str) -> Methods {
    match verb {
        "get" => Methods::of(Method::Get),
        "update" => Methods::of(Method::Put),
        "patch" => Methods::of(Method::Patch),
        "delete" => Methods::of(Method::Delete),
        _ => Methods::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::verb;

    fn resource(name: &str, namespaced: bool, verbs: &str) -> ApiResource {
        ApiResource {
            name: name.into(),
            namespaced,
            kind: "Kind".into(),
            verbs: verbs.split_whitespace().map(verb).collect(),
            ..ApiResource::default()
        }
    }

    fn check(path: &str, want: &str) {
        let all = "create delete deletecollection get list patch update watch";
        let routes = ResourceRoutes::new(&[
            resource("namespaces", false, "create delete get list patch update watch"),
            resource("namespaces/finalize", false, "update"),
            resource("pods", true, all),
            resource("pods/log", true, "get"),
            resource("pods/proxy", true, "create delete get patch update"),
            resource("nodes", false, all),
            resource("reviews", false, "create"),
            resource("localreviews", true, "create"),
        ]);
        let segments: Vec<&str> = path.split('/').collect();
        let got = match routes.methods(&segments) {
            None => "404".to_owned(),
            Some(methods) => methods.iter().map(Method::as_str).collect::<Vec<_>>().join(" "),
        };
        assert_eq!(got, want, "{path}");
    }

    #[test]
    fn templates_follow_from_verbs() {
        check("pods", "GET");
        check("pods/x", "404");
        check("namespaces/n/pods", "GET POST DELETE");
        check("namespaces/n/pods/x", "GET PUT PATCH DELETE");
        check("namespaces/n/pods/x/log", "GET");
        check("namespaces/n/pods/x/log/y", "404");
        check("namespaces/n/pods/x/nope", "404");
        check("namespaces/n/pods/x/proxy", "GET HEAD POST PUT PATCH DELETE OPTIONS");
        check("namespaces/n/pods/x/proxy/a/b/c", "GET HEAD POST PUT PATCH DELETE OPTIONS");
        check("namespaces", "GET POST");
        check("namespaces/n", "GET PUT PATCH DELETE");
        check("namespaces/n/finalize", "PUT");
        check("nodes/x", "GET PUT PATCH DELETE");
        check("namespaces/n/nodes", "404");
        check("reviews", "POST");
        check("localreviews", "404");
        check("namespaces/n/localreviews", "POST");
        check("nope", "404");
    }

    #[test]
    fn some_collections_are_only_listed() {
        let routes = ResourceRoutes::new(&[
            resource("statuses", false, "get list"),
            resource("pods", true, "get list watch"),
            resource("notes", true, "list"),
        ]);
        let only = |path: &str| routes.only_lists(&path.split('/').collect::<Vec<_>>());
        assert!(only("statuses") && only("notes") && only("namespaces/n/notes"));
        assert!(!only("pods") && !only("namespaces/n/pods") && !only("statuses/x"));
    }

    #[test]
    fn deprecated_watch_paths() {
        check("watch/pods", "GET");
        check("watch/pods/x", "404");
        check("watch/namespaces", "GET");
        check("watch/namespaces/n", "GET");
        check("watch/namespaces/n/pods", "GET");
        check("watch/namespaces/n/pods/x", "GET");
        check("watch/nodes/x", "GET");
        check("watch/reviews", "404");
        check("watch/nope", "404");
    }
}
