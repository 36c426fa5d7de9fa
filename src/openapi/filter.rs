//! Leaving paths out, with the definitions that only they used.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::document::Published;
use super::merge::{DEFINITION, PARAMETER};
use super::node::Node;
use super::shape::Shape;
use super::walk::references;

type Names<'n> = HashSet<&'n str, FixedState>;

/// Keeps only some paths; the others are returned. Definitions that were used and no longer are
/// go as well; those that no path ever used stay.
pub(super) fn keep(document: &mut Published<'_>, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Some(paths) = &mut document.paths else { return vec![] };
    if paths.keys().all(|path| wanted(path)) {
        return vec![];
    }
    let before: HashSet<String> = used(document).into_iter().map(str::to_owned).collect();
    let mut dropped = vec![];
    if let Some(paths) = &mut document.paths {
        paths.retain(|path, _| {
            wanted(path) || {
                dropped.push(path.to_string());
                false
            }
        });
    }
    let after = used(document);
    let gone: HashSet<String> =
        before.into_iter().filter(|name| !after.contains(name.as_str())).collect();
    document.definitions.retain(|name, _| !gone.contains(&**name));
    dropped
}

/// The definitions that paths use, be it through others.
fn used<'n>(document: &'n Published<'_>) -> Names<'n> {
    let mut seen = Names::default();
    let mut to_do: Vec<&'n str> = vec![];
    let mut look = |node: &'n Node<'_>, shape: Shape, to_do: &mut Vec<&'n str>| {
        references(node, shape, &mut |reference| {
            if seen.insert(reference) {
                to_do.push(reference);
            }
        });
    };
    for path in document.paths.iter().flat_map(|paths| paths.values()) {
        look(path, Shape::Path, &mut to_do);
    }
    while let Some(reference) = to_do.pop() {
        if let Some(name) = reference.strip_prefix(DEFINITION) {
            if let Some(node) = document.definitions.get(name) {
                look(node, Shape::Schema, &mut to_do);
            }
        } else if let Some(name) = reference.strip_prefix(PARAMETER)
            && let Some(node) = document.parameters.get(name)
        {
            look(node, Shape::Parameter, &mut to_do);
        }
    }
    seen.into_iter().filter_map(|reference| reference.strip_prefix(DEFINITION)).collect()
}
