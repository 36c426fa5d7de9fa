//! Routes and built-in data against recordings of real API servers (see `testdata/recordings`).

use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use std::collections::BTreeMap;

use crate::{agreement, assert_generated, load, recordings};

#[test]
fn routes_agree_with_the_servers() {
    for recording in recordings() {
        let result = agreement::routes(load(&recording), &recording);
        assert!(result.is_ok(), "{}: {}", recording.display(), result.unwrap_err());
    }
}

/// `AGGCTL_BLESS=1 cargo test --test it embedded` writes the built-in data from all recordings of
/// plain servers.
#[test]
fn embedded_servers_are_current() {
    let recorded: BTreeMap<Minor, Snapshot> = (recordings().iter())
        .filter(|recording| recording.to_str().unwrap().ends_with("-vanilla"))
        .map(|recording| load(recording))
        .map(|snapshot| (snapshot.minor().unwrap(), snapshot))
        .collect();
    assert!(recorded.keys().eq(&baseline::MINORS), "MINORS of the module baseline");
    let encoded = baseline::encode(&recorded);
    assert_generated("crates/kube-aggregation/src/baseline/servers.txt", &encoded);
    // Each equals what was recorded.
    for (minor, recorded) in &recorded {
        let decoded = baseline::decode(&encoded, *minor);
        assert_eq!(decoded.version, recorded.version);
        assert_eq!(decoded.root_paths, recorded.root_paths);
        assert_eq!(decoded.openapi_v3, recorded.openapi_v3);
        assert_eq!(decoded.resource_lists, recorded.resource_lists);
        let priorities = |snapshot: &Snapshot| -> Vec<(String, i32, i32)> {
            let services = snapshot.api_services.loaded().unwrap().iter();
            services.map(|s| (s.name.clone(), s.group_priority, s.version_priority)).collect()
        };
        assert_eq!(priorities(&decoded), priorities(recorded));
    }
}
