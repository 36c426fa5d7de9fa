//! Builds snapshots for unit tests.

use kube_aggregation::ingest::SnapshotBuilder;
use kube_aggregation::model::Snapshot;

/// Builds a snapshot from YAML or JSON texts.
pub(crate) fn snapshot_of_yaml(texts: &[&str]) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for document in texts.iter().flat_map(|text| located_document::parse(text.as_bytes())) {
        builder.add_value("test", &document.unwrap().to_json_value()).unwrap();
    }
    builder.build("test").0
}
