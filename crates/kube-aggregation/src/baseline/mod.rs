//! Baselines: the embedded data of plain Kubernetes API servers, per minor version.
//!
//! A baseline is what a freshly started kube-apiserver registers: its paths, its built-in
//! APIServices with their priorities, and the resources of each group version. [`encode`] generates
//! it from the recordings of plain servers in `testdata/recordings`, and a test fails if they
//! differ. It is the source for `--builtin`, and it completes incomplete dumps.

mod compact;
mod derived;
mod history;
mod minors;
mod past;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::model::{GroupVersion, Minor, Snapshot};

pub use compact::{decode, encode};
pub use history::{
    History, Row, Span, Told, When, history, instead, optional, past, resource_of, rows, when,
};
pub use minors::Minors;

const COUNT: usize = 11;

/// The embedded minors, oldest first.
pub const MINORS: [Minor; COUNT] = [
    Minor::new(25),
    Minor::new(28),
    Minor::new(29),
    Minor::new(30),
    Minor::new(31),
    Minor::new(32),
    Minor::new(33),
    Minor::new(34),
    Minor::new(35),
    Minor::new(36),
    Minor::new(37),
];

const EMBEDDED: &str = include_str!("servers.txt");

/// The newest embedded minor. A server with an unknown version is treated as this one.
pub const LATEST: Minor = MINORS[COUNT - 1];

/// Returns the embedded minor to use for the wanted one: itself, or the closest older one, because
/// the wanted minor lacks what was added later. For a minor older than all, returns the oldest.
pub fn standing_for(wanted: Minor) -> Minor {
    MINORS.into_iter().rev().find(|minor| *minor <= wanted).unwrap_or(MINORS[0])
}

/// Size of the per-minor caches.
const SLOTS: usize = LATEST.minor as usize + 1;

/// Returns the baseline of the wanted minor. If that minor is not embedded, derives it from an
/// embedded one and the history.
pub fn server(wanted: Minor) -> &'static Snapshot {
    static DECODED: [OnceLock<Snapshot>; SLOTS] = [const { OnceLock::new() }; SLOTS];
    of_each(&DECODED, wanted, |minor| match MINORS.contains(&minor) {
        true => decode(EMBEDDED, minor),
        false => derived::server_of(minor),
    })
}

/// Returns the group versions of the baseline. Cheaper than [`server`] if nothing else is needed.
pub fn group_versions(wanted: Minor) -> &'static BTreeSet<GroupVersion> {
    static FOUND: [OnceLock<BTreeSet<GroupVersion>>; SLOTS] = [const { OnceLock::new() }; SLOTS];
    of_each(&FOUND, wanted, |minor| match MINORS.contains(&minor) {
        true => compact::group_versions(EMBEDDED, minor),
        false => {
            let services = server(minor).api_services.items().iter();
            let registered = services.map(|service| &service.group_version);
            registered.chain(server(minor).resource_lists.keys()).cloned().collect()
        }
    })
}

/// Returns the cached value of a minor. Minors after the newest one use the newest one.
fn of_each<T>(kept: &[OnceLock<T>; SLOTS], wanted: Minor, make: impl Fn(Minor) -> T) -> &T {
    let minor = wanted.min(LATEST);
    kept[(minor.minor as usize).min(SLOTS - 1)].get_or_init(|| make(minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_before_stands_for_one_that_is_not_embedded() {
        for (wanted, got) in
            [(1, 25), (25, 25), (26, 25), (27, 25), (28, 28), (34, 34), (37, 37), (99, 37)]
        {
            assert_eq!(standing_for(Minor::new(wanted)), Minor::new(got), "1.{wanted}");
        }
    }

    #[test]
    fn every_embedded_server_is_complete() {
        for minor in MINORS {
            let server = server(minor);
            assert_eq!(server.minor(), Some(minor));
            assert!(group_versions(minor).iter().eq(server.resource_lists.keys()));
            for service in server.api_services.loaded().unwrap() {
                let list = server.resource_lists.get(&service.group_version);
                assert!(list.is_some_and(|list| !list.is_empty()), "{minor} {}", service.name);
            }
            assert!(server.root_paths.loaded().unwrap().contains("/healthz"));
            assert!(server.openapi_v3.loaded().unwrap().contains("apis/apps/v1"));
        }
    }
}
