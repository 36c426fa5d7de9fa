//! Evaluates kubectl's JSONPath templates.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::go;
use super::parse::{End, Node, Slice, Step};

/// Values of the document, or of the template.
type Values<'d> = Vec<Cow<'d, Value>>;

/// The results of one expression, and whether they are text of the template itself.
pub(super) type Results<'d> = (Values<'d>, bool);

/// How many values one template may produce: nested ranges multiply.
const MAX_VALUES: usize = 10_000_000;

/// Returns the results of each expression of a template.
pub(super) fn evaluate<'d>(
    nodes: &[Node],
    document: &'d Value,
) -> Result<Vec<Results<'d>>, String> {
    let mut run = Run { nodes, all: vec![], count: 0 };
    run.block(0, vec![Cow::Borrowed(document)], false)?;
    Ok(run.all)
}

/// One evaluation of a template.
struct Run<'n, 'd> {
    nodes: &'n [Node],
    all: Vec<Results<'d>>,
    /// How many values there are.
    count: usize,
}

impl<'d> Run<'_, 'd> {
    /// Evaluates the nodes from `start`, to the `{end}` of the range that they are in. Returns its
    /// position.
    fn block(
        &mut self,
        start: usize,
        current: Values<'d>,
        in_range: bool,
    ) -> Result<Option<usize>, String> {
        let mut at = start;
        while let Some(node) = self.nodes.get(at) {
            match node {
                Node::Text(text) => {
                    self.all.push((vec![Cow::Owned(Value::from(text.as_str()))], true));
                }
                Node::Action(steps) if steps.contains(&Step::End) => {
                    return match in_range {
                        true => Ok(Some(at)),
                        false => Err("not in range, nothing to end".to_owned()),
                    };
                }
                Node::Action(steps) => {
                    let values = list(current.clone(), steps)?;
                    self.count += values.len();
                    if self.count > MAX_VALUES {
                        return Err("too many results".to_owned());
                    }
                    if steps.contains(&Step::Range) {
                        at = self.range(at, values)?;
                    } else {
                        let is_literal = matches!(steps.last(), Some(Step::Text(_)));
                        self.all.push((values, is_literal));
                    }
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Evaluates a range once per value. Returns the position of its end.
    fn range(&mut self, at: usize, values: Values<'d>) -> Result<usize, String> {
        let mut end = None;
        if values.is_empty() {
            // Nothing is printed, but the end has to be found.
            let known = self.all.len();
            end = self.block(at + 1, vec![], true)?;
            self.all.truncate(known);
        }
        for value in values {
            end = self.block(at + 1, vec![value], true)?.or(end);
        }
        Ok(end.unwrap_or(at))
    }
}

/// Evaluates the steps of an action, one after the other.
fn list<'d>(mut values: Values<'d>, steps: &[Step]) -> Result<Values<'d>, String> {
    for step in steps {
        values = walk(values, step)?;
    }
    Ok(values)
}

fn walk<'d>(values: Values<'d>, step: &Step) -> Result<Values<'d>, String> {
    let literal = |value: Value| values.iter().map(|_| Cow::Owned(value.clone())).collect();
    match step {
        Step::Text(text) => Ok(vec![Cow::Owned(Value::from(text.as_str()))]),
        Step::Int(number) => Ok(literal((*number).into())),
        Step::Float(number) => Ok(literal((*number).into())),
        Step::Bool(value) => Ok(literal((*value).into())),
        Step::Range | Step::End => Ok(values),
        Step::Identifier(name) => Err(format!("unrecognized identifier {name}")),
        Step::Field(name) => {
            let field = |value| match value {
                Cow::Borrowed(Value::Object(map)) => map.get(name).map(Cow::Borrowed),
                Cow::Owned(Value::Object(mut map)) => map.swap_remove(name).map(Cow::Owned),
                _ => None,
            };
            Ok(values.into_iter().filter_map(field).collect())
        }
        Step::Wildcard => Ok(values.into_iter().flat_map(children).collect()),
        Step::Recursive => {
            let mut found = vec![];
            values.into_iter().for_each(|value| recurse(value, &mut found));
            Ok(found)
        }
        Step::Slice(slice) => {
            let mut found = vec![];
            for value in values.into_iter().filter(|value| !value.is_null()) {
                sliced(value, *slice, &mut found)?;
            }
            Ok(found)
        }
        Step::Union(parts) => {
            let mut found = vec![];
            for part in parts {
                found.extend(list(values.clone(), part)?);
            }
            Ok(found)
        }
        Step::Filter { left, operator, right } => {
            let mut found = vec![];
            for value in values {
                let Value::Array(_) = *value else {
                    let shown = go::sprint(&value);
                    return Err(format!("{shown} is not array or slice and cannot be filtered"));
                };
                for item in children(value) {
                    if passes(&item, left, operator, right)? {
                        found.push(item);
                    }
                }
            }
            Ok(found)
        }
    }
}

