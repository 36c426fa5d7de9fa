//! The kinds that a definition stands for: `x-kubernetes-group-version-kind`.

use super::merge::Failure;
use super::merged::Entry;
use super::node::Node;
use super::shape::{Shape, is_extension};

pub(super) const KINDS: &str = "x-kubernetes-group-version-kind";

/// Whether two definitions are the same to the server, which does not look at their kinds.
pub(super) fn same_but_for_kinds(a: &Node<'_>, b: &Node<'_>) -> bool {
    let (Node::Object(a), Node::Object(b)) = (a, b) else { return a == b };
    let others = |members| {
        let members: std::slice::Iter<'_, super::node::Member<'_>> = members;
        members.filter(|(name, _)| name != KINDS)
    };
    others(a.iter()).eq(others(b.iter()))
}

/// Adds the kinds of a definition to those of the same one that is there. Whether they are more
/// now.
pub(super) fn unite<'a>(
    name: &str,
    entry: &mut Entry<'a>,
    new: &Node<'a>,
) -> Result<bool, Failure> {
    let not_kinds = || Failure::NotKinds { name: name.to_owned() };
    let Some(more) = new.get(KINDS) else { return Ok(false) };
    let Some(node) = entry.node(Shape::Schema) else { return Ok(false) };
    let united = match node.get(KINDS) {
        None if node.members().iter().any(|(name, _)| is_extension(name)) => more.clone(),
        None => return Err(Failure::KindOnPlainDefinition { name: name.to_owned() }),
        Some(have) => {
            let (Node::List(have), Node::List(more)) = (have, more) else {
                return Err(not_kinds());
            };
            let keyed = |list: &[Node<'a>]| -> Option<Vec<(String, Node<'a>)>> {
                list.iter().map(|kind| Some((key(kind)?, kind.clone()))).collect()
            };
            let mut all = keyed(have).ok_or_else(not_kinds)?;
            let known = all.len();
            for (key, kind) in keyed(more).ok_or_else(not_kinds)? {
                if !all.iter().take(known).any(|(have, _)| *have == key) {
                    all.push((key, kind));
                }
            }
            if all.len() == known {
                return Ok(false);
            }
            all.sort_by(|(a, _), (b, _)| a.cmp(b));
            Node::List(all.into_iter().map(|(_, kind)| kind).collect())
        }
    };
    let mut node = node.into_owned();
    node.set(KINDS, united);
    entry.replace(node);
    Ok(true)
}

/// What kinds are told apart and sorted by.
fn key(kind: &Node<'_>) -> Option<String> {
    let Node::Object(_) = kind else { return None };
    let text = |name| kind.get(name).and_then(Node::text).unwrap_or("%!s(<nil>)");
    Some(format!("{}/{}.{}", text("group"), text("version"), text("kind")))
}
