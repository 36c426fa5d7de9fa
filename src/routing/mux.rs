//! How one server of the chain finds a handler for a path.
//!
//! Mirrors the director and the path-recorder mux of a generic API server: web services first,
//! then an exact path, then the prefix with the most slashes, then nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

type Table<'s, H> = HashMap<Cow<'s, str>, H, FixedState>;

/// What a path matched in one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match<'a> {
    /// A web service, with its root.
    WebService(&'a str),
    /// An exact path.
    Exact,
    /// A prefix, with the prefix.
    Prefix(&'a str),
    /// Nothing: the next server in the chain gets the request.
    None,
}

/// The paths that one server has registered.
#[derive(Debug)]
pub(super) struct Mux<'s, H> {
    web_services: Table<'s, H>,
    web_service_depth: usize,
    exact: Table<'s, H>,
    prefixes: Table<'s, H>,
    prefix_depth: usize,
}

impl<'s, H> Mux<'s, H> {
    /// A server that knows no path.
    pub(super) fn new() -> Self {
        let table = || HashMap::with_hasher(FixedState::default());
        Self {
            web_services: table(),
            web_service_depth: 0,
            exact: table(),
            prefixes: table(),
            prefix_depth: 0,
        }
    }

    /// Registers a web service. Of two roots of which one contains the other, the server meets
    /// the longer one first: it registers a group's versions before the group itself.
    pub(super) fn web_service(&mut self, root: impl Into<Cow<'s, str>>, handler: H) {
        let root = root.into();
        self.web_service_depth = self.web_service_depth.max(slashes(&root));
        self.web_services.insert(root, handler);
    }

    /// Registers one exact path.
    pub(super) fn exact(&mut self, path: impl Into<Cow<'s, str>>, handler: H) {
        self.exact.insert(path.into(), handler);
    }

    /// Registers a prefix, which ends with a slash.
    pub(super) fn prefix(&mut self, prefix: impl Into<Cow<'s, str>>, handler: H) {
        let prefix = prefix.into();
        self.prefix_depth = self.prefix_depth.max(slashes(&prefix));
        self.prefixes.insert(prefix, handler);
    }

    /// What the path matches, and whose it is.
    pub(super) fn find<'a>(&'a self, path: &str) -> (Match<'a>, Option<&'a H>) {
        if !self.web_services.is_empty() {
            let deepest_first = Cuts::new(path, self.web_service_depth + 1, true);
            for root in deepest_first {
                if let Some((root, handler)) = self.web_services.get_key_value(root) {
                    return (Match::WebService(root), Some(handler));
                }
            }
        }
        if let Some(handler) = self.exact.get(path) {
            return (Match::Exact, Some(handler));
        }
        for prefix in Cuts::new(path, self.prefix_depth, false) {
            if let Some((prefix, handler)) = self.prefixes.get_key_value(prefix) {
                return (Match::Prefix(prefix), Some(handler));
            }
        }
        (Match::None, None)
    }
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|b| *b == b'/').count()
}

/// More slashes than any registered path has (`/apis/<group>/<version>/` has four).
const MOST: usize = 8;

/// The beginnings of a path that end at one of its first slashes, longest first.
struct Cuts<'p> {
    path: &'p str,
    /// Byte positions of the first slashes.
    at: [usize; MOST],
    left: usize,
    /// Roots end before a slash or with the path; prefixes end with a slash.
    roots: bool,
    whole: bool,
}

impl<'p> Cuts<'p> {
    fn new(path: &'p str, depth: usize, roots: bool) -> Self {
        let mut cuts = Self { path, at: [0; MOST], left: 0, roots, whole: false };
        let limit = depth.min(MOST);
        for (at, byte) in path.bytes().enumerate() {
            if byte == b'/' {
                if cuts.left == limit {
                    return cuts;
                }
                cuts.at[cuts.left] = at;
                cuts.left += 1;
            }
        }
        // A path with fewer slashes than the deepest root may be a root itself.
        cuts.whole = roots && cuts.left < limit;
        cuts
    }
}

impl<'p> Iterator for Cuts<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        if std::mem::take(&mut self.whole) {
            return Some(self.path);
        }
        self.left = self.left.checked_sub(1)?;
        let at = *self.at.get(self.left)?;
        // The first slash opens the path: nothing is rooted before it.
        if self.roots && at == 0 { None } else { self.path.get(..at + usize::from(!self.roots)) }
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
