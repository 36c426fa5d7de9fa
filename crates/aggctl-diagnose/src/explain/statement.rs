//! Splits a pasted text into statements. Removes terminal colors, boxes and escapes, and joins
//! wrapped lines.

use super::subject::of_api_service;

/// The maximum number of lines in one statement.
const MAX_LINES: usize = 40;
/// The maximum number of bytes to read of one line.
const MAX_LINE_BYTES: usize = 16 << 10;
/// The minimum width of a line that a terminal may have wrapped.
const MIN_WRAPPED_WIDTH: usize = 60;

/// Words that do not end a message: the next line continues it.
const UNFINISHED: [&str; 16] = [
    "Get", "Post", "Put", "Patch", "tcp", "to", "from", "the", "a", "of", "for", "is", "not", "by",
    "with", "and",
];

/// One message of one program, on one line or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The number of its first line, counted from 1.
    pub line: usize,
    /// The text, with single spaces.
    pub text: String,
    /// The text with its lines joined without spaces, for words that a terminal may have cut.
    pub tight: Option<String>,
    indent: usize,
    lines: usize,
    /// The opening quote of a scalar that has not ended yet.
    open: Option<char>,
}

/// Splits a text into statements.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let mut all: Vec<Statement> = vec![];
    let mut separate = true;
    let mut width = 0;
    for (index, raw) in text.lines().enumerate() {
        let (raw, _) = cut_to(raw, MAX_LINE_BYTES);
        let clean = clean(raw);
        let content = clean.trim();
        if content.is_empty() || content.chars().all(|c| "-=.`~ ".contains(c)) {
            separate = true;
            continue;
        }
        let indent = clean.len() - clean.trim_start().len();
        let words = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let last = all.last_mut().filter(|s| !separate && s.continues_with(content, indent, width));
        match last {
            Some(statement) => statement.push(&words, raw),
            None => all.push(Statement {
                line: index + 1,
                open: open_quote(content, None),
                text: words,
                tight: None,
                indent,
                lines: 1,
            }),
        }
        (separate, width) = (false, clean.chars().count());
    }
    all
}

impl Statement {
    /// Returns whether a line continues this statement. `width` is the width of the previous line.
    fn continues_with(&self, content: &str, indent: usize, width: usize) -> bool {
        if self.lines >= MAX_LINES || is_command(content) {
            return false;
        }
        if self.open.is_some() {
            return true;
        }
        if is_record(content) || is_field(content) || is_row(content) {
            return false;
        }
        let deeper = indent > self.indent && !is_command(&self.text);
        let last = self.text.rsplit(' ').next().unwrap_or_default();
        let unfinished = self.text.ends_with([':', ',', '(']) || UNFINISHED.contains(&last);
        let lower = content.starts_with(|c: char| c.is_lowercase() || "(,)'\"".contains(c));
        let reached = content.starts_with("Trying to reach:") || content.starts_with(", Header:");
        deeper || unfinished || reached || (lower && width >= MIN_WRAPPED_WIDTH)
    }

    fn push(&mut self, words: &str, raw: &str) {
        let tight = self.tight.get_or_insert_with(|| self.text.clone());
        if raw.starts_with(char::is_whitespace) {
            tight.push(' ');
        }
        tight.push_str(words);
        self.text.push(' ');
        self.text.push_str(words);
        self.open = open_quote(words, self.open);
        self.lines += 1;
    }
}

/// Removes colors, boxes, quote marks and JSON escapes from a line.
fn clean(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.peek() == Some(&'[') => {
                chars.next();
                while chars.next().is_some_and(|c| !c.is_ascii_alphabetic()) {}
            }
            '\u{1b}' => {}
            '\\' => match chars.peek() {
                Some('n' | 't' | 'r') => {
                    chars.next();
                    text.push(' ');
                }
                Some('"' | '\\' | '\'') => {}
                _ => text.push('\\'),
            },
            '│' | '┃' | '║' | '\u{a0}' | '\t' => text.push(' '),
            c => text.push(c),
        }
    }
    let text = without_links(&without_bare_colors(&text));
    let unquoted = text.strip_prefix("> ").unwrap_or(&text);
    ["<pre>", "</pre>", "<code>", "</code>", "```"]
        .iter()
        .fold(unquoted.to_owned(), |text, mark| text.replace(mark, ""))
}

/// Removes color codes that lost their escape character, as in `[31mError:`.
fn without_bare_colors(text: &str) -> String {
    let mut parts = text.split('[');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m').filter(|(codes, _)| is_color(codes)) {
            Some((_, rest)) => {
                kept.truncate(kept.trim_end_matches(['\u{2190}', '\u{241b}']).len());
                kept.push_str(rest);
            }
            None => {
                kept.push('[');
                kept.push_str(part);
            }
        }
    }
    kept
}

/// Replaces Markdown links, `[https://…](https://…)`, with their labels.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](http") {
        let Some((_, behind)) = after.split_once(')') else { break };
        let Some((start, label)) = before.rsplit_once('[') else { break };
        kept.push_str(start);
        kept.push_str(label);
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

/// Returns whether this is a color code: `38;5;196`, or a common number. `[5m` is usually a
/// duration.
fn is_color(codes: &str) -> bool {
    let number = |code: &str| code.parse::<u8>().ok();
    match codes.split_once(';') {
        Some(_) => codes.split(';').all(|code| number(code).is_some()),
        None => number(codes).is_some_and(|n| matches!(n, 0 | 1 | 30..=39 | 90..=97)),
    }
}