/// Returns the values of an object, the items of a list, or the bytes of a string.
fn children(value: Cow<'_, Value>) -> Values<'_> {
    match value {
        Cow::Borrowed(Value::Object(map)) => map.values().map(Cow::Borrowed).collect(),
        Cow::Borrowed(Value::Array(items)) => items.iter().map(Cow::Borrowed).collect(),
        Cow::Owned(Value::Object(map)) => map.into_iter().map(|(_, one)| Cow::Owned(one)).collect(),
        Cow::Owned(Value::Array(items)) => items.into_iter().map(Cow::Owned).collect(),
        other => other.as_str().map_or_else(Vec::new, |text| {
            text.bytes().map(|byte| Cow::Owned(Value::from(byte))).collect()
        }),
    }
}

/// Adds a value and everything below it. Values without children are left out.
fn recurse<'d>(value: Cow<'d, Value>, found: &mut Values<'d>) {
    let below = children(value.clone());
    if below.is_empty() {
        return;
    }
    let is_text = value.is_string();
    found.push(value);
    if !is_text {
        below.into_iter().for_each(|value| recurse(value, found));
    }
}

fn sliced<'d>(value: Cow<'d, Value>, slice: Slice, found: &mut Values<'d>) -> Result<(), String> {
    let Value::Array(items) = &*value else {
        return Err(format!("{} is not array or slice", go::type_name(&value)));
    };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let from_end = |index: i64| if index < 0 { index.saturating_add(length) } else { index };
    let start = from_end(slice.start.unwrap_or(0));
    let end = match slice.end {
        End::Single => start.saturating_add(1),
        End::Open => length,
        End::At(end) => from_end(end),
    };
    if start == end {
        return Ok(());
    }
    let out = |index: i64| format!("array index out of bounds: index {index}, length {length}");
    if start >= length || start < 0 {
        return Err(out(start));
    }
    if end > length || end < 0 {
        return Err(out(end - 1));
    }
    if start > end {
        return Err(format!("starting index {start} is greater than ending index {end}"));
    }
    let step = slice.step.unwrap_or(1);
    if step <= 0 {
        return Err("step must be > 0".to_owned());
    }
    let [start, end, step] = [start, end, step].map(|index| usize::try_from(index).unwrap_or(0));
    let wanted = children(value).into_iter().take(end).skip(start).step_by(step.max(1));
    found.extend(wanted);
    Ok(())
}

/// Returns whether an item passes a filter.
fn passes(item: &Value, left: &[Step], operator: &str, right: &[Step]) -> Result<bool, String> {
    let side = |steps: &[Step]| list(vec![Cow::Borrowed(item)], steps);
    if operator == "exists" {
        return Ok(side(left).is_ok_and(|found| !found.is_empty()));
    }
    let (left, right) = (side(left)?, side(right)?);
    let (left, right) = match (left.as_slice(), right.as_slice()) {
        ([], _) | (_, []) => return Ok(false),
        ([left], [right]) => (left, right),
        _ => return Err("can only compare one element at a time".to_owned()),
    };
    let order = compare(left, right)?;
    Ok(match operator {
        "==" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        ">=" => order != Ordering::Less,
        other => return Err(format!("unrecognized filter operator {other}")),
    })
}

/// Compares two values of the same basic type.
fn compare(left: &Value, right: &Value) -> Result<Ordering, String> {
    let is_basic = |value: &Value| value.is_boolean() || value.is_number() || value.is_string();
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Number(a), Value::Number(b)) if a.is_f64() == b.is_f64() => {
            let whole = a.as_i64().zip(b.as_i64()).map(|(a, b)| a.cmp(&b));
            let floats = || a.as_f64().zip(b.as_f64()).and_then(|(a, b)| a.partial_cmp(&b));
            whole.or_else(floats).ok_or_else(|| "invalid type for comparison".to_owned())
        }
        _ if is_basic(left) && is_basic(right) => {
            Err("incompatible types for comparison".to_owned())
        }
        _ => Err("invalid type for comparison".to_owned()),
    }
}
