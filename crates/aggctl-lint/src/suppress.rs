//! Suppressions: findings that are allowed, with a reason.
//!
//! A suppression is an annotation on the object, a comment in the YAML, or an entry of the
//! configuration file. Unused ones are reported.

use super::api_service::ManifestObject;
use super::config::{self, Config};
use super::finding::{Finding, Place, Suppressed};
use super::input::{LintInput, Role};
use super::options::LintOptions;
use super::rule::Rule;
use super::rules;
use globset::GlobMatcher;
use located_document::{Comment, Document, Node, Positions, Span};
use std::collections::HashMap;
use std::path::Path;

/// The prefix of annotations such as `allow.aggctl/<rule>: <reason>`.
const ANNOTATION: &str = "allow.aggctl/";

/// One suppression.
#[derive(Debug)]
pub(super) struct Suppression {
    by: &'static str,
    rule: String,
    reason: String,
    place: Place,
    extent: Extent,
    used: bool,
    /// Its line, once it was needed.
    line: Option<Option<usize>>,
}

impl Suppression {
    fn new(by: &'static str, rule: &str, reason: &str, place: Place, extent: Extent) -> Self {
        let (rule, reason) = (rule.to_owned(), reason.trim().to_owned());
        Self { by, rule, reason, place, extent, used: false, line: None }
    }
}

/// What a suppression covers.
#[derive(Debug)]
enum Extent {
    /// Findings in this range of bytes of its file.
    Bytes(Span),
    /// Files of a configuration, and optionally one object.
    Files { pattern: Option<GlobMatcher>, object: Option<String> },
}

/// Adds the suppressions in the annotations of an object.
pub(super) fn annotations(object: ManifestObject<'_>, out: &mut Vec<Suppression>) {
    let Some(annotations) = object.node.at(&["metadata", "annotations"]) else { return };
    let ManifestObject { file, document, node } = object;
    for entry in annotations.entries() {
        if let Some(rule) = entry.key.strip_prefix(ANNOTATION) {
            let reason = entry.value.as_str().unwrap_or_default();
            let place = Place { file, document, span: entry.key_span };
            let extent = Extent::Bytes(node.span);
            out.push(Suppression::new("annotation", rule, reason, place, extent));
        }
    }
}

/// Adds the suppressions in the comments of a document.
pub(super) fn comments(
    document: &Document<'_>,
    bytes: &[u8],
    file: usize,
    number: usize,
    out: &mut Vec<Suppression>,
) {
    // In reverse, so that only the last of consecutive comments searches for the following field.
    let mut below: Option<(usize, Span)> = None;
    let first = out.len();
    for comment in document.comments.iter().rev() {
        let covered = covered(comment, document, bytes, &mut below);
        let Some(rest) = comment.text.strip_prefix("aggctl:") else { continue };
        let rest = rest.trim();
        let (rules, reason) = match rest.strip_prefix("allow ") {
            Some(rest) => rest.split_once("--").unwrap_or((rest, "")),
            // Reported as a suppression that matches nothing.
            None => (rest, "not understood"),
        };
        for rule in rules.split([',', ' ']).filter(|rule| !rule.is_empty()) {
            let place = Place { file, document: number, span: comment.span };
            out.push(Suppression::new("comment", rule, reason, place, Extent::Bytes(covered)));
        }
    }
    out[first..].reverse();
}

/// Returns what a comment covers: its line, if it is at the end of one. On its own line, it covers
/// the following field. Above the first field, it covers the whole document.
///
/// `below` is the start of the next comment's line and what that comment covers, if it has its own
/// line.
fn covered(
    comment: &Comment,
    document: &Document<'_>,
    bytes: &[u8],
    below: &mut Option<(usize, Span)>,
) -> Span {
    let start = comment.span.start as usize;
    let line = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |at| at + 1);
    let end_of =
        |from: usize| memchr::memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |at| from + at);
    let own_line =
        bytes[line..start].iter().all(|b| matches!(b, b' ' | b'\t' | 0xEF | 0xBB | 0xBF));
    if !own_line {
        return Span::new(line, end_of(start));
    }
    let next = end_of(start);
    let span = match *below {
        Some((at, span)) if next + 1 == at => span,
        _ => following(document, bytes, next, end_of),
    };
    *below = Some((line, span));
    span
}

