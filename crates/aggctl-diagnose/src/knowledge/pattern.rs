//! Matches the message patterns of entries: literal words with placeholders.
//!
//! `<text>` and `<name:text>` match anything. Every other placeholder matches one word, quoted or
//! not, and its name says what the word is. `<group-version>`, `<apiservice>` and
//! `<version-of-group>` (`GROUP.VERSION`) match only valid ones. `<front-proxy>` matches only a
//! user that can be kube-apiserver's client certificate, and `<component-cn>` only the certificate
//! name of another component. `<service-in>` matches `NAME in "NAMESPACE"`. A pattern that begins
//! with `=` must match the whole statement, and one that ends with `$` must match its end. Case
//! does not matter, and only whole words match.

/// A parsed pattern.
#[derive(Debug)]
pub(crate) struct Pattern {
    pieces: Vec<PatternPiece>,
    /// Whether it must match the whole statement.
    whole: bool,
    /// Whether the match must end the statement.
    last: bool,
    score: usize,
}

#[derive(Debug)]
enum PatternPiece {
    /// A literal, in lower case.
    Literal(String),
    /// A placeholder for one word.
    Place(&'static str),
    /// A placeholder for any text.
    Text(&'static str),
}

/// One match of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PatternMatch {
    /// The matching part of the line.
    pub text: String,
    /// The offset at which it begins.
    pub start: usize,
    /// The names and values of its placeholders.
    pub captures: Vec<(&'static str, String)>,
    /// The length of the pattern's literals.
    pub score: usize,
}

impl Pattern {
    pub(crate) fn new(text: &'static str) -> Self {
        let (whole, last) = (text.starts_with('='), text.ends_with('$'));
        let rest = text.strip_prefix('=').unwrap_or(text);
        let mut rest = rest.strip_suffix('$').unwrap_or(rest);
        let mut pieces = vec![];
        while let Some((literal, after)) = rest.split_once('<') {
            let Some((name, after)) = after.split_once('>') else { break };
            if !literal.is_empty() {
                pieces.push(PatternPiece::Literal(literal.to_ascii_lowercase()));
            }
            pieces.push(match (name, name.strip_suffix(":text")) {
                ("text", _) => PatternPiece::Text(name),
                (_, Some(name)) => PatternPiece::Text(name),
                (name, None) => PatternPiece::Place(name),
            });
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(PatternPiece::Literal(rest.to_ascii_lowercase()));
        }
        let score = pieces.iter().map(|piece| match piece {
            PatternPiece::Literal(text) => text.len(),
            PatternPiece::Place(_) | PatternPiece::Text(_) => 1,
        });
        Self { score: score.sum(), pieces, whole, last }
    }

    fn literals(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            PatternPiece::Literal(text) => Some(text.as_str()),
            PatternPiece::Place(_) | PatternPiece::Text(_) => None,
        })
    }

