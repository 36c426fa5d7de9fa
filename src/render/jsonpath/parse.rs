//! Parses kubectl's JSONPath templates.

/// One part of a template.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Text(String),
    /// An action: `{…}`.
    Action(Vec<Step>),
}

/// One step of an action.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    Field(String),
    Wildcard,
    Recursive,
    Slice(Slice),
    Union(Vec<Vec<Step>>),
    Filter {
        left: Vec<Step>,
        operator: String,
        right: Vec<Step>,
    },
    Range,
    End,
    /// Any other word.
    Identifier(String),
}

/// `[start:end:step]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    pub(super) start: Option<i64>,
    pub(super) end: End,
    pub(super) step: Option<i64>,
}

/// The end of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `[1]`: only the element itself.
    Single,
    /// `[1:]`
    Open,
    /// `[1:3]`
    At(i64),
}

/// How deep unions and filters may be nested.
const MAX_DEPTH: usize = 32;

/// Parses a template: text with actions in braces.
pub(super) fn parse(template: &str) -> Result<Vec<Node>, String> {
    let mut nodes = vec![];
    let mut rest = template;
    while let Some((text, action)) = rest.split_once('{') {
        if !text.is_empty() {
            nodes.push(Node::Text(text.to_owned()));
        }
        let mut action = Action { rest: action, depth: 0 };
        nodes.push(Node::Action(action.steps(true)?));
        rest = action.rest;
    }
    if !rest.is_empty() {
        nodes.push(Node::Text(rest.to_owned()));
    }
    Ok(nodes)
}

