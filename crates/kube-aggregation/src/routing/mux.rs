//! Finds the handler for a path in one server of the chain.
//!
//! Mirrors the director and the path-recorder mux of a generic API server: web services first, then
//! an exact path, then the prefix with the most slashes, then no match.

use std::collections::HashMap;

/// What a path matched in one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match<'a> {
    /// A web service, with its root.
    WebService(&'a str),
    /// An exact path.
    Exact,
    /// A prefix.
    Prefix(&'a str),
    /// Nothing: the next server in the chain gets the request.
    None,
}

/// The paths that one server has registered, as a tree of path segments.
///
/// Paths are split at every slash and not cleaned, so `/apis/` has an additional, empty segment
/// compared to `/apis`.
#[derive(Debug)]
pub(super) struct Mux<H> {
    root: Node<H>,
}

#[derive(Debug)]
struct Node<H> {
    children: HashMap<Box<str>, Node<H>>,
    /// Serves this path and everything below it.
    web_service: Option<(Box<str>, H)>,
    /// Serves only this path.
    exact: Option<H>,
    /// Serves everything below this path, but not the path itself.
    prefix: Option<(Box<str>, H)>,
}

impl<H> Default for Node<H> {
    fn default() -> Self {
        Self { children: HashMap::new(), web_service: None, exact: None, prefix: None }
    }
}

impl<H> Mux<H> {
    /// Creates a server without paths.
    pub(super) fn new() -> Self {
        Self { root: Node::default() }
    }

    /// Registers a web service. If one root contains another, the longer one wins, because the
    /// server registers a group's versions before the group itself.
    pub(super) fn web_service(&mut self, root: &str, handler: H) {
        self.node(root).web_service = Some((root.into(), handler));
    }

    /// Registers one exact path.
    pub(super) fn exact(&mut self, path: &str, handler: H) {
        self.node(path).exact = Some(handler);
    }

    /// Registers a prefix, which ends with a slash.
    pub(super) fn prefix(&mut self, prefix: &str, handler: H) {
        let parent = prefix.strip_suffix('/').unwrap_or(prefix);
        self.node(parent).prefix = Some((prefix.into(), handler));
    }

    fn node(&mut self, path: &str) -> &mut Node<H> {
        path.split('/')
            .fold(&mut self.root, |node, segment| node.children.entry(segment.into()).or_default())
    }

    /// Finds what the path matches, and the handler registered there.
    pub(super) fn find<'a>(&'a self, path: &str) -> (Match<'a>, Option<&'a H>) {
        let (mut web_service, mut prefix) = (None, None);
        let mut segments = path.split('/').peekable();
        let mut node = Some(&self.root);
        while let Some(segment) = segments.next() {
            node = node.and_then(|node| node.children.get(segment));
            let Some(here) = node else { break };
            web_service = here.web_service.as_ref().or(web_service);
            if segments.peek().is_some() {
                prefix = here.prefix.as_ref().or(prefix);
            }
        }
        if let Some((root, handler)) = web_service {
            (Match::WebService(root), Some(handler))
        } else if let Some(handler) = node.and_then(|node| node.exact.as_ref()) {
            (Match::Exact, Some(handler))
        } else if let Some((prefix, handler)) = prefix {
            (Match::Prefix(prefix), Some(handler))
        } else {
            (Match::None, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, want: Match<'_>) {
        let mut mux = Mux::new();
        for root in ["/version", "/apis/apps/v1", "/apis/apps", "/api/v1", "/api"] {
            mux.web_service(root, ());
        }
        for exact in ["/", "/apis", "/apis/", "/apis/x/v1", "/debug/pprof"] {
            mux.exact(exact, ());
        }
        for prefix in ["/apis/x/v1/", "/debug/", "/debug/pprof/", "/a/b/"] {
            mux.prefix(prefix, ());
        }
        assert_eq!(mux.find(path).0, want, "{path}");
    }

    #[test]
    fn web_services_come_first_and_end_at_a_slash() {
        check("/version", Match::WebService("/version"));
        check("/version/", Match::WebService("/version"));
        check("/version/x", Match::WebService("/version"));
        check("/versions", Match::None);
        check("/apis/apps/v1", Match::WebService("/apis/apps/v1"));
        check("/apis/apps/v1/deployments/a/b/c/d/e", Match::WebService("/apis/apps/v1"));
        check("/apis/apps/v1x", Match::WebService("/apis/apps"));
        check("/apis/apps/v7/things", Match::WebService("/apis/apps"));
        check("/apis/apps//", Match::WebService("/apis/apps"));
        check("/api//v1", Match::WebService("/api"));
    }

    #[test]
    fn exact_comes_before_the_prefix_with_most_slashes() {
        check("/", Match::Exact);
        check("/apis/x/v1", Match::Exact);
        check("/apis/x/v1/", Match::Prefix("/apis/x/v1/"));
        check("/apis/x/v1/y/z", Match::Prefix("/apis/x/v1/"));
        check("/debug/pprof", Match::Exact);
        check("/debug/pprof/heap", Match::Prefix("/debug/pprof/"));
        check("/debug/x", Match::Prefix("/debug/"));
        check("/debug", Match::None);
    }

    #[test]
    fn nothing_is_cleaned() {
        check("//apis", Match::None);
        check("/apis//", Match::None);
        check("/a//b/", Match::None);
        check("", Match::None);
    }
}