    /// Returns all literals, joined.
    pub(crate) fn literal(&self) -> String {
        self.literals().map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// Returns the longest literal, which every match contains.
    pub(super) fn longest_literal(&self) -> &str {
        self.literals().max_by_key(|text| text.len()).unwrap_or_default()
    }

    /// Finds the first match in a line. `lower` is the line in lower case.
    pub(crate) fn find(&self, line: &str, lower: &str) -> Option<PatternMatch> {
        if self.whole {
            let trimmed = line.trim_matches(|c: char| c.is_whitespace() || is_quote(c));
            let same = trimmed.to_ascii_lowercase() == self.literal();
            return same.then(|| PatternMatch {
                text: trimmed.to_owned(),
                start: 0,
                captures: vec![],
                score: self.score,
            });
        }
        let starts: Vec<usize> = match self.pieces.first()? {
            PatternPiece::Literal(text) => {
                memchr::memmem::find_iter(lower.as_bytes(), text.as_bytes()).collect()
            }
            PatternPiece::Place(_) | PatternPiece::Text(_) => {
                word_starts(lower, self.literals().next().unwrap_or_default())
            }
        };
        starts.into_iter().filter(|start| is_edge(lower, *start)).find_map(|start| {
            let mut captures = vec![];
            let end = matches(&self.pieces, line, lower, start, &mut captures)?;
            let follows = lower.get(end..).unwrap_or_default();
            let ends = follows.chars().all(|c| c.is_whitespace() || is_quote(c));
            (is_edge(lower, end) && (ends || !self.last)).then(|| PatternMatch {
                text: excerpt(line, start, end),
                start,
                captures: captures.into_iter().rev().collect(),
                score: self.score,
            })
        })
    }
}

/// Returns the matching text from the beginning of its first word, without an unbalanced quote at
/// the end.
fn excerpt(line: &str, start: usize, end: usize) -> String {
    let before = line.get(..start).unwrap_or_default().trim_end_matches(in_word).len();
    let text = line.get(before..end).unwrap_or_default().trim().trim_end_matches(',');
    let odd = text.matches('"').count() % 2 == 1;
    text.strip_suffix('"').filter(|_| odd).unwrap_or(text).to_owned()
}

/// Returns the starts of the words directly before a literal.
fn word_starts(lower: &str, literal: &str) -> Vec<usize> {
    let ends = memchr::memmem::find_iter(lower.as_bytes(), literal.as_bytes());
    let start = |end| Some(lower.get(..end)?.trim_end_matches(in_word).len());
    ends.filter_map(start).collect()
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

fn in_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '"' | '\'' | ',' | '(' | ')' | '[' | ']' | '`')
}

/// Returns whether this offset is a word boundary.
fn is_edge(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at..).and_then(|t| t.chars().next());
    let wordy = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !(wordy(before) && wordy(after))
}

/// Returns whether a placeholder accepts a word. Any program may print "NAME failed with".
fn can_be(place: &str, word: &str) -> bool {
    match place {
        "apiservice" => word.split_once('.').is_some_and(|(version, _)| is_version(version)),
        "group-version" => is_version(word.rsplit_once('/').map_or(word, |(_, version)| version)),
        "version-of-group" => word.rsplit_once('.').is_some_and(|(_, version)| is_version(version)),
        "front-proxy" => is_front_proxy(word),
        "component-cn" => is_component(word),
        _ => true,
    }
}

/// Returns whether a user is named like a front-proxy client certificate. kube-apiserver's own
/// requests to extension servers use system:kube-aggregator, which is not a certificate.
pub(crate) fn is_front_proxy(user: &str) -> bool {
    let names = ["front-proxy", "frontproxy", "aggregator", "proxy-client", "requestheader"];
    let person = user.contains('@') || user.starts_with("system:serviceaccount:");
    !person && user != "system:kube-aggregator" && names.iter().any(|name| user.contains(name))
}

/// Returns whether a certificate name belongs to a component or an administrator, not to a front
/// proxy.
fn is_component(name: &str) -> bool {
    let known = [
        "kubernetes-admin",
        "kubernetes-super-admin",
        "kubelet",
        "admin",
        "kube-apiserver-kubelet-client",
    ];
    let system = name.starts_with("system:") && !name.contains("auth-proxy");
    (system || known.contains(&name)) && !is_front_proxy(name)
}

