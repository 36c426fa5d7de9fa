//! What the server does with a value of a known type: read it, follow its references, rename
//! them, and see what protobuf has no place for.

use std::borrow::Cow;

use super::node::Node;
use super::shape::Shape;

/// Makes a value what the server keeps of it after reading. Whether protobuf has a place for all
/// of it.
pub(super) fn normalise(node: &mut Node<'_>, shape: Shape) -> bool {
    match node {
        _ if shape == Shape::Any => true,
        Node::Object(members) => {
            let is_type = !shape.fields().is_empty();
            let mut fits = true;
            members.retain_mut(|(name, value)| {
                let field = shape.field(name).map(|(_, field)| field);
                match field.map(|field| field.shape).or_else(|| shape.member(name)) {
                    Some(inner) if inner.is_absent(value) => false,
                    Some(inner) => {
                        let known = field.is_none_or(|field| field.protobuf);
                        fits &= normalise(value, inner) && (known || inner.is_left_out(value));
                        true
                    }
                    None => {
                        fits &= !is_type || is_in_protobuf(name);
                        shape.keeps(name)
                    }
                }
            });
            fits
        }
        Node::List(items) if shape == Shape::Type && items.len() == 1 => {
            *node = items.swap_remove(0);
            true
        }
        Node::List(items) => {
            let mut fits = true;
            for item in items {
                fits &= normalise(item, shape.inner());
            }
            fits
        }
        _ => true,
    }
}

/// Whether protobuf takes a member that is no field. gnostic knows `xml`, which the server keeps
/// with what it does not know.
fn is_in_protobuf(name: &str) -> bool {
    name.starts_with("x-") || name == "xml"
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
            Some(inner) => match shape.field(name) {
                Some((_, field)) if !field.protobuf => Some(&**name),
                _ => not_protobuf(value, inner),
            },
            None if is_type && !is_in_protobuf(name) => Some(&**name),
            None => None,
        })
    };
    items().or_else(members)
}
