//! Every answer against recordings of real API servers (see `testdata/recordings`).

use aggctl::baseline;
use aggctl::registry::Registry;
use aggctl::routing::{Match, Method, Router, Target};
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::{load, recordings, repository};

#[derive(Deserialize)]
struct Recorded {
    method: String,
    path: String,
    hops: Vec<RecordedHop>,
    outcome: String,
    status: Option<u16>,
    service: Option<String>,
}

#[derive(Deserialize)]
struct RecordedHop {
    server: String,
    r#match: String,
    pattern: Option<String>,
}

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
    let mut total = 0;
    for recording in recordings() {
        let snapshot = load(&recording);
        let registry = Registry::new(&snapshot);
        let router = Router::new(&registry);
        let lines = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
        for line in lines.lines() {
            let want: Recorded = serde_json::from_str(line).unwrap();
            let target = Target::parse(Method::parse(&want.method).unwrap(), &want.path).unwrap();
            let route = router.route(&target);
            let hops: Vec<String> = route
                .hops()
                .map(|hop| match hop.matched {
                    Match::WebService(root) => format!("{} webservice {root}", hop.server.as_str()),
                    Match::Exact => format!("{} exact", hop.server.as_str()),
                    Match::Prefix(prefix) => format!("{} prefix {prefix}", hop.server.as_str()),
                    Match::None => format!("{} none", hop.server.as_str()),
                })
                .collect();
            // Of requests below /openapi/ only the first hop was recorded.
            let kept = if want.path.starts_with("/openapi/") { 1 } else { hops.len() };
            let got = hops[..kept.min(hops.len())].join(" > ");
            let service = route.api_service().and_then(|s| s.service.as_ref()).map(|s| s.id());
            let name = recording.file_name().unwrap().to_str().unwrap();
            let outcome_ok = route.outcome.as_str() == want.outcome;
            let service_ok = want.service.is_none() || service == want.service;
            // 406 depends on the Accept header, which is no part of a route.
            let status_ok = match want.status {
                None | Some(406) => true,
                Some(status) => route.status.contains(&status),
            };
            total += 1;
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
    assert!(
        wrong.is_empty(),
        "{} of {total}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(15)].join("\n")
    );
}

/// `AGGCTL_BLESS=1 cargo test --test it` writes the embedded servers anew.
#[test]
fn embedded_servers_are_current() {
    for minor in baseline::MINORS {
        let recording = format!("testdata/recordings/v{minor}-vanilla");
        let encoded = baseline::encode(&load(&repository(&recording)));
        let file = repository(&format!("src/baseline/{minor}.json"));
        if std::env::var_os("AGGCTL_BLESS").is_some() {
            std::fs::write(&file, &encoded).unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            encoded,
            "{minor}: see this test's comment"
        );
        // What was encoded can be read again.
        let snapshot = baseline::decode(minor, &encoded);
        assert_eq!(baseline::encode(&snapshot), encoded);
        let groups: BTreeMap<_, _> = snapshot.resource_lists.iter().collect();
        assert!(!groups.is_empty());
    }
}
