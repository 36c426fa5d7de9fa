//! Plain Kubernetes servers that are part of the binary.
//!
//! What a freshly started API server of a minor version registers: its paths, its built-in
//! APIServices with their priorities, and the resources of each group version. Made from the
//! vanilla recordings in `testdata/recordings` by [`encode`]; a test says when they differ.
//! It is the source `--builtin`, and what an incomplete dump is completed from.

mod compact;

use std::sync::OnceLock;

use crate::model::{GroupVersion, Minor, Snapshot};

pub use compact::{decode, encode};

/// The embedded versions, oldest first.
pub const MINORS: [Minor; 3] = [Minor::new(25), Minor::new(33), Minor::new(36)];

const EMBEDDED: [&str; 3] =
    [include_str!("1.25.json"), include_str!("1.33.json"), include_str!("1.36.json")];

/// The embedded version nearest to the wanted one; of two equally near, the newer.
pub fn nearest(wanted: Minor) -> Minor {
    let distance = |m: &Minor| m.minor.abs_diff(wanted.minor);
    MINORS.into_iter().rev().min_by_key(distance).unwrap_or(LATEST)
}

/// The newest embedded version: what an unknown server is taken for.
pub const LATEST: Minor = MINORS[2];

/// The plain server nearest to the wanted version.
pub fn server(wanted: Minor) -> &'static Snapshot {
    static DECODED: [OnceLock<Snapshot>; 3] = [const { OnceLock::new() }; 3];
    let index = MINORS.iter().position(|m| *m == nearest(wanted)).unwrap_or(MINORS.len() - 1);
    DECODED[index].get_or_init(|| decode(MINORS[index], EMBEDDED[index]))
}

/// Of the embedded versions, those that have a group version and those that do not; none where no
/// version has it.
pub fn versions_with(gv: &GroupVersion) -> Option<(Vec<Minor>, Vec<Minor>)> {
    let (with, without): (Vec<_>, Vec<_>) =
        MINORS.iter().partition(|minor| server(**minor).resource_lists.contains_key(gv));
    (!with.is_empty()).then_some((with, without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_prefers_the_newer_of_two() {
        for (wanted, got) in
            [(1, 25), (25, 25), (28, 25), (29, 33), (30, 33), (34, 33), (35, 36), (99, 36)]
        {
            assert_eq!(nearest(Minor::new(wanted)), Minor::new(got), "1.{wanted}");
        }
    }

    #[test]
    fn some_group_versions_come_and_go() {
        let check = |gv: (&str, &str), want: Option<(&[u32], &[u32])>| {
            let minors = |all: &[u32]| all.iter().map(|m| Minor::new(*m)).collect::<Vec<_>>();
            let want = want.map(|(with, without)| (minors(with), minors(without)));
            assert_eq!(versions_with(&GroupVersion::new(gv.0, gv.1)), want);
        };
        check(("apps", "v1"), Some((&[25, 33, 36], &[])));
        check(("autoscaling", "v2beta2"), Some((&[25], &[33, 36])));
        check(("resource.k8s.io", "v1"), Some((&[36], &[25, 33])));
        check(("example.com", "v1"), None);
    }

    #[test]
    fn every_embedded_server_is_complete() {
        for minor in MINORS {
            let server = server(minor);
            assert_eq!(server.minor(), Some(minor));
            for service in server.api_services.loaded().unwrap() {
                assert!(
                    server.resource_lists.contains_key(&service.group_version),
                    "{}",
                    service.name
                );
            }
            assert!(server.root_paths.loaded().unwrap().contains("/healthz"));
            assert!(server.openapi_v3.loaded().unwrap().contains("apis/apps/v1"));
        }
    }
}
