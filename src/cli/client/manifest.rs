//! The objects of a manifest, as far as kubectl needs them to find a path.

use std::path::Path;

use crate::error::Error;
use aggctl_client::ManifestObject;
use kube_aggregation::model::GroupVersion;

/// Reads the objects of a manifest.
pub(super) fn objects(path: &Path) -> Result<Vec<ManifestObject>, Error> {
    let text = aggctl_source::text(path)?;
    let name = path.display();
    let mut objects = vec![];
    for document in located_document::parse(text.as_bytes()) {
        let document = document.map_err(|error| Error::source(format!("{name}: {error}")))?;
        let value = document.to_json_value();
        match value.get("items").and_then(|items| items.as_array()) {
            Some(items) => objects.extend(items.iter().filter_map(object)),
            None => objects.extend(object(&value)),
        }
    }
    if objects.is_empty() {
        let error = Error::source(format!("{name} has no object with apiVersion and kind"));
        return Err(error.with_hint("name a file that `kubectl apply -f` takes"));
    }
    Ok(objects)
}

fn object(value: &serde_json::Value) -> Option<ManifestObject> {
    let text = |pointer: &str| value.pointer(pointer)?.as_str();
    let metadata = |pointer: &str| text(pointer).unwrap_or_default().to_owned();
    Some(ManifestObject {
        group_version: GroupVersion::parse(text("/apiVersion")?)?,
        kind: text("/kind")?.to_owned(),
        name: metadata("/metadata/name"),
        namespace: metadata("/metadata/namespace"),
    })
}
