//! Builds a tree from the events of the YAML parser.

use super::comment::{Comment, Parsed};
use super::error::{DocumentErrorKind, Fault};
use super::node::{Entry, Node, Span, Value};
use super::{MAX_DEPTH, most_values, scalar, too_deep, too_many, unindented};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, Tag};
use std::borrow::Cow;
use std::collections::HashMap;

/// The factor by which aliases and anchors may enlarge a document in memory. Anchored values are
/// copied once when they end, and again for each alias. Real manifests stay below their own size;
/// an alias bomb would need billions.
const GROWTH: usize = 16;

/// The growth that every piece of a stream may use regardless of its size.
const FREE_GROWTH: usize = 1 << 10;

/// The maximum number of broken documents in one piece before the rest is skipped.
const MAX_ERRORS: usize = 10;

/// Parses the documents of a piece of text that starts at `base` in its file.
pub(super) fn parse<'a>(
    text: &'a str,
    base: usize,
    comments: bool,
) -> Vec<Result<Parsed<'a>, Fault>> {
    let documents = read(text, base, comments);
    let refused = |d: &Result<Parsed<'_>, Fault>| {
        d.as_ref().is_err_and(|f| f.kind == DocumentErrorKind::Unindented)
    };
    if documents.iter().any(refused) {
        return unindented::parse(text, base, |text| read(text, 0, comments));
    }
    documents
}

fn read<'a>(text: &'a str, base: usize, comments: bool) -> Vec<Result<Parsed<'a>, Fault>> {
    let options = granit_parser::options! {
        emit_comments: comments,
        // Reported below, with our own message.
        emit_unresolved_aliases: true,
        max_buffered_comment_events: usize::MAX,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        // JSON that is parsed as YAML may have keys of any length.
        simple_key_max_lookahead: 1 << 16,
    };
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut documents = Vec::new();
    // Documents separated by `...` share the budget. Otherwise each could grow to a multiple of the
    // whole text.
    let mut budget = FREE_GROWTH + text.len().saturating_mul(GROWTH);
    loop {
        match Builder::new(base, &mut budget).document(&mut parser, text) {
            Ok(Some(parsed)) => documents.push(Ok(parsed)),
            Ok(None) => return documents,
            Err(fault) => {
                let offset = fault.offset;
                documents.push(Err(fault));
                if documents.iter().filter(|d| d.is_err()).count() >= MAX_ERRORS {
                    let rest = "too many broken documents: the rest is not read";
                    documents.push(Err(Fault::new(rest, offset)));
                    return documents;
                }
                // A piece contains one document unless it uses `...`. Continue after such a marker.
                match parser.proceed_next_document() {
                    Ok(true) => {}
                    Ok(false) | Err(_) => return documents,
                }
            }
        }
    }
}

/// A collection that is not closed yet.
struct Open<'a> {
    value: Value<'a>,
    start: usize,
    anchor: usize,
    /// In a mapping, the key without a value yet.
    key: Option<(Cow<'a, str>, Span, bool)>,
}

struct Builder<'a, 'b> {
    base: usize,
    stack: Vec<Open<'a>>,
    anchors: HashMap<usize, Node<'a>>,
    values: usize,
    /// The number of bytes that aliases and anchors may still use.
    budget: &'b mut usize,
    comments: Vec<Comment>,
}

impl<'a, 'b> Builder<'a, 'b> {
    fn new(base: usize, budget: &'b mut usize) -> Self {
        Self {
            base,
            stack: Vec::new(),
            anchors: HashMap::new(),
            values: 0,
            budget,
            comments: Vec::new(),
        }
    }

