//! From files to a report.

use super::api_service::{ApiService, Object};
use super::facts::Facts;
use super::finding::{Finding, Located, Place};
use super::options::Options;
use super::report::Report;
use super::rule::Check;
use super::rules;
use super::scope::Scope;
use crate::document::{self, Document, Error, Node, Positions, Span};
use rayon::prelude::*;

/// A file to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// How it is called in the report.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The documents of one file.
type Documents<'a> = Vec<Result<Document<'a>, Error>>;

/// What one file holds.
#[derive(Default)]
struct Contents<'a> {
    api_services: Vec<ApiService<'a>>,
    facts: Facts,
    findings: Vec<Finding>,
}

/// Checks files as if they were applied together to the cluster.
pub fn run(inputs: &[Input], cluster: &Facts, options: &Options) -> Report {
    let parsed: Vec<Documents<'_>> =
        inputs.par_iter().map(|input| document::parse(&input.bytes)).collect();
    let contents: Vec<Contents<'_>> = parsed
        .par_iter()
        .enumerate()
        .map(|(file, documents)| read(file, documents, &inputs[file].bytes, options))
        .collect();

    let mut facts = Facts::default();
    let mut api_services = Vec::new();
    let mut findings = Vec::new();
    for mut content in contents {
        facts.append(content.facts);
        api_services.append(&mut content.api_services);
        findings.append(&mut content.findings);
    }
    let facts = facts.apply_to(cluster);
    let scope = Scope::new(&api_services, &facts, options);
    findings.extend(check(&scope));
    findings.retain(|finding| options.enabled(finding.rule));

    Report {
        findings: locate(findings, inputs),
        suppressed: Vec::new(),
        files: inputs.len(),
        documents: parsed.iter().map(Vec::len).sum(),
        api_services: api_services.len(),
    }
}

fn check(scope: &Scope<'_>) -> Vec<Finding> {
    let enabled = || rules::ALL.iter().filter(|rule| scope.options.enabled(rule));
    let mut findings: Vec<Finding> = scope
        .api_services
        .par_iter()
        .with_min_len(64)
        .flat_map_iter(|service| {
            let mut found = Vec::new();
            for rule in enabled() {
                if let Check::Each(check) = rule.check {
                    check(service, scope, &mut found);
                }
            }
            found
        })
        .collect();
    for rule in enabled() {
        if let Check::Together(check) = rule.check {
            check(scope, &mut findings);
        }
    }
    findings
}

fn read<'a>(
    file: usize,
    documents: &'a Documents<'a>,
    bytes: &[u8],
    options: &Options,
) -> Contents<'a> {
    let mut contents = Contents::default();
    let mut template = false;
    for (number, document) in documents.iter().enumerate() {
        match document {
            Ok(document) => objects(&document.root, None, &mut |node, kind, listed| {
                let object = Object { file, document: number, node };
                if is_api_service(node, kind) {
                    let mut service = ApiService::new(object, options.minor);
                    if listed && node.get("apiVersion").is_none() {
                        // The list says it for its items.
                        service.violations.retain(|v| v.field != "apiVersion");
                    }
                    contents.api_services.push(service);
                } else {
                    let place = Place { file, document: number, span: node.span };
                    contents.facts.learn(node, place);
                }
            }),
            Err(error) => {
                let place = |offset: usize| Place {
                    file,
                    document: number,
                    span: Span::new(offset, offset),
                };
                let text = &bytes[error.document.clone()];
                match rules::unrendered_template::find(text) {
                    // One sentence for a file says it: all of it is a template.
                    Some(_) if template => {}
                    Some(offset) => {
                        template = true;
                        let place = place(error.document.start + offset);
                        contents.findings.push(rules::unrendered_template::finding(place));
                    }
                    None => contents
                        .findings
                        .push(rules::syntax_error::finding(place(error.offset), &error.message)),
                }
            }
        }
    }
    contents
}

/// Visits the objects of a document, Lists unpacked. The items of a typed list
/// need not repeat their kind, so it is handed down.
fn objects<'a>(
    node: &'a Node<'a>,
    kind: Option<&'a str>,
    visit: &mut impl FnMut(&'a Node<'a>, Option<&'a str>, bool),
) {
    let own = node.get("kind").and_then(Node::as_str).or(kind);
    match (own, node.get("items")) {
        (Some(list), Some(items)) if list.ends_with("List") && !items.items().is_empty() => {
            let inner = Some(list.trim_end_matches("List")).filter(|k| !k.is_empty());
            for item in items.items() {
                objects(item, inner, visit);
            }
        }
        _ => visit(node, own, kind.is_some()),
    }
}

/// Whether an object is meant to be an APIService. Other groups may have a kind
/// of that name; one without any group is a slip.
fn is_api_service(node: &Node<'_>, kind: Option<&str>) -> bool {
    if kind != Some("APIService") {
        return false;
    }
    match node.get("apiVersion").and_then(Node::as_str) {
        Some(version) => version.starts_with("apiregistration.k8s.io") || !version.contains('/'),
        None => true,
    }
}

/// Sorts findings and works out their lines, in one walk over each file.
fn locate(mut findings: Vec<Finding>, inputs: &[Input]) -> Vec<Located> {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.place.file, f.place.span.start, f.rule.name);
        key(a).cmp(&key(b)).then_with(|| a.field.cmp(&b.field))
    });
    let mut located = Vec::with_capacity(findings.len());
    let mut walk: Option<(usize, Positions<'_>)> = None;
    for finding in findings {
        let file = finding.place.file;
        let mut positions = match walk.take() {
            Some((number, positions)) if number == file => positions,
            _ => Positions::new(&inputs[file].bytes),
        };
        let start = positions.of(finding.place.span.start as usize);
        let end = positions.clone().of(finding.place.span.end as usize);
        walk = Some((file, positions));
        located.push(Located { finding, start, end, suppressed: None });
    }
    located
}
