//! How one server of the chain finds a handler for a path.
//!
//! Mirrors the director and the path-recorder mux of a generic API server: web services first,
//! then an exact path, then the prefix with the most slashes, then nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::target::Slashes;

/// Paths of one kind. Most paths that are looked for are not there; a small filter says so before
/// anything is hashed.
#[derive(Debug)]
struct Table<'s, H> {
    paths: HashMap<Cow<'s, str>, H, FixedState>,
    /// A bit for each fingerprint that some path has.
    fingerprints: [u64; 64],
    /// The most slashes that any path has.
    depth: usize,
}

impl<'s, H> Table<'s, H> {
    fn new() -> Self {
        let paths = HashMap::with_hasher(FixedState::default());
        Self { paths, fingerprints: [0; 64], depth: 0 }
    }

    fn insert(&mut self, path: Cow<'s, str>, handler: H) {
        let (word, bit) = fingerprint(&path);
        self.fingerprints[word] |= bit;
        self.depth = self.depth.max(path.bytes().filter(|b| *b == b'/').count());
        self.paths.insert(path, handler);
    }

    #[inline]
    fn get(&self, path: &str) -> Option<(&str, &H)> {
        let (word, bit) = fingerprint(path);
        if self.fingerprints[word] & bit == 0 {
            return None;
        }
        self.paths.get_key_value(path).map(|(path, handler)| (path.as_ref(), handler))
    }
}

/// A place in the filter, from what differs most between paths: their length and a few bytes.
fn fingerprint(path: &str) -> (usize, u64) {
    let bytes = path.as_bytes();
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
    let length = bytes.len();
    let mixed = length * 61 + byte(length / 2) * 7 + byte(length.wrapping_sub(2)) * 3;
    (mixed / 64 % 64, 1 << (mixed % 64))
}

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
    exact: Table<'s, H>,
    prefixes: Table<'s, H>,
}

impl<'s, H> Mux<'s, H> {
    /// A server that knows no path.
    pub(super) fn new() -> Self {
        Self { web_services: Table::new(), exact: Table::new(), prefixes: Table::new() }
    }

    /// Registers a web service. Of two roots of which one contains the other, the server meets
    /// the longer one first: it registers a group's versions before the group itself.
    pub(super) fn web_service(&mut self, root: impl Into<Cow<'s, str>>, handler: H) {
        self.web_services.insert(root.into(), handler);
    }

    /// Registers one exact path.
    pub(super) fn exact(&mut self, path: impl Into<Cow<'s, str>>, handler: H) {
        self.exact.insert(path.into(), handler);
    }

    /// Registers a prefix, which ends with a slash.
    pub(super) fn prefix(&mut self, prefix: impl Into<Cow<'s, str>>, handler: H) {
        self.prefixes.insert(prefix.into(), handler);
    }

    /// What the path matches, and whose it is.
    #[inline]
    pub(super) fn find<'a>(&'a self, path: &str, slashes: &Slashes) -> (Match<'a>, Option<&'a H>) {
        if let Some((root, handler)) = self.find_web_service(path, slashes) {
            return (Match::WebService(root), Some(handler));
        }
        if let Some((_, handler)) = self.exact.get(path) {
            return (Match::Exact, Some(handler));
        }
        for at in slashes.first(self.prefixes.depth).iter().rev() {
            let found = path.get(..=*at as usize).and_then(|prefix| self.prefixes.get(prefix));
            if let Some((prefix, handler)) = found {
                return (Match::Prefix(prefix), Some(handler));
            }
        }
        (Match::None, None)
    }

    /// A root is the path itself, or the path up to one of its slashes; the deepest one counts.
    #[inline]
    fn find_web_service<'a>(&'a self, path: &str, slashes: &Slashes) -> Option<(&'a str, &'a H)> {
        let depth = self.web_services.depth;
        if slashes.count() <= depth
            && let Some(found) = self.web_services.get(path)
        {
            return Some(found);
        }
        // No root ends at the slash that every path begins with.
        for at in slashes.first(depth + 1).get(1..).unwrap_or_default().iter().rev() {
            let found = path.get(..*at as usize).and_then(|root| self.web_services.get(root));
            if found.is_some() {
                return found;
            }
        }
        None
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
        assert_eq!(mux.find(path, &Slashes::of(path)).0, want, "{path}");
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
