//! Parses JSON directly, without the YAML parser.
//!
//! This keeps the spelling of numbers, since the server rejects `1.0` where it expects an integer.
//! It is also several times as fast as the YAML parser.

use super::error::Fault;
use super::node::{Entry, Node, Span, Value};
use super::{MAX_DEPTH, most_values, too_deep, too_many};
use std::borrow::Cow;

/// Parses the JSON value that starts at `start`, after optional white space. Only white space may
/// follow it.
pub(super) fn parse(text: &str, start: usize) -> Result<Node<'_>, Fault> {
    let most = most_values(text.len());
    let mut parser = Parser { text, bytes: text.as_bytes(), at: start, values: 0, most };
    let node = parser.document()?;
    parser.skip_space();
    match parser.bytes.get(parser.at) {
        None => Ok(node),
        Some(_) => Err(parser.fault("unexpected text after the JSON value")),
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    values: usize,
    most: usize,
}

/// A collection that is not closed yet.
enum Open<'a> {
    Sequence(Vec<Node<'a>>, usize),
    Mapping(Vec<Entry<'a>>, usize, Cow<'a, str>, Span),
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Node<'a>, Fault> {
        let mut stack: Vec<Open<'a>> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            self.values += 1;
            if self.values > self.most {
                return Err(Fault::limit(too_many(self.most), start));
            }
            let mut node = match self.peek()? {
                b'{' => {
                    self.at += 1;
                    self.skip_space();
                    if self.peek()? == b'}' {
                        self.at += 1;
                        self.node(Value::Mapping(Vec::new()), start)
                    } else {
                        let (key, span) = self.key()?;
                        stack.push(Open::Mapping(Vec::new(), start, key, span));
                        self.check_depth(&stack, start)?;
                        continue;
                    }
                }
                b'[' => {
                    self.at += 1;
                    self.skip_space();
                    if self.peek()? == b']' {
                        self.at += 1;
                        self.node(Value::Sequence(Vec::new()), start)
                    } else {
                        stack.push(Open::Sequence(Vec::new(), start));
                        self.check_depth(&stack, start)?;
                        continue;
                    }
                }
                _ => self.scalar()?,
            };
            // The value may complete any number of collections.
            loop {
                let Some(open) = stack.pop() else { return Ok(node) };
                self.skip_space();
                let next = self.peek()?;
                match open {
                    Open::Sequence(mut items, start) => {
                        items.push(node);
                        match next {
                            b',' => {
                                self.at += 1;
                                stack.push(Open::Sequence(items, start));
                                break;
                            }
                            b']' => {
                                self.at += 1;
                                node = self.node(Value::Sequence(items), start);
                            }
                            _ => return Err(self.fault("expected `,` or `]`")),
                        }
                    }
                    Open::Mapping(mut entries, start, key, key_span) => {
                        entries.push(Entry { key, key_span, value: node, merged: false });
                        match next {
                            b',' => {
                                self.at += 1;
                                self.skip_space();
                                let (key, span) = self.key()?;
                                stack.push(Open::Mapping(entries, start, key, span));
                                break;
                            }
                            b'}' => {
                                self.at += 1;
                                node = self.node(Value::Mapping(entries), start);
                            }
                            _ => return Err(self.fault("expected `,` or `}`")),
                        }
                    }
                }
            }
        }
    }

    fn check_depth(&self, stack: &[Open<'_>], start: usize) -> Result<(), Fault> {
        if stack.len() > MAX_DEPTH { Err(Fault::limit(too_deep(), start)) } else { Ok(()) }
    }

    fn node(&self, mut value: Value<'a>, start: usize) -> Node<'a> {
        value.shrink();
        Node { value, span: Span::new(start, self.at) }
    }

    fn key(&mut self) -> Result<(Cow<'a, str>, Span), Fault> {
        let start = self.at;
        if self.peek()? != b'"' {
            return Err(self.fault("expected a key in double quotes"));
        }
        let key = self.string()?;
        let span = Span::new(start, self.at);
        self.skip_space();
        if self.peek()? != b':' {
            return Err(self.fault("expected `:` after a key"));
        }
        self.at += 1;
        Ok((key, span))
    }

    fn scalar(&mut self) -> Result<Node<'a>, Fault> {
        let start = self.at;
        let value = match self.peek()? {
            b'"' => Value::String(self.string()?),
            b't' => self.word("true", Value::Bool(true))?,
            b'f' => self.word("false", Value::Bool(false))?,
            b'n' => self.word("null", Value::Null)?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.fault("expected a JSON value")),
        };
        Ok(self.node(value, start))
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, Fault> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.fault("expected a JSON value"))
    }

    fn number(&mut self) -> Result<Value<'a>, Fault> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
        let whole = self.digits();
        if whole == 0 || (leading_zero && whole > 1) {
            return Err(Fault::new("invalid JSON number", start));
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(Fault::new("invalid JSON number", start));
            }
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(Fault::new("invalid JSON number", start));
            }
        }
        Ok(Value::Number(Cow::Borrowed(&self.text[start..self.at])))
    }

    fn digits(&mut self) -> usize {
        let count = self.bytes[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += count;
        count
    }

    /// Parses a string. Most have no escapes and are borrowed.
    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let open = self.at;
        let start = self.at + 1;
        let Some(length) = memchr::memchr2(b'"', b'\\', &self.bytes[start..]) else {
            return Err(Fault::new("unterminated string", open));
        };
        let plain = &self.text[start..start + length];
        if let Some(bad) = plain.bytes().position(|b| b < 0x20) {
            return Err(Fault::new("a control character in a JSON string", start + bad));
        }
        self.at = start + length;
        if self.bytes[self.at] == b'"' {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        self.escaped(plain.to_owned(), open).map(Cow::Owned)
    }

    fn escaped(&mut self, mut out: String, open: usize) -> Result<String, Fault> {
        loop {
            match self.bytes.get(self.at) {
                None => return Err(Fault::new("unterminated string", open)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(b) if *b < 0x20 => {
                    return Err(self.fault("a control character in a JSON string"));
                }
                Some(_) => {
                    let rest = &self.bytes[self.at..];
                    let length = rest
                        .iter()
                        .position(|b| matches!(b, b'"' | b'\\') || *b < 0x20)
                        .unwrap_or(rest.len());
                    out.push_str(&self.text[self.at..self.at + length]);
                    self.at += length;
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Fault> {
        let start = self.at;
        self.at += 2;
        let simple = match self.bytes.get(start + 1) {
            Some(b @ (b'"' | b'\\' | b'/')) => char::from(*b),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                out.push(self.unicode(start)?);
                return Ok(());
            }
            _ => return Err(Fault::new("this escape is not JSON", start)),
        };
        out.push(simple);
        Ok(())
    }

    /// Parses `\uXXXX`, and a surrogate pair if there is one. Half a pair becomes the replacement
    /// character, as in Go.
    fn unicode(&mut self, start: usize) -> Result<char, Fault> {
        let first = self.hex4(start)?;
        if (0xD800..0xDC00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let resume = self.at;
            self.at += 2;
            let second = self.hex4(start)?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = resume;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits = self.bytes.get(self.at..self.at + 4);
        let code = digits.and_then(|d| {
            d.iter().try_fold(0, |sum, b| Some(sum * 16 + char::from(*b).to_digit(16)?))
        });
        self.at += 4;
        code.ok_or_else(|| Fault::new("this escape is not JSON", start))
    }

    fn skip_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Result<u8, Fault> {
        self.bytes.get(self.at).copied().ok_or_else(|| self.fault("the JSON ends too early"))
    }

    fn fault(&self, message: &str) -> Fault {
        Fault::new(message, self.at)
    }
}
