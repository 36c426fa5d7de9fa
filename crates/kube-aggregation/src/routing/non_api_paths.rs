//! Built-in knowledge about paths outside the API groups, which no dump contains.
//!
//! `/` lists the paths of all three servers without naming the server, and omits paths registered
//! as unlisted. This table is based on the routes package of the generic API server and on the
//! recordings.

use crate::model::Minor;

/// What handles a path outside the API groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A web service of the aggregator.
    AggregatorWebService,
    /// A web service of kube-apiserver. It exists only if `/` lists it.
    KubeWebService,
}

/// Web services that are not group versions. All other listed paths are exact paths of the
/// aggregator (or prefixes, if they end with a slash), where the health checks of all servers meet.
pub(super) const WEB_SERVICES: [(&str, Place); 4] = [
    ("/version", Place::AggregatorWebService),
    ("/.well-known/openid-configuration", Place::KubeWebService),
    ("/openid/v1/jwks", Place::KubeWebService),
    // Up to 1.32, unless --enable-logs-handler=false; the only one that accepts paths below its
    // root.
    ("/logs", Place::KubeWebService),
];

/// The web service that accepts any path below its root.
pub(super) const LOGS: &str = "/logs";

/// The metrics of health checks. Only the first server that registers the path gets it. Up to 1.29
/// that is apiextensions-apiserver, which is created first.
pub(super) const SLIS: &str = "/metrics/slis";
pub(super) const SLIS_IN_AGGREGATOR: Minor = Minor::new(30);

/// How an unlisted path is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unlisted {
    /// As an exact path.
    Exact,
    /// As a prefix.
    Prefix,
    /// As an exact path that redirects.
    Redirect,
}

/// Returns the flag that enables a path, if it needs one. These flags are on by default.
pub(super) fn needed_flag(path: &str) -> Option<&'static str> {
    if path.starts_with("/debug/api_priority_and_fairness/") {
        return Some("enable-priority-and-fairness");
    }
    let below = |root: &str| {
        path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    (below("/debug/pprof") || below("/debug/flags")).then_some("profiling")
}

/// Unlisted paths of the aggregator, with the first minor that has them. Those below `/debug/` need
/// a flag: see [`needed_flag`].
pub(super) const UNLISTED: [(&str, Unlisted, Minor); 13] = [
    ("/", Unlisted::Exact, Minor::new(0)),
    ("/index.html", Unlisted::Exact, Minor::new(0)),
    ("/debug/pprof", Unlisted::Redirect, Minor::new(0)),
    ("/debug/pprof/", Unlisted::Prefix, Minor::new(0)),
    ("/debug/pprof/profile", Unlisted::Exact, Minor::new(0)),
    ("/debug/pprof/symbol", Unlisted::Exact, Minor::new(0)),
    ("/debug/pprof/trace", Unlisted::Exact, Minor::new(0)),
    ("/debug/flags", Unlisted::Exact, Minor::new(0)),
    ("/debug/flags/", Unlisted::Prefix, Minor::new(0)),
    ("/debug/flags/v", Unlisted::Exact, Minor::new(0)),
    ("/debug/api_priority_and_fairness/dump_priority_levels", Unlisted::Exact, Minor::new(18)),
    ("/debug/api_priority_and_fairness/dump_queues", Unlisted::Exact, Minor::new(18)),
    ("/debug/api_priority_and_fairness/dump_requests", Unlisted::Exact, Minor::new(18)),
];