/// Returns the range of the first field after a comment's line.
fn following(
    document: &Document<'_>,
    bytes: &[u8],
    mut next: usize,
    end_of: impl Fn(usize) -> usize,
) -> Span {
    loop {
        let rest = &bytes[next..];
        let Some(skip) = rest.iter().position(|b| !b.is_ascii_whitespace()) else {
            return document.span;
        };
        next += skip;
        if bytes[next] == b'#' || bytes[next..].starts_with(b"---") {
            next = end_of(next);
        } else if bytes[next..].starts_with(b"- ") {
            next += 2;
        } else {
            break;
        }
    }
    if document.root.entries().first().is_some_and(|e| e.key_span.start as usize == next) {
        return document.span;
    }
    field_at(&document.root, next).unwrap_or_else(|| Span::new(next, end_of(next)))
}

/// Returns the range of the field with a key that starts at this byte.
fn field_at(node: &Node<'_>, offset: usize) -> Option<Span> {
    for entry in node.entries().iter().filter(|e| !e.merged) {
        if entry.key_span.start as usize == offset {
            let end = entry.value.span.end.max(entry.key_span.end);
            return Some(Span { start: entry.key_span.start, end });
        }
        if entry.value.span.range().contains(&offset) {
            return field_at(&entry.value, offset);
        }
    }
    node.items().iter().find(|i| i.span.range().contains(&offset)).and_then(|i| field_at(i, offset))
}

/// Adds the suppressions of the configuration files.
pub(super) fn configured(inputs: &[LintInput], out: &mut Vec<Suppression>) {
    for (file, config) in configs(inputs) {
        for allow in &config.allow {
            let entry = allow.get_ref();
            let pattern = entry.files.as_deref().and_then(|text| config::file_pattern(text).ok());
            let place = Place { file, document: 0, span: config::span(allow) };
            let extent = Extent::Files { pattern, object: entry.object.clone() };
            out.push(Suppression::new("config", &entry.rule, &entry.reason, place, extent));
        }
    }
}

/// Parses the configuration files. An invalid one was rejected before the run.
fn configs(inputs: &[LintInput]) -> impl Iterator<Item = (usize, Config)> {
    let files = inputs.iter().enumerate().filter(|(_, input)| input.is_config());
    files.map(|(file, input)| (file, Config::parse(&input.bytes).unwrap_or_default()))
}

/// All suppressions, indexed by rule.
#[derive(Debug, Default)]
pub(super) struct Suppressions {
    list: Vec<Suppression>,
    /// Suppressions in a file, by rule and file.
    local: HashMap<(String, usize), Vec<usize>>,
    /// Suppressions of configuration files, by rule.
    global: HashMap<String, Vec<usize>>,
    /// What the configuration files select and ignore, by the index of the file.
    selections: HashMap<usize, LintOptions>,
}

impl Suppressions {
    pub(super) fn new(list: Vec<Suppression>, inputs: &[LintInput], options: &LintOptions) -> Self {
        let mut all = Self::default();
        for (file, config) in configs(inputs) {
            if !(config.select.is_empty() && config.ignore.is_empty()) {
                all.selections.insert(file, options.completed(config));
            }
        }
        for (number, suppression) in list.iter().enumerate() {
            let known = rules::find(&suppression.rule).map(|rule| rule.name.to_owned());
            let rule = known.unwrap_or_else(|| suppression.rule.clone());
            match suppression.extent {
                Extent::Bytes(_) => {
                    all.local.entry((rule, suppression.place.file)).or_default().push(number);
                }
                Extent::Files { .. } => all.global.entry(rule).or_default().push(number),
            }
        }
        all.list = list;
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty() && self.selections.is_empty()
    }

