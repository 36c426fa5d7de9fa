//! Every answer against recordings of real API servers (see `testdata/recordings`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aggctl::baseline;
use aggctl::model::Snapshot;
use aggctl::registry::Registry;
use aggctl::routing::{Match, Method, Router, Target};
use aggctl::source::{self, Source};
use serde::Deserialize;

use crate::repository;

pub(crate) fn recordings() -> Vec<PathBuf> {
    let root = repository("testdata/recordings");
    let mut found: Vec<_> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    found.sort();
    assert!(found.len() >= 6, "{found:?}");
    found
}

pub(crate) fn load(recording: &Path) -> Snapshot {
    source::load(&Source::Dump(vec![recording.join("dump")])).unwrap().snapshot
}

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

/// The requests whose recorded outcome does not follow from what the server did, by recording:
/// the recorder read outcomes off the answers, and these answers do not say.
const MISLABELLED: [(&str, &str, &str); 3] = [
    // The same 500 before any routing that the recordings call `bad-request` elsewhere.
    ("v1.25-mixed", "GET", "/apis%2F/slices.metrics.example.io/watch"),
    // Available, so the server tried and failed, as for GET; but a HEAD has no body to say so.
    ("v1.25-mixed", "HEAD", "/apis/broken.example.net/v4"),
    ("v1.25-mixed", "HEAD", "/apis/broken.example.net/v3/nope"),
];

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
            let mislabelled = MISLABELLED.contains(&(name, &want.method, &want.path));
            let outcome_ok = (route.outcome.as_str() == want.outcome) != mislabelled;
            let service_ok = want.service.is_none() || service == want.service;
            // 406 depends on the Accept header, which is no part of a route.
            let status_ok = match want.status {
                None | Some(406) => true,
                Some(status) => route.status.contains(&status) || mislabelled,
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