/// Returns the quote of a YAML or JSON scalar that does not end on this line.
fn open_quote(content: &str, open: Option<char>) -> Option<char> {
    let scalar = match open {
        Some(_) => content,
        None => {
            let (key, value) = content.split_once(": ")?;
            let value = value.trim_start();
            let key = key.trim_start_matches("- ").trim_matches('"');
            let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '-');
            let quoted = plain && value.starts_with(['\'', '"']);
            quoted.then_some(value)?
        }
    };
    let quote = open.or_else(|| scalar.chars().next())?;
    let odd = scalar.matches(quote).count() % 2 == 1;
    (odd != open.is_some()).then_some(quote)
}

/// Returns whether a line is a command after a prompt, or a shell trace of a command.
fn is_command(content: &str) -> bool {
    let prompt = ["$ ", "# ", "+ ", "PS "].iter().any(|prompt| content.starts_with(prompt));
    let tool = ["kubectl ", "helm ", "aggctl ", "oc "].iter().any(|tool| content.starts_with(tool));
    prompt || tool || content.starts_with('[') && content.contains("]# ")
}

/// Returns whether a line begins a log record or a message of a client.
fn is_record(content: &str) -> bool {
    let mut chars = content.chars();
    let klog = chars.next().is_some_and(|c| "IWEF".contains(c))
        && content.get(1..5).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    let dated = content.get(..4).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    let marks =
        ["time=", "level=", "{\"", "error:", "Error:", "Error from server", "Warning", "Normal "];
    klog || dated || marks.iter().any(|mark| content.starts_with(mark))
}

/// Returns whether a line is `key: value` of YAML, JSON or `kubectl describe`.
fn is_field(content: &str) -> bool {
    let content = content.trim_start_matches("- ");
    if content.starts_with(['{', '}', '[', ']']) {
        return true;
    }
    let Some((key, value)) = content.split_once(':') else { return false };
    let key = key.trim_matches('"');
    let one = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    // `kubectl describe` prints keys such as Last Transition Time.
    let title = key.split(' ').all(|word| word.starts_with(char::is_uppercase));
    let plain = one && !key.contains('.') && (value.is_empty() || value.starts_with(' '));
    plain || title && key.contains(' ')
}

/// Returns whether a line is a table row printed by kubectl.
fn is_row(content: &str) -> bool {
    let first = content.split_whitespace().next().unwrap_or_default();
    content.contains("   ") || of_api_service(first).is_some()
}

/// Cuts a text to at most `most` bytes. Also returns whether anything was cut.
pub(super) fn cut_to(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    (text.get(..end).unwrap_or_default(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[&str]) {
        let got: Vec<String> = statements(text).into_iter().map(|s| s.text).collect();
        assert_eq!(got, want, "{text}");
    }

    #[test]
    fn joins_what_yaml_and_loggers_wrap() {
        check(
            "  - lastTransitionTime: \"x\"\n    message: 'failing or missing\n      response'\n    reason: FailedDiscoveryCheck",
            &[
                "- lastTransitionTime: \"x\"",
                "message: 'failing or missing response'",
                "reason: FailedDiscoveryCheck",
            ],
        );
        check(
            "unable to retrieve the list:\n  a.example.io/v1:\n    stale discovery:\n      a.example.io/v1",
            &["unable to retrieve the list: a.example.io/v1: stale discovery: a.example.io/v1"],
        );
        check(
            "Error: 'net/http: TLS handshake timeout'\nTrying to reach: 'https://10.0.0.9:443/x'",
            &["Error: 'net/http: TLS handshake timeout' Trying to reach: 'https://10.0.0.9:443/x'"],
        );
    }

    #[test]
    fn joins_lines_that_end_within_a_message() {
        check(
            "Failed to list *v1.Node: Get\nhttps://kubernetes.default/api/v1/nodes: dial tcp\n10.96.0.1:443: i/o timeout",
            &[
                "Failed to list *v1.Node: Get https://kubernetes.default/api/v1/nodes: dial tcp 10.96.0.1:443: i/o timeout",
            ],
        );
    }

    #[test]
    fn separate_messages_stay_separate() {
        check("error: one\nerror: two", &["error: one", "error: two"]);
        check(
            "NAME   SERVICE   AVAILABLE\nv1.a.example.io   x/y   False",
            &["NAME SERVICE AVAILABLE", "v1.a.example.io x/y False"],
        );
        check("$ kubectl top nodes\nerror: x", &["$ kubectl top nodes", "error: x"]);
        check("first\n\nsecond", &["first", "second"]);
    }

    #[test]
    fn a_line_that_a_terminal_cut_has_two_readings() {
        let text = "E0101 12:00:00.000000 1 x.go:1] v1.a.example.io failed with: failing or missing resp\nonse from https://10.0.0.9:443";
        let all = statements(text);
        assert_eq!(all.len(), 1);
        assert!(all[0].tight.as_deref().unwrap().contains("missing response from"));
    }

    #[test]
    fn removes_colors_boxes_and_escapes() {
        check("\u{1b}[31m│ say \\\"hi\\\"\u{1b}[0m  │", &["say \"hi\""]);
        check(
            "from [https://a/b](https://a/b): [https://c](http://c): 403",
            &["from https://a/b: https://c: 403"],
        );
        check("[38;5;196msay [1] and [5m0s]\u{2190}[0m", &["say [1] and [5m0s]"]);
    }
}
