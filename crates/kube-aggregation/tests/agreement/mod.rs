//! Compares what the model answers with what a real API server answered.

use std::path::Path;

use kube_aggregation::discovery::{self, DiscoveryDocument};
use kube_aggregation::model::{AggregatedGroup, DiscoveryForm, Input};
use kube_aggregation::{Method, Registry, Router, Snapshot, Target};
use serde::Deserialize;

/// A text that lists where the model differs from what the server answered.
pub(crate) type Disagreement = String;

/// A recorded request: the servers that received it, and its outcome.
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

impl RecordedHop {
    fn show(&self) -> String {
        let pattern = self.pattern.as_ref().map(|pattern| format!(" {pattern}"));
        format!("{} {}{}", self.server, self.r#match, pattern.unwrap_or_default())
    }
}

pub(crate) fn routes(snapshot: Snapshot, recording: &Path) -> Result<(), Disagreement> {
    let registry = Registry::new(&snapshot);
    let router = Router::new(&registry);
    let mut wrong = vec![];
    let requests = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
    for line in requests.lines() {
        let want: Recorded = serde_json::from_str(line).unwrap();
        let method = Method::parse(&want.method).unwrap();
        let target = Target::parse(method, &want.path).unwrap();
        let route = router.route(&target);
        // For requests below /openapi/ only the first hop was recorded.
        let kept = if want.path.starts_with("/openapi/") { 1 } else { usize::MAX };
        let hops: Vec<String> = route.hops().take(kept).map(ToString::to_string).collect();
        let wanted: Vec<String> = want.hops.iter().map(RecordedHop::show).collect();
        let service = route.api_service().and_then(|s| s.service.as_ref()).map(|s| s.id());
        // 406 depends on the Accept header, which is not part of a route. A handler may fail with
        // 500, as the one for a missing componentstatus does up to 1.28.
        let status_agrees = match want.status {
            None | Some(406) => true,
            Some(500) if want.outcome == "served" => true,
            Some(status) => route.status.contains(&status),
        };
        let agrees = hops == wanted
            && route.outcome.as_str() == want.outcome
            && (want.service.is_none() || service == want.service)
            && status_agrees;
        if !agrees {
            let (outcome, status) = (route.outcome.as_str(), &route.status);
            wrong.push(format!("{line}\n  got {hops:?} {outcome} {status:?} {service:?}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

pub(crate) fn legacy_discovery(mut snapshot: Snapshot, _: &Path) -> Result<(), Disagreement> {
    let served = std::mem::replace(&mut snapshot.legacy_groups, Input::Absent);
    let want = DiscoveryDocument::Groups(served.loaded().unwrap().clone());
    let registry = Registry::new(&snapshot);
    let (got, _) = discovery::document(&registry, "/apis", DiscoveryForm::Legacy, true).unwrap();
    if got == want { Ok(()) } else { Err(format!("got {got:?}\nwant {want:?}")) }
}

pub(crate) fn aggregated_discovery(mut snapshot: Snapshot, _: &Path) -> Result<(), Disagreement> {
    let served = std::mem::replace(&mut snapshot.aggregated_groups, Input::Absent);
    // Servers before 1.26 have no aggregated discovery.
    let Some(want) = served.loaded() else { return Ok(()) };
    let registry = Registry::new(&snapshot);
    let form = DiscoveryForm::Aggregated;
    let (got, _) = discovery::document(&registry, "/apis", form, true).unwrap();
    let DiscoveryDocument::Aggregated(got) = got else { return Err("another form".to_owned()) };
    let names = |groups: &[AggregatedGroup]| -> Vec<String> {
        groups.iter().map(|group| group.name.clone()).collect()
    };
    if names(&got) != names(want) {
        return Err(format!("got {:?}\nwant {:?}", names(&got), names(want)));
    }
    for (got, want) in got.iter().zip(want) {
        // This extension server's aggregated document is broken JSON, which a dump does not show.
        let broken = want.name.starts_with("json.");
        let (got, want) = (without_kind_groups(got), without_kind_groups(want));
        if got != want && !broken {
            return Err(format!("got {got:?}\nwant {want:?}"));
        }
    }
    Ok(())
}

/// Removes the groups of kinds. Servers with aggregated discovery write them, APIResourceLists do
/// not, and the parts do not show which of the two a Service has.
fn without_kind_groups(group: &AggregatedGroup) -> AggregatedGroup {
    let mut group = group.clone();
    for resource in group.versions.iter_mut().flat_map(|version| &mut version.resources) {
        let subresources = resource.subresources.iter_mut().map(|s| &mut s.response_kind);
        for kind in subresources.chain([&mut resource.response_kind]) {
            (kind.group, kind.version) = Default::default();
        }
    }
    group
}