/// The text of an action that is not parsed yet.
struct Action<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Action<'t> {
    /// Parses steps: to the closing brace, or to the end of the text of a union or filter.
    fn steps(&mut self, closed: bool) -> Result<Vec<Step>, String> {
        let mut steps = vec![];
        loop {
            if let Some(rest) = self.rest.strip_prefix('}').filter(|_| closed) {
                self.rest = rest;
                return Ok(steps);
            }
            if let Some(rest) = self.rest.strip_prefix("[?(") {
                self.rest = rest;
                steps.push(self.filter()?);
                continue;
            }
            if let Some(rest) = self.rest.strip_prefix("..") {
                if steps.last() == Some(&Step::Recursive) {
                    return Err("invalid multiple recursive descent".to_owned());
                }
                self.rest = rest;
                steps.push(Step::Recursive);
                if self.rest.starts_with(is_alphanumeric) {
                    steps.push(self.field());
                }
                continue;
            }
            let Some(first) = self.rest.chars().next() else {
                return if closed { Err("unclosed action".to_owned()) } else { Ok(steps) };
            };
            let after = self.rest.get(first.len_utf8()..).unwrap_or_default();
            match first {
                '\r' | '\n' => return Err("unclosed action".to_owned()),
                ' ' | '@' | '$' => self.rest = after,
                '[' => {
                    self.rest = after;
                    self.brackets(&mut steps)?;
                }
                '"' | '\'' => {
                    self.rest = after;
                    steps.push(Step::Text(self.quoted(first)?));
                }
                '.' => {
                    self.rest = after;
                    steps.push(self.field());
                }
                '+' | '-' | '0'..='9' => steps.push(self.number()?),
                c if is_alphanumeric(c) => steps.push(self.identifier()),
                c => {
                    let code = u32::from(c);
                    return Err(format!("unrecognized character in action: U+{code:04X} '{c}'"));
                }
            }
        }
    }

    /// Takes the text up to the first character for which `ends` is true.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn field(&mut self) -> Step {
        let mut name = String::new();
        let mut chars = self.rest.char_indices();
        let mut end = self.rest.len();
        while let Some((index, c)) = chars.next() {
            match c {
                '\\' => name.extend(chars.next().map(|(_, escaped)| escaped)),
                c if is_terminator(c) => {
                    end = index;
                    break;
                }
                c => name.push(c),
            }
        }
        self.rest = self.rest.get(end..).unwrap_or_default();
        if name == "*" { Step::Wildcard } else { Step::Field(name) }
    }

    fn identifier(&mut self) -> Step {
        match self.take_until(is_terminator) {
            "range" => Step::Range,
            "end" => Step::End,
            "true" => Step::Bool(true),
            "false" => Step::Bool(false),
            other => Step::Identifier(other.to_owned()),
        }
    }

    fn number(&mut self) -> Result<Step, String> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let digits = self.rest.get(sign..).unwrap_or_default();
        let length = digits.find(|c: char| c != '.' && !c.is_ascii_digit());
        let (text, rest) = self.rest.split_at(sign + length.unwrap_or(digits.len()));
        self.rest = rest;
        let number = text.parse().map(Step::Int);
        number
            .or_else(|_| text.parse().map(Step::Float))
            .map_err(|_| format!("cannot parse number {text}"))
    }

    fn quoted(&mut self, quote: char) -> Result<String, String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((index, c)) = chars.next() {
            match c {
                '\n' => break,
                c if c == quote => {
                    self.rest = self.rest.get(index + 1..).unwrap_or_default();
                    return Ok(text);
                }
                '\\' => text.push(match chars.next().map(|(_, c)| c) {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some(c @ ('\\' | '"' | '\'')) => c,
                    _ => {
                        return Err(format!("unquote string {:?} error invalid syntax", self.rest));
                    }
                }),
                c => text.push(c),
            }
        }
        Err("unterminated quoted string".to_owned())
    }

    /// Parses what follows a `[`: an index, a slice, a key in quotes, or a union of these.
    fn brackets(&mut self, steps: &mut Vec<Step>) -> Result<(), String> {
        let text = self.take_until(|c| c == ']' || c == '\n');
        self.rest = self.rest.strip_prefix(']').ok_or("unterminated array")?;
        if text.contains(',') {
            let parts = text.split(',').map(|part| self.nested(&format!("[{}]", part.trim())));
            steps.push(Step::Union(parts.collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            steps.extend(self.nested(&format!(".{key}"))?);
            return Ok(());
        }
        steps.push(Step::Slice(slice(if text == "*" { ":" } else { text })?));
        Ok(())
    }

    /// Parses what follows a `[?(`.
    fn filter(&mut self) -> Result<Step, String> {
        let mut quote = None;
        let mut is_over = false;
        let mut before = ' ';
        let mut end = None;
        for (index, c) in self.rest.char_indices() {
            match c {
                '\n' => break,
                '"' | '\'' if quote.is_none() => quote = Some(c),
                c if Some(c) == quote && before != '\\' => is_over = true,
                ')' if quote.is_none() || is_over => {
                    end = Some(index);
                    break;
                }
                _ => {}
            }
            before = c;
        }
        let (text, rest) = self.rest.split_at(end.ok_or("unterminated filter")?);
        self.rest = rest.strip_prefix(")]").ok_or("unclosed array expect ]")?;
        let is_operator = |c: char| "!<>=".contains(c);
        let compared = text.find(is_operator).filter(|start| *start > 0).map(|start| {
            let (left, rest) = text.split_at(start);
            let (operator, right) =
                rest.split_at(rest.find(|c| !is_operator(c)).unwrap_or(rest.len()));
            (left, operator, right)
        });
        match compared.filter(|(.., right)| !right.is_empty()) {
            Some((left, operator, right)) => Ok(Step::Filter {
                left: self.nested(left)?,
                operator: operator.to_owned(),
                right: self.nested(right)?,
            }),
            None => {
                let left = self.nested(text)?;
                Ok(Step::Filter { left, operator: "exists".to_owned(), right: vec![] })
            }
        }
    }

    /// Parses the text of a union or filter.
    fn nested(&self, text: &str) -> Result<Vec<Step>, String> {
        if self.depth >= MAX_DEPTH {
            return Err("too many nested expressions".to_owned());
        }
        Action { rest: text, depth: self.depth + 1 }.steps(false)
    }
}

/// Parses `start:end:step`, each of which may be missing.
fn slice(text: &str) -> Result<Slice, String> {
    let invalid = || format!("invalid array index {text}");
    let mut parts = text.split(':');
    let mut number = || match parts.next() {
        None => Ok(None),
        Some("") => Ok(Some(None)),
        Some(digits) => match digits.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit()) {
            true => digits.parse().map(|number| Some(Some(number))).map_err(|_| invalid()),
            false => Err(invalid()),
        },
    };
    let (start, end, step) = (number()?.flatten(), number()?, number()?.flatten());
    if parts.next().is_some() {
        return Err(invalid());
    }
    let end = match end {
        None => End::Single,
        Some(None) => End::Open,
        Some(Some(end)) => End::At(end),
    };
    Ok(Slice { start, end, step })
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}
