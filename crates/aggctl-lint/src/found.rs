//! Objects of the input with the index of their file, and a hash that identifies each.

use located_document::Node;
use std::hash::{Hash, Hasher};

/// An object of the input and the index of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found<T> {
    /// The object.
    pub object: T,
    /// The index of its file.
    pub file: usize,
}

/// Returns a hash that identifies an object; `None` for a Namespace, because files that are not
/// applied together often share one.
pub(super) fn identity(node: &Node<'_>) -> Option<u64> {
    let (kind, name) = (text(node, &["kind"]), text(node, &["metadata", "name"]));
    if name.is_empty() || kind == "Namespace" {
        return None;
    }
    Some(identity_of(kind, text(node, &["metadata", "namespace"]), name))
}

pub(super) fn identity_of(kind: &str, namespace: &str, name: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    (kind, namespace, name).hash(&mut hasher);
    hasher.finish()
}

pub(super) fn text<'n>(node: &'n Node<'_>, path: &[&str]) -> &'n str {
    node.at(path).and_then(Node::as_str).unwrap_or_default()
}
