//! Routes and built-in data against recordings of real API servers (see `testdata/recordings`).

use kube_aggregation::baseline;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;
use std::collections::BTreeMap;

use crate::{RecordedHop, assert_generated, assert_none, load, recordings, requests};

fn recorded(hops: &[RecordedHop]) -> String {
    let show = |h: &RecordedHop| match &h.pattern {
        Some(pattern) => format!("{} {} {pattern}", h.server, h.r#match),
        None => format!("{} {}", h.server, h.r#match),
    };
    hops.iter().map(show).collect::<Vec<_>>().join(" > ")
}

#[test]
fn routes_agree_with_the_servers() {
    let mut wrong = vec![];
    for recording in recordings() {
        let snapshot = load(&recording);
        let registry = Registry::new(&snapshot);
        let router = Router::new(&registry);
        for want in requests(&recording) {
            let target = want.target();
            let route = router.route(&target);
            let hops: Vec<String> = route.hops().map(ToString::to_string).collect();
            // For requests below /openapi/ only the first hop was recorded.
            let kept = if want.path.starts_with("/openapi/") { 1 } else { hops.len() };
            let got = hops[..kept.min(hops.len())].join(" > ");
            let service = route.api_service().and_then(|s| s.service.as_ref()).map(|s| s.id());
            let name = recording.file_name().unwrap().to_str().unwrap();
            let outcome_ok = route.outcome.as_str() == want.outcome;
            let service_ok = want.service.is_none() || service == want.service;
            // 406 depends on the Accept header, which is not part of a route. A handler may fail with
            // 500, as that for a missing componentstatus does up to 1.28.
            let status_ok = match want.status {
                None | Some(406) => true,
                Some(500) if want.outcome == "served" => true,
                Some(status) => route.status.contains(&status),
            };
            if got != recorded(&want.hops) || !outcome_ok || !service_ok || !status_ok {
                wrong.push(format!(
                    "{}: {} {}\n  got  {got} | {} {:?} {service:?}\n  want {} | {} {:?} {:?}",
                    name,
                    want.method,
                    want.path,
                    route.outcome.as_str(),
                    route.status,
                    recorded(&want.hops),
                    want.outcome,
                    want.status,
                    want.service,
                ));
            }
        }
    }
    assert_none(&wrong);
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
