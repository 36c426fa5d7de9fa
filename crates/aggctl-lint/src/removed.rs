//! Lists the objects of manifests that a version of Kubernetes does not serve any more.

use super::engine::objects;
use super::found::text;
use super::server::Removal;
use super::template;
use kube_aggregation::model::{GroupVersion, Minor};
use located_document::Positions;

/// An object whose apiVersion is no longer served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedObject {
    /// Its line in the file.
    pub line: usize,
    /// Its kind.
    pub kind: String,
    /// Its name; empty if a template does not show it.
    pub name: String,
    /// Its apiVersion.
    pub group_version: GroupVersion,
    /// The first minor that does not serve it.
    pub since: Minor,
    /// The group version that serves the kind instead.
    pub instead: Option<GroupVersion>,
}

/// Returns the objects of a file that a minor does not serve although an earlier one did.
pub fn removed_objects(bytes: &[u8], minor: Minor) -> Vec<RemovedObject> {
    let mut found = vec![];
    let mut positions = Positions::new(bytes);
    let mut add = |offset: usize, api_version: &str, kind: &str, name: &str| {
        if let Some(Removal { group_version, since, instead }) =
            Removal::find(api_version, kind, minor)
        {
            found.push(RemovedObject {
                line: positions.of(offset).line,
                kind: kind.to_owned(),
                name: name.to_owned(),
                group_version,
                since,
                instead: instead.map(|(gv, _)| gv),
            });
        }
    };
    for document in located_document::parse(bytes) {
        match document {
            Ok(document) => objects(&document.root, None, &mut |node, kind, _| {
                let Some(version) = node.get("apiVersion") else { return };
                let name = text(node, &["metadata", "name"]);
                let written = version.as_str().unwrap_or_default();
                add(version.span.start as usize, written, kind.unwrap_or_default(), name);
            }),
            Err(error) => {
                let range = error.document.clone();
                for literal in template::literals(&bytes[range.clone()], range.start) {
                    add(literal.span.start as usize, literal.api_version, literal.kind, "");
                }
            }
        }
    }
    found
}
