//! Snapshots for unit tests.

use kube_aggregation::ingest::SnapshotBuilder;
use kube_aggregation::model::Snapshot;
use located_document::NodeDeserializer;

/// Builds a snapshot from YAML or JSON texts.
pub(crate) fn snapshot_of_yaml(texts: &[&str]) -> Snapshot {
    let mut builder = SnapshotBuilder::default();
    for document in texts.iter().flat_map(|text| located_document::parse(text.as_bytes())) {
        let document = document.unwrap();
        let node = NodeDeserializer::new(&document.root);
        builder.add_document("test", node, String::new).unwrap();
    }
    builder.build("test").0
}
