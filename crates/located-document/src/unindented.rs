//! Parses quoted strings that continue further left than YAML 1.2 allows.
//!
//! libyaml, and so kubectl, accepts them and ignores the blanks at the start of such a line. Here
//! the text is parsed again with blanks added, and locations are computed without them.

use std::collections::BTreeMap;

use super::comment::{Comment, Parsed};
use super::error::{DocumentErrorKind, Fault};
use super::node::Span;

/// The maximum number of bytes to parse again.
const MAX_READ: usize = 16 << 20;

/// Parses a text with such lines indented. All lines that look like one are indented at once, since
/// CRDs have hundreds of them. Then each line that is still rejected is indented.
pub(super) fn parse(
    text: &str,
    base: usize,
    read: impl for<'t> Fn(&'t str) -> Vec<Result<Parsed<'t>, Fault>>,
) -> Vec<Result<Parsed<'static>, Fault>> {
    let width = text.lines().map(indent_of).max().unwrap_or(0) + 1;
    let mut lines = lines_of_quoted_texts(text);
    let mut left = MAX_READ;
    loop {
        let indented = Indented::new(text, &lines);
        left = left.saturating_sub(indented.text.len());
        let documents = read(&indented.text);
        let refused = documents.iter().find_map(|d| match d {
            Err(fault) if fault.kind == DocumentErrorKind::Unindented => {
                Some(indented.back(fault.offset))
            }
            _ => None,
        });
        if let Some(offset) = refused
            && left > 0
            && let Some(before) = text.get(..offset)
        {
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            // If the line is already indented and still rejected, give up.
            if lines.insert(line, width).is_none_or(|blanks| blanks < width) {
                continue;
            }
        }
        let back = |offset: u32| indented.back(offset as usize) + base;
        let to = |span: Span| Span::new(back(span.start), back(span.end));
        let comment = |c: Comment| Comment { span: to(c.span), ..c };
        return documents
            .into_iter()
            .map(|document| match document {
                Ok((root, comments)) => {
                    Ok((root.moved(&to), comments.into_iter().map(comment).collect()))
                }
                Err(fault) => {
                    let offset = indented.back(fault.offset) + base;
                    Err(Fault { offset, ..fault })
                }
            })
            .collect();
    }
}

/// A text with blanks added at the start of lines.
struct Indented {
    text: String,
    /// Where blanks were added in the new text, how many, and how many were added before.
    added: Vec<(usize, usize, usize)>,
}

impl Indented {
    fn new(text: &str, lines: &BTreeMap<usize, usize>) -> Self {
        let sum: usize = lines.values().sum();
        let mut new = Self { text: String::with_capacity(text.len() + sum), added: vec![] };
        let (mut from, mut before) = (0, 0);
        for (line, blanks) in lines {
            new.text.push_str(&text[from..*line]);
            new.added.push((new.text.len(), *blanks, before));
            new.text.extend(std::iter::repeat_n(' ', *blanks));
            (from, before) = (*line, before + blanks);
        }
        new.text.push_str(&text[from..]);
        new
    }

    /// Maps an offset in the new text to the old one.
    fn back(&self, offset: usize) -> usize {
        match self.added.partition_point(|(at, ..)| *at <= offset).checked_sub(1) {
            Some(last) => {
                let (at, blanks, before) = self.added[last];
                offset - before - (offset - at).min(blanks)
            }
            None => offset,
        }
    }
}

/// Returns the lines that continue a quoted string at or left of its key, with the number of
/// missing blanks. Added blanks are harmless in lines that are found by mistake, except in block
/// scalars, which are skipped. The total number of blanks is limited to the length of the text.
fn lines_of_quoted_texts(text: &str) -> BTreeMap<usize, usize> {
    let mut lines = BTreeMap::new();
    let mut left = text.len();
    let mut start = 0;
    let mut open: Option<(char, usize)> = None;
    let mut block: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let (at, indent) = (start, indent_of(line));
        start += line.len();
        let content = line.trim();
        if let Some((quote, column)) = open {
            let blanks: usize = if indent <= column { column + 1 - indent } else { 0 };
            if !content.is_empty() && blanks > 0 {
                let Some(rest) = left.checked_sub(blanks) else { break };
                left = rest;
                lines.insert(at, blanks);
            }
            open = open.filter(|_| !closes(content, quote));
            continue;
        }
        if block.is_some_and(|column| content.is_empty() || indent > column) {
            continue;
        }
        block = None;
        let item = content.trim_start_matches("- ");
        let column = indent + (content.len() - item.len());
        let value = item.split_once(": ").map_or(item, |(_, value)| value.trim_start());
        match value.chars().next() {
            Some('|' | '>') => block = Some(indent),
            Some(quote @ ('\'' | '"')) if !closes(&value[1..], quote) => {
                open = Some((quote, column));
            }
            _ => {}
        }
    }
    lines
}

/// Returns whether a quoted string ends in this line.
fn closes(line: &str, quote: char) -> bool {
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote && chars.next_if(|next| quote == '\'' && *next == quote).is_none() {
            return true;
        }
    }
    false
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_goes_on_at_the_left() {
        for (text, want) in [
            ("a:\n  b: 'one\n  two\n   three'\n  c: 1\n", &[(13, 1)][..]),
            ("- b: \"one \\\"\ntwo\"\n- 'it''s\nhere'\n", &[(13, 3), (27, 3)]),
            ("a: |\n  b: 'one\n  two'\nc: 'x'\n", &[]),
            ("a: 'one\n\n two'\n", &[]),
        ] {
            let got: Vec<_> = lines_of_quoted_texts(text).into_iter().collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn places_are_counted_without_the_blanks() {
        let text = "a:\n  b: 'one\n  two'\n  c: x\n";
        let indented = Indented::new(text, &BTreeMap::from([(13, 3), (20, 1)]));
        let c = indented.text.find("c:").unwrap();
        assert_eq!(&text[indented.back(c)..][..2], "c:");
        assert_eq!(indented.back(15), 13);
        assert_eq!(indented.back(indented.text.len()), text.len());
    }
}