    fn document(
        mut self,
        parser: &mut Parser<'a, StrInput<'a>>,
        text: &str,
    ) -> Result<Option<Parsed<'a>>, Fault> {
        let (mut root, most) = (None, most_values(text.len()));
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| self.syntax(&error, text))?;
            let place = {
                let range = span.byte_range().unwrap_or(0..0);
                Span::new(range.start + self.base, range.end + self.base)
            };
            let node = match event {
                Event::StreamStart | Event::DocumentStart(..) | Event::Anchor(..) => continue,
                Event::StreamEnd => return Ok(None),
                Event::DocumentEnd => {
                    let empty = Node { value: Value::Null, span: place };
                    return Ok(Some((root.unwrap_or(empty), self.comments)));
                }
                Event::Comment(text, _) => {
                    let text = text.trim().to_owned();
                    self.comments.push(Comment { text, span: place });
                    continue;
                }
                Event::SequenceStart(_, anchor, _) => {
                    self.open(Value::Sequence(Vec::new()), place, anchor);
                    continue;
                }
                Event::MappingStart(_, anchor, _) => {
                    self.open(Value::Mapping(Vec::new()), place, anchor);
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match self.close(place)? {
                    Some(node) => node,
                    None => continue,
                },
                Event::Alias(id) => self.alias(id, place)?,
                Event::UnresolvedAlias(name) => {
                    let message = format!("`*{name}` refers to an anchor that does not exist");
                    return Err(Fault::new(message, place.start as usize));
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let expects_key = self.expects_key();
                    let merge =
                        expects_key && style == ScalarStyle::Plain && tag.is_none() && text == "<<";
                    let value = resolve(text, style, tag.as_deref(), place)?;
                    let node = Node { value, span: place };
                    self.remember(anchor, &node)?;
                    if expects_key {
                        self.key(node, merge)?;
                        continue;
                    }
                    node
                }
                _ => continue,
            };
            self.values += 1;
            if self.values > most {
                return Err(Fault::limit(too_many(most), place.start as usize));
            }
            if let Some(node) = self.place(node)? {
                root = Some(node);
            }
        }
        Ok(None)
    }

    fn open(&mut self, value: Value<'a>, place: Span, anchor: usize) {
        self.stack.push(Open { value, start: place.start as usize, anchor, key: None });
    }

    /// Closes the innermost collection. Its span ends with its last child, because the parser
    /// notices the end of a block only at what follows.
    fn close(&mut self, place: Span) -> Result<Option<Node<'a>>, Fault> {
        let Some(mut open) = self.stack.pop() else { return Ok(None) };
        open.value.shrink();
        let last = match &open.value {
            Value::Sequence(items) => items.last().map(|n| n.span.end as usize),
            Value::Mapping(entries) => {
                entries.iter().rev().find(|e| !e.merged).map(|e| e.value.span.end as usize)
            }
            _ => None,
        };
        let end =
            if place.start == place.end { last.unwrap_or(open.start) } else { place.end as usize };
        let node = Node { value: open.value, span: Span::new(open.start, end) };
        self.remember(open.anchor, &node)?;
        Ok(Some(node))
    }

    fn expects_key(&self) -> bool {
        matches!(self.stack.last(), Some(Open { value: Value::Mapping(_), key: None, .. }))
    }

    /// Adds a finished node to the innermost open collection. Returns it if it is the root.
    fn place(&mut self, node: Node<'a>) -> Result<Option<Node<'a>>, Fault> {
        if self.expects_key() {
            self.key(node, false)?;
            return Ok(None);
        }
        let Some(open) = self.stack.last_mut() else { return Ok(Some(node)) };
        match &mut open.value {
            Value::Sequence(items) => items.push(node),
            Value::Mapping(entries) => {
                if let Some((key, key_span, merge)) = open.key.take() {
                    if merge {
                        merge_into(entries, node)?;
                    } else {
                        entries.push(Entry { key, key_span, value: node, merged: false });
                    }
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn key(&mut self, node: Node<'a>, merge: bool) -> Result<(), Fault> {
        let span = node.span;
        let key = match node.value {
            Value::String(text) | Value::Number(text) => text,
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            Value::Null | Value::Sequence(_) | Value::Mapping(_) => {
                let message = "a key must be a string, a number or a boolean";
                return Err(Fault::new(message, span.start as usize));
            }
        };
        if let Some(open) = self.stack.last_mut() {
            open.key = Some((key, span, merge));
        }
        Ok(())
    }

    fn remember(&mut self, anchor: usize, node: &Node<'a>) -> Result<(), Fault> {
        if anchor != 0 {
            self.spend(node.bytes(), node.span)?;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(())
    }

    fn alias(&mut self, id: usize, place: Span) -> Result<Node<'a>, Fault> {
        let Some(bytes) = self.anchors.get(&id).map(Node::bytes) else {
            let message = "this alias is inside the anchor that it refers to";
            return Err(Fault::new(message, place.start as usize));
        };
        self.spend(bytes, place)?;
        match self.anchors.get(&id) {
            Some(node) => Ok(node.clone()),
            None => Ok(Node { value: Value::Null, span: place }),
        }
    }

    fn spend(&mut self, bytes: usize, place: Span) -> Result<(), Fault> {
        let Some(left) = self.budget.checked_sub(bytes) else {
            let message = format!(
                "the aliases of this document make it more than {GROWTH} times as large as it is"
            );
            return Err(Fault::limit(message, place.start as usize));
        };
        *self.budget = left;
        Ok(())
    }

    fn syntax(&self, error: &ScanError, text: &str) -> Fault {
        let offset = error.marker().byte_offset().unwrap_or(0);
        let unindented = matches!(error.kind(), ErrorKind::InvalidQuotedScalarIndent);
        if let (false, Some(tab)) = (unindented, tab_in_indentation(text, offset)) {
            let message = "a tab cannot indent YAML; use spaces";
            return Fault::new(message, tab + self.base);
        }
        let offset = offset + self.base;
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => Fault::limit(too_deep(), offset),
            _ if unindented => {
                Fault { kind: DocumentErrorKind::Unindented, ..Fault::new(error.info(), offset) }
            }
            _ => Fault::new(error.info(), offset),
        }
    }
}

/// Returns the tab in the indentation of the line with the error. The parser's message depends on
/// where it meets the tab, but the tab is the cause.
fn tab_in_indentation(text: &str, offset: usize) -> Option<usize> {
    let line = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
    let indentation = text[line..].bytes().take_while(|b| matches!(b, b' ' | b'\t'));
    let tab = indentation.collect::<Vec<u8>>().iter().position(|b| *b == b'\t')?;
    Some(line + tab)
}

/// Adds the entries of a merge key. The first of several mappings wins. Since the last entry with a
/// key counts, the mappings are added in reverse order.
fn merge_into<'a>(entries: &mut Vec<Entry<'a>>, from: Node<'a>) -> Result<(), Fault> {
    let span = from.span;
    let maps = match from.value {
        Value::Sequence(items) => items,
        value => vec![Node { value, span }],
    };
    for map in maps.into_iter().rev() {
        let Value::Mapping(merged) = map.value else {
            let message = "a merge key (`<<`) needs a mapping or a list of mappings";
            return Err(Fault::new(message, map.span.start as usize));
        };
        entries.extend(merged.into_iter().map(|entry| Entry { merged: true, ..entry }));
    }
    Ok(())
}

fn resolve<'a>(
    text: Cow<'a, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    place: Span,
) -> Result<Value<'a>, Fault> {
    let plain = match tag.map(Tag::core_suffix) {
        None => style == ScalarStyle::Plain,
        Some(Some("int" | "float" | "bool" | "null" | "timestamp")) => true,
        Some(_) => false,
    };
    if !plain {
        return Ok(Value::String(text));
    }
    scalar::plain(text).map_err(|scalar::NotJson| {
        Fault::new("infinity and `.nan` cannot be sent to a server", place.start as usize)
    })
}