/// Returns whether a word looks like an API version: `v1beta1`, but also `v1api20200601`, which the
/// server does not order specially.
pub(crate) fn is_version(word: &str) -> bool {
    let rest = word.strip_prefix('v').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// Matches pieces at an offset and returns the end of the match. Adds captures in reverse order.
fn matches(
    pieces: &[PatternPiece],
    line: &str,
    lower: &str,
    at: usize,
    captures: &mut Vec<(&'static str, String)>,
) -> Option<usize> {
    let Some((piece, rest)) = pieces.split_first() else { return Some(at) };
    match piece {
        PatternPiece::Literal(text) => {
            lower.get(at..)?.starts_with(text.as_str()).then_some(())?;
            matches(rest, line, lower, at + text.len(), captures)
        }
        PatternPiece::Text(name) if rest.is_empty() => {
            captures.push((name, line.get(at..)?.to_owned()));
            Some(line.len())
        }
        PatternPiece::Text(name) => {
            let Some(PatternPiece::Literal(next)) = rest.first() else { return None };
            let tail = lower.get(at..)?;
            memchr::memmem::find_iter(tail.as_bytes(), next.as_bytes()).find_map(|offset| {
                let end = matches(rest, line, lower, at + offset, captures)?;
                captures.push((name, line.get(at..at + offset)?.to_owned()));
                Some(end)
            })
        }
        PatternPiece::Place("service-in") => {
            let tail = line.get(at..)?;
            let (name, after) = tail.split_once(" in \"")?;
            let (namespace, _) = after.split_once('"')?;
            if name.chars().any(|c| !in_word(c)) {
                return None;
            }
            let end = at + name.len() + " in \"".len() + namespace.len() + 1;
            let end = matches(rest, line, lower, end, captures)?;
            captures.push(("service", format!("{namespace}/{name}")));
            Some(end)
        }
        PatternPiece::Place(name) => {
            let tail = line.get(at..)?;
            let quote = tail.chars().next().filter(|c| is_quote(*c));
            let (open, word) = match quote {
                Some(quote) => {
                    let inner = tail.get(1..)?;
                    (1, inner.split_once(quote).map(|(word, _)| word)?)
                }
                None => (0, tail.split(|c: char| !in_word(c)).next()?),
            };
            let bare = word.trim_end_matches([':', ';', '.', ',']);
            if word.is_empty() || !can_be(name, bare) {
                return None;
            }
            let full = at + open + word.len() + open;
            // The word may end in punctuation that belongs to the pattern.
            let shorter = full - word.chars().next_back().map_or(0, char::len_utf8);
            let end = match matches(rest, line, lower, full, captures) {
                None if open == 0 => matches(rest, line, lower, shorter, captures),
                end => end,
            }?;
            captures.push((name, bare.to_owned()));
            Some(end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &'static str, line: &str, want: Option<&[(&str, &str)]>) {
        let found = Pattern::new(pattern).find(line, &line.to_ascii_lowercase());
        let got = found.map(|f| f.captures);
        let want =
            want.map(|all| all.iter().map(|(n, t)| (*n, (*t).to_owned())).collect::<Vec<_>>());
        assert_eq!(got, want, "{pattern} on {line}");
    }

    #[test]
    fn finds_literals_and_placeholders() {
        check("connection refused", "dial tcp: connect: Connection refused", Some(&[]));
        check("local", "localhost is down", None);
        check(
            "service/<service-in> is not present",
            r#"x: service/a-b in "ns" is not present"#,
            Some(&[("service", "ns/a-b")]),
        );
        check("port name <word>", r#"with port name "https""#, Some(&[("word", "https")]));
        check(
            "from <url>",
            "no response from https://10.0.0.1:443/apis/a/v1: Get",
            Some(&[("url", "https://10.0.0.1:443/apis/a/v1")]),
        );
        check(
            "<apiservice> failed with: <text>",
            "E0101 12:00:00 x.go:1] v1.a.b failed with: boom",
            Some(&[("apiservice", "v1.a.b"), ("text", "boom")]),
        );
        check(
            "valid for <text>, not <word>",
            "certificate is valid for a, b, not c.d.svc",
            Some(&[("text", "a, b"), ("word", "c.d.svc")]),
        );
        check(
            "error resolving <service>: <text>",
            "error resolving ns/svc: no",
            Some(&[("service", "ns/svc"), ("text", "no")]),
        );
        check("<apiservice> failed with: <text>", "the backup failed with: no", None);
        check("<group-version>: Unauthorized", "Failed to list *v1.Pod: Unauthorized", None);
        check("=Passed", " Passed ", Some(&[]));
        check("=Passed", "it Passed", None);
        check("=missing user", "\"missing user\"", Some(&[]));
        check(": EOF$", "reach service: EOF\"", Some(&[]));
        check(": EOF$", "x: EOF and more", None);
    }

    #[test]
    fn no_text_panics() {
        for line in [
            "",
            "\u{1F980}",
            "service/ü in \"",
            "service/a in \"b",
            "é failed with: ",
            "\"",
            "from \"",
        ] {
            for pattern in [
                "service/<service-in> is",
                "<apiservice> failed with: <text>",
                "from <url>",
                "a <text> b",
            ] {
                let _ = Pattern::new(pattern).find(line, &line.to_ascii_lowercase());
            }
        }
    }
}
