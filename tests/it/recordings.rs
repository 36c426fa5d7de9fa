//! Compares routes and built-in data with recordings of real API servers (see
//! `testdata/recordings`).

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

/// `AGGCTL_BLESS=1 cargo test --test it embedded` writes the built-in data from the recordings of
/// all servers without extensions.
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
    // Each equals its recording.
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

/// A Service, Pod or node that a request is proxied to may be unreachable, or have no endpoint.
#[test]
fn a_proxied_object_may_not_answer() {
    let status = |subresource: &str| {
        let path = format!("/api/v1/namespaces/default/services/x/{subresource}");
        crate::run(&["route", &path, "--builtin", "-o", "json"]).json()["status"].to_string()
    };
    assert_eq!((&*status("proxy"), &*status("status")), ("[200,404,503]", "[200,404]"));
}
