//! Writes JSON as the server does, with numbers as in JavaScript.

use std::io::Write;

/// Writes a string without characters to escape.
pub(super) fn plain(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Writes a string, escaped if needed.
pub(super) fn string(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    // Most strings need no escapes. A loop without an early exit is vectorized.
    let is_odd = |odd: bool, byte: &u8| odd | (*byte < 0x20) | (*byte == b'"') | (*byte == b'\\');
    if !bytes.iter().fold(false, is_odd) {
        return plain(text, out);
    }
    out.push(b'"');
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

/// Writes an object with values that are already serialized.
pub(super) fn object<'m>(members: impl Iterator<Item = (&'m str, &'m str)>, out: &mut Vec<u8>) {
    let start = out.len();
    for (name, value) in members {
        out.push(b',');
        string(name, out);
        out.push(b':');
        out.extend_from_slice(value.as_bytes());
    }
    close(start, *b"{}", out);
}

/// Closes the list or object that began at `start`, in which each item is preceded by a comma.
/// Returns whether there are any items.
pub(super) fn close(start: usize, [open, close]: [u8; 2], out: &mut Vec<u8>) -> bool {
    let first = out.get_mut(start);
    let any = first.is_some();
    match first {
        Some(comma) => *comma = open,
        None => out.push(open),
    }
    out.push(close);
    any
}

/// Floats represent all integers below this exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a number that was written without a fraction.
pub(super) fn integer(number: i64, exact: bool, out: &mut Vec<u8>) {
    if exact || (number as f64).abs() < EXACT {
        let _ = write!(out, "{number}");
    } else {
        float(number as f64, out);
    }
}

/// Writes any other number.
pub(super) fn float(number: f64, out: &mut Vec<u8>) {
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
    use super::super::shape::Shape;
    use super::super::transcript::Transcript;

    fn check(shape: Shape, given: &str, want: &str) {
        let mut transcript = Transcript::default();
        transcript.read(given, shape).unwrap();
        assert_eq!(String::from_utf8(transcript.out).unwrap(), want, "{given}");
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
