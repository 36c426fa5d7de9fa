//! Requests that were sent to real API servers, as recordings keep them.

use std::path::Path;

use serde::Deserialize;

use aggctl_source::{self, Source};
use kube_aggregation::model::Snapshot;
use kube_aggregation::routing::{Method, Target};

/// A request, and how the server answered it.
#[derive(Clone, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) outcome: String,
    pub(crate) service: Option<String>,
}

impl Recorded {
    pub(crate) fn method(&self) -> Method {
        Method::parse(&self.method).unwrap()
    }

    pub(crate) fn target(&self) -> Target<'_> {
        Target::parse(self.method(), &self.path).unwrap()
    }
}

/// Reads the requests of a recording.
pub(crate) fn requests(recording: &Path) -> Vec<Recorded> {
    let lines = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads a dump.
pub(crate) fn load(dump: &Path) -> Snapshot {
    aggctl_source::load(&Source::Dump(vec![dump.to_owned()])).unwrap().snapshot
}
