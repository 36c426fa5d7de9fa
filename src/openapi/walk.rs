//! What the server does with a value of a known type: read it, follow its references, rename
//! them, and see what protobuf has no place for.

use std::borrow::Cow;

use super::node::Node;
use super::shape::Shape;

/// Makes a value what the server keeps of it after reading.
pub(super) fn normalise(node: &mut Node<'_>, shape: Shape) {
    match node {
        Node::Object(members) => {
            members.retain(|(name, value)| match shape.member(name) {
                Some(inner) => !inner.is_absent(value),
                None => shape.keeps(name),
            });
            for (name, value) in members {
                normalise(value, shape.member(name).unwrap_or(Shape::Any));
            }
        }
        Node::List(items) if shape == Shape::Type && items.len() == 1 => {
            *node = items.swap_remove(0);
        }
        Node::List(items) => items.iter_mut().for_each(|item| normalise(item, shape.inner())),
        _ => {}
    }
}

/// Calls with every reference that the server follows.
pub(super) fn references<'n>(node: &'n Node<'_>, shape: Shape, found: &mut dyn FnMut(&'n str)) {
    for item in node.list() {
        references(item, shape.inner(), found);
    }
    for (name, value) in node.members() {
        match value {
            Node::Text(text) if name == "$ref" && shape.refers() => found(text),
            Node::List(_) | Node::Object(_) => {
                references(value, shape.member(name).unwrap_or(Shape::Any), found);
            }
            _ => {}
        }
    }
}

/// Replaces references, those that `new` knows.
pub(super) fn rename(node: &mut Node<'_>, shape: Shape, new: &dyn Fn(&str) -> Option<String>) {
    match node {
        Node::List(items) => items.iter_mut().for_each(|item| rename(item, shape.inner(), new)),
        Node::Object(members) => {
            for (name, value) in members {
                match value {
                    Node::Text(text) if name == "$ref" && shape.refers() => {
                        if let Some(new) = new(text) {
                            *text = Cow::Owned(new);
                        }
                    }
                    Node::List(_) | Node::Object(_) => {
                        rename(value, shape.member(name).unwrap_or(Shape::Any), new);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The first property that protobuf has no place for: the server then has no protobuf at all.
pub(super) fn not_protobuf<'n>(node: &'n Node<'_>, shape: Shape) -> Option<&'n str> {
    let items = || node.list().iter().find_map(|item| not_protobuf(item, shape.inner()));
    let members = || {
        let is_type = !shape.fields().is_empty();
        node.members().iter().find_map(|(name, value)| match shape.member(name) {
            Some(inner) if inner.is_left_out(value) => None,
            Some(inner) => {
                let known = shape.fields().iter().all(|f| f.name != name || f.protobuf);
                if known { not_protobuf(value, inner) } else { Some(&**name) }
            }
            // gnostic knows `xml`, which the server keeps with what it does not know.
            None if is_type && !name.starts_with("x-") && name != "xml" => Some(&**name),
            None => None,
        })
    };
    items().or_else(members)
}
