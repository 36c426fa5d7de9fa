//! The simple JSON paths of `additionalPrinterColumns`.

use serde_json::Value;

/// A path to one value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JsonPath(Vec<Step>);

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    Index(i64),
    /// The first element.
    Any,
    /// The first element whose field has this value.
    Where(String, Value),
}

impl JsonPath {
    /// Parses a path; `None` for forms that CRDs do not use.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut steps = vec![];
        let text = text.trim().trim_start_matches('{').trim_end_matches('}');
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('[') {
                let end = closing(after)?;
                steps.push(bracket(after.get(..end)?.trim())?);
                rest = after.get(end + 1..)?;
            } else {
                let after = rest.strip_prefix('.')?;
                let (name, behind) = field(after);
                if !name.is_empty() {
                    steps.push(Step::Field(name));
                }
                rest = behind;
            }
        }
        Some(Self(steps))
    }

    /// Returns the value at the path.
    pub(super) fn find<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |value, step| match step {
            Step::Field(name) => value.get(name),
            Step::Any => value.as_array()?.first(),
            Step::Index(index) => {
                let all = value.as_array()?;
                let from_end = || all.len().checked_sub(usize::try_from(-index).ok()?);
                all.get(usize::try_from(*index).ok().or_else(from_end)?)
            }
            Step::Where(name, wanted) => {
                value.as_array()?.iter().find(|one| one.get(name) == Some(wanted))
            }
        })
    }
}

/// Returns where a bracket closes; it may contain quoted text.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| {
        match (quote, c) {
            (None, ']') => return Some(at),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        None
    })
}

/// Splits off a name before the next step. A backslash escapes a character.
fn field(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => name.extend(characters.next().map(|(_, c)| c)),
            '.' | '[' => return (name, text.get(at..).unwrap_or_default()),
            c => name.push(c),
        }
    }
    (name, "")
}

fn bracket(text: &str) -> Option<Step> {
    let unquoted = |text: &str| {
        let text = text.trim();
        let quoted = |quote| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        quoted('\'').or_else(|| quoted('"')).map(str::to_owned)
    };
    if let Some(filter) = text.strip_prefix("?(").and_then(|rest| rest.strip_suffix(')')) {
        let (left, right) = filter.split_once("==")?;
        let name = left.trim().strip_prefix("@.")?.to_owned();
        let value = match unquoted(right) {
            Some(text) => text.into(),
            None => serde_json::from_str(right.trim()).ok()?,
        };
        return Some(Step::Where(name, value));
    }
    match text {
        "*" => Some(Step::Any),
        _ => match text.parse() {
            Ok(index) => Some(Step::Index(index)),
            Err(_) => unquoted(text).map(Step::Field),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_find_what_they_name() {
        let object = json!({
            "metadata": {"labels": {"a.b/c": "label"}},
            "spec": {"replicas": 3, "list": ["x", "y"]},
            "status": {"conditions": [
                {"type": "Synced", "status": "False"},
                {"type": "Ready", "status": "True"},
            ]},
        });
        let check = |path: &str, want: Value| {
            let found = JsonPath::parse(path).and_then(|path| path.find(&object).cloned());
            assert_eq!(found.unwrap_or_default(), want, "{path}");
        };
        check(".spec.replicas", json!(3));
        check("$.spec.replicas", json!(3));
        check(".spec.list[1]", json!("y"));
        check(".spec.list[-1]", json!("y"));
        check(".spec.list[*]", json!("x"));
        check(".spec.list[5]", Value::Null);
        check(".spec.list[-5]", Value::Null);
        check(".status.conditions[?(@.type==\"Ready\")].status", json!("True"));
        check(".status.conditions[?(@.type=='Gone')].status", Value::Null);
        check(".metadata.labels['a.b/c']", json!("label"));
        check(".metadata.labels.a\\.b/c", json!("label"));
        for bad in ["spec", ".a[", ".a[?(x)]", ".a[b]"] {
            assert_eq!(JsonPath::parse(bad), None, "{bad}");
        }
    }
}
