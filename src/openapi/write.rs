//! JSON as the server writes it: fields in their order, numbers as JavaScript has them.

use super::node::{Member, Node};
use super::shape::Shape;

/// Writes a value.
pub(super) fn value(node: &Node<'_>, shape: Shape, out: &mut Vec<u8>) {
    match node {
        Node::Null => out.extend(b"null"),
        Node::Bool(true) => out.extend(b"true"),
        Node::Bool(false) => out.extend(b"false"),
        Node::Integer(number) if shape == Shape::Integer => out.extend(number.to_string().bytes()),
        Node::Integer(number) => float(*number as f64, out),
        Node::Float(number) => float(*number, out),
        Node::Text(text) => string(text, out),
        Node::List(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                value(item, shape.inner(), out);
            }
            out.push(b']');
        }
        Node::Object(_) => object(node, shape, out),
    }
}

fn object(node: &Node<'_>, shape: Shape, out: &mut Vec<u8>) {
    // Fields in their order, then everything else by name.
    let mut members: Vec<(usize, &Member<'_>, Shape)> = Vec::with_capacity(node.members().len());
    for member in node.members() {
        let (place, inner) = match shape.field(&member.0) {
            Some((_, field)) if field.shape.is_left_out(&member.1) => continue,
            Some((place, field)) => (place, field.shape),
            None => (usize::MAX, shape.member(&member.0).unwrap_or(Shape::Any)),
        };
        members.push((place, member, inner));
    }
    members.sort_by_key(|(place, _, _)| *place);
    out.push(b'{');
    for (index, (_, (name, member), inner)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        string(name, out);
        out.push(b':');
        value(member, inner, out);
    }
    out.push(b'}');
}

/// Writes a string.
pub(super) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let bytes = text.as_bytes();
    // Most have nothing to escape; without a way out of the loop this takes many bytes at once.
    let is_odd = |odd: bool, byte: &u8| odd | (*byte < 0x20) | (*byte == b'"') | (*byte == b'\\');
    if !bytes.iter().fold(false, is_odd) {
        out.extend_from_slice(bytes);
        out.push(b'"');
        return;
    }
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let short = match byte {
            b'"' | b'\\' => *byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            0x00..=0x1f => b'u',
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        out.extend([b'\\', short]);
        if short == b'u' {
            out.extend(format!("{byte:04x}").bytes());
        }
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

fn float(number: f64, out: &mut Vec<u8>) {
    let size = number.abs();
    let text = if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        if text.contains("e-") { text } else { text.replace('e', "e+") }
    } else {
        number.to_string()
    };
    out.extend(text.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: Shape, given: &str, want: &str) {
        let mut node = serde_json::from_str(given).unwrap();
        super::super::walk::normalise(&mut node, shape);
        let mut out = vec![];
        value(&node, shape, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), want, "{given}");
    }

    #[test]
    fn fields_come_in_the_servers_order() {
        check(
            Shape::Schema,
            r#"{"x-b":1,"foo":2,"$ref":"r","required":[],"type":["object"],"description":"",
               "properties":{"b":{"nullable":false},"a":{"format":"f","type":"string"}}}"#,
            r##"{"type":"object","properties":{"a":{"type":"string","format":"f"},"b":{}},"$ref":"r","foo":2,"x-b":1}"##,
        );
        check(
            Shape::Path,
            r#"{"foo":1,"parameters":[{"$ref":"p","in":"query","name":"n","required":false}],"x-a":{},
               "get":{"responses":{"404":{},"200":{"schema":{"$ref":"s"},"description":"d"},"default":{}},"tags":["t"]}}"#,
            r##"{"get":{"tags":["t"],"responses":{"default":{},"200":{"description":"d","schema":{"$ref":"s"}},"404":{}}},"parameters":[{"name":"n","in":"query","$ref":"p"}],"x-a":{}}"##,
        );
    }

    #[test]
    fn numbers_and_strings_as_in_go() {
        check(Shape::Any, "[1, 1.0, 1e2, -0.5, 1e21, 1e-7]", "[1,1,100,-0.5,1e+21,1e-7]");
        check(
            Shape::Any,
            "9223372036854775807",
            "9223372036854775807".replace("5807", "6000").as_str(),
        );
        check(Shape::Integer, "9223372036854775807", "9223372036854775807");
        check(Shape::Any, r#""\u0001\n\"<\u2028\/""#, "\"\\u0001\\n\\\"<\u{2028}/\"");
    }
}