    /// Returns which configuration file leaves a rule out for a file, if any.
    pub(super) fn left_out(
        &self,
        rule: &Rule,
        file: usize,
        inputs: &[LintInput],
    ) -> Option<Suppressed> {
        let without = |config: &usize| {
            self.selections.get(config).is_some_and(|options| !rules::enabled(options, rule))
        };
        let config = match &inputs.get(file)?.role {
            Role::Manifest { configs } => configs.iter().map(|(config, _)| *config).find(without),
            Role::Context => None,
            Role::Config { .. } => {
                let of_run = |at: &usize| {
                    inputs.get(*at).is_some_and(|i| i.role == Role::Config { of_run: true })
                };
                self.selections.keys().copied().filter(|at| *at == file || of_run(at)).find(without)
            }
        };
        let reason = "the rule is ignored or not selected".to_owned();
        config.map(|file| Suppressed { by: "config", reason, file, line: None })
    }

    /// Returns the suppression of a finding, if it is allowed.
    pub(super) fn allows(&mut self, finding: &Finding, inputs: &[LintInput]) -> Option<Suppressed> {
        let place = finding.place;
        let key = (finding.rule.name.to_owned(), place.file);
        let local = self.local.get(&key).map_or(&[][..], Vec::as_slice).iter().copied();
        let global = self.global.get(finding.rule.name).map_or(&[][..], Vec::as_slice);
        let number = local.chain(global.iter().copied()).find(|number| {
            let suppression = &self.list[*number];
            match &suppression.extent {
                Extent::Bytes(span) => {
                    span.start <= place.span.start && place.span.start <= span.end
                }
                Extent::Files { pattern, object } => {
                    let covers = |(config, path): &(usize, String)| {
                        *config == suppression.place.file
                            && pattern.as_ref().is_none_or(|p| p.is_match(Path::new(path)))
                    };
                    let role = inputs.get(place.file).map(|input| &input.role);
                    matches!(role, Some(Role::Manifest { configs }) if configs.iter().any(covers))
                        && object.as_ref().is_none_or(|name| {
                            let title = finding.object.as_deref().unwrap_or_default();
                            title.strip_prefix("APIService/").unwrap_or(title) == name
                        })
                }
            }
        });
        let Some(number) = number else {
            return self.left_out(finding.rule, place.file, inputs);
        };
        let suppression = &mut self.list[number];
        suppression.used = true;
        let (reason, place) = (suppression.reason.clone(), suppression.place);
        let line = || {
            let bytes = &inputs.get(place.file)?.bytes;
            Some(Positions::new(bytes).of(place.span.start as usize).line)
        };
        let line = *suppression.line.get_or_insert_with(line);
        Some(Suppressed { by: suppression.by, reason, file: place.file, line })
    }

    /// Returns findings for suppressions without a reason, and for those that match nothing.
    pub(super) fn complaints(&self, inputs: &[LintInput], options: &LintOptions) -> Vec<Finding> {
        /// The maximum number of unknown names for which to suggest a similar one.
        const SUGGESTED: usize = 100;
        let mut findings = Vec::new();
        let mut nearest: HashMap<&str, Option<&'static str>> = HashMap::new();
        for suppression in &self.list {
            let place = suppression.place;
            let name = suppression.rule.as_str();
            match rules::find(name) {
                None => {
                    let few = nearest.len() < SUGGESTED;
                    let look = || few.then(|| rules::nearest(name)).flatten();
                    let near = *nearest.entry(name).or_insert_with(look);
                    findings.push(rules::unused_suppression::unknown(place, name, near));
                }
                // A rule that did not run might have had findings.
                Some(rule)
                    if !suppression.used
                        && rules::enabled(options, rule)
                        && self.left_out(rule, place.file, inputs).is_none() =>
                {
                    findings.push(rules::unused_suppression::unused(place, name));
                }
                Some(_) if suppression.reason.is_empty() => {
                    let by = suppression.by;
                    findings.push(rules::suppression_without_reason::finding(place, name, by));
                }
                Some(_) => {}
            }
        }
        findings
    }
}
